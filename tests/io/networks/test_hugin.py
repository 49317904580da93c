"""NET: syntax, errors, and agreement with pyAgrum."""

from __future__ import annotations

from pathlib import Path

import pytest

from credenet.io.networks import hugin
from credenet.networks.bayesian import BayesianNetwork
from credenet.networks.loading import load
from format_checks import PATH, assert_same, cannot_hold, check_error
from network_strategies import asymmetric_network
from other_programs import pyagrum
from shared import shared_data

TEXT = """% written by hand; with a "quote
net { node_size = (80 40); HR_Grid_X = "10;}"; }
discrete node a { label = "first % of all"; position = (10 20); states = ("x" "y y"); HR_LinkMode = "1"; }
node b
{
  states = (r s % the last is next
    t);
}
node c { states = ("u" "v"); subtype = label; }
potential (c | b a) {
  data = ((( 0.1 0.9 ) % b=r, a=x
           ( 0.2 0.8 )) (( 0.3 0.7 )( 0.4 0.6 )) ((0.45 0.55)(1 0)));
}
potential (a) { data = (0.25 0.75); }
potential (b | ) { data = (0.5, 0.3, 0.2); }
"""


def test_parse() -> None:
    network = hugin.parse(TEXT, PATH)
    assert dict(network.states) == {"a": ("x", "y y"), "b": ("r", "s", "t"), "c": ("u", "v")}
    assert network.parents("c") == ("b", "a")
    assert network.probability("c", "u", a="y y", b="r") == 0.2
    assert network.probability("c", "u", a="x", b="s") == 0.3
    assert network.table("b").tolist() == [0.5, 0.3, 0.2]


@pytest.mark.parametrize(
    ("old", "new", "message", "line"),
    [
        ("(1 0)))", "(1)))", "the table of 'c' lists 11 probabilities instead of 12", 11),
        ("(1 0)))", "(1 0))", "the parentheses in the data of 'c' do not match", 11),
        ("(1 0)))", "(1 zero)))", "the table of 'c' holds something that is not a number", 11),
        ("(1 0)))", "(1 0.1)))", "'c' given b=t, a=y y add up to 1.1, not 1", 11),
        ("c | b a", "c | b d", "there is no variable 'd' as a parent of 'c'", 11),
        ("c | b a", "c | b c", "'c' is its own parent", 11),
        ("c | b a", "c a | b", "expected net, node or potential", 10),
        ("potential (a)", "potential (b)", "variable 'b' has two tables", 15),
        ("potential (a)", "potential (d)", "there is no variable 'd'", 14),
        ("potential (a) { data = (0.25 0.75); }", "", "variable 'a' has no table", 3),
        ("data = (0.25 0.75);", "", "the potential of 'a' has no data", 14),
        ("data = (0.25 0.75);", "model_data = (Normal(0, 1));", "table by a model, which cannot be read", 14),
        ("data = (0.25 0.75);", "data = (0.25 0.75)", "expected an attribute or }", 14),
        ("node b", "node a", "variable 'a' is declared twice", 4),
        ("discrete node", "continuous node", "node 'a' is a continuous node; only discrete nodes can be read", 3),
        ("discrete node", "utility", "node 'a' is a utility node; only discrete nodes can be read", 3),
        ("discrete node", "decision", "node 'a' is a decision node; only discrete nodes can be read", 3),
        ('states = ("u" "v");', "", "node 'c' lists no states", 9),
        ('states = ("u" "v");', "states = ();", "variable 'c' lists no states", 9),
        ('states = ("u" "v");', "states = 2;", "the states of 'c' must be names between parentheses", 9),
        ('states = ("u" "v");', 'states = ("u"); states = ("v");', "the attribute states is given twice", 9),
        ("potential (b | )", "class (b | )", "expected net, node or potential", 15),
    ],
)
def test_errors(old: str, new: str, message: str, line: int) -> None:
    assert old in TEXT
    check_error(hugin, TEXT.replace(old, new, 1), message, line)


def test_truncation_names_the_last_line() -> None:
    check_error(hugin, TEXT[: TEXT.index("(0.25")], "expected an attribute or }", 14)
    check_error(hugin, "net { }\n\n\n", "declares no variable", 1)


def test_nesting_has_a_level_per_parent() -> None:
    text = hugin.render(asymmetric_network(), PATH)
    data = text[text.index("potential (d |") :]
    assert data.count("(") - 1 == data.count(")") - 1 == 1 + 2 + 2 * 4 + 2 * 4 * 3
    opened = data[data.index("data =") + 6 :].split("0.")[0]
    assert opened.strip() == "(((("


def test_names_that_net_cannot_hold() -> None:
    for name in ("a b", "1a", "a-b", "\u00e9"):
        assert cannot_hold(hugin, BayesianNetwork({name: ["x"]}, {}, {name: [1.0]}), "NET")
    for label in ('"', "\\", "a\nb", "\x00"):
        assert cannot_hold(hugin, BayesianNetwork({"a": [label]}, {}, {"a": [1.0]}), "NET")
    held = BayesianNetwork({"a": ["", " <5%; {}", "\u00e9"]}, {}, {"a": [0.5, 0.25, 0.25]})
    assert hugin.parse(hugin.render(held, PATH), PATH) == held


def test_pyagrum_reads_what_is_written(tmp_path: Path) -> None:
    network = asymmetric_network()
    path = tmp_path / "network.net"
    network.save(path)
    # PyAgrum reads in single precision.
    assert_same(network, BayesianNetwork.from_pyagrum(pyagrum.loadBN(str(path))), tolerance=1e-7)


def test_what_pyagrum_writes_is_read(tmp_path: Path) -> None:
    network = asymmetric_network()
    path = tmp_path / "network.net"
    pyagrum.saveBN(network.to_pyagrum(), str(path))
    assert load(path) == network


@pytest.mark.parametrize("name", ["asia", "alarm", "insurance", "sachs", "water", "andes"])
def test_pyagrum_and_shared_networks(name: str, tmp_path: Path) -> None:
    network = load(shared_data("networks", f"{name}.bif.gz"))
    path = tmp_path / "network.net"
    network.save(path)
    assert_same(network, BayesianNetwork.from_pyagrum(pyagrum.loadBN(str(path))), tolerance=1e-7)
    pyagrum.saveBN(network.to_pyagrum(), str(path))
    assert_same(network, load(path))
