"""Graphs of networkx, pgmpy and pyAgrum where a graph is an argument."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx
import pytest
from credenet.types import TreeDecomposition

import credenet
from credenet.errors import ArgumentError, GraphError
from other_programs import pgmpy, pyagrum

ASIA = credenet.textbook.asia()
DATA = ASIA.sample(200, seed=1)
FOREIGN: dict[str, Callable[[], Any]] = {
    "networkx": lambda: ASIA.dag.to_networkx(),
    "networkx with tables": lambda: ASIA.to_networkx(),
    "pgmpy": lambda: ASIA.to_pgmpy(),
    "pyagrum": lambda: ASIA.to_pyagrum(),
}
CALLS: dict[str, Callable[[Any], Any]] = {
    "fit": lambda graph: credenet.fit(DATA, graph),
    "score": lambda graph: credenet.score(DATA, graph).total,
    "compare": lambda graph: credenet.compare(graph, ASIA.dag).shd,
    "compare, learned": lambda graph: credenet.compare(ASIA.dag, graph).shd,
    "random_network": lambda graph: credenet.random.network(graph, seed=1),
    "score of a table": lambda graph: credenet.score_families(DATA, max_parents=2, slack=1e6).score_of(graph),
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


def test_what_is_no_graph() -> None:
    with pytest.raises(ArgumentError, match="must be a DAG"):
        credenet.fit(DATA, "a -> b")  # type: ignore[arg-type]
    with pytest.raises(GraphError, match="cycle"):
        credenet.fit(DATA, networkx.DiGraph([("smoke", "lung"), ("lung", "smoke")]))
