"""Most parents by the number of rows: the bound that Liao and others (2019) print for a factor of 20, and what is left
after pruning."""

from __future__ import annotations

import math
import time

import credenet
from measure import DATA

from ..frame import Number, Table, beside, table_text
from ..parts import BOUNDED, COMMON, NETWORK_FILES, TESTED
from ..sources import measures
from ..store import Cell, Job, Scale, Store
from .runs import PUBLISHED

FACTOR = 20
NETWORK = "child"


@measures(also=NETWORK_FILES, without=(*COMMON, *BOUNDED, *TESTED))
def pruned(network: str, rows: int) -> Cell:
    """The largest parent set that pruning leaves in a sample."""
    truth = credenet.load(DATA / "networks" / f"{network}.bif.gz")
    assert isinstance(truth, credenet.BayesianNetwork)
    data = truth.sample(rows, seed=1)
    start = time.perf_counter()
    families = credenet.score_families(data, score="bic", bayes_factor=FACTOR, states="observed")
    wall = round(time.perf_counter() - start, 3)
    return {"largest_set": families.statistics().largest_set, "families": len(families), "wall": wall}


def jobs(scale: Scale) -> list[Job]:
    most = 100_000 if scale == "paper" else 10_000
    all_rows = (100, *(int(rows) for rows in PUBLISHED["parent bounds"]))
    return [Job(pruned, {"network": NETWORK, "rows": rows}) for rows in all_rows if rows <= most]


def printed_bound(rows: int) -> int:
    """Corollary 1."""
    return math.ceil(math.log2(rows) + math.log(FACTOR))


def tight_bound(rows: int) -> int:
    """The fewest binary parents of a binary variable that have the joint states which Theorem 2 asks for: these, times
    (log N) / 2, must be at least N log 2 + log factor."""
    return math.ceil(math.log2((rows * math.log(2) + math.log(FACTOR)) * 2 / math.log(rows)))


def text(store: Store) -> str:
    rows = []
    for cell in store.cells.values():
        n = cell["rows"]
        published = PUBLISHED["parent bounds"].get(str(n))
        ratio = "" if published is None else f"{cell['largest_set'] / published:.2f}"
        found = [str(tight_bound(n)), str(cell["largest_set"]), ratio, f"{cell['families']:,}"]
        rows.append([f"{n:,}", "" if published is None else str(published), str(printed_bound(n)), *found])
    columns = ("rows", "published", "its formula", "by Theorem 2", "largest set left", "ratio", "families left")
    return "\n".join(
        [
            "The published bound depends on the number of rows alone (BIC, factor 20), and its formula, log2 N + log "
            "20 rounded up, gives the printed numbers; the one for 100 rows cannot be read in our copy. Theorem 2, "
            "from which it is derived, gives a lower one. The last columns are what our pruning leaves of samples of "
            f"{NETWORK}, a network of 20 variables; other data leave other sets.\n",
            table_text(columns, rows, [[cell] for cell in store.cells.values()]),
        ]
    )


def numbers(store: Store) -> list[Number]:
    """The printed bounds; ours is the largest set that is left."""
    found = []
    for rows, bound in PUBLISHED["parent bounds"].items():
        ours = "".join(str(cell["largest_set"]) for cell in store.select(rows=int(rows)))
        found.append(beside(f"Most parents: {int(rows):,} rows", str(bound), ours))
    return found


TABLES = (
    Table("credible_parent_bounds", "Most parents by the number of rows, BIC, factor 20", jobs, text, numbers=numbers),
)
