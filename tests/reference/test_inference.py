"""Inference on the shared networks and competition cases, against published answers and pyAgrum."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import numpy as np
import pytest

import credenet
import credenet.inference.inference
from credenet import MarkovNetwork
from credenet._files.files import read_bytes
from credenet.io.uai_evidence import load_evidence
from other_programs import pyagrum
from shared import ROOT, shared_data

CASE = re.compile(
    r"^\| (\S+\.uai(?:\.gz)?) \| \w+ \| \d+ \| \d+ \| \d+ \| \d+ \| \d+ \| ([\d.]+) \| (\S+) \| (\S*) ?\|", re.MULTILINE
)
LARGEST = 25.0  # Log2 of the cells of the largest table.
SLOW = {"DBN_11", "DBN_12", "DBN_14", "DBN_16", "ObjectDetection_74", "Alchemy_11"}


def cases() -> list[Any]:
    readme = ROOT / "README.md"
    listed = []
    for name, log2, pr, mpe in CASE.findall(readme.read_text()) if readme.exists() else []:
        base = name.removesuffix(".gz").removesuffix(".uai")
        if float(log2) <= LARGEST:
            listed.append(pytest.param(name, pr, mpe, id=base, marks=[pytest.mark.slow] if base in SLOW else []))
    return listed


def unit(number: str) -> float:
    """Half a unit of the last printed digit, and as much again for the rounding of what was printed."""
    mantissa, _, exponent = number.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    return 0.51 * 10.0 ** (int(exponent or 0) - decimals)


@pytest.mark.parametrize(("name", "pr", "mpe"), cases())
def test_competition_cases(name: str, pr: str, mpe: str) -> None:
    path = shared_data("inference", name)
    base = path.with_name(name.removesuffix(".gz"))
    model = MarkovNetwork.load(path)
    inference = model.infer(load_evidence(f"{base}.evid", model.states))
    marginals = inference.marginals()
    assert abs(inference.log_evidence / math.log(10) - float(pr)) <= unit(pr)
    words = iter((base.parent / f"{base.name}.MAR").read_text().split()[1:])
    assert int(next(words)) == len(marginals)
    for variable, distribution in marginals.items():
        assert int(next(words)) == len(distribution)
        for probability in distribution.values():
            assert abs(probability - float(next(words))) <= 1e-6, variable
    for published in filter(None, [mpe]):
        best = inference.mpe()
        assert abs(best.log_probability / math.log(10) - float(published)) <= unit(published)
        given = inference.evidence
        assert all(best.assignment[variable] == state for variable, state in given.items())


@pytest.mark.parametrize(
    "name", ["asia", "sachs", "child", "alarm", "insurance", "win95pts", "hailfinder", "andes", "pigs"]
)
def test_reference_marginals(name: str) -> None:
    suffix = ".ref.json.gz" if name == "pigs" else ".ref.json"
    reference = json.loads(read_bytes(shared_data("inference", name + suffix)))
    network = credenet.load(shared_data("networks", f"{name}.bif.gz"))
    for case in reference["cases"]:
        inference = network.infer(case["evidence"])
        marginals = inference.marginals()
        assert inference.log_evidence / math.log(10) == pytest.approx(case["log10_pe"], abs=1e-6)
        for variable, expected in case["marginals"].items():
            values = expected.values() if isinstance(expected, dict) else expected
            found = [marginals[variable][state] for state in reference["states"][variable]]
            assert found == pytest.approx(list(values), abs=1e-6)


def some_evidence(network: credenet.BayesianNetwork, share: float, seed: int) -> dict[str, str]:
    """The states of a share of the variables in one row drawn from the network."""
    row = network.sample(1, seed=7).codes[0]
    chosen = np.random.default_rng(seed).choice(len(row), int(share * len(row)), replace=False)
    return {network.variables[at]: network.states[network.variables[at]][row[at]] for at in chosen}


@pytest.mark.parametrize(
    "name", ["asia", "alarm", "insurance", "hailfinder", "hepar2", "win95pts", "andes", "pigs", "water", "diabetes"]
)
@pytest.mark.parametrize("share", [0.0, 0.1, 0.2])
def test_pyagrum_agrees(name: str, share: float) -> None:
    network = credenet.load(shared_data("networks", f"{name}.bif.gz"))
    evidence = some_evidence(network, share, seed=2)
    marginals = network.infer(evidence).marginals()
    model = network.to_pyagrum()
    engine = pyagrum.LazyPropagation(model)
    engine.setEvidence({variable: network.states[variable].index(state) for variable, state in evidence.items()})
    engine.makeInference()
    for variable in network.variables:
        assert list(marginals[variable].values()) == pytest.approx(
            engine.posterior(variable).tolist(), abs=1e-5 if name == "diabetes" else 1e-7
        )


@pytest.mark.parametrize("name", ["asia", "child", "alarm", "insurance", "hailfinder"])
def test_pyagrum_agrees_on_the_most_probable_explanation(name: str) -> None:
    """pyAgrum fails on many of these ("Empty tensor"); where it answers, the probabilities are the same."""
    network = credenet.load(shared_data("networks", f"{name}.bif.gz"))
    model = network.to_pyagrum()
    n_compared = 0
    for seed in range(10):
        evidence = some_evidence(network, 0.6, seed)
        engine = pyagrum.LazyPropagation(model)
        engine.setEvidence({variable: network.states[variable].index(state) for variable, state in evidence.items()})
        try:
            _, log2_posterior = engine.mpeLog2Posterior()
        except pyagrum.FatalError:
            continue
        inference = network.infer(evidence)
        found = (inference.mpe().log_probability - inference.log_evidence) / math.log(2)
        assert found == pytest.approx(log2_posterior, abs=1e-6)
        n_compared += 1
    assert n_compared >= 5


@pytest.mark.parametrize("name", ["alarm", "insurance", "win95pts", "hailfinder", "andes"])
def test_map_by_search_and_by_elimination(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    network = credenet.load(shared_data("networks", f"{name}.bif.gz"))
    evidence = some_evidence(network, 0.1, 3)
    free = [variable for variable in network.variables if variable not in evidence]
    targets = [str(variable) for variable in np.random.default_rng(4).choice(free, 12, replace=False)]
    eliminated = network.infer(evidence).map(targets)
    monkeypatch.setattr(credenet.inference.inference, "CELLS_PER_SECOND", 0.2)
    searched = network.infer(evidence).map(targets)
    assert eliminated.status == searched.status == "optimal"
    assert searched.log_probability == pytest.approx(eliminated.log_probability, abs=1e-9)
    known = network.infer(evidence | dict(searched.assignment))
    assert known.log_evidence == pytest.approx(searched.log_probability, abs=1e-9)
