"""Tables of data in files: the reader and the writer of each format."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import numpy as np
from numpy.typing import NDArray

from credenet._files.files import SNIFFED_BYTES, atomic_writer, read_array, suffix_of
from credenet._files.foreign import check_is_table
from credenet._files.suffixes import DATA_SUFFIXES, FAMILY_SUFFIXES, DataFormat
from credenet._json import json_text
from credenet._run.progress import OnProgress
from credenet.data.coding import check_readable
from credenet.data.discretize import interval_labels
from credenet.data.labels import Decimal, find_missing, is_integer, is_number
from credenet.data.raw_columns import RawColumn
from credenet.data.states import Label, are_labels, label_kind, texts
from credenet.errors import DataError, FormatError
from credenet.io.results.kinds import describe_file
from credenet.io.sniffing import looks_like_graph
from credenet.io.tables.delimited import TableFormat, TextOptions, fits_arity, read_delimited
from credenet.io.tables.frames import columns_of_frame

if TYPE_CHECKING:
    import polars as pl

    from credenet.data.dataset import Dataset


def read_columns(
    path: str | Path,
    format: DataFormat | None,
    *,
    header: bool | None,
    encoding: str | None,
    decimal: Decimal | None,
    na_values: frozenset[str],
    repair: bool,
    n_threads: int,
    on_progress: OnProgress | None,
) -> tuple[list[RawColumn], list[str]]:
    """The raw columns of a table in a file, and what was repaired.

    The format is the one given or that of the suffix; CSV for an unknown suffix.
    """
    if format is not None and format not in get_args(DataFormat):
        raise FormatError(f"format must be one of {', '.join(get_args(DataFormat))}, got {format!r}", path=path)
    kind = format or DATA_SUFFIXES.get(suffix_of(path))
    if kind == "parquet":
        return _read_parquet(path), []
    contents = read_array(path)
    if kind is None and contents[:4].tobytes() == b"PAR1":
        return _read_parquet(path), []
    beginning = contents[:SNIFFED_BYTES].tobytes()
    check_is_table(beginning, path, encoding)
    if kind is None and suffix_of(path) in FAMILY_SUFFIXES:
        raise FormatError("holds families with their scores, not a table of data", path=path)
    if kind is None and suffix_of(path) == ".json" and beginning.lstrip().startswith((b"{", b"[")):
        raise FormatError(describe_file(path, "holds JSON, not a table"), path=path)
    if kind is None and looks_like_graph(beginning):
        raise FormatError("looks like a graph, not a table of data; pass format='csv' if it is one", path=path)
    assert kind != "cnb"
    options = TextOptions(kind or "csv", header, encoding, decimal, na_values, repair)
    return read_delimited(path, contents, options, n_threads=n_threads, on_progress=on_progress)


def _read_parquet(path: str | Path) -> list[RawColumn]:
    from credenet.io.tables.parquet import POLARS_ERRORS, read_parquet

    frame, metadata = read_parquet(path)
    try:
        columns = columns_of_frame(frame)
    except POLARS_ERRORS as error:
        raise FormatError(f"cannot be read as parquet: {error}", path=path) from None
    cuts = _cuts_in(metadata)
    _declare(columns, metadata.get(_STATES, "{}"))
    for column in columns:
        column.holds_row_names = PANDAS_INDEX.fullmatch(column.name) is not None
        given = cuts.get(column.name)
        if given is not None and column.declared == interval_labels(given):
            column.cuts = given
    return columns


def _cuts_in(metadata: Mapping[str, str]) -> dict[str, tuple[float, ...]]:
    """The cuts that a file has for its columns; none if another program has changed them."""
    try:
        return {name: tuple(map(float, cuts)) for name, cuts in json.loads(metadata.get(_CUTS, "{}")).items()}
    except (AttributeError, TypeError, ValueError, RecursionError):
        return {}


def to_polars(data: Dataset, text_of: Callable[[str], str] | None = None) -> pl.DataFrame:
    """A frame of the labels, or of the text that is written for them."""
    import polars as pl

    columns = {}
    missing = data.missing
    for at, name in enumerate(data.variables):
        # Series get their names last, as polars reads names such as * and ^a.*$ as patterns.
        rows = pl.Series(data.codes[:, at])
        labels = _label_series(data.states[name], text_of)
        columns[name] = labels.gather(rows.replace({data.missing_code: None}) if name in missing else rows)
    return pl.DataFrame(columns)


def _label_series(labels: tuple[Label, ...], text_of: Callable[[str], str] | None) -> pl.Series:
    """The labels of a variable with their type, or as text if there is a function for it."""
    import polars as pl

    kind = label_kind(labels)
    if text_of is None and kind == "boolean":
        return pl.Series(labels, dtype=pl.Boolean)
    if text_of is None and kind == "integer" and all(-(1 << 63) <= int(label) < 1 << 63 for label in labels):
        return pl.Series(labels, dtype=pl.Int64)
    written = texts(labels) if text_of is None else list(map(text_of, texts(labels)))
    return pl.Series(written, dtype=pl.Enum(written))


def save_table(data: Dataset, path: str | Path) -> None:
    """Writes a dataset in the format of the suffix; row weights go into a last column named ``weight``."""
    import polars as pl

    suffix = suffix_of(path)
    format = DATA_SUFFIXES.get(suffix)
    if format is None:
        raise FormatError(
            f"data can be written as {', '.join(DATA_SUFFIXES)}, not {suffix or 'without a suffix'}", path=path
        )
    if format == "cnb":
        from credenet.io.blocks.ingesting import save_blocks

        save_blocks(data, path)
        return
    header = "" if format == "parquet" else _header(data, path, format)
    if data._is_weighted and "weight" in data.variables:
        raise DataError("the weights cannot be written: a variable is named 'weight'")
    if format == "parquet":
        from credenet.io.tables.parquet import write_parquet

        frame = pl.concat([_add_weights(block, None) for block in data.row_blocks()])
        cuts = {_CUTS: json_text(dict(data.cuts))} if data.cuts else {}
        write_parquet(frame, path, {_STATES: _write_declared(data), **cuts})
        return
    with atomic_writer(path) as file:
        file.write(header.encode())
        for block in data.row_blocks():
            _add_weights(block, _quote).write_csv(
                file, include_header=False, separator=_SEPARATORS[format], null_value="?", quote_style="never"
            )


def _write_declared(data: Dataset) -> str:
    """The states of the variables whose type has no categories, for the metadata of a parquet file."""
    typed = {name: labels for name, labels in data.states.items() if label_kind(labels) != "text"}
    return json_text(typed)


def _declare(columns: list[RawColumn], declared: str) -> None:
    """Gives the columns of numbers and truth values the states that they were written with."""
    try:
        states = json.loads(declared)
    except ValueError:
        return
    for column in columns:
        given = states.get(column.name) if isinstance(states, dict) else None
        if isinstance(given, list) and are_labels(given) and set(column.labels) - {None} <= set(texts(given)):
            column.declared, column.kind = texts(given), label_kind(given)


def _add_weights(data: Dataset, text_of: Callable[[str], str] | None) -> pl.DataFrame:
    import polars as pl

    frame = to_polars(data, text_of)
    if data.weights is None:
        return frame
    return frame.insert_column(len(data.variables), pl.Series("weight", data.weights))


_CUTS = "credenet cuts"
_STATES = "credenet states"
PANDAS_INDEX = re.compile("__index_level_[0-9]+__")
_SEPARATORS: dict[str, str] = {"csv": ",", "tsv": "\t", "dat": " "}
_PLAIN = re.compile(r'[^\s,;|"\ufeff]+')


def _header(data: Dataset, path: str | Path, format: TableFormat) -> str:
    """The lines before the rows; an error if the data would not be read back unchanged."""
    _check_labels(data, path)
    names = [*data.variables, *(["weight"] if data._is_weighted else [])]
    numbered = not data._is_weighted and all(
        texts(labels) == tuple(map(str, range(len(labels)))) for labels in data.states.values()
    )
    arities = " ".join(str(len(labels)) for labels in data.states.values())
    if all(map(is_number, names)):  # A line of numbers would be read as the first row.
        if names != [str(k) for k in range(len(names))]:
            raise FormatError("names that are all numbers would be read as a row; write parquet", path=path)
        if format == "dat" and numbered:
            return f"{len(names)}\n{arities}\n{len(data)}\n"
        if len(data) and not all(map(is_number, _row_labels(data, 0))):
            raise FormatError("without names the first row would be read as the names; write parquet", path=path)
        return ""
    header = _SEPARATORS[format].join(map(_quote, names)) + "\n"
    if format == "dat" and numbered:
        return f"{header}{arities}\n"
    if format == "dat" and not data._is_weighted and _begins_like_arities(data):
        raise FormatError("the first row would be read as the number of states; write csv or parquet", path=path)
    return header


def _quote(text: str) -> str:
    """A name or label as it is written: in quotes if it contains a separator or blanks."""
    if _PLAIN.fullmatch(text):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def _row_labels(data: Dataset, row: int) -> list[str]:
    """The cells of a row, with "?" for missing ones."""
    codes = data.take([row]).codes[0].tolist()
    return [
        "?" if code == data.missing_code else str(labels[code])
        for code, labels in zip(codes, data.states.values(), strict=True)
    ]


def _begins_like_arities(data: Dataset) -> bool:
    """Whether the first row would be read as a line of arities."""
    if len(data) < 2:
        return False
    first = _row_labels(data, 0)
    if not all(is_integer(label) and int(label) >= 1 for label in first):
        return False
    counts = data._state_counts()
    for numbers, code in zip(counts, data.take([0]).codes[0].tolist(), strict=True):
        numbers[code] -= 1
    return all(
        fits_arity(_observed_labels(data, name, numbers), int(arity))
        for name, numbers, arity in zip(data.variables, counts, first, strict=True)
    )


def _check_labels(data: Dataset, path: str | Path) -> None:
    for (name, states), numbers in zip(data.states.items(), data._state_counts(), strict=True):
        labels = texts(states)
        if not name:
            raise FormatError("a variable without a name cannot be written; write parquet", path=path)
        if any("\0" in text for text in (name, *labels)):
            raise FormatError(f"variable {name!r} has a NUL character, which no text has; write parquet", path=path)
        observed = _observed_labels(data, name, numbers)
        missing = find_missing(labels) | find_missing(observed)
        if missing:
            raise FormatError(
                f"the state {min(missing)!r} of variable {name!r} cannot be told from a missing cell; write parquet",
                path=path,
            )
        fraction = next((label for label in labels if is_number(label) and not is_integer(label)), None)
        if fraction is not None and all(map(is_number, observed)):
            raise FormatError(
                f"the state {fraction!r} of variable {name!r} would be read as a number, not a label; write parquet",
                path=path,
            )
        try:
            check_readable(name, observed)
        except DataError as error:
            raise FormatError(f"this would not be read back: {error}; or write parquet", path=path) from None


def _observed_labels(data: Dataset, name: str, counts: NDArray[np.int64]) -> list[str]:
    return [str(label) for label, number in zip(data.states[name], counts.tolist(), strict=True) if number]
