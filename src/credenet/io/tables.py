"""Tables of data in files: which reader or writer a format has."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import numpy as np

from credenet.coding import MISSING_LABELS, RawColumn
from credenet.errors import DataError, FormatError
from credenet.io.files import atomic_writer, read_bytes, suffix_of
from credenet.io.suffixes import DATA_SUFFIXES, DataFormat
from credenet.progress import OnProgress

if TYPE_CHECKING:
    import polars as pl

    from credenet.data import Dataset


def read_columns(
    path: str | Path, format: DataFormat, header: bool | None, n_threads: int, on_progress: OnProgress | None
) -> list[RawColumn]:
    """The raw columns of a table in a file."""
    if format not in get_args(DataFormat):
        raise FormatError(f"format must be one of {', '.join(get_args(DataFormat))}, got {format!r}", path=path)
    if format == "parquet":
        return _read_parquet(path)
    from credenet.io.delimited import read_delimited

    return read_delimited(
        path, read_bytes(path), format=format, header=header, n_threads=n_threads, on_progress=on_progress
    )


def _read_parquet(path: str | Path) -> list[RawColumn]:
    import polars as pl

    from credenet.io.frames import columns_of_frame

    with Path(path).open("rb") as file:
        if file.read(4) != b"PAR1":
            raise FormatError("is not a parquet file", path=path)
    try:
        frame = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise FormatError(f"cannot be read as parquet: {error}", path=path) from None
    return columns_of_frame(frame)


def to_polars(data: Dataset) -> pl.DataFrame:
    import polars as pl

    columns = {}
    missing = data.missing
    for at, name in enumerate(data.variables):
        rows = pl.Series(name, data.codes[:, at])
        labels = pl.Series(name, data.states[name], dtype=pl.Enum(data.states[name]))
        columns[name] = labels.gather(rows.replace({data.missing_code: None}) if name in missing else rows)
    return pl.DataFrame(columns)


def save_table(data: Dataset, path: str | Path) -> None:
    """Writes a dataset in the format of the suffix; row weights go into a last column named ``weight``."""
    suffix = suffix_of(path)
    format = DATA_SUFFIXES.get(suffix)
    if format is None:
        raise FormatError(
            f"data can be written as {', '.join(DATA_SUFFIXES)}, not {suffix or 'without a suffix'}", path=path
        )
    if format != "parquet":
        _check_labels(data, path, format)
    frame = to_polars(data)
    if data.weights is not None:
        if "weight" in data.variables:
            raise DataError("the weights cannot be written: a variable is named 'weight'")
        frame = frame.insert_column(len(data.variables), _weight_series(data))
    with atomic_writer(path) as file:
        if format == "parquet":
            frame.write_parquet(file)
        elif format == "dat":
            file.write(_dat_header(data).encode())
            frame.write_csv(file, include_header=False, separator=" ", null_value="?")
        else:
            frame.write_csv(file, separator="\t" if format == "tsv" else ",", null_value="?")


def _weight_series(data: Dataset) -> pl.Series:
    import polars as pl

    return pl.Series("weight", np.asarray(data.weights))


def _dat_header(data: Dataset) -> str:
    """Names, and arities where the labels are 0, 1, … so that they mean what a reader will take them for."""
    names = [*data.variables, *(["weight"] if data.weights is not None else [])]
    quoted = [f'"{name}"' if " " in name or "\t" in name else name for name in names]
    numbered = all(labels == tuple(map(str, range(len(labels)))) for labels in data.states.values())
    arities = (
        [" ".join(str(len(labels)) for labels in data.states.values())] if numbered and data.weights is None else []
    )
    return "\n".join([" ".join(quoted), *arities]) + "\n"


def _check_labels(data: Dataset, path: str | Path, format: str) -> None:
    """Refuses what a text file would not give back."""
    for name, labels in data.states.items():
        for label in (name, *labels):
            if label != label.strip() or (label in MISSING_LABELS and label is not name):
                raise FormatError(
                    f"{label!r} of variable {name!r} cannot be told from a missing or blank-padded cell; write parquet",
                    path=path,
                )
            if format == "dat" and '"' in label:
                raise FormatError(f"{label!r} of variable {name!r} has a quote, which .dat cannot hold", path=path)
