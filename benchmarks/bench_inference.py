"""All marginals of real networks and predictions for many rows, against pyAgrum and pgmpy.

Every run starts from the network alone, as a user's first query does: the time covers triangulation, propagation and
reading all marginals. Networks as arguments pick some: ``python benchmarks/bench_inference.py alarm munin1``.
"""

from __future__ import annotations

import logging
import math
import sys
import warnings
from dataclasses import replace
from typing import Any

import numpy as np

import credenet
from credenet.inference.inference import Inference
from credenet.inference.model import FactorModel
from measure import DATA, N_THREADS, Report, Timing, best_of

NETWORKS = (
    "alarm",
    "insurance",
    "hailfinder",
    "win95pts",
    "andes",
    "diabetes",
    "pigs",
    "munin1",
    "link",
    "munin",
)
SLOW = ("munin1", "link", "munin")  # Networks for which each peer runs once.
PEER_BYTES = 4e9  # Bytes of clique tables, which pyAgrum holds, above which it does not run.
FOR_PGMPY = ("alarm", "insurance", "win95pts")
PGMPY_SECONDS = 20.0


def main() -> None:
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    import pyagrum

    wanted = sys.argv[1:] or [*NETWORKS, "batch"]
    report = Report("inference", "How long do all marginals and batches take?", "pyagrum", "pgmpy")
    for name in NETWORKS:
        if name not in wanted:
            continue
        network = credenet.load(DATA / "networks" / f"{name}.bif.gz")
        model = network.to_pyagrum()
        for share in (0.0, 0.1):
            marginals(report, pyagrum, name, network, model, share)
    if "batch" in wanted:
        batch(report, pyagrum)
    if not sys.argv[1:]:
        report.save()


def fresh(network: credenet.BayesianNetwork) -> FactorModel:
    """The factors of a network without the plans of earlier queries."""
    return replace(network._factor_model(), plans={})


def some_evidence(network: credenet.BayesianNetwork, share: float) -> dict[str, str]:
    row = network.sample(1, seed=5).codes[0]
    chosen = np.random.default_rng(1).choice(len(row), int(share * len(row)), replace=False)
    return {network.variables[at]: network.states[network.variables[at]][row[at]] for at in chosen}


def marginals(
    report: Report, pyagrum: Any, name: str, network: credenet.BayesianNetwork, model: Any, share: float
) -> None:
    evidence = some_evidence(network, share)
    task = f"{name}, {len(evidence)} known"
    repeats = 2 if name in SLOW else 7
    ours = best_of(lambda: Inference(fresh(network), evidence, n_threads=N_THREADS).marginals(), repeats)
    report.add(task, "credenet", ours, note=f"{N_THREADS} threads")
    alone = best_of(lambda: Inference(fresh(network), evidence, n_threads=1).marginals(), repeats)
    report.add(task, "credenet", alone, note="1 thread")
    kept = fresh(network)
    Inference(kept, evidence).marginals()
    again = best_of(lambda: Inference(kept, evidence, n_threads=N_THREADS).marginals(), repeats)
    report.add(task, "credenet again", again, note="the clique tree is kept")
    codes = {variable: network.states[variable].index(state) for variable, state in evidence.items()}
    size = clique_bytes(pyagrum, model)
    if size > PEER_BYTES:
        report.add(task, "pyagrum", None, note=f"its clique tables would take {size / 1e9:.1f} GB")
        return
    for engine, n_threads in (
        ("LazyPropagation", 1),
        ("LazyPropagation", N_THREADS),
        ("ShaferShenoyInference", N_THREADS),
    ):
        if name in SLOW and (engine != "LazyPropagation" or n_threads > 1):
            continue  # Each of these takes many seconds and is slower than the first.

        def run(engine: str = engine, n_threads: int = n_threads) -> list[Any]:
            pyagrum.setNumberOfThreads(n_threads)
            inference = getattr(pyagrum, engine)(model)
            inference.setEvidence(codes)
            inference.makeInference()
            return [inference.posterior(variable).tolist() for variable in network.variables]

        timing = best_of(run, 1 if name in SLOW else 5)
        report.add(
            task, "pyagrum", timing, ours=ours if n_threads > 1 else alone, note=f"{engine}, {n_threads} threads"
        )
    if name in FOR_PGMPY:
        pgmpy(report, task, network, evidence, ours)


def clique_bytes(pyagrum: Any, model: Any) -> float:
    """The bytes of all clique tables of pyAgrum's own triangulation, without evidence."""
    tree = pyagrum.JunctionTreeGenerator().junctionTree(model)
    cliques = (tree.clique(clique) for clique in tree.nodes())
    cells = sum(math.prod(int(model.variable(node).domainSize()) for node in clique) for clique in cliques)
    return 8.0 * cells


def pgmpy(report: Report, task: str, network: credenet.BayesianNetwork, evidence: dict[str, str], ours: Timing) -> None:
    import time

    from pgmpy.inference import VariableElimination

    engine = VariableElimination(network.to_pgmpy())
    start, cpu, done = time.perf_counter(), time.process_time(), 0
    asked = [variable for variable in network.variables if variable not in evidence]
    for variable in asked:
        engine.query([variable], evidence=evidence, show_progress=False)
        done += 1
        if time.perf_counter() - start > PGMPY_SECONDS:
            break
    timing = Timing(time.perf_counter() - start, time.process_time() - cpu)
    report.add(task, "pgmpy", timing, ours=ours, note=f"VariableElimination, {done} of {len(asked)} marginals")


def batch(report: Report, pyagrum: Any) -> None:
    network = credenet.load(DATA / "networks" / "alarm.bif.gz")
    target = "HYPOVOLEMIA"
    complete = network.sample(10_000, seed=1)
    codes = np.array(complete.codes, dtype=np.int32)
    codes[np.random.default_rng(1).random(codes.shape) < 0.1] = -1
    for what, data in (("complete", complete), ("a tenth missing", credenet.Dataset(network.states, codes))):
        task = f"alarm, 10,000 rows, {what}"
        ours = best_of(lambda data=data: network.predict_proba(data, target), 3)  # type: ignore[misc]
        report.add(task, "credenet", ours, note="predict_proba")
        model = network.to_pyagrum()
        pyagrum.setNumberOfThreads(N_THREADS)
        names = [name for name in network.variables if name != target]
        rows = [
            {name: int(code) for name, code in zip(names, row, strict=True) if code != data.missing_code}
            for row in data.select(names).codes[:1000].tolist()
        ]

        def predict(model: Any = model, rows: list[dict[str, int]] = rows) -> list[Any]:
            inference = pyagrum.LazyPropagation(model)
            inference.addTarget(target)
            answers = []
            for row in rows:
                inference.setEvidence(row)
                inference.makeInference()
                answers.append(inference.posterior(target).tolist())
            return answers

        timing = best_of(predict, 1)
        scaled = Timing(timing.wall * 10, timing.cpu * 10)
        report.add(task, "pyagrum", scaled, ours=ours, note="LazyPropagation with a target; ten times 1,000 rows")


if __name__ == "__main__":
    main()
