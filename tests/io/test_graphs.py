"""Graph files: round trips and errors."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

import credenet
from credenet import DAG, PDAG, load_graph, save_graph
from credenet.errors import FormatError
from graph_strategies import dags
from network_strategies import ODD_NAMES


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(dag=dags(), names=st.data(), as_class=st.booleans(), suffix=st.sampled_from([".txt", ".json", ".csv"]))
def test_written_graphs_read_back_equal(
    dag: DAG, names: st.DataObject, as_class: bool, suffix: str, tmp_path: Path
) -> None:
    size = len(dag)
    named = names.draw(st.lists(ODD_NAMES.filter(bool), min_size=size, max_size=size, unique=True))
    renamed = DAG.from_indices(named, dag.parent_indices)
    graph = renamed.cpdag() if as_class else renamed
    path = tmp_path / f"g{suffix}"
    try:
        save_graph(graph, path)
    except FormatError:
        reject()
    read = load_graph(path)
    assert (read.cpdag() if as_class else read) == graph
    # Without undirected edges the graph is read as a DAG.
    has_undirected = isinstance(graph, PDAG) and graph.undirected
    assert read == graph or not has_undirected


def test_json_of_a_learner_may_leave_the_variables_out(tmp_path: Path) -> None:
    (tmp_path / "g.json").write_text('{"edges": [["b", "a"]], "isolated": ["c"], "score": -1.5}')
    assert load_graph(tmp_path / "g.json") == DAG(["a", "b", "c"], [("b", "a")])


def test_structure_of_a_network_file(tmp_path: Path) -> None:
    asia = credenet.textbook.asia()
    for suffix in (".bif", ".json", ".xdsl", ".bif.gz"):
        asia.save(tmp_path / f"asia{suffix}")
        assert load_graph(tmp_path / f"asia{suffix}") == asia.dag


def test_adjacency_with_named_rows(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text(",a,b\na,0,1\nb,1,0\n")
    assert load_graph(tmp_path / "g.csv") == PDAG(["a", "b"], [], [("a", "b")])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("g.txt", "a -> b -> c -> a", "a -> b -> c -> a"),
        ("g.txt", "a -> b\nb ->", "line 2"),
        ("g.csv", "", "is empty"),
        ("g.csv", "a,b\n0,1\n", "needs as many rows, got 1"),
        ("g.csv", "a,b\n0,1\n0,2\n", "g.csv:3: must hold 2 zeros and ones"),
        ("g.csv", "a,b\n0,1\n1\n", "g.csv:3: must hold 2 zeros and ones"),
        ("g.csv", ",a,b\na,0,1\nc,0,0\n", "the row is named 'c'"),
        ("g.csv", "a,b\n1,0\n0,0\n", "edge to itself"),
        ("g.json", "{", "is not JSON"),
        ("g.json", "[1]", 'must be an object with "variables" and "edges"'),
        ("g.json", '{"edges": [["a"]]}', "pairs of names"),
        ("g.json", '{"edges": 3}', "pairs of names"),
        ("g.json", '{"variables": ["a"], "edges": [["a", "b"]]}', "unknown variable 'b'"),
        ("g.json", '{"variables": 3, "edges": []}', "list of names"),
        ("g.json", '{"isolated": 3, "edges": []}', "list of names"),
        ("g.json", f'{{"edges": [], "n": {"9" * 5000}}}', "has a number with too many digits"),
        ("g.json", f'{{"edges": [[{"9" * 4000}]]}}', "pairs of names, but has [999"),
        ("g.xyz", "a -> b", ".xyz is not a graph format"),
        ("g.txt", "a,b\n0,1\n1,1\n", "looks like a table of data, not a graph"),
        ("g.txt", "a b c\n0 1 0\n1 1 0\n", "looks like a table of data, not a graph"),
        ("g.txt", '"a";"b"\n"x";"y"\n"u";"v"\n', "looks like a table of data, not a graph"),
        ("g", "yes\nno\nyes\n", "looks like a table of data, not a graph"),
        ("g.txt", "[A][B|A", "line 1: expected [variable] or [variable|parent:parent], got '[B|A'"),
        ("g.txt", "PK\3\4[Content_Types].xml", "is an Excel workbook"),
    ],
)
def test_bad_files(name: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(FormatError) as caught:
        load_graph(tmp_path / name)
    assert message in str(caught.value)
    assert name in str(caught.value)
    assert len(str(caught.value)) < 800
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "n_edges"),
    [
        ("a\nb\nc\n", 0),  # This text is a graph without edges.
        ('"a b"\n"c d"\n', 0),
        ("a -> b, c -> d\ne -> f, g -> h\n", 4),
        ("a, b, c", 0),
        ('"#" -> A\n"#" -> 0\n', 2),
        ('"\\"" -> A\n"a;b" -> "\\""\n', 2),
        ("# a -> b\na\nb\n", 0),
        ('"\\""\n","\n";"\n', 0),
        ("# two lines\n[A][S]\n[T|A][L|S][E|T:L]\n", 4),
    ],
)
def test_texts_that_are_graphs(text: str, n_edges: int, tmp_path: Path) -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        (tmp_path / "g.txt").write_bytes(text.encode(encoding))
        assert load_graph(tmp_path / "g.txt").n_edges == n_edges


def test_what_cannot_be_written(tmp_path: Path) -> None:
    dag = DAG(["a"])
    with pytest.raises(FormatError, match="no tables to write"):
        save_graph(dag, tmp_path / "g.bif")
    with pytest.raises(FormatError, match="can be written as"):
        save_graph(dag, tmp_path / "g.xyz")
    assert not list(tmp_path.iterdir())


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(alphabet='ab01,->-<"{}[]:# \n\\', max_size=60) | st.text(max_size=40),
    suffix=st.sampled_from([".txt", ".json", ".csv"]),
)
def test_any_text_is_a_graph_or_a_format_error(text: str, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"g{suffix}"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with suppress(FormatError):
        assert isinstance(load_graph(path), DAG | PDAG)
