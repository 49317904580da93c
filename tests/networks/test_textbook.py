"""The networks of textbooks: what their books say follows from them."""

from __future__ import annotations

import json

import pytest

import credenet
from credenet.networks.examples import textbook
from shared import shared_data

SIZES = {
    "asia": (8, 8, 18),
    "cancer": (5, 4, 10),
    "earthquake": (5, 4, 10),
    "sprinkler": (4, 4, 9),
    "student": (5, 4, 15),
}


@pytest.mark.parametrize("name", textbook.__all__)
def test_sizes(name: str) -> None:
    network = getattr(textbook, name)()
    assert (len(network.variables), network.dag.n_edges, network.n_parameters) == SIZES[name]


def test_asia() -> None:
    # The numbers are in the table of marginals of Lauritzen and Spiegelhalter (1988).
    marginals = textbook.asia().marginals()
    published = {"tub": 0.0104, "lung": 0.055, "bronc": 0.45, "either": 0.064828, "xray": 0.11029, "dysp": 0.43597}
    for name, p in published.items():
        assert marginals[name]["yes"] == pytest.approx(p, abs=5e-6)


def test_sprinkler() -> None:
    # Murphy's introduction to graphical models has P(wet grass) = 0.6471 and P(sprinkler | wet grass) = 0.4298.
    wet = textbook.sprinkler().infer().joint(["wet_grass", "sprinkler"])[0]
    assert wet.sum() == pytest.approx(0.6471)
    assert wet[0] / wet.sum() == pytest.approx(0.4298, abs=5e-5)


def test_student() -> None:
    # Koller and Friedman (2009), section 3.2, have P(letter) and P(letter | low intelligence).
    letter = textbook.student().infer().joint(["intelligence", "letter"])
    assert letter[:, 1].sum() == pytest.approx(0.502, abs=5e-4)
    assert letter[0, 1] / letter[0].sum() == pytest.approx(0.389, abs=5e-4)


def test_cancer_and_earthquake_follow_from_their_tables() -> None:
    cancer = textbook.cancer().marginals()["cancer"]["true"]
    assert cancer == pytest.approx(0.9 * (0.3 * 0.03 + 0.7 * 0.001) + 0.1 * (0.3 * 0.05 + 0.7 * 0.02))
    alarm = textbook.earthquake().marginals()["alarm"]["true"]
    assert alarm == pytest.approx(0.01 * (0.02 * 0.95 + 0.98 * 0.94) + 0.99 * (0.02 * 0.29 + 0.98 * 0.001))


def test_asia_agrees_with_the_reference_marginals() -> None:
    reference = json.loads(shared_data("inference", "asia.ref.json").read_text())
    prior = next(case for case in reference["cases"] if not case["evidence"])
    marginals = credenet.textbook.asia().marginals()
    for name, states in reference["states"].items():
        expected = prior["marginals"][name]
        values = expected.values() if isinstance(expected, dict) else expected
        for state, p in zip(states, values, strict=True):
            assert marginals[name][state] == pytest.approx(p, abs=1e-6)
