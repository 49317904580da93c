"""DSC: syntax and errors."""

from __future__ import annotations

import pytest

from credenet.io.networks import dsc
from credenet.networks.bayesian import BayesianNetwork
from format_checks import PATH, cannot_hold, check_error

TEXT = """// a comment
belief network "unknown {"
node a { name: "First; of { all"; type: discrete(2) = { "x", "y y" }; position: (10, 20); }
node b-1 {
  type : discrete [ 3 ] = { r, "s", "t" };
}
node c { type : discrete[2] = { "u", "v", } }
probability ( c | b-1, a ) {
   (0, 0) : 0.1, 0.9;
   (1, 0) : 0.3, 0.7;
   (2, 0) : 0.45, 0.55; /* the first parent
   may be the fastest */
   (0, 1) : 0.2, 0.8; (1, 1): 0.4 0.6;
   (2, 1) : 1, 0;
}
probability(a) { 0.25, 0.75; }
probability(b-1 | ) { (): 0.5, 0.3, 0.2; }
"""


def test_parse() -> None:
    network = dsc.parse(TEXT, PATH)
    assert dict(network.states) == {"a": ("x", "y y"), "b-1": ("r", "s", "t"), "c": ("u", "v")}
    assert network.parents("c") == ("b-1", "a")
    assert network.table("c").tolist() == [[[0.1, 0.9], [0.2, 0.8]], [[0.3, 0.7], [0.4, 0.6]], [[0.45, 0.55], [1, 0]]]
    assert network.table("b-1").tolist() == [0.5, 0.3, 0.2]


def test_tables_may_come_before_nodes() -> None:
    at = TEXT.index("node a")
    split = TEXT.index("probability ( c")
    assert dsc.parse(TEXT[:at] + TEXT[split:] + TEXT[at:split], PATH) == dsc.parse(TEXT, PATH)


def test_render() -> None:
    network = BayesianNetwork({"b": ["u", "v"], "a": ["x y"]}, {"a": ["b"]}, {"b": [0.25, 0.75], "a": [[1.0], [1.0]]})
    assert dsc.render(network, PATH) == (
        'belief network "unknown"\n'
        'node b {\n  type : discrete [ 2 ] = { "u", "v" };\n}\n'
        'node a {\n  type : discrete [ 1 ] = { "x y" };\n}\n'
        "probability ( b ) {\n  0.25, 0.75;\n}\n"
        "probability ( a | b ) {\n  (0) : 1.0;\n  (1) : 1.0;\n}\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "message", "line"),
    [
        ("   (2, 1) : 1, 0;\n", "", "the table of 'c' gives 5 of 6 parent states", 8),
        ("(2, 1) : 1, 0;", "(2, 0) : 1, 0;", r"the table of 'c' gives \(2, 0\) twice", 14),
        ("(2, 1) : 1, 0;", "(3, 1) : 1, 0;", "the states of this parent of 'c' are 0 to 2, got 3", 14),
        ("(2, 1) : 1, 0;", "(t, 1) : 1, 0;", "the states of this parent of 'c' are 0 to 2, got t", 14),
        ("(2, 1) : 1, 0;", "(2) : 1, 0;", "must give a state for each parent", 14),
        ("(2, 1) : 1, 0;", "1, 0;", "must give a state for each parent", 14),
        ("(2, 1) : 1, 0;", "(2, 1) : 1;", "lists 1 probabilities instead of 2", 14),
        ("(2, 1) : 1, 0;", "(2, 1) : nan, 0;", "not a number", 14),
        ("(2, 1) : 1, 0;", "(2, 1) : 1, 0.1;", "'c' given b-1=t, a=y y add up to 1.1, not 1", 8),
        ("(2, 1) : 1, 0;", "function : max;", "expected a row of the table of 'c' or }", 14),
        ("c | b-1, a", "c | b-1, d", "there is no variable 'd' as a parent of 'c'", 8),
        ("probability(a)", "probability(d)", "there is no variable 'd'", 16),
        ("probability(a) {", "probability(b-1) {", "instead of 3", 16),
        ("probability(b-1 | ) { (): 0.5, 0.3, 0.2; }", "probability(a) { 0.25, 0.75; }", "'a' has two tables", 17),
        ("probability(a) { 0.25, 0.75; }", "", "variable 'a' has no table", 3),
        ("node b-1", "node a", "variable 'a' is declared twice", 4),
        ("[ 3 ]", "[ 2 ]", "node 'b-1' declares 2 states and lists 3", 5),
        ("[ 3 ]", "[ " + "3" * 5000 + " ]", "states and lists 3", 5),
        ("discrete [ 3 ]", "continuous [ 3 ]", "node 'b-1' is of type continuous; only discrete", 5),
        ("discrete [ 3 ]", "discrete", "expected type : discrete", 5),
        ("belief network", "network", "expected belief network", 2),
        ("*/", "", "expected a row of the table of 'c' or }", 11),
    ],
)
def test_errors(old: str, new: str, message: str, line: int) -> None:
    assert old in TEXT
    check_error(dsc, TEXT.replace(old, new, 1), message, line)


def test_names_that_dsc_cannot_hold() -> None:
    for name in ("a b", "a|b", "a,b", "//", "a:", "\x01"):
        assert cannot_hold(dsc, BayesianNetwork({name: ["x"]}, {}, {name: [1.0]}), "DSC")
    for label in ('"', "a\nb", "\x00"):
        assert cannot_hold(dsc, BayesianNetwork({"a": [label]}, {}, {"a": [1.0]}), "DSC")
    held = BayesianNetwork({"1\u00e9-<": ["", "//{;}", "/*", "\\"]}, {}, {"1\u00e9-<": [0.25] * 4})
    assert dsc.parse(dsc.render(held, PATH), PATH) == held
