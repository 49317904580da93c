"""Parts of graphs, and graphs with a little less, more or other names, against their definitions."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credenet import DAG, PDAG
from credenet.errors import GraphError
from graph_strategies import dags, pdags


@given(dags())
@settings(max_examples=200, deadline=None)
def test_markov_blanket_is_the_smallest_set_that_separates(dag: DAG) -> None:
    for variable in dag.variables:
        blanket = set(dag.markov_blanket(variable))
        others = set(dag.variables) - {variable}

        def separates(given: set[str], variable: str = variable, others: set[str] = others) -> bool:
            return all(dag.d_separated(variable, other, given=given) for other in others - given)

        assert separates(blanket)
        smaller = (set(part) for size in range(len(blanket)) for part in combinations(sorted(blanket), size))
        assert not any(map(separates, smaller))
        assert dag.cpdag().markov_blanket(variable) == dag.markov_blanket(variable)


def directed_edges(graph: DAG | PDAG) -> list[tuple[str, str]]:
    return list(graph.edges if isinstance(graph, DAG) else graph.directed)


@given(st.one_of(dags(), pdags()), st.data())
@settings(max_examples=200, deadline=None)
def test_subgraph_and_without_variable(graph: DAG | PDAG, data: st.DataObject) -> None:
    kept = data.draw(st.sets(st.sampled_from(graph.variables)))
    part = graph.subgraph(kept)
    assert part.variables == tuple(name for name in graph.variables if name in kept)
    assert part.edges == tuple(edge for edge in graph.edges if set(edge) <= kept)
    assert type(part) is type(graph)
    assert directed_edges(part) == [edge for edge in directed_edges(graph) if set(edge) <= kept]
    gone = data.draw(st.sampled_from(graph.variables))
    assert graph.without_variable(gone) == graph.subgraph(set(graph.variables) - {gone})


@given(st.one_of(dags(), pdags()))
@settings(max_examples=100, deadline=None)
def test_adjacency_and_names(graph: DAG | PDAG) -> None:
    matrix = graph.to_adjacency()
    assert matrix.sum() == len(graph.edges) + (len(graph.undirected) if isinstance(graph, PDAG) else 0)
    assert type(graph).from_adjacency(matrix, graph.variables) == graph
    for kind, frame in (("pandas", pd.DataFrame), ("polars", pl.DataFrame)):
        labelled: Any = graph.to_adjacency(kind)  # type: ignore[call-overload]
        assert isinstance(labelled, frame)
        assert type(graph).from_adjacency(labelled) == graph
    new = {name: f"{name} 2" for name in graph.variables[::2]}
    renamed = graph.rename(new)
    assert renamed.edges == tuple((new.get(a, a), new.get(b, b)) for a, b in graph.edges)
    assert renamed.rename({to: name for name, to in new.items()}) == graph


@given(st.one_of(dags(), pdags()))
@settings(max_examples=100, deadline=None)
def test_roots_and_leaves(graph: DAG | PDAG) -> None:
    undirected = {name for edge in graph.undirected for name in edge} if isinstance(graph, PDAG) else set()
    free = [name for name in graph.variables if name not in undirected]
    assert graph.roots == tuple(name for name in free if not graph.parents(name))
    assert graph.leaves == tuple(name for name in free if not graph.children(name))


def test_rows_of_a_pandas_frame_are_named() -> None:
    frame = DAG([("a", "b")]).to_adjacency("pandas")
    assert frame.loc["a", "b"] == 1
    assert frame.loc["b", "a"] == 0


@given(dags(max_size=4), st.data())
@settings(max_examples=100, deadline=None)
def test_with_variable(dag: DAG, data: st.DataObject) -> None:
    parents, children = (data.draw(st.sets(st.sampled_from(dag.variables))) for _ in range(2))
    above = parents | {name for parent in parents for name in dag.ancestors(parent)}
    if above & children:
        with pytest.raises(GraphError, match="form a cycle"):
            dag.with_variable("new", parents=parents, children=children)
        return
    found = dag.with_variable("new", parents=parents, children=children)
    pairs = [*dag.edges, *((parent, "new") for parent in parents), *(("new", child) for child in children)]
    assert found == DAG([*dag.variables, "new"], pairs)
    assert found.variables[-1] == "new"
    assert found.without_variable("new") == dag


def test_edges_alone() -> None:
    dag = DAG([("B", "A"), ("C", "A"), ("A", "D")])
    assert dag.variables == ("B", "A", "C", "D")
    assert dag == DAG(list("ABCD"), [("B", "A"), ("C", "A"), ("A", "D")])
    assert DAG(iter([("B", "A")]), []).edges == (("B", "A"),)
    assert PDAG([("B", "A")], undirected=[("A", "B")][:0]).directed == (("B", "A"),)
    assert DAG(["AB", "CD"]).edges == ()  # The names have two letters and are no edges.
    with pytest.raises(GraphError, match="an edge must be a pair of names, got \\('a', 'b', 'c'\\)"):
        DAG([("a", "b", "c")])  # type: ignore[arg-type]
    with pytest.raises(GraphError, match="variable names must be text, got \\('a', 'b'\\)"):
        DAG([("a", "b")], [("a", "b")])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda dag: dag.rename({"z": "y"}), "unknown variable 'z'"),
        (lambda dag: dag.rename({"a": "b"}), "variable 'b' is named twice"),
        (lambda dag: dag.with_variable("a"), "variable 'a' is named twice"),
        (lambda dag: dag.subgraph(["a", "q"]), "unknown variable 'q'"),
        (lambda dag: dag.without_variable("q"), "unknown variable 'q'"),
        (lambda dag: dag.markov_blanket("q"), "unknown variable 'q'"),
        (lambda dag: dag.cpdag().markov_blanket("q"), "unknown variable 'q'"),
    ],
)
def test_mistakes(change: Any, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        change(DAG([("a", "b")]))


def test_swapped_names() -> None:
    assert DAG([("a", "b")]).rename({"a": "b", "b": "a"}).edges == (("b", "a"),)
