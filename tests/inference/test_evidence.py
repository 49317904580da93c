"""States given as numbers and truth values, where the labels of a network are text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import credenet
from credenet import BayesianNetwork
from credenet.errors import NetworkError


@pytest.fixture
def network(tmp_path: Path) -> BayesianNetwork:
    """Read from a format without types."""
    network = BayesianNetwork(
        states={"n": ["0", "1", "2"], "t": ["False", "True"], "r": ["0.5", "1.5"], "odd": ["1", "1.0", "true", "TRUE"]},
        parents={"t": ["n"], "odd": ["t"]},
        tables={
            "n": [0.5, 0.3, 0.2],
            "t": [[0.1, 0.9], [0.4, 0.6], [0.8, 0.2]],
            "r": [0.25, 0.75],
            "odd": [[0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1]],
        },
    )
    network.save(tmp_path / "network.bif")
    return credenet.load(tmp_path / "network.bif")


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"n": 1}, {"n": "1"}),
        ({"n": np.int64(2)}, {"n": "2"}),
        ({"n": 1.0}, {"n": "1"}),
        ({"n": np.float64(1)}, {"n": "1"}),
        ({"t": True}, {"t": "True"}),
        ({"t": np.bool_(False)}, {"t": "False"}),
        ({"r": 1.5}, {"r": "1.5"}),
        ({"odd": 1}, {"odd": "1"}),
        ({"odd": 1.0}, {"odd": "1.0"}),
        ({"n": {0: 1.0, 2: 0.5}}, {"n": {"0": 1.0, "2": 0.5}}),
    ],
)
def test_the_label_that_is_meant(network: BayesianNetwork, given: Any, text: Any) -> None:
    assert network.infer(given).marginals() == network.infer(text).marginals()
    assert network.infer(list(given.items())).evidence == network.infer(text).evidence
    states = {name: state for name, state in given.items() if not isinstance(state, dict)} or {"r": 1.5}
    labels = {name: text.get(name, "1.5") for name in states}
    assert network.do(states) == network.do(labels)
    assert network.do(states).infer(labels).marginals() == network.do(labels).infer().marginals()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n": 3}, "variable 'n' has no state 3; it has 0, 1, 2"),
        ({"n": True}, "variable 'n' has no state True; it has 0, 1, 2"),
        ({"t": 1}, "variable 't' has no state 1; it has False, True"),
        ({"t": "true"}, "variable 't' has no state 'true'; it has False, True"),
        ({"odd": True}, "variable 'odd' has no state True; it has 1, 1.0, true, TRUE"),
        ({"n": float("nan")}, "variable 'n' has no state nan; it has 0, 1, 2"),
        ({"n": {1: 0.5, "1": 0.2}}, "the evidence of 'n' names a state twice: 1, '1'"),
    ],
)
def test_what_is_not_meant_by_one_label(network: BayesianNetwork, given: Any, message: str) -> None:
    with pytest.raises(NetworkError, match=message):
        network.infer(given)


def test_probability_of_numbers(network: BayesianNetwork) -> None:
    assert network.probability("t", True, n=1) == 0.6


def test_evidence_in_the_words_of_an_intervention(network: BayesianNetwork) -> None:
    done = network.do({"n": 1})
    assert done.infer({"n": 1}).marginals() == done.infer().marginals()
    with pytest.raises(NetworkError, match=r"the evidence contradicts do\(n=1\): it says n=2"):
        done.infer({"n": 2})
