"""PC by tests of independence: time and distance to the truth beside peers, the cost of a test, and how it grows."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import credenet
from credenet.independence.judging import data_judge
from credenet.settings.tests import DataTest, as_test
from measure import DATA, Report, Timing, best_of, limited

PEER_SECONDS = 150.0  # Seconds after which a peer is ended.
TASKS = (("alarm", 10_000), ("alarm", 100_000), ("win95pts", 10_000), ("andes", 10_000))
ROWS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
VARIABLES = (20, 50, 100, 200, 500, 1_000)

Marks = tuple[list[tuple[str, str]], list[tuple[str, str]]]
"""Directed and undirected edges."""


def main() -> None:
    report = Report("constraint_based", "What does PC take and reach?", "pyagrum", "causal-learn", "pgmpy")
    for name, n_rows in TASKS:
        beside_peers(report, name, n_rows)
    for name, n_rows in (("alarm", 100_000), ("andes", 100_000)):
        by_order(report, name, n_rows)
    alarm = credenet.load(DATA / "networks" / "alarm.bif.gz")
    curves = [grown(report, "rows", alarm.sample(n_rows, seed=1)) for n_rows in ROWS]
    curves += [grown(report, "variables", wide(n)) for n in VARIABLES]
    report.head["curves"] = curves
    report.save()


def beside_peers(report: Report, name: str, n_rows: int) -> None:
    network = credenet.load(DATA / "networks" / f"{name}.bif.gz")
    data = network.sample(n_rows, seed=1)
    task = f"{name}, {n_rows:,} rows"

    def distance(graph: credenet.PDAG) -> str:
        found = credenet.compare(network.dag, graph)
        return f"SHD {found.shd}, {found.extra} extra, {found.missing} missing"

    times = {}
    for test in ("g2", "bayes_factor"):
        results: list[credenet.LearnResult] = []
        times[test] = best_of(
            lambda test=test, results=results: results.append(
                credenet.learn(data, method="pc", test=test, n_threads=1)
            ),  # type: ignore[misc]
            3,
        )
        assert isinstance(results[0].graph, credenet.PDAG)
        report.add(task, f"credenet {test}", times[test], note=distance(results[0].graph))
    for peer, work in (("pyagrum g2", pyagrum_pc), ("causal-learn g2", causal_learn_pc), ("pgmpy g2", pgmpy_pc)):
        answer = limited(work, data, PEER_SECONDS)
        if answer is None:
            report.add(task, peer, None, note=f"not finished in {PEER_SECONDS:.0f} s")
        else:
            timing, (directed, undirected) = answer
            note = peer_distance(network.dag, directed, undirected)
            report.add(task, peer, timing, ours=times["g2"], note=note)


def peer_distance(truth: credenet.DAG, directed: list[tuple[str, str]], undirected: list[tuple[str, str]]) -> str:
    """The Hamming distance by its definition, as the graph of a peer need not be a PDAG."""
    cpdag = truth.cpdag()
    true = mark_of(list(cpdag.directed), list(cpdag.undirected))
    found = mark_of(directed, undirected)
    pairs = set(true) | set(found)
    extra, missing = len(set(found) - set(true)), len(set(true) - set(found))
    shd = sum(true.get(pair) != found.get(pair) for pair in pairs)
    return f"SHD {shd}, {extra} extra, {missing} missing"


def mark_of(directed: list[tuple[str, str]], undirected: list[tuple[str, str]]) -> dict[frozenset[str], str]:
    """The head of each edge; an empty string for an undirected one."""
    marks = {frozenset(edge): "" for edge in undirected}
    for tail, head in directed:
        pair = frozenset((tail, head))
        marks[pair] = "both" if pair in marks else head
    return marks


def by_order(report: Report, name: str, n_rows: int) -> None:
    """The cost of a test of each order: what one more order adds."""
    data = credenet.load(DATA / "networks" / f"{name}.bif.gz").sample(n_rows, seed=1)
    for test in ("bayes_factor", "g2"):
        before = learned(data, test, -1)
        for order in range(4):
            timing, n_tests = learned(data, test, order)
            added = n_tests - before[1]
            each = Timing((timing.wall - before[0].wall) / added, (timing.cpu - before[0].cpu) / added)
            note = f"{added:,} tests, {each.cpu / n_rows * 1e9:.4f} ns a row and test (CPU)"
            report.add(f"{name}, {n_rows:,} rows, order {order}", f"credenet {test}", each, note=note)
            before = timing, n_tests


def learned(data: credenet.Dataset, test: str, max_order: int) -> tuple[Timing, int]:
    """PC up to an order, with the number of tests; below 0 what comes before the first of them."""
    if max_order < 0:
        return best_of(lambda: prepared(data, test), 5), 0
    results: list[credenet.LearnResult] = []
    method = credenet.methods.PC(max_order=max_order)
    timing = best_of(lambda: results.append(credenet.learn(data, method=method, test=test, n_threads=1)), 5)
    return timing, sum(results[0].statistics.tests.values())


def prepared(data: credenet.Dataset, test: str) -> None:
    data.info()
    data.digest()
    chosen = as_test(test)
    assert isinstance(chosen, DataTest)
    data_judge(chosen, data, sorted(data.variables), states="observed", n_threads=1)


def wide(n_variables: int) -> credenet.Dataset:
    dag = credenet.random.dag(n_variables, n_edges=3 * n_variables // 2, max_parents=3, seed=1)
    return credenet.random.network(dag, n_states=(2, 4), beta=1.0, seed=1).sample(10_000, seed=1)


def grown(report: Report, over: str, data: credenet.Dataset) -> dict[str, Any]:
    results: list[credenet.LearnResult] = []
    repeats = 1 if data.n_rows * len(data.variables) > 10_000_000 else 3
    timing = best_of(lambda: results.append(credenet.learn(data, method="pc", n_threads=1)), repeats)
    n_tests = sum(results[0].statistics.tests.values())
    per_test = timing.cpu / n_tests
    note = f"{n_tests:,} tests, {per_test / data.n_rows * 1e9:.4f} ns a row and test in all"
    report.add(f"{over}: {data.n_rows:,} x {len(data.variables)}", "credenet bayes_factor", timing, note=note)
    return {
        "over": over,
        "rows": data.n_rows,
        "variables": len(data.variables),
        "tests": n_tests,
        "seconds": timing.cpu,
        "nanoseconds_per_row_and_test": per_test / data.n_rows * 1e9,
    }


def pyagrum_pc(data: credenet.Dataset) -> tuple[Timing, Marks]:
    import pyagrum

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        data.to_polars().write_csv(path)
        learner = pyagrum.BNLearner(str(path))
        learner.setNumberOfThreads(1)
        learner.usePC()
        learner.useG2Test()
        learner.setPCAlpha(0.05)
        found: list[Any] = []
        timing = best_of(lambda: found.append(learner.learnPDAG()), 1)
        names = learner.names()
    directed = [(names[tail], names[head]) for tail, head in found[0].arcs()]
    return timing, (directed, [(names[a], names[b]) for a, b in found[0].edges()])


def causal_learn_pc(data: credenet.Dataset) -> tuple[Timing, Marks]:
    from causallearn.search.ConstraintBased.PC import pc

    codes = np.asarray(data.codes)
    found: list[Any] = []
    timing = best_of(lambda: found.append(pc(codes, 0.05, "gsq", stable=True, show_progress=False)), 1)
    ends = found[0].G.graph  # The marks are -1 at a tail and 1 at a head.
    directed, undirected = [], []
    for i, j in np.argwhere(ends != 0).tolist():
        if ends[i, j] == -1 and ends[j, i] == 1:
            directed.append((data.variables[i], data.variables[j]))
        elif i < j and ends[i, j] == ends[j, i]:
            undirected.append((data.variables[i], data.variables[j]))
    return timing, (directed, undirected)


def pgmpy_pc(data: credenet.Dataset) -> tuple[Timing, Marks]:
    from pgmpy.causal_discovery import PC

    frame = data.to_polars().to_pandas().astype("category")
    search = PC(variant="stable", ci_test="g_sq", significance_level=0.05, n_jobs=1, show_progress=False)
    timing = best_of(lambda: search.fit(frame), 1)
    graph = search.causal_graph_
    return timing, ([*map(tuple, graph.directed_edges)], [*map(tuple, graph.undirected_edges)])


if __name__ == "__main__":
    main()
