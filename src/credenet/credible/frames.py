"""Credible networks and classes as tables, a block at a time.

Where networks of any probability may be missing, the column of probabilities has another name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from credenet import _core
from credenet._run.progress import thread_count
from credenet.credible.engine.choices import dag_of, score_of
from credenet.credible.engine.parts import Choices
from credenet.families.table import FamilyTable
from credenet.graphs.parsing import format_graph

if TYPE_CHECKING:
    import polars as pl

    from credenet.credible.class_set import CredibleClasses
    from credenet.credible.credible_set import CredibleSet
    from credenet.credible.outcome import CredibleResult


def _share(result: CredibleResult) -> str:
    return "probability" if result.has_probabilities else "share_found"


def schema(credible: CredibleSet) -> dict[str, Any]:
    import polars as pl

    return {"rank": pl.Int64, "score": pl.Float64, _share(credible): pl.Float64, "network": pl.String}


def frames(credible: CredibleSet, limit: int | None) -> Iterator[pl.DataFrame]:
    """The networks, best first, as far as the limit."""
    import polars as pl

    families, parts = credible._families, credible._parts
    rank = 0
    for choices, ticks in parts.ranked():
        if limit is not None:
            choices, ticks = choices[: limit - rank], ticks[: limit - rank]
        if not len(ticks):
            return
        yield pl.DataFrame(
            {
                "rank": np.arange(rank, rank + len(ticks)),
                "score": families.flat().scores[choices].sum(axis=1),
                _share(credible): np.exp(-ticks * parts.tick) / parts.weight,
                "network": _texts(families, choices),
            },
            schema=schema(credible),
        )
        rank += len(ticks)


def _texts(families: FamilyTable, choices: Choices) -> pl.Series:
    """The networks as ``str(dag)`` writes them, in one line each; made of the texts of families, by columns."""
    import polars as pl

    names, flat = families.variables, families.flat()
    is_joined = np.zeros(choices.shape, dtype=np.bool_)
    columns = []
    for child, name in enumerate(names):
        different, place = np.unique(choices[:, child], return_inverse=True)
        joined = np.zeros((len(different), len(names)), dtype=np.bool_)
        edges: list[str | None] = []
        for row, family in enumerate(different.tolist()):
            parents = sorted(flat.parents[flat.offsets[family] : flat.offsets[family + 1]].tolist())
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
    """The classes, best first, as far as the limit."""
    import polars as pl

    families, product = classes._families, classes._product
    every = np.ones(len(families.variables), dtype=np.uint8)
    rank = 0
    for choices, _ in product.best.ranked():
        if limit is not None:
            choices = choices[: limit - rank]
        if not len(choices):
            return
        ranked = list(map(product.of, choices))
        sizes = _core.class_sizes(*families.flat(), choices, every, thread_count(None))
        yield pl.DataFrame(
            {
                "rank": np.arange(rank, rank + len(choices)),
                "score": [score_of(families, choice) for choice in choices],
                _share(classes): [one.weight / classes._weight for one in ranked],
                "members": [_small(one.members) for one in ranked],
                "size": list(map(_small, sizes)),
                "cpdag": [_line(str(dag_of(families, choice).cpdag())) for choice in choices],
            },
            schema=class_schema(classes),
        )
        rank += len(choices)


def _small(number: int) -> int | None:
    return number if number < 1 << 63 else None


def _line(text: str) -> str:
    return "; ".join(text.splitlines())
