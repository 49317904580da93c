"""The size of a family table, and a report of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from credenet._text import count, table
from credenet.families.arrays import FlatFamilies
from credenet.families.info import FamilyTableInfo


@dataclass(frozen=True, slots=True)
class FamilyStatistics:
    """The size of a table; ``fewest``, ``median`` and ``most`` are numbers of families per variable.

    Examples
    --------
    >>> import credenet
    >>> statistics = credenet.score_families(credenet.datasets.asia(), score="bic").statistics()
    >>> statistics.n_variables, statistics.fewest <= statistics.median <= statistics.most
    (8, True)
    """

    n_variables: int
    n_families: int
    fewest: int
    median: float
    most: int
    largest_set: int


def statistics_of(flat: FlatFamilies) -> FamilyStatistics:
    """The size of a table."""
    counts = np.diff(flat.starts)
    return FamilyStatistics(
        n_variables=len(counts),
        n_families=len(flat.scores),
        fewest=int(counts.min(initial=len(flat.scores))),
        median=float(np.median(counts)) if len(counts) else 0.0,
        most=int(counts.max(initial=0)),
        largest_set=int(flat.sizes.max(initial=0)),
    )


def report(sizes: FamilyStatistics, made: FamilyTableInfo) -> str:
    """The size of a table and how it was made, line by line."""
    rows = [
        ("families per variable", f"{sizes.fewest:,} to {sizes.most:,}, median {sizes.median:,g}"),
        ("largest parent set", f"{sizes.largest_set}"),
    ]
    for name, value in made.to_dict().items():
        if name in ("isolated", "duplicates"):
            shown = f"{len(value)}"
        elif name == "unscored":
            shown = f"parent sets of {count(len(value), 'variable')}"
        elif isinstance(value, bool):
            shown = "yes" if value else "no"
        elif isinstance(value, float | int):
            shown = f"{value:,.0f}" if value == int(value) else f"{value:,.6g}"
        else:
            shown = str(value)
        rows.append((name.removeprefix("n_").replace("_", " "), shown))
    return table(("", ""), rows).lstrip()
