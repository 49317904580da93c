"""Evidence that comes step by step, marginal MAP and explanations; of these pyAgrum can do the steps.

A step makes one more variable known and asks for one marginal or for all. Networks as arguments pick some.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

import credenet
from bench_inference import some_evidence
from measure import DATA, Report, best_of

STEPS = ("alarm", "andes", "diabetes", "pigs")
ASKED = ("alarm", "insurance", "hailfinder", "win95pts", "andes")
N_STEPS = 20


def main() -> None:
    import pyagrum

    wanted = sys.argv[1:] or [*STEPS, *ASKED]
    report = Report("explanations", "How long do steps of evidence, MAP and explanations take?", "pyagrum")
    for name in dict.fromkeys([*STEPS, *ASKED]):
        if name not in wanted:
            continue
        network = credenet.load(DATA / "networks" / f"{name}.bif.gz")
        if name in STEPS:
            steps(report, pyagrum, name, network)
        if name in ASKED:
            most_probable(report, name, network)
            explanations(report, name, network)


def steps(report: Report, pyagrum: Any, name: str, network: credenet.BayesianNetwork) -> None:
    row = network.sample(1, seed=5).codes[0]
    order = np.random.default_rng(1).permutation(len(row))
    known = [(network.variables[at], network.states[network.variables[at]][row[at]]) for at in order[:N_STEPS]]
    model = network.to_pyagrum()
    pyagrum.setNumberOfThreads(1)
    for what, asked in (("one marginal", [network.variables[order[-1]]]), ("all marginals", list(network.variables))):
        task = f"{name}, {N_STEPS} steps, {what} each"

        def update(asked: list[str] = asked) -> None:
            answers = network.infer(n_threads=1)
            for variable, state in known:
                answers = answers.update({variable: state})
                answers.marginals(asked)

        def anew(asked: list[str] = asked) -> None:
            for n_known in range(1, N_STEPS + 1):
                network.infer(known[:n_known], n_threads=1).marginals(asked)

        def peer(asked: list[str] = asked) -> None:
            inference = pyagrum.LazyPropagation(model)
            for variable in asked:
                inference.addTarget(variable)
            for variable, state in known:
                inference.addEvidence(variable, network.states[variable].index(state))
                inference.makeInference()
                for target in asked:
                    inference.posterior(target).tolist()

        ours = best_of(update, 3)
        report.add(task, "credenet", ours, note="update, 1 thread")
        report.add(task, "credenet anew", best_of(anew, 3), note="infer for every step, 1 thread")
        report.add(task, "pyagrum", best_of(peer, 1), ours=ours, note="LazyPropagation with addEvidence, 1 thread")


def most_probable(report: Report, name: str, network: credenet.BayesianNetwork) -> None:
    """Half of the variables maximised, a tenth known."""
    evidence = some_evidence(network, 0.1)
    free = [variable for variable in network.variables if variable not in evidence]
    asked = [str(variable) for variable in np.random.default_rng(2).choice(free, len(free) // 2, replace=False)]
    found = network.infer(evidence, n_threads=1, time_limit=60).map(asked)
    timing = best_of(lambda: network.infer(evidence, n_threads=1, time_limit=60).map(asked), 3)
    gap = found.log_bound - found.log_probability
    report.add(f"{name}, MAP of {len(asked)} variables", "credenet", timing, note=f"{found.status}, gap {gap:.3g}")


def explanations(report: Report, name: str, network: credenet.BayesianNetwork) -> None:
    """Twelve targets, which are compared in full, and all variables, among which a search chooses."""
    evidence = some_evidence(network, 0.1)
    free = [variable for variable in network.variables if variable not in evidence]
    for targets in (free[:12], free):
        inference = network.infer(evidence, n_threads=1, time_limit=60)
        found = inference.explain(targets)
        timing = best_of(lambda inference=inference, targets=targets: inference.explain(targets), 1)  # type: ignore[misc]
        report.add(f"{name}, explanations, {len(targets)} targets", "credenet", timing, note=found.status)


if __name__ == "__main__":
    main()
