"""Exact and anytime methods on the same families under the same limits: CPU seconds, memory, nodes, gap.

No peer with a wheel finds optimal discrete networks of this size; pgmpy's exhaustive search is run where it can (5
variables). For the others the times measured elsewhere for the same files are given as a note: GOBNILP 13.9 s and
URLearning's A* unfinished after 55 s on autos, GOBNILP 0.31 s and URLearning unfinished after 46 s on insurance1000.
"""

from __future__ import annotations

import logging
import warnings

from credenet.methods import DP, ILP, ARAStar, AStar, Auto, AWAStar, BFBnB, OrderSearch

import credenet
from credenet.errors import ArgumentError
from credenet.settings.methods import Method
from measure import DATA, Report, best_of

CASES = ("insurance1000", "autos", "parkinsons", "nltcs", "horse", "flag", "msnbc", "letter", "sensors")
METHODS: tuple[Method, ...] = (
    DP(),
    DP(layered=True),
    AStar("simple"),
    AStar("static"),
    AStar("dynamic"),
    BFBnB(),
    ILP(),
    ARAStar(),
    AWAStar(),
    OrderSearch(),
    Auto(),
)
TIME_LIMIT = 8.0
MEMORY_LIMIT = 4e9


def main() -> None:
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    report = Report("learning", "How long does it take to find and prove the best network?", "pgmpy")
    for case in CASES:
        data = credenet.read(next((DATA / "datasets").glob(f"{case}.csv*")))
        for score in ("bic", "bdeu"):
            tables: list[credenet.FamilyTable] = []
            timing = best_of(
                lambda data=data, score=score, tables=tables: tables.append(  # type: ignore[misc]
                    credenet.score_families(
                        data, score=score, states="observed", memory_limit=MEMORY_LIMIT, time_limit=TIME_LIMIT
                    )
                ),
                1,
            )
            families = tables[0]
            limit = families.made.max_parents
            task = f"{case}, {score.upper()}"
            note = f"{len(families):,} families, {'no limit' if limit is None else f'at most {limit} parents'}"
            report.add(task, "scoring", timing, note=note)
            for method in METHODS:
                run(report, task, families, method)
    peer(report)
    report.save()


def run(report: Report, task: str, families: credenet.FamilyTable, method: Method) -> None:
    results: list[credenet.LearnResult] = []
    who = f"{method.short_name} {getattr(method, 'heuristic', '')}".strip()
    who += " layered" if method == DP(layered=True) else ""
    try:
        timing = best_of(
            lambda: results.append(
                credenet.learn(families, method=method, time_limit=TIME_LIMIT, memory_limit=MEMORY_LIMIT, n_threads=1)
            ),
            1,
        )
    except ArgumentError as error:
        report.add(task, who, None, note=str(error).partition(";")[0])
        return
    result = results[0]
    statistics = result.statistics
    gap = "" if result.gap is None else f", gap {result.gap:.6g}"
    note = (
        f"{result.status}, {result.score:.6f}{gap}, {statistics.expanded:,} nodes, "
        f"{statistics.peak_bytes / 1e6:.1f} MB, {'x'.join(map(str, statistics.components[:3]))} variables"
    )
    report.add(task, who, timing, note=note)


def peer(report: Report) -> None:
    """All networks of 5 variables, one by one, against ours from the data."""
    from pgmpy.estimators import BIC, ExhaustiveSearch

    data = credenet.read(DATA / "datasets" / "iris.csv")
    ours = best_of(lambda: credenet.learn(data, score="bic", states="observed", n_threads=1), 3)
    report.add("iris, BIC, from data", "credenet", ours)
    frame = data.to_polars().to_pandas()
    theirs = best_of(lambda: ExhaustiveSearch(frame, scoring_method=BIC(frame)).estimate(), 1)
    report.add("iris, BIC, from data", "pgmpy", theirs, ours=ours)


if __name__ == "__main__":
    main()
