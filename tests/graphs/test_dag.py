"""DAGs as objects: construction, names, equality, changes."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credenet.errors import GraphError
from credenet.graphs import DAG
from graph_strategies import dags

ASIA = "asia->tub; smoke->lung; smoke->bronc; tub->either<-lung; either->xray; either->dysp<-bronc"


def test_basics() -> None:
    dag = DAG.parse(ASIA)
    assert repr(dag) == "<DAG 8 variables, 8 edges>"
    assert repr(DAG(["a"])) == "<DAG 1 variable, 0 edges>"
    assert len(dag) == 8
    assert "tub" in dag
    assert "Tub" not in dag
    assert dag.parents("dysp") == ("bronc", "either")
    assert dag.children("smoke") == ("lung", "bronc")
    assert dag.max_in_degree == 2
    assert DAG([]).max_in_degree == 0


def test_edges_are_ordered_by_child_then_parent() -> None:
    dag = DAG(["c", "a", "b"], [("b", "c"), ("b", "a"), ("a", "c")])
    assert dag.edges == (("a", "c"), ("b", "c"), ("b", "a"))
    assert dag.parent_indices == ((1, 2), (2,), ())
    tails, heads = dag.edge_arrays()
    assert (tails.tolist(), heads.tolist()) == ([1, 2, 2], [0, 0, 1])
    assert tails.dtype == np.int32
    assert not tails.flags.writeable


def test_equality_ignores_the_order_of_variables() -> None:
    first = DAG(["a", "b", "c"], [("a", "b"), ("a", "c")])
    second = DAG(["c", "b", "a"], [("a", "c"), ("a", "b")])
    assert first == second
    assert hash(first) == hash(second)
    assert first != DAG(["a", "b", "c"], [("a", "b")])
    assert first != DAG(["a", "b", "c", "d"], first.edges)
    assert first != "a -> b; a -> c"
    assert first != first.skeleton()


@given(dags(max_size=6), st.data())
@settings(max_examples=100, deadline=None)
def test_every_way_in_and_out(dag: DAG, data: st.DataObject) -> None:
    assert DAG.parse(str(dag)) == dag
    assert DAG.from_indices(dag.variables, dag.parent_indices) == dag
    assert DAG.from_parents({name: dag.parents(name) for name in dag.variables}) == dag
    assert DAG.from_networkx(dag.to_networkx()) == dag
    matrix = np.zeros((len(dag), len(dag)), dtype=int)
    matrix[dag.edge_arrays()] = 1
    assert DAG.from_adjacency(matrix) == dag
    assert DAG.from_adjacency(matrix.tolist(), dag.variables) == dag
    assert copy.deepcopy(dag) == dag
    shuffled = DAG(data.draw(st.permutations(dag.variables)), data.draw(st.permutations(dag.edges)))
    assert shuffled == dag
    assert hash(shuffled) == hash(dag)
    assert shuffled.class_key() == dag.class_key()


def test_pickle_survives_another_hash_seed() -> None:
    dag = DAG.parse(ASIA)
    hash(dag)
    code = (
        "import pickle, sys; dag = pickle.load(sys.stdin.buffer); "
        "from credenet.graphs import DAG; print(hash(dag) == hash(DAG(dag.variables, dag.edges)))"
    )
    found = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(dag), capture_output=True, check=True)
    assert found.stdout.decode().strip() == "True"


def test_immutable() -> None:
    dag = DAG.parse("a -> b")
    with pytest.raises(AttributeError):
        dag.variables = ("x",)  # type: ignore[misc]
    with pytest.raises(AttributeError):
        dag.colour = "red"  # type: ignore[attr-defined]


def test_changes_return_new_graphs() -> None:
    dag = DAG.parse("a -> b -> c")
    assert dag.with_edge("a", "c") == DAG.parse("a -> b -> c; a -> c")
    assert dag.without_edge("a", "b") == DAG.parse("a; b -> c")
    assert dag.reverse_edge("b", "c") == DAG.parse("a -> b <- c")
    assert dag == DAG.parse("a -> b -> c")
    with pytest.raises(GraphError, match="form a cycle: a -> b -> c -> a"):
        dag.with_edge("c", "a")
    with pytest.raises(GraphError, match="form a cycle: a -> b -> c -> a"):
        dag.with_edge("a", "c").reverse_edge("a", "c")
    with pytest.raises(GraphError, match="edge 'a' -> 'b' is given twice"):
        dag.with_edge("a", "b")
    with pytest.raises(GraphError, match="there is no edge 'a' -> 'c'"):
        dag.without_edge("a", "c")


@pytest.mark.parametrize(
    ("variables", "edges", "message"),
    [
        (["a", "b"], [("a", "b"), ("b", "a")], "cycle: a -> b -> a"),
        (["x", "c", "b", "a"], [("a", "b"), ("b", "c"), ("c", "a"), ("c", "x")], "cycle: c -> a -> b -> c"),
        (["a", "b"], [("a", "a")], "'a' has an edge to itself"),
        (["a", "b"], [("a", "b"), ("a", "b")], "edge 'a' -> 'b' is given twice"),
        (["a", "a"], [], "variable 'a' is named twice"),
        (["smoke", "b"], [("smok", "b")], "unknown variable 'smok'; did you mean 'smoke'"),
        (["a", ""], [], "must not be empty"),
        ("ab", [], "variables must be a list of names, got 'ab'"),
        ([1, 2], [], "must be text, got 1"),
        (["a", "b"], ["ab"], "must be a pair of names, got 'ab'"),
        (["a", "b"], [("a", "b", "c")], "must be a pair of names"),
    ],
)
def test_what_is_no_dag(variables: list[str], edges: list[tuple[str, str]], message: str) -> None:
    with pytest.raises(GraphError, match=message):
        DAG(variables, edges)


def test_wrong_other_forms() -> None:
    with pytest.raises(GraphError, match="unknown variable 'z'"):
        DAG.parse("a -> b").parents("z")
    with pytest.raises(GraphError, match="must be square"):
        DAG.from_adjacency([[0, 1]])
    with pytest.raises(GraphError, match="only 0 and 1"):
        DAG.from_adjacency([[0, 2], [0, 0]])
    with pytest.raises(GraphError, match="has 2 rows, but 1 variables"):
        DAG.from_adjacency([[0, 1], [0, 0]], ["a"])
    with pytest.raises(GraphError, match="'1' has an edge to itself"):
        DAG.from_adjacency([[0, 0], [0, 1]])
    with pytest.raises(GraphError, match="cycle: 0 -> 1 -> 0"):
        DAG.from_adjacency([[0, 1], [1, 0]])
    with pytest.raises(GraphError, match=r"parent_indices\[1\] must be below 2, got 2"):
        DAG.from_indices(["a", "b"], [(), (2,)])
    with pytest.raises(GraphError, match="1 entries for 2 variables"):
        DAG.from_indices(["a", "b"], [()])
    with pytest.raises(GraphError, match="the parents of 'b' must be a list"):
        DAG.from_parents({"a": [], "b": "a"})
    with pytest.raises(GraphError, match="needs a directed networkx graph"):
        DAG.from_networkx(networkx.Graph([(1, 2)]))
    with pytest.raises(GraphError, match="multigraph"):
        DAG.from_networkx(networkx.MultiDiGraph([(1, 2)]))


def test_importing_graphs_loads_no_heavy_library() -> None:
    code = (
        "import sys, credenet.graphs; "
        "print(sorted({'pandas', 'polars', 'networkx', 'matplotlib', 'igraph', 'scipy'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert found.stdout.strip() == "[]"
