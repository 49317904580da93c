"""Most parents by the number of rows: the bound that Liao and others (2019) print for a factor of 20, and what is left
after pruning."""

from __future__ import annotations

import math
import time

import credenet
from measure import DATA

from ..frame import Scale, Table, table_text
from ..store import Cell, Job, Store
from .runs import PUBLISHED

FACTOR = 20
NETWORK = "child"


def pruned(network: str, rows: int) -> Cell:
    """The largest parent set that pruning leaves in a sample."""
    truth = credenet.load(DATA / "networks" / f"{network}.bif.gz")
    assert isinstance(truth, credenet.BayesianNetwork)
    data = truth.sample(rows, seed=1)
    start = time.perf_counter()
    families = credenet.score_families(data, score="bic", bayes_factor=FACTOR, states="observed")
    wall = round(time.perf_counter() - start, 3)
    return {"largest_set": families.statistics().largest_set, "families": len(families), "wall": wall}


def run(store: Store, scale: Scale) -> None:
    most = 100_000 if scale == "full" else 10_000
    all_rows = (100, *(int(rows) for rows in PUBLISHED["parent bounds"]))
    store.run(Job(pruned, {"network": NETWORK, "rows": rows}) for rows in all_rows if rows <= most)


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
            table_text(columns, rows),
        ]
    )


TABLES = (Table("credible_parent_bounds", "Most parents by the number of rows, BIC, factor 20", run, text),)
