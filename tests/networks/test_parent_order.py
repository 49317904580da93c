"""The order of the parents given is that of the axes of the table, wherever a network goes."""

from __future__ import annotations

import copy
import pickle
import warnings
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import credenet
from credenet import BayesianNetwork
from credenet.errors import FormatError, NetworkError
from network_strategies import asymmetric_network, networks
from other_programs import pyagrum

FORMATS = ("bif", "xmlbif", "xdsl", "net", "dsc", "json", "uai")


def joint_of(states: Any, parents: Any, tables: Any) -> dict[tuple[str, ...], float]:
    """P of every row, from the parts of a network as a user holds them, by the product of its tables."""
    names = list(states)
    joint = {}
    for row in product(*states.values()):
        at = dict(zip(names, row, strict=True))
        p = 1.0
        for name in names:
            index = tuple(states[member].index(at[member]) for member in (*parents[name], name))
            p *= float(np.asarray(tables[name])[index])
        joint[row] = p
    return joint


def parts_of(network: BayesianNetwork) -> tuple[Any, Any, Any]:
    names = network.variables
    parents = {name: network.parents(name) for name in names}
    return dict(network.states), parents, {name: network.table(name) for name in names}


def assert_same_order(network: BayesianNetwork, other: BayesianNetwork) -> None:
    assert other == network
    for name in network.variables:
        assert other.parents(name) == network.parents(name)
        assert np.array_equal(other.table(name), network.table(name))


def test_the_order_given_is_kept() -> None:
    states = {"A": ["0", "1"], "B": ["0", "1"], "C": ["0", "1"]}
    tables = {"A": [0.5, 0.5], "B": [0.2, 0.8], "C": [[[0.1, 0.9], [0.3, 0.7]], [[0.6, 0.4], [1.0, 0.0]]]}
    network = BayesianNetwork(states, {"C": ["B", "A"]}, tables)
    assert network.parents("C") == ("B", "A")
    assert network.table("C").tolist() == tables["C"]
    assert network.probability("C", "1", B="0", A="1") == 0.7
    again = BayesianNetwork(states, {"C": ["B", "A"]}, {name: network.table(name) for name in states})
    assert_same_order(network, again)
    by_name = BayesianNetwork(states, {"C": ["A", "B"]}, {**tables, "C": np.array(tables["C"]).swapaxes(0, 1)})
    assert by_name == network
    assert by_name != BayesianNetwork(states, {"C": ["A", "B"]}, tables)


@settings(max_examples=60, deadline=None)
@given(network=networks())
def test_rebuilt_from_accessors(network: BayesianNetwork) -> None:
    states, parents, tables = parts_of(network)
    again = BayesianNetwork(states, parents, tables)
    assert_same_order(network, again)
    assert_same_order(network, BayesianNetwork(states, network.dag, tables))
    assert_same_order(network, BayesianNetwork(states, {name: network.dag.parents(name) for name in states}, tables))
    expected = joint_of(states, parents, tables)
    joint = again.infer().joint(list(states))
    for row, p in expected.items():
        index = tuple(states[name].index(label) for name, label in zip(states, row, strict=True))
        assert joint[index] == pytest.approx(p, abs=1e-12)
        assert np.exp(again.log_likelihood(one_row(states, row))) == pytest.approx(p, abs=1e-12)


def one_row(states: Any, row: tuple[str, ...]) -> credenet.Dataset:
    codes = [states[name].index(label) for name, label in zip(states, row, strict=True)]
    return credenet.Dataset(states, np.array([codes], dtype=np.int16))


@settings(max_examples=40, deadline=None)
@given(network=networks())
def test_copies_do_and_orders(network: BayesianNetwork) -> None:
    for other in (
        pickle.loads(pickle.dumps(network)),
        copy.deepcopy(network),
        network.with_elimination_order(network.variables[::-1]),
    ):
        assert_same_order(network, other)
    name = network.variables[0]
    done = network.do({name: network.states[name][0]})
    for each in network.variables[1:]:
        assert done.parents(each) == network.parents(each)
        assert np.array_equal(done.table(each), network.table(each))


@settings(max_examples=40, deadline=None)
@given(network=networks())
@pytest.mark.parametrize("format", FORMATS)
def test_files(format: str, network: BayesianNetwork) -> None:
    names = {name: str(at) for at, name in enumerate(network.variables)} if format == "uai" else {}
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # The format UAI has no names.
        network.save(Path(folder) / f"network.{format}")
        again = credenet.load(Path(folder) / f"network.{format}")
    for name in network.variables:
        other = names.get(name, name)
        assert again.parents(other) == tuple(names.get(parent, parent) for parent in network.parents(name))
        assert np.array_equal(again.table(other), network.table(name))


@settings(max_examples=40, deadline=None)
@given(network=networks())
def test_graph_files(network: BayesianNetwork) -> None:
    """A graph in JSON has the order of its network, so that the tables fit it when it is read."""
    tables = {name: network.table(name) for name in network.variables}
    with TemporaryDirectory() as folder:
        credenet.save_graph(network, Path(folder) / "graph.json")
        graph = credenet.load_graph(Path(folder) / "graph.json")
    assert isinstance(graph, credenet.DAG)
    assert_same_order(network, BayesianNetwork(network.states, graph, tables))


@pytest.mark.parametrize("parents", ["[]", '{"c": ["a"]}', '{"d": []}', '{"c": [1, 2]}', '{"c": ["a", "a", "b"]}'])
def test_an_order_that_is_not_that_of_the_edges(parents: str, tmp_path: Path) -> None:
    edges = '"variables": ["a", "b", "c"], "edges": [["a", "c"], ["b", "c"]]'
    (tmp_path / "g.json").write_text(f'{{{edges}, "parents": {parents}}}')
    with pytest.raises(FormatError, match='"parents" must give the parents of variables, as the edges do'):
        credenet.load_graph(tmp_path / "g.json")


@settings(max_examples=40, deadline=None)
@given(network=networks())
@pytest.mark.parametrize("library", ["networkx", "pyagrum", "pgmpy"])
def test_other_libraries(library: str, network: BayesianNetwork) -> None:
    model = getattr(network, f"to_{library}")()
    assert_same_order(network, getattr(BayesianNetwork, f"from_{library}")(model))


def test_graphs_keep_the_order_of_parents() -> None:
    dag = credenet.DAG.from_parents({"a": ["c", "b"], "b": [], "c": []})
    sorted_dag = credenet.DAG(["a", "b", "c"], [("c", "a"), ("b", "a")])
    assert dag.parents("a") == ("c", "b")
    assert sorted_dag.parents("a") == ("b", "c")
    assert dag == sorted_dag
    assert hash(dag) == hash(sorted_dag)
    assert dag.parent_indices == ((1, 2), (), ())
    assert dag.edges == (("b", "a"), ("c", "a"))
    assert sorted_dag.without_edge("b", "a").with_edge("b", "a").parents("a") == ("b", "c")
    for other in (
        pickle.loads(pickle.dumps(dag)),
        credenet.DAG.from_indices(["a", "b", "c"], [[2, 1], [], []]),
        dag.with_edge("c", "b"),
        dag.with_edge("c", "b").without_edge("c", "b"),
    ):
        assert other.parents("a") == ("c", "b")
    assert dag.reverse_edge("c", "a").parents("a") == ("b",)


def test_a_copy_by_networkx_may_order_its_edges_otherwise() -> None:
    network = asymmetric_network()
    graph = network.to_networkx().copy()
    assert any(tuple(graph.predecessors(name)) != network.parents(name) for name in network.variables)
    assert_same_order(network, BayesianNetwork.from_networkx(graph))
    graph.nodes["c"]["parents"] = ["a"]
    with pytest.raises(NetworkError, match=r"node 'c' has the parents \['a'\], but edges from \['a', 'b'\]"):
        BayesianNetwork.from_networkx(graph)


def test_arcs_of_pyagrum() -> None:
    model = pyagrum.BayesNet()
    for name, size in (("a", 2), ("b", 3), ("c", 2)):
        model.add(pyagrum.LabelizedVariable(name, name, size))
    model.addArc("b", "c")
    model.addArc("a", "c")
    for name in "abc":
        model.generateCPT(name)
    network = BayesianNetwork.from_pyagrum(model)
    assert network.parents("c") == ("b", "a")
    for a, b, c in product(range(2), range(3), range(2)):
        assert network.table("c")[b, a, c] == model.cpt("c")[{"a": a, "b": b, "c": c}]


@settings(max_examples=25, deadline=None)
@given(network=networks())
def test_fit_keeps_the_order_of_a_network(network: BayesianNetwork) -> None:
    data = network.sample(50, seed=1)
    with TemporaryDirectory() as folder:
        data.save(Path(folder) / "a.cnb")
        fits = [credenet.fit(each, network) for each in (data, credenet.read(Path(folder) / "a.cnb"))]
    for fitted in fits:
        for name in network.variables:
            assert fitted.parents(name) == network.parents(name)
        assert fitted == credenet.fit(data, network.dag)
