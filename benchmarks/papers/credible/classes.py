"""Equivalence classes of credible networks, and what Liao and others (2019) count in their place."""

from __future__ import annotations

from itertools import combinations

import credenet
from credenet import DAG

from ..frame import Table, table_text
from ..parts import BOUNDED, COMMON, TESTED
from ..sources import measures
from ..store import Cell, Job, Scale, Store
from .runs import MEMORY_LIMIT, PUBLISHED, data_of

SETS = (  # Sets of at most some ten thousand networks.
    *(("bic", data, factor) for data in ("tic-tac-toe", "wine", "adult", "nltcs", "msnbc") for factor in (3, 20, 150)),
    *(("bic", data, 3) for data in ("hepatitis", "parkinsons", "autos", "horse", "flag")),
    *(("bdeu", data, 20) for data in ("tic-tac-toe", "wine", "adult", "nltcs", "msnbc", "letter", "hepatitis")),
)
COLUMNS = (
    *("data", "score", "factor", "networks, published", "ours"),
    *("classes, published", "same colliders, ours", "classes, ours", "ratio"),
)


@measures(also=("io.reading",), without=(*COMMON, *BOUNDED, *TESTED))
def counted(data: str, score: str, factor: int) -> Cell:
    """Networks, their equivalence classes, and the sets of networks with the same skeleton and the same colliders."""
    found = credenet.credible_networks(
        data_of(data), score=score, bayes_factor=factor, states="observed", memory_limit=MEMORY_LIMIT
    )
    same_colliders = {skeleton_and_colliders(dag) for dag in found}
    return {"networks": found.n_networks, "classes": found.classes.n_classes, "same_colliders": len(same_colliders)}


def skeleton_and_colliders(dag: DAG) -> tuple[frozenset[object], frozenset[object]]:
    """Colliders of adjacent parents as well, which are no v-structures."""
    skeleton = frozenset(frozenset(edge) for edge in dag.edges)
    colliders = frozenset((name, pair) for name in dag.variables for pair in combinations(sorted(dag.parents(name)), 2))
    return skeleton, colliders


def jobs(_: Scale) -> list[Job]:
    return [Job(counted, {"data": data, "score": score, "factor": factor}) for score, data, factor in SETS]


def text(store: Store) -> str:
    rows = []
    for cell in store.cells.values():
        data, factor = cell["data"], cell["factor"]
        by_bic = cell["score"] == "bic"
        paper = PUBLISHED["table1"][data][str(factor)] if by_bic else PUBLISHED["table2, factor 20"][data]
        numbers = (paper[1], cell["networks"], paper[2], cell["same_colliders"], cell["classes"])
        ratio = f"{paper[2] / cell['classes']:.3g}"
        rows.append([data, cell["score"], str(factor), *(f"{number:,}" for number in numbers), ratio])
    return "\n".join(
        [
            "Two networks are equivalent if they have the same skeleton and the same v-structures, which are colliders "
            "of parents that are not adjacent. If all colliders must be the same, our networks fall into as many sets "
            "as the paper has classes, also for adult by BDeu, whose published number of networks is another (wine at "
            "150 has fewer, as the paper has 44 networks past the limit). The last column is how many times too large "
            "the published number of classes is.\n",
            table_text(COLUMNS, rows, [[cell] for cell in store.cells.values()]),
        ]
    )


TABLES = (Table("credible_classes", "Equivalence classes, and what the paper counts", jobs, text),)
