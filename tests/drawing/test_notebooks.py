"""What a notebook shows of an object: well-formed HTML, every text escaped, of bounded size."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest

import credenet

ODD = "<b>odd & 'quoted'</b>"


def shown(thing: Any) -> str:
    """The HTML, once it is known to be well formed."""
    html: str = thing._repr_html_()
    assert html.strip()
    ElementTree.fromstring(f"<div>{html.replace(' xmlns=', ' data-xmlns=')}</div>")
    return html


@pytest.fixture(scope="module")
def network() -> credenet.BayesianNetwork:
    """Two variables with names and states that HTML would take for something else."""
    return credenet.BayesianNetwork(
        states={ODD: ["<i>no</i>", "yes & no"], "b": ["0", "1"]},
        parents={"b": [ODD]},
        tables={ODD: [0.4, 0.6], "b": [[0.9, 0.1], [0.2, 0.8]]},
    )


@pytest.fixture(scope="module")
def things(network: credenet.BayesianNetwork) -> dict[str, Any]:
    data = network.sample(200, seed=1)
    result = credenet.learn(data)
    answers = network.infer({"b": "1"})
    return {
        "network": network,
        "graph": network.dag,
        "data": data,
        "info": data.info(),
        "inference": answers,
        "messages": network.infer({"b": "1"}, method="ijgp"),
        "samples": network.infer({"b": "1"}, method="gibbs"),
        "mpe": answers.mpe(),
        "explanations": answers.explain(),
        "picture of answers": answers.draw(),
        "picture": network.draw(focus=ODD),
        "comparison": credenet.compare(network, credenet.fit(data, network), rows=data, kl_rows=50),
        "verification": result.verify(data),
        "result": result,
        "credible": credenet.credible_networks(data),
        "bootstrap": credenet.bootstrap(data, method="chow_liu", n_samples=2),
        "validation": credenet.validate(data, {ODD: {}, "b": {"score": "bic"}}, repetitions=2),
    }


KINDS = [
    *("network", "graph", "data", "info", "inference", "messages", "samples", "mpe", "explanations"),
    *("picture of answers", "picture", "comparison", "verification", "result", "credible", "bootstrap", "validation"),
]


@pytest.mark.parametrize("kind", KINDS)
def test_html_is_well_formed_and_escaped(things: dict[str, Any], kind: str) -> None:
    assert set(things) == set(KINDS)
    html = shown(things[kind])
    assert ODD not in html
    assert "<i>no</i>" not in html


def test_networks(network: credenet.BayesianNetwork) -> None:
    html = shown(network)
    assert "<svg" in html
    assert "<th>variable</th><th>states</th><th>parents</th>" in html
    assert "2 variables, 1 edge, 3 parameters, at most 1 parent" in html


def test_data_show_their_first_rows() -> None:
    names = [f"v{k}" for k in range(30)]
    data = credenet.Dataset({name: ["no", "yes"] for name in names}, np.zeros((1000, 30), dtype=int))
    html = shown(data)
    assert html.count("<tr>") == 9
    assert "v19" in html
    assert "v20" not in html
    assert "and 992 more rows and 10 more variables" in html
    assert "<th>labels (rows)</th>" in shown(data.info())
    assert "no (1,000), yes (0)" in shown(data.info())


def test_missing_cells_are_empty() -> None:
    data = credenet.Dataset({"a": ["no", "yes"]}, np.array([[0], [-1]]))
    assert "<td></td>" in shown(data)


def test_impossible_evidence_is_said() -> None:
    html = shown(credenet.textbook.asia().infer({"lung": "yes", "either": "no"}))
    assert "the evidence has probability 0" in html


def test_samples_have_errors() -> None:
    asia = credenet.textbook.asia()
    assert "<th>standard error</th>" in shown(asia.infer(method="likelihood_weighting"))
    assert "<th>standard error</th>" not in shown(asia.infer(method="ijgp"))


def test_verification_counts_its_claims() -> None:
    data = credenet.datasets.asia(500)
    verification = credenet.learn(data, score="bic").verify(data)
    assert repr(verification) == f"<Verification {len(verification)} claims: {len(verification)} right>"
    assert str(verification).splitlines()[0].split() == ["claim", "result", "detail"]


def test_a_thousand_variables_do_not_flood() -> None:
    dag = credenet.random.dag(1000, max_parents=2, seed=1)
    network = credenet.random.network(dag, seed=1)
    for thing in (dag, dag.cpdag(), network, network.sample(10), network.sample(10).info(), network.infer()):
        assert len(shown(thing)) < 100_000
        assert len(repr(thing)) < 200 or isinstance(thing, type(network.sample(1).info()))
    assert len(str(network).splitlines()) == 103
    assert str(network).endswith("… and 900 more variables")
