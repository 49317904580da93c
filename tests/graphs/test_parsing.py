"""Graphs as text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credenet.errors import GraphError
from credenet.graphs import DAG, PDAG
from graph_strategies import names


@pytest.mark.parametrize(
    ("text", "variables", "edges"),
    [
        ("", (), ()),
        ("A->B; B->C<-D; E", ("A", "B", "C", "D", "E"), (("A", "B"), ("B", "C"), ("D", "C"))),
        ("A->B, C\nD # all\n# nothing\n", ("A", "B", "C", "D"), (("A", "B"),)),
        ("  tumor-size ->age\r\n", ("tumor-size", "age"), (("tumor-size", "age"),)),
        ('"a b" -> "c->d"; "say \\"x\\""', ("a b", "c->d", 'say "x"'), (("a b", "c->d"),)),
        ("a<-b<-c", ("a", "b", "c"), (("b", "a"), ("c", "b"))),
        ("x; x->y; y", ("x", "y"), (("x", "y"),)),
        (";;a;\n\n;", ("a",), ()),
    ],
)
def test_texts(text: str, variables: tuple[str, ...], edges: tuple[tuple[str, str], ...]) -> None:
    dag = DAG.parse(text)
    assert dag.variables == variables
    assert set(dag.edges) == set(edges)


def test_undirected() -> None:
    assert PDAG.parse("a--b-c -- d").undirected == (("a", "b-c"), ("b-c", "d"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a -> b\nc ->", "line 2: a name is missing after '->'"),
        ("a ->; b", "line 1: a name is missing after '->'"),
        ("-> b", "line 1: a name is missing before '->'"),
        ("a -> -> b", "line 1: a name is missing before '->'"),
        ("\n\na b", "line 3: an arrow or ';' is missing between 'a' and 'b'"),
        ("a --> b", "line 1: '-->' is not an arrow"),
        ("a <-> b", "line 1: '<->' is not an arrow"),
        ("a --- b", "line 1: '---' is not an arrow"),
        ("a -- b", "line 1: '--' is an undirected edge, which a DAG cannot have"),
        ('a -> "b', "line 1: a double quote is not closed"),
        ('a -> ""', "line 1: a name must not be empty"),
    ],
)
def test_wrong_texts(text: str, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        DAG.parse(text)


@given(st.lists(names, min_size=1, max_size=5, unique=True))
@settings(max_examples=300, deadline=None)
def test_any_name_is_read_back(variables: list[str]) -> None:
    dag = DAG(variables, list(zip(variables, variables[2:], strict=False)))
    assert DAG.parse(str(dag)) == dag
    pdag = PDAG(variables, (), dag.edges)
    assert PDAG.parse(str(pdag)) == pdag


@pytest.mark.parametrize(
    "name", ["-", "a-", "-a", ">", "<", "a\\", '"', "a\nb", "#", "a#b", "--", "\r", "\u2028", "<-"]
)
def test_awkward_names(name: str) -> None:
    for edges in ([(name, "x")], [("x", name)], []):
        dag = DAG([name, "x"], edges)
        assert DAG.parse(str(dag)) == dag
        pdag = PDAG([name, "x"], (), edges)
        assert PDAG.parse(str(pdag)) == pdag
