"""Approximate marginals: how far off and how long, against pyAgrum's methods and on cases with published answers.

Methods that sample draw as many samples as their peer, all on one thread; the error is the mean over the variables of
the largest difference of a probability from the truth, which is computed exactly, or published for the UAI cases. Names
as arguments pick some: ``python benchmarks/bench_approximate.py alarm Grids_15``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from credenet.methods import IJGP, Gibbs, ImportanceSampling, LikelihoodWeighting, LoopyBP

import credenet
from bench_inference import some_evidence
from credenet import MarkovNetwork
from credenet.errors import NetworkError
from credenet.io.uai_evidence import load_evidence
from credenet.settings.inference import ApproximateMethod
from measure import DATA, Report, Timing, best_of

SAMPLES = 10_000
PAIRS: tuple[tuple[ApproximateMethod, str], ...] = (
    (LoopyBP(), "LoopyBeliefPropagation"),
    (LikelihoodWeighting(SAMPLES), "WeightedSampling"),
    (ImportanceSampling(SAMPLES), "ImportanceSampling"),
    (Gibbs(SAMPLES, burn_in=300), "GibbsSampling"),
)
NETWORKS = ("alarm", "insurance", "hailfinder", "win95pts", "andes")
CASES = ("CSP_11", "Grids_15", "linkage_21", "ObjectDetection_28", "DBN_12", "Promedus_11")
FOR_CASES: tuple[ApproximateMethod, ...] = (
    LoopyBP(),
    LoopyBP(damping=0.5),
    IJGP(i_bound=3),
    IJGP(),
    ImportanceSampling(SAMPLES),
    Gibbs(SAMPLES),
)
PEER_SECONDS = 60.0


def main() -> None:
    wanted = sys.argv[1:] or [*NETWORKS, *CASES]
    report = Report("approximate", "How good and how fast are approximate marginals?", "pyagrum")
    for name in NETWORKS:
        if name in wanted:
            with_peers(report, name)
    for name in CASES:
        if name in wanted:
            published(report, name)


def with_peers(report: Report, name: str) -> None:
    network = credenet.load(DATA / "networks" / f"{name}.bif.gz")
    model = network.to_pyagrum()
    evidence = some_evidence(network, 0.1)
    codes = {variable: network.states[variable].index(state) for variable, state in evidence.items()}
    truth = network.infer(evidence)
    for method, peer in PAIRS:
        task = f"{name}, {len(evidence)} known, {method.short_name}"
        ours = timed(report, task, truth, network, evidence, method)
        found: dict[str, dict[Any, float]] = {}

        def run(peer: str = peer, found: dict[str, dict[Any, float]] = found) -> None:
            engine = peer_engine(model, peer)
            engine.setEvidence(codes)
            engine.makeInference()
            for variable, labels in network.states.items():
                found[variable] = dict(zip(labels, engine.posterior(variable).tolist(), strict=True))

        timing = best_of(run, 1)
        error = credenet.marginal_errors(truth, found)
        report.add(task, "pyagrum", timing, ours=ours, note=f"{peer}, error {error.max_absolute_error:.5f}")
    timed(report, f"{name}, {len(evidence)} known, ijgp", truth, network, evidence, IJGP(3))


def peer_engine(model: Any, peer: str) -> Any:
    import pyagrum

    pyagrum.setNumberOfThreads(1)
    engine = getattr(pyagrum, peer)(model)
    engine.setMaxTime(PEER_SECONDS)
    if peer == "LoopyBeliefPropagation":
        engine.setEpsilon(1e-6)
        return engine
    engine.setEpsilon(1e-12)
    engine.setMinEpsilonRate(1e-12)
    engine.setMaxIter(SAMPLES)
    return engine


def timed(
    report: Report,
    task: str,
    truth: Any,
    network: credenet.BayesianNetwork | MarkovNetwork,
    evidence: Any,
    method: ApproximateMethod,
) -> Timing:
    """A row of ours on one thread, with its error, its status and its effective sample size."""
    timing = best_of(lambda: network.infer(evidence, method=method, n_threads=1).marginals(), 2)
    answers = network.infer(evidence, method=method)
    errors = credenet.marginal_errors(truth, answers)
    size = answers.effective_sample_size
    note = (
        f"{answers.method}, error {errors.max_absolute_error:.5f}, Hellinger {errors.hellinger:.5f}, {answers.status}"
    )
    report.add(task, "credenet", timing, note=note + ("" if size is None else f", effective samples {size:.0f}"))
    return timing


def published(report: Report, name: str) -> None:
    """A case of the UAI 2014 competition, by all methods and from a tree learned from Gibbs samples."""
    model, evidence, truth = load_case(name)
    for method in FOR_CASES:
        task = f"{name}, {method.short_name}"
        timed(report, task, truth, model, evidence, method)
    sampler = Gibbs(SAMPLES)
    try:
        found = credenet.sample_learn_infer(model, evidence, n_rows=SAMPLES, sampler=sampler)
    except NetworkError as error:
        report.add(f"{name}, sample_learn_infer", "credenet", None, note=str(error))
        return
    timing = best_of(lambda: credenet.sample_learn_infer(model, evidence, n_rows=SAMPLES, sampler=sampler), 1)
    errors = credenet.marginal_errors(truth, found.answers)
    note = f"chow_liu on Gibbs rows, error {errors.max_absolute_error:.5f}, Hellinger {errors.hellinger:.5f}"
    report.add(f"{name}, sample_learn_infer", "credenet", timing, note=note)


def load_case(name: str) -> tuple[MarkovNetwork, Any, dict[str, dict[Any, float]]]:
    """The model, its evidence and the published marginals."""
    folder: Path = DATA / "inference"
    plain = folder / f"{name}.uai"
    model = MarkovNetwork.load(plain if plain.exists() else folder / f"{name}.uai.gz")
    words = iter((folder / f"{name}.uai.MAR").read_text().split()[2:])
    truth = {}
    for variable, labels in model.states.items():
        assert int(next(words)) == len(labels)
        truth[variable] = {label: float(next(words)) for label in labels}
    return model, load_evidence(f"{plain}.evid", model.states), truth


if __name__ == "__main__":
    main()
