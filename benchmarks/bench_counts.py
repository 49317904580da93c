"""What counting costs: families with at most 2 parents over rows, variables and states; single tables with peers."""

from __future__ import annotations

import itertools
import logging
import math
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import credenet
from measure import Report, Timing, best_of

ROWS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
VARIABLES = (10, 20, 50, 100, 200)
STATES = (2, 3, 4, 6, 8, 12, 16, 24, 32)
PEER_ROWS = 100_000


def main() -> None:
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    report = Report("counts", "What does counting cost?", "numpy", "pyagrum", "pgmpy")
    curves = [measured(report, "rows", sampled(15, (2, 4), n_rows)) for n_rows in ROWS]
    curves += [measured(report, "variables", sampled(n, (2, 4), 10_000)) for n in VARIABLES]
    curves += [measured(report, "states", sampled(15, n_states, 100_000)) for n_states in STATES]
    report.head["curves"] = curves
    for n_states in (2, 4, 16):
        peers(report, sampled(15, n_states, PEER_ROWS), n_states)
    report.save()


def sampled(n_variables: int, states: int | tuple[int, int], n_rows: int) -> credenet.Dataset:
    dag = credenet.random.dag(n_variables, n_edges=3 * n_variables // 2, max_parents=3, seed=1)
    return credenet.random.network(dag, n_states=states, beta=1.0, seed=1).sample(n_rows, seed=1)


def all_families(data: credenet.Dataset, max_parents: int = 2) -> Timing:
    # This knowledge switches pruning off, so all families are scored.
    everything = credenet.Knowledge(no_immoralities=True)
    return best_of(
        lambda: credenet.score_families(data, score="bic", max_parents=max_parents, knowledge=everything, n_threads=1),
        1 if data.n_rows * len(data.variables) > 10_000_000 else 3,
    )


def measured(report: Report, over: str, data: credenet.Dataset) -> dict[str, Any]:
    n = len(data.variables)
    families = n * sum(math.comb(n - 1, size) for size in range(3))
    states = int(max(data.n_states))
    timing = all_families(data)
    per_family = timing.cpu / families
    note = f"{families:,} families, {per_family * 1e6:.2f} us each, {per_family / data.n_rows * 1e9:.4f} ns a row"
    report.add(f"{over}: {data.n_rows:,} x {n}, up to {states} states", "credenet", timing, note=note)
    return {
        "over": over,
        "rows": data.n_rows,
        "variables": n,
        "states": states,
        "families": families,
        "cpu": timing.cpu,
        "microseconds_per_family": per_family * 1e6,
        "nanoseconds_per_row_and_family": per_family / data.n_rows * 1e9,
    }


def peers(report: Report, data: credenet.Dataset, n_states: int) -> None:
    """Tables of three variables; what credenet takes for scoring them is the difference to families with one parent."""
    import pyagrum
    from pgmpy.structure_score import BIC

    names = list(data.variables)
    tables = list(itertools.combinations(range(len(names)), 3))
    task = f"3 variables of {n_states} states, {data.n_rows:,} rows"

    def per_table(timing: Timing, count: int) -> Timing:
        return Timing(timing.wall / count, timing.cpu / count)

    def add(who: str, timing: Timing, ours: Timing | None = None, note: str = "") -> None:
        each = f"{timing.cpu / data.n_rows * 1e9:.3f} ns a row and table"
        report.add(task, who, timing, ours=ours, note=f"{each}{', ' if note else ''}{note}")

    pairs, triples = all_families(data, 1), all_families(data, 2)
    ours = per_table(Timing(triples.wall - pairs.wall, triples.cpu - pairs.cpu), len(tables))
    add("credenet", ours, note="with scoring 3 families a table")

    columns = [data.codes[:, k].astype(np.intp) for k in range(len(names))]

    def bincounts() -> None:
        for a, b, c in tables[:50]:
            key = (columns[a] * n_states + columns[b]) * n_states + columns[c]
            np.bincount(key, minlength=n_states**3)

    add("numpy bincount", per_table(best_of(bincounts, 3), 50), ours)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sample.csv"
        data.to_polars().write_csv(path)
        learner = pyagrum.BNLearner(str(path))
        learner.setNumberOfThreads(1)
        asked = [[names[k] for k in table] for table in tables[:50]]
        add("pyagrum", per_table(best_of(lambda: [learner.rawPseudoCount(table) for table in asked], 3), 50), ours)
    scorer = BIC(data.to_polars().to_pandas())
    some = [(names[a], (names[b], names[c])) for a, b, c in tables[:10]]
    timing = best_of(lambda: [scorer.local_score(child, parents) for child, parents in some], 1)
    add("pgmpy", per_table(timing, 10), ours, note="with scoring 1 family a table")


if __name__ == "__main__":
    main()
