"""Credible networks and classes as frames and files; only one block is in memory at a time.

Files are parquet, JSON or text, by the suffix. If networks of any probability may be missing, the column of
probabilities has another name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from credenet._files.files import atomic_writer, suffix_of
from credenet._json import json_text
from credenet.errors import ArgumentError, FormatError
from credenet.families.table import FamilyTable
from credenet.graphs.parsing import format_graph
from credenet.structures.products.network_products import Choices, dag_of, scores_of

if TYPE_CHECKING:
    import polars as pl

    from credenet.credible.class_set import CredibleClasses
    from credenet.credible.credible_set import CredibleSet
    from credenet.credible.ranked import RankedSequence
    from credenet.credible.result import CredibleResult

Frames = Callable[[int | None], "Iterator[pl.DataFrame]"]
"""Gives the rows up to a limit, in blocks."""

KindAndState = Callable[[], tuple[dict[str, Any], dict[str, Any]]]
"""Gives the first and the last keys of a JSON file, which allow reading it back."""

METADATA = "credenet"
"""The key of a parquet file's metadata that holds the facts with which a JSON file begins."""
SUFFIXES = (".parquet", ".json", ".txt")


def check_suffix(path: str | Path) -> None:
    """Refuses a file whose name gives none of the formats."""
    suffix = suffix_of(path)
    is_packed = Path(path).name.lower().endswith(".gz")
    if suffix not in SUFFIXES or (suffix == ".parquet" and is_packed):
        raise ArgumentError(
            f"networks are written to a .parquet, .json or .txt file (.gz of the last two), got {Path(path).name}"
        )


def write(result: RankedSequence[Any], path: str | Path, what: str, kind_and_state: KindAndState) -> None:
    """Writes the rows in the format of the suffix.

    JSON is one object: the facts about the rows, the rows as a list under the key ``what``, and the state that is read
    back. Text has one row per line, with tabs, under a line of names.
    """
    check_suffix(path)
    suffix = suffix_of(path)
    columns = result._schema()
    if suffix == ".parquet":
        write_parquet(path, result._frames, columns, result._facts())
        return
    lines = _json_lines(result, what, kind_and_state) if suffix == ".json" else _text_lines(result._frames, columns)
    with atomic_writer(path) as file:
        try:
            for line in lines:
                file.write(f"{line}\n".encode())
        except UnicodeEncodeError as error:
            raise FormatError(f"UTF-8 cannot hold {error.object[error.start : error.end]!r}", path=path) from None


def _text_lines(frames_of: Frames, columns: dict[str, Any]) -> Iterator[str]:
    yield "\t".join(columns)
    for frame in frames_of(None):
        for row in frame.iter_rows():
            yield "\t".join("" if value is None else str(value) for value in row)


def _json_lines(result: RankedSequence[Any], what: str, kind_and_state: KindAndState) -> Iterator[str]:
    kind, state = kind_and_state()
    yield json_text({**kind, **result._facts()})[:-1] + f', "{what}": ['
    last = None
    for frame in result._frames(None):
        for row in frame.iter_rows(named=True):
            if last is not None:
                yield f"{last},"
            last = json_text(row)
    if last is not None:
        yield last
    yield f"], {json_text(state)[1:]}"


def write_parquet(path: str | Path, frames_of: Frames, columns: dict[str, Any], facts: dict[str, Any]) -> None:
    """Writes the rows as parquet, whatever the suffix; its metadata hold the facts about them, as JSON."""
    from polars.io.plugins import register_io_source

    def blocks(
        with_columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, batch_size: int | None
    ) -> Iterator[pl.DataFrame]:
        for frame in frames_of(n_rows):
            if predicate is not None:
                frame = frame.filter(predicate)
            yield frame if with_columns is None else frame.select(with_columns)

    with atomic_writer(path) as file:
        register_io_source(blocks, schema=columns).sink_parquet(file, metadata={METADATA: json_text(facts)})


def _share(result: CredibleResult) -> str:
    return "probability" if result.has_probabilities else "share_found"


def schema(credible: CredibleSet) -> dict[str, Any]:
    import polars as pl

    return {"rank": pl.Int64, "score": pl.Float64, _share(credible): pl.Float64, "network": pl.String}


def frames(credible: CredibleSet, limit: int | None) -> Iterator[pl.DataFrame]:
    """Frames of the networks, best first, up to the limit."""
    import polars as pl

    families, product = credible._families, credible._product
    rank = 0
    for choices, ticks in product.blocks_from():
        if limit is not None:
            choices, ticks = choices[: limit - rank], ticks[: limit - rank]
        if not len(ticks):
            return
        yield pl.DataFrame(
            {
                "rank": np.arange(rank, rank + len(ticks)),
                "score": scores_of(families, choices, credible.provenance.prior),
                _share(credible): np.exp(-ticks * product.tick) / product.weight,
                "network": _texts(families, choices),
            },
            schema=schema(credible),
        )
        rank += len(ticks)


def _texts(families: FamilyTable, choices: Choices) -> pl.Series:
    """The networks as ``str(dag)`` writes them, one line each; the texts of families are joined column by column."""
    import polars as pl

    names, flat = families.variables, families.flat()
    is_joined = np.zeros(choices.shape, dtype=np.bool_)
    columns = []
    for child, name in enumerate(names):
        different, place = np.unique(choices[:, child], return_inverse=True)
        joined = np.zeros((len(different), len(names)), dtype=np.bool_)
        edges: list[str | None] = []
        for row, family in enumerate(different.tolist()):
            parents = sorted(flat.parents_of(family))
            edges.append(_line(format_graph((), ((names[parent], name) for parent in parents), ())) or None)
            joined[row, [*parents, child] if parents else []] = True
        is_joined |= joined[place]
        columns.append(pl.Series(f"into {child}", edges, dtype=pl.String).gather(place))
    for at, name in enumerate(names):
        alone = format_graph([name], (), ())
        if not is_joined[:, at].all():
            columns.append(pl.Series(f"alone {at}", [alone, None], dtype=pl.String).gather(is_joined[:, at] * 1))
    written = pl.DataFrame(columns).select(pl.concat_str(pl.all(), separator="; ", ignore_nulls=True))
    return written.to_series()


def class_schema(classes: CredibleClasses) -> dict[str, Any]:
    import polars as pl

    numbers = {"members": pl.Int64, "size": pl.Int64}
    return {"rank": pl.Int64, "score": pl.Float64, _share(classes): pl.Float64, **numbers, "cpdag": pl.String}


def class_frames(classes: CredibleClasses, limit: int | None) -> Iterator[pl.DataFrame]:
    """Frames of the classes, best first, up to the limit."""
    import polars as pl

    families, product = classes._families, classes._class_product
    rank = 0
    for choices, _ in product.best.blocks_from():
        if limit is not None:
            choices = choices[: limit - rank]
        if not len(choices):
            return
        ranked = list(map(product.class_of, choices))
        best = [dag_of(families, choice) for choice in choices]
        yield pl.DataFrame(
            {
                "rank": np.arange(rank, rank + len(choices)),
                "score": scores_of(families, choices, classes.provenance.prior),
                _share(classes): [one.weight / classes._weight for one in ranked],
                "members": [_small(one.members) for one in ranked],
                "size": [_small(classes._rules.class_size(dag)) for dag in best],
                "cpdag": [_line(str(classes._rules.direct(dag))) for dag in best],
            },
            schema=class_schema(classes),
        )
        rank += len(choices)


def _small(number: int) -> int | None:
    return number if number < 1 << 63 else None


def _line(text: str) -> str:
    return "; ".join(text.splitlines())
