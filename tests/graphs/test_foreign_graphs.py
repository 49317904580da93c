"""Graphs of networkx, pgmpy and pyAgrum where a graph is an argument."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx
import pytest

import credenet
from credenet.errors import ArgumentError, GraphError
from credenet.methods import RAI
from credenet.priors import Expert
from credenet.scores import BDe
from credenet.tests import Oracle
from credenet.types import TreeDecomposition
from other_programs import pgmpy, pyagrum

ASIA = credenet.textbook.asia()
DATA = ASIA.sample(200, seed=1)
FOREIGN: dict[str, Callable[[], Any]] = {
    "networkx": lambda: ASIA.dag.to_networkx(),
    "networkx with tables": lambda: ASIA.to_networkx(),
    "pgmpy": lambda: ASIA.to_pgmpy(),
    "pyagrum": lambda: ASIA.to_pyagrum(),
}
CREDIBLE = credenet.credible_networks(DATA, bayes_factor=1)
TABLES = {name: ASIA.table(name) for name in ASIA.variables}
DECOMPOSITION = TreeDecomposition.from_elimination_order(credenet.DAG(ASIA.variables), ASIA.variables)
CALLS: dict[str, Callable[[Any], Any]] = {
    "fit": lambda graph: credenet.fit(DATA, graph),
    "score": lambda graph: credenet.score(DATA, graph).total,
    "compare": lambda graph: credenet.compare(graph, ASIA.dag).shd,
    "compare, learned": lambda graph: credenet.compare(ASIA.dag, graph).shd,
    "random_network": lambda graph: credenet.random.network(graph, seed=1),
    "score of a table": lambda graph: credenet.score_families(DATA, max_parents=2, slack=1e6).score_of(graph),
    "expert": lambda graph: Expert(graph, 0.5),
    "oracle": lambda graph: credenet.learn(DATA, method="pc", test=Oracle(graph)).graph,
    "start of rai": lambda graph: credenet.learn(DATA, method=RAI(start=graph)).graph,
    "equivalent": ASIA.dag.equivalent,
    "equivalent to a class": ASIA.dag.cpdag().equivalent,
    "class of a credible network": lambda graph: CREDIBLE.class_of(graph),
    "another graph in a drawing": lambda graph: str(credenet.DAG(ASIA.variables).draw(other=graph)),
    "parents of a network": lambda graph: credenet.BayesianNetwork(ASIA.states, graph, TABLES),
    "decomposition of a graph": lambda graph: DECOMPOSITION.problems(graph),
    "decomposition": lambda graph: TreeDecomposition.from_elimination_order(graph, ASIA.variables).bags,
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("library", FOREIGN)
def test_the_same_as_our_graph(call: str, library: str) -> None:
    assert pgmpy is not None
    assert pyagrum is not None
    assert CALLS[call](FOREIGN[library]()) == CALLS[call](ASIA.dag)


@pytest.mark.parametrize("library", FOREIGN)
def test_files(library: str, tmp_path: Path) -> None:
    credenet.save_graph(FOREIGN[library](), tmp_path / "a.json")
    assert credenet.load_graph(tmp_path / "a.json") == ASIA.dag


def test_graphs_without_directions() -> None:
    graph = networkx.Graph([("a", "b"), ("b", "c")])
    ours = credenet.PDAG.parse("a -- b; b -- c")
    assert credenet.compare(graph, ours).shd == 0


@pytest.mark.parametrize("library", ["networkx with tables", "pgmpy", "pyagrum"])
def test_tables_are_compared(library: str) -> None:
    other = credenet.fit(DATA, ASIA.dag)
    ours = credenet.compare(ASIA, other, kl_rows=100)
    theirs = credenet.compare(FOREIGN[library](), other, kl_rows=100)
    assert ours.hellinger is not None
    assert theirs.hellinger == pytest.approx(ours.hellinger, abs=1e-9)
    assert credenet.marginal_errors(FOREIGN[library](), other).hellinger == pytest.approx(ours.hellinger, abs=1e-9)


@pytest.mark.parametrize("library", ["networkx with tables", "pgmpy", "pyagrum"])
def test_networks_where_a_network_is_an_argument(library: str) -> None:
    other = FOREIGN[library]()
    ours = credenet.effects(ASIA, "smoke", "dysp")["smoke", "dysp"].means
    theirs = credenet.effects(other, "smoke", "dysp")["smoke", "dysp"].means
    for state, chances in ours.items():
        assert theirs[state] == pytest.approx(chances)
    with pytest.raises(ArgumentError, match="a BayesianNetwork has tables of its own"):
        credenet.effects(other, "smoke", "dysp", data=DATA)
    assert credenet.effects(FOREIGN["networkx"](), "smoke", "dysp", data=DATA)["smoke", "dysp"].means == (
        credenet.effects(ASIA.dag, "smoke", "dysp", data=DATA)["smoke", "dysp"].means
    )
    calls: list[Callable[[Any], float]] = [
        lambda network: credenet.score(DATA, ASIA.dag, score=BDe(network, 2.0)).total,
        lambda network: credenet.fit(DATA, ASIA.dag, smoothing=BDe(network, 2.0)).log_likelihood(DATA),
        lambda network: credenet.sample_learn_infer(network, {"dysp": "yes"}, n_rows=500).answers.log_evidence,
    ]
    for call in calls:
        assert call(other) == pytest.approx(call(ASIA))


def test_settings_hold_our_graphs() -> None:
    """Settings of a foreign graph are equal to those of ours, and are copied into results and files."""
    prior = Expert(FOREIGN["pgmpy"](), 0.5)
    assert prior == Expert(ASIA.dag, 0.5)
    assert prior.dag == ASIA.dag
    assert BDe(FOREIGN["pyagrum"](), 1.0).network == ASIA
    with pytest.raises(ArgumentError, match="network must be a BayesianNetwork, got a DiGraph"):
        BDe(FOREIGN["networkx"](), 1.0)
    with pytest.raises(ArgumentError, match="dag must be a DAG, got 3"):
        Expert(3, 0.5)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="dag must be a DAG, got a PDAG"):
        Oracle(ASIA.dag.cpdag())  # type: ignore[arg-type]


def test_what_is_no_graph() -> None:
    with pytest.raises(ArgumentError, match="must be a DAG"):
        credenet.fit(DATA, "a -> b")  # type: ignore[arg-type]
    with pytest.raises(GraphError, match="cycle"):
        credenet.fit(DATA, networkx.DiGraph([("smoke", "lung"), ("lung", "smoke")]))
