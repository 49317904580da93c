"""What local searches reach, and in what time: alarm and win95pts (10,000 rows) beside peers, and large tables."""

from __future__ import annotations

import logging
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import credenet
from credenet import _core
from measure import DATA, N_THREADS, Report, Timing, best_of, limited

PEER_SECONDS = 75.0  # Seconds after which a peer is ended.
TABLE_SECONDS = {"pigs": 60.0, "munin": 100.0}
# Published scores of k-MAX and BN-SLIM (bn-slim) for tree-width 50.
PUBLISHED = {"pigs": -1730867.3, "munin": -1039861.1}
NOTHING = np.empty(0, dtype=np.int32)
# Seed, restarts, perturbations (0: by the number of variables), tabu length, moves without a new best.
CLIMBS = {
    "hill climbing": (0, 0, 0, 0, 0),
    "tabu": (0, 0, 0, 100, 100),
    "hill climbing, 50 restarts": (0, 50, 0, 0, 0),
}

Edges = list[tuple[str, str]]


def main() -> None:
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    report = Report("local_search", "What do local searches reach, and in what time?", "pyagrum", "pgmpy")
    for name, max_parents in (("alarm", 4), ("win95pts", 3)):
        on_data(report, name, max_parents)
    for name, seconds in TABLE_SECONDS.items():
        on_table(report, name, seconds)
    report.save()


def on_data(report: Report, name: str, max_parents: int) -> None:
    network = credenet.load(DATA / "networks" / f"{name}.bif.gz")
    data = network.sample(10_000, seed=1)
    task = f"{name}, 10,000 rows, BIC"

    def score(edges: Edges) -> float:
        graph = credenet.DAG(data.variables, edges)
        return credenet.score(data, graph, score="bic", states="observed").total

    print(f"  {task}: the network that the rows come from scores {score(list(network.dag.edges)):.3f}")
    times = {}
    for climb, options in CLIMBS.items():
        found: list[_core.ClimbResult] = []
        times[climb] = best_of(lambda options=options, found=found: found.append(climbed(data, options)), 3)  # type: ignore[misc]
        edges = [
            (data.variables[parent], data.variables[child])
            for child, parents in enumerate(found[0].parents)
            for parent in parents
        ]
        report.add(task, f"credenet {climb}", times[climb], note=f"score {score(edges):.3f}")
    tables: list[credenet.FamilyTable] = []
    scoring = best_of(
        lambda: tables.append(credenet.score_families(data, score="bic", max_parents=max_parents, states="observed")), 1
    )
    report.add(task, "credenet scoring", scoring, note=f"{len(tables[0]):,} families, at most {max_parents} parents")
    outcomes: list[_core.SearchResult] = []
    flat = tables[0]._flat
    timing = best_of(
        lambda: outcomes.append(_core.order_search(flat.lists, NOTHING, 0, 3000, 4, N_THREADS, None)),
        1,
    )
    report.add(task, "credenet order search", timing, note=f"score {outcomes[0].score:.3f}, on the families")
    for peer, climb, work in (
        ("pyagrum hill climbing", "hill climbing", pyagrum_hill_climb),
        ("pyagrum tabu", "tabu", pyagrum_tabu),
        ("pgmpy hill climbing", "hill climbing", pgmpy_hill_climb),
    ):
        answer = limited(work, data, PEER_SECONDS)
        if answer is None:
            report.add(task, peer, None, note=f"not finished in {PEER_SECONDS:.0f} s")
        else:
            timing, edges = answer
            report.add(task, peer, timing, ours=times[climb], note=f"score {score(edges):.3f}")


def climbed(data: credenet.Dataset, options: tuple[int, int, int, int, int]) -> _core.ClimbResult:
    """A climb from the empty graph over all graphs."""
    n = data.n_variables
    codes: Any = data.codes
    n_states = np.array([len(np.unique(codes[:, k])) for k in range(n)], dtype=np.int32)
    rules = [
        _core.ChildRules(
            [], np.delete(np.arange(n, dtype=np.uint16), k), n - 1, _core.SizeFactors(np.zeros(n)), [], 0.0
        )
        for k in range(n)
    ]
    start: list[list[int]] = [[] for _ in range(n)]
    settings = _core.HillClimbOptions(*options)
    return _core.hill_climb_data(
        _core.CountScorer(data._row_table(), "bic", 1.0, n_states), rules, start, settings, 1e9, 1, None
    )


def on_table(report: Report, name: str, seconds: float) -> None:
    """Order search on a large table of families for a while; the note says when the published score was passed."""
    flat = credenet.load_families(DATA / "scores" / f"{name}-5000.jkl.gz")._flat
    outcomes: list[_core.SearchResult] = []
    start = time.perf_counter()

    def goes_on(done: int, total: int, score: float, bound: float) -> bool:
        return time.perf_counter() - start < seconds

    timing = best_of(
        lambda: outcomes.append(_core.order_search(flat.lists, NOTHING, 0, 0, 4, N_THREADS, goes_on)),
        1,
    )
    passed = next((at for at, score, _ in outcomes[0].trace if score >= PUBLISHED[name]), None)
    when = "not reached" if passed is None else f"passed after {passed:.2f} s"
    note = f"score {outcomes[0].score:.3f}, bound {outcomes[0].bound:.3f}; {PUBLISHED[name]} {when}"
    report.add(f"{name}-5000, {len(flat.scores):,} families", "credenet order search", timing, note=note)


def pyagrum_hill_climb(data: credenet.Dataset) -> tuple[Timing, Edges]:
    return pyagrum_climb(data, lambda learner: learner.useGreedyHillClimbing())


def pyagrum_tabu(data: credenet.Dataset) -> tuple[Timing, Edges]:
    return pyagrum_climb(data, lambda learner: learner.useLocalSearchWithTabuList(100, 100))


def pyagrum_climb(data: credenet.Dataset, choose: Callable[[Any], object]) -> tuple[Timing, Edges]:
    import pyagrum

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        data.to_polars().write_csv(path)
        learner = pyagrum.BNLearner(str(path))
        learner.setNumberOfThreads(1)
        learner.useScoreBIC()
        learner.useNoPrior()
        choose(learner)
        found: list[Any] = []
        timing = best_of(lambda: found.append(learner.learnDAG()), 1)
        names = learner.names()
    return timing, [(names[tail], names[head]) for tail, head in found[0].arcs()]


def pgmpy_hill_climb(data: credenet.Dataset) -> tuple[Timing, Edges]:
    from pgmpy.causal_discovery import HillClimbSearch

    frame = data.to_polars().to_pandas()
    search = HillClimbSearch(scoring_method="bic-d", return_type="dag", show_progress=False)
    timing = best_of(lambda: search.fit(frame), 1)
    return timing, [(str(tail), str(head)) for tail, head in search.causal_graph_.edges()]


if __name__ == "__main__":
    main()
