"""The result files of BLIP: what is written reads back equal, and errors name their line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import DAG, PDAG, load_graph, save_graph
from credenet.errors import ArgumentError, FormatError
from credenet.io import res
from credenet.types import ResFile
from graph_strategies import dags

TEXT = """\
elim-order: (2,0,1)
0: -12.5
1: -3.25  (0,2)
2: -7e0 ()

Score: -22.75
"""


def test_a_file_of_blip() -> None:
    found = res.parse(TEXT, "file")
    assert found.graph == DAG(["0", "1", "2"], [("0", "1"), ("2", "1")])
    assert found.local == {"0": -12.5, "1": -3.25, "2": -7.0}
    assert (found.score, found.elimination_order) == (-22.75, ("2", "0", "1"))


def test_numbers_decide_the_order_of_variables() -> None:
    lines = [f"{number}: -1.0" for number in (10, 2, 0, 1, 9, 8, 7, 6, 5, 4, 3)]
    assert res.parse("\n".join(lines), "file").graph.variables == tuple(map(str, range(11)))


def test_names_keep_the_order_of_lines() -> None:
    found = res.parse("b: -1.5 (a)\na: -2.0\n", "file")
    assert found.graph == DAG(["b", "a"], [("a", "b")])
    assert (found.score, found.elimination_order) == (None, None)


@given(dags(max_size=6), st.booleans(), st.booleans(), st.data())
@settings(max_examples=100, deadline=None)
def test_what_is_written_reads_back_equal(dag: DAG, scored: bool, ordered: bool, data: st.DataObject) -> None:
    numbers = st.floats(allow_nan=False, allow_infinity=False, width=32)
    local = {name: data.draw(numbers) for name in dag.variables} if scored else {}
    order = tuple(data.draw(st.permutations(dag.variables))) if ordered else None
    found = res.parse(res.render(dag, local, order), "file")
    assert (found.graph, found.local, found.elimination_order) == (dag, local, order)
    assert found.graph.variables == dag.variables
    assert (found.score is not None) == scored


def test_names_are_given_for_the_numbers(tmp_path: Path) -> None:
    path = tmp_path / "net.res"
    path.write_text(TEXT)
    found = ResFile.load(path, variables=["a b", "c", "d"])
    assert found.graph == DAG(["a b", "c", "d"], [("a b", "c"), ("d", "c")])
    assert found.local["a b"] == -12.5
    assert found.elimination_order == ("d", "a b", "c")
    with pytest.raises(ArgumentError, match="variables must name the 3 variables of the file, got 1"):
        ResFile.load(path, variables=["a"])


def test_graphs_and_results(tmp_path: Path) -> None:
    data = credenet.textbook.asia().sample(200, seed=1)
    result = credenet.learn(data, tree_width=7)
    for name, write in (("g.res", lambda path: save_graph(result.dag, path)), ("r.res", result.save)):
        write(tmp_path / name)
        assert load_graph(tmp_path / name).parent_indices == result.dag.parent_indices  # type: ignore[union-attr]
    found = ResFile.load(tmp_path / "r.res", variables=data.variables)
    assert (found.graph, found.elimination_order) == (result.dag, result.elimination_order)
    assert found.score == pytest.approx(result.score)
    assert found.local == credenet.score(data, result.dag).local


def test_undirected_edges_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"g\.res: a \.res file holds a DAG, this graph has undirected edges"):
        save_graph(PDAG.parse("a -- b"), tmp_path / "g.res")


@pytest.mark.parametrize(
    ("old", "new", "message", "line"),
    [
        ("0: -12.5", "0 -12.5", "expected a variable, its score and its parents", 2),
        ("0: -12.5", "0: x", "expected a score, got 'x'", 2),
        ("0: -12.5", "0: nan", "expected a score, got 'nan'", 2),
        ("0: -12.5", "0: 1e999", "expected a score, got '1e999'", 2),
        ("0: -12.5", "1: -12.5", "variable 1 has a second line", 3),
        ("(0,2)", "(0,3)", "1 has the parent 3, which has no line", 3),
        ("(0,2)", "(0,0)", "the parents of 1 must be other variables, each once", 3),
        ("(0,2)", "(1)", "the parents of 1 must be other variables, each once", 3),
        ("(0,2)", "(0,2", "expected a variable, its score and its parents", 3),
        ("(0,2)", "(0,,2)", "expected a variable, its score and its parents", 3),
        ("0: -12.5", "0: -12.5 (1)", "the directed edges form a cycle", None),
        ("(2,0,1)", "(2,0)", "the elimination order must list each of the 3 variables once", 1),
        ("(2,0,1)", "(2,0,0)", "the elimination order must list each of the 3 variables once", 1),
        ("\nScore", "elim-order: (0,1,2)\nScore", "a second elimination order", 5),
        ("Score: -22.75", "Score: -22.75\nScore: 1", "a second total score", 7),
        ("Score: -22.75", "Score: high", "expected a score, got 'high'", 6),
    ],
)
def test_errors_name_the_line(old: str, new: str, message: str, line: int | None) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        res.parse(TEXT.replace(old, new, 1), "file.res")
    assert (caught.value.path, caught.value.line) == ("file.res", line)


@pytest.mark.parametrize("text", ["", "\n\n", "Score: 1\n"])
def test_a_file_without_variables(text: str) -> None:
    with pytest.raises(FormatError, match="has no line of a variable"):
        res.parse(text, "file.res")
