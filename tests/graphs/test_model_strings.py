"""Model strings, the notation of bnlearn."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from credenet.errors import GraphError
from credenet.graphs import DAG, PDAG
from graph_strategies import names

ASIA = "[A][S][T|A][L|S][B|S][E|T:L][X|E][D|B:E]"


def test_asia() -> None:
    dag = DAG.parse(ASIA)
    assert dag.variables == tuple("ASTLBEXD")
    assert dag == DAG.parse("A -> T -> E <- L <- S -> B -> D <- E -> X")
    assert dag.to_model_string() == ASIA
    assert PDAG.parse(ASIA).extension() == dag


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a]", "a"),
        (" [a] [ b | a ]\n[c|b:a]\n", "a -> b; a -> c <- b"),
        ("# from R\n[a][b|a]", "a -> b"),
        ("[c|a][a]", "a -> c"),
        ("[tumor-size|my var][my var]", '"my var" -> tumor-size'),
        ("[a -> b][c]", '"a -> b"; c'),
    ],
)
def test_other_strings(text: str, expected: str) -> None:
    assert DAG.parse(text) == DAG.parse(expected)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[A][B|A", r"line 1: expected \[variable\] or \[variable\|parent:parent\], got '\[B\|A'"),
        ("[A]\n[B|A]]", r"line 2: expected .*, got '\]'"),
        ("[A]; [B|A]", r"line 1: expected .*, got ';'"),
        ("[A][B|]", r"line 1: expected .*, got '\[B\|\]'"),
        ("[A][]", r"got '\[\]'"),
        ("[A]\n\n[B|A::A]", r"line 3: expected .*, got '\[B\|A::A\]'"),
        ("[A][B|A|A]", r"got '\[B\|A\|A\]'"),
        ("[A][B|C]", "line 1: 'C', a parent of 'B', is not listed itself"),
        ("[A][B|A]\n[A]", "line 2: variable 'A' is listed twice"),
        ("[A|B][B|A]", "cycle: "),
        ("[A|A]", "edge to itself"),
        ("[A][B|A:A]", "given twice"),
    ],
)
def test_wrong_strings(text: str, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        DAG.parse(text)


def test_names_in_brackets_beside_arrows() -> None:
    """Text of edges may have such names; written, they are quoted, so that nothing is taken for a model string."""
    assert DAG.parse("[c] -> a").edges == (("[c]", "a"),)
    for dag in (DAG(["[c]"]), DAG(["[a][b|a]", "x"]), DAG(["[c]", "a"], [("a", "[c]")])):
        assert DAG.parse(str(dag)) == dag


@pytest.mark.parametrize("name", ["a:b", "a|b", "[a", "a]", " a", "a\nb"])
def test_names_that_no_model_string_holds(name: str) -> None:
    with pytest.raises(GraphError, match="a model string cannot hold the name"):
        DAG([name]).to_model_string()


@given(st.lists(names, min_size=1, max_size=6, unique=True))
@settings(max_examples=300, deadline=None)
def test_what_is_written_is_read_back(variables: list[str]) -> None:
    edges = [pair for k, pair in enumerate(pairwise(variables)) if k % 2 == 0]
    dag = DAG(variables, [*edges, *zip(variables, variables[3:], strict=False)])
    try:
        text = dag.to_model_string()
    except GraphError:
        reject()
    back = DAG.parse(text)
    assert back == dag
    assert back.variables == dag.variables
