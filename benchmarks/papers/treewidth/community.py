"""What keeps S2+ below its published score on community: the columns of the file, and the families that are scored."""

from __future__ import annotations

import credenet

from ..frame import Table, number, table_text
from ..parts import ELSEWHERE, QUERIES, TESTED
from ..sources import measures
from ..store import Cell, Job, Scale, Store
from .runs import PUBLISHED, path_of, source

DROPPED = ("", "v127", "v5", "v19", "v28", "v23")  # v127 is the target; the others cost most or first.
METHODS = ("s2_plus", "kp_plus")
COLUMNS = (
    *("columns", "without", "method", "k-trees", "families", "score", "all families of the best k-tree", "published"),
    "difference",
)


@measures(also=("io.reading",), without=(*ELSEWHERE, *QUERIES, *TESTED))
def completed(dropped: str, method: str, iterations: int) -> Cell:
    """A search of k-trees, and the best network in the cliques of its best one if all their families are scored."""
    whole = source(path_of("community"))
    assert isinstance(whole, credenet.Dataset)
    data = whole.select([name for name in whole.variables if name != dropped])
    result = credenet.learn(data, method=f"{method}(iterations={iterations})", tree_width=4, n_threads=1)
    assert result.decomposition is not None
    cliques = [list(bag) for bag in result.decomposition.bags]
    inside = credenet.learn(data, cliques=cliques, n_threads=1)
    return {
        "columns": data.n_variables,
        "score": max(tree.score for tree in result.k_trees),  # Score of the search, before families are completed.
        "inside": inside.score,
        "inside_status": inside.status,
        "k_trees": len(result.k_trees),
        "families": result.statistics.families,
        "reason": result.provenance.reason,
    }


def community_jobs(scale: Scale) -> list[Job]:
    iterations = 20_000 if scale == "paper" else 1000
    return [
        Job(
            completed,
            {"dropped": dropped, "method": method, "iterations": iterations},
            seconds=iterations / 50,
            value=5.0,
        )
        for dropped in DROPPED
        for method in METHODS
    ]


def community_text(store: Store) -> str:
    rows, behind = [], []
    for dropped in DROPPED:
        for method in METHODS:
            for cell in sorted(store.select(dropped=dropped, method=method), key=lambda one: int(one["iterations"])):
                paper = PUBLISHED["table1"]["community"][method]
                difference = float(f"{cell['inside']:.3e}") - paper
                shown = [number(cell["score"], 1), number(cell["inside"], 1), f"{paper:.3e}", f"{difference:+g}"]
                who = [str(cell["columns"]), dropped, method, f"{cell['k_trees']:,}", f"{cell['families']:,}"]
                rows.append([*who, *shown])
                behind.append([cell])
    return "\n".join(
        [
            "The paper's community has 100 columns, our file 101, and which one it lacks is not known. A column takes "
            "hundreds of nats: without some of them S2+ is above the published score, without others below, so the "
            "score on all 101 columns cannot tell which is better. v127 is the target.\n",
            "What S2+ also lacks here are families: of the 412,885,576 of at most 4 parents only the most promising "
            "ones are scored, while the paper takes all scores as given. The column before the published one is the "
            "best network in the cliques of the best k-tree when all families within them are scored; the difference "
            "is that score less the published one, which took ten minutes. Without a time limit, so that a busy "
            "machine does not change them.\n",
            table_text(COLUMNS, rows, behind),
        ]
    )


TABLES = (Table("treewidth_community", "S2+ on community: columns and families", community_jobs, community_text),)
