"""Approximate methods on competition cases whose largest table has more than 2^25 cells, against published answers."""

from __future__ import annotations

import math
from typing import Any

import pytest

import credenet
from credenet import MarkovNetwork
from credenet.io.uai_evidence import load_evidence
from credenet.methods import IJGP, ImportanceSampling, LoopyBP
from other_programs import pyagrum
from shared import shared_data

# The largest allowed errors (mean over the variables of the largest difference), with some room.
CASES = {
    "CSP_11": (0.03, 0.01, 0.006),
    "Grids_15": (0.17, 0.09, 0.05),
    "linkage_21": (0.07, 0.013, 0.02),
    "ObjectDetection_28": (0.0001, 0.00001, 0.01),
}


def load(name: str) -> tuple[MarkovNetwork, Any, dict[str, dict[Any, float]], float]:
    path = shared_data("inference", f"{name}.uai.gz")
    base = path.with_suffix("")
    model = MarkovNetwork.load(path)
    words = iter((base.parent / f"{base.name}.MAR").read_text().split()[2:])
    truth = {}
    for variable, labels in model.states.items():
        assert int(next(words)) == len(labels)
        truth[variable] = {label: float(next(words)) for label in labels}
    log10 = float((base.parent / f"{base.name}.PR").read_text().split()[-1])
    return model, load_evidence(f"{base}.evid", model.states), truth, log10


@pytest.mark.parametrize("name", CASES)
def test_published_marginals(name: str) -> None:
    model, evidence, truth, log10 = load(name)
    loopy, joined, sampled = CASES[name]
    messages = model.infer(evidence, method=LoopyBP())
    assert credenet.marginal_errors(truth, messages).max_absolute_error < loopy
    clusters = model.infer(evidence, method=IJGP())
    assert clusters.status == "converged"
    assert credenet.marginal_errors(truth, clusters).max_absolute_error < joined
    samples = model.infer(evidence, method=ImportanceSampling(10_000), seed=1)
    assert credenet.marginal_errors(truth, samples).max_absolute_error < sampled
    assert samples.log_evidence is not None
    assert samples.log_evidence_error is not None
    allowed = 4 * samples.log_evidence_error / math.log(10) + 0.001  # The published number has three digits.
    assert abs(samples.log_evidence / math.log(10) - log10) < allowed


@pytest.mark.parametrize("name", ["alarm", "insurance", "hailfinder", "win95pts"])
def test_loopy_propagation_ends_where_pyagrum_does(name: str) -> None:
    """Both settle on the same fixed point, whatever its error."""
    network = credenet.load(shared_data("networks", f"{name}.bif.gz"))
    row = network.sample(1, seed=7)
    evidence = {
        variable: row.states[variable][int(row.codes[0, row.index(variable)])] for variable in network.variables[::9]
    }
    inference = network.infer(evidence, method=LoopyBP(tolerance=1e-9))
    assert inference.status == "converged"
    engine = pyagrum.LoopyBeliefPropagation(network.to_pyagrum())
    engine.setEpsilon(1e-9)
    engine.setMinEpsilonRate(1e-12)
    engine.setMaxIter(5000)
    engine.setEvidence({variable: network.states[variable].index(state) for variable, state in evidence.items()})
    engine.makeInference()
    for variable, distribution in inference.marginals().items():
        assert list(distribution.values()) == pytest.approx(engine.posterior(variable).tolist(), abs=1e-4)
