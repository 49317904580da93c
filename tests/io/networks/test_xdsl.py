"""XDSL: syntax, errors, agreement with pgmpy, and where pyAgrum has another order of parents."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from credenet.errors import FormatError
from credenet.io.networks import xdsl
from credenet.networks.bayesian import BayesianNetwork
from credenet.networks.loading import load
from format_checks import PATH, assert_same, check_error
from network_strategies import asymmetric_network
from other_programs import pgmpy, pyagrum
from shared import shared_data

TEXT = """<?xml version="1.0" encoding="UTF-8"?>
<smile version="1.0" id="n" numsamples="1000">
<nodes>
<cpt id="a"><state id="x"/><state id="y"/><probabilities>0.25 0.75</probabilities></cpt>
<cpt id="b"><state id="r"/><state id="s"/><state id="t"/><property id="p">1</property>
<probabilities>0.5 0.3 0.2</probabilities></cpt>
<cpt id="c"><state id="u"/><state id="v"/><parents>b a</parents>
<probabilities>0.1 0.9  0.2 0.8  0.3 0.7  0.4 0.6  0.45 0.55  1 0</probabilities></cpt>
<deterministic id="d"><state id="no"/><state id="yes"/><parents>a c</parents>
<resultingstates>no no yes no</resultingstates></deterministic>
</nodes>
<extensions><genie version="1.0" app="GeNIe" name="n"><node id="a"><name>A</name></node></genie></extensions>
</smile>
"""


def test_parse() -> None:
    network = xdsl.parse(TEXT, PATH)
    assert network.variables == ("a", "b", "c", "d")
    assert network.probability("c", "u", a="y", b="r") == 0.2
    assert network.probability("c", "u", a="x", b="s") == 0.3
    assert network.table("d").tolist() == [[[1, 0], [1, 0]], [[0, 1], [1, 0]]]


@pytest.mark.parametrize(
    ("old", "new", "message", "line"),
    [
        ("1 0</probabilities>", "1</probabilities>", "the table of 'c' lists 11 probabilities instead of 12", 8),
        ("1 0</probabilities>", "1_0 0</probabilities>", "the table of 'c' holds something that is not a number", 8),
        ("1 0</probabilities>", "1 0.1</probabilities>", "'c' given b=t, a=y add up to 1.1, not 1", 8),
        ("<parents>b a", "<parents>b e", "there is no variable 'e' as a parent of 'c'", 8),
        ("<parents>b a", "<parents>d a", "instead of 8", 8),
        ('id="b"', 'id="a"', "variable 'a' is declared twice", 5),
        ('<cpt id="b">', "<cpt>", "the element cpt has no id", 5),
        ('<state id="x"/>', "<state/>", "the element state has no id", 4),
        ('<state id="x"/><state id="y"/>', "", "variable 'a' lists no states", 4),
        ("<probabilities>0.25 0.75</probabilities>", "", "node 'a' must have one element probabilities, this has 0", 4),
        ("<resultingstates>no", "<resultingstates>maybe", "variable 'd' has no state 'maybe'", 10),
        ("<resultingstates>no", "<resultingstates>", "the table of 'd' lists 6 probabilities instead of 8", 10),
        ("</nodes>", '<noisymax id="m"/></nodes>', "node 'm' is of kind noisymax", 11),
        ("</nodes>", '<utility id="m"/></nodes>', "node 'm' is of kind utility", 11),
        ("</nodes>", '<decision id="m"/></nodes>', "node 'm' is of kind decision", 11),
        ("</nodes>", "</nodes><dynamic/>", "dynamic networks cannot be read", 11),
        ("</smile>", "", "no element found", 14),
    ],
)
def test_errors(old: str, new: str, message: str, line: int) -> None:
    assert old in TEXT
    check_error(xdsl, TEXT.replace(old, new, 1), message, line)


def test_other_documents() -> None:
    check_error(xdsl, "<BIF/>", "expected the element smile of an XDSL file, found BIF", 1)
    check_error(xdsl, "<smile>\n</smile>", "declares no variable", 2)


def test_cycles_are_refused() -> None:
    states = '<state id="x"/><state id="y"/>'
    nodes = "".join(
        f'<cpt id="{name}">{states}<parents>{parent}</parents>\n<probabilities>1 0 0 1</probabilities></cpt>\n'
        for name, parent in ("ab", "bc", "ca")
    )
    check_error(xdsl, f"<smile><nodes>\n{nodes}</nodes></smile>", "cycle", 3)


def test_parents_are_written_before_children() -> None:
    network = asymmetric_network()
    text = xdsl.render(network, PATH)
    places = {name: text.index(f'<cpt id="{name}"') for name in network.variables}
    assert all(places[parent] < places[child] for parent, child in network.dag.edges)
    assert xdsl.parse(text, PATH).variables == network.variables == ("c", "a", "b", "d")


def test_blanks_only_matter_in_names_of_parents() -> None:
    states = {"a b": ["x y", "<z>"], "c": ["0"]}
    lonely = BayesianNetwork(states, {}, {"a b": [0.5, 0.5], "c": [1.0]})
    assert xdsl.parse(xdsl.render(lonely, PATH), PATH) == lonely
    parent = BayesianNetwork(states, {"c": ["a b"]}, {"a b": [0.5, 0.5], "c": [[1.0], [1.0]]})
    with pytest.raises(FormatError, match="XDSL cannot hold the name 'a b' of a parent"):
        xdsl.render(parent, PATH)


def parents_reversed(network: BayesianNetwork) -> BayesianNetwork:
    """The network that comes of taking the first parent in a file for the fastest, with numbers as they stand."""
    tables = {}
    for name in network.variables:
        table = network.table(name)
        sizes = table.shape[:-1]
        tables[name] = table.reshape(*reversed(sizes), -1).transpose([*reversed(range(len(sizes))), len(sizes)])
    return BayesianNetwork(network.states, network.dag, tables)


def test_pyagrum_takes_the_first_parent_for_the_fastest(tmp_path: Path) -> None:
    # In GeNIe the last parent is the fastest; the two agree where there is at most one parent.
    network = asymmetric_network()
    path = tmp_path / "network.xdsl"
    network.save(path)
    theirs = BayesianNetwork.from_pyagrum(pyagrum.loadBN(str(path)))
    assert np.array_equal(theirs.table("a"), network.table("a"))
    assert not np.array_equal(theirs.table("c"), network.table("c"))
    assert_same(parents_reversed(network), theirs)
    pyagrum.saveBN(parents_reversed(network).to_pyagrum(), str(path))
    again = BayesianNetwork.from_pyagrum(pyagrum.loadBN(str(path)))
    assert_same(parents_reversed(network), again)


@pytest.mark.parametrize("name", ["cancer", "survey", "earthquake"])
def test_pyagrum_agrees_where_there_is_one_parent(name: str, tmp_path: Path) -> None:
    network = load(shared_data("networks", f"{name}.bif.gz"))
    path = tmp_path / "network.xdsl"
    network.save(path)
    theirs = BayesianNetwork.from_pyagrum(pyagrum.loadBN(str(path)))
    pyagrum.saveBN(network.to_pyagrum(), str(path))
    ours = load(path)
    for variable in network.variables:
        assert network.states[variable] == theirs.states[variable] == ours.states[variable]
    simple = [variable for variable in network.variables if len(network.parents(variable)) <= 1]
    assert len(simple) > 2
    for variable in simple:
        assert np.array_equal(network.table(variable), theirs.table(variable))
        assert np.array_equal(network.table(variable), ours.table(variable))


@pytest.mark.filterwarnings("ignore")
def test_pgmpy_both_ways(tmp_path: Path) -> None:
    network = asymmetric_network()
    network.save(tmp_path / "ours.xdsl")
    model = pgmpy.readwrite.XDSLReader(str(tmp_path / "ours.xdsl")).get_model()
    assert_same(network, BayesianNetwork.from_pgmpy(model))
    pgmpy.readwrite.XDSLWriter(network.to_pgmpy()).write(str(tmp_path / "theirs.xdsl"))
    assert_same(network, load(tmp_path / "theirs.xdsl"), tolerance=1e-15)
