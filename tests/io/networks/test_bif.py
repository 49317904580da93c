"""BIF: syntax, errors, and agreement with pyAgrum."""

from __future__ import annotations

from pathlib import Path

import pytest

from credenet.io.networks import bif
from credenet.networks.bayesian import BayesianNetwork
from credenet.networks.loading import load
from format_checks import PATH, assert_same, check_error
from network_strategies import asymmetric_network
from other_programs import pyagrum
from shared import network_names, shared_data

VARIABLES = """network test { property author "me; {you}"; }
variable a { type discrete [ 2 ] { x, y }; }
variable b { property weight = 1; type discrete[3] { r s, t }; property "odd" ; };
"""
TEXT = (
    VARIABLES
    + "probability ( a ) { table 0.25, 0.75; }\nprobability ( b | a ) { (x) 0.1 0.3 0.6; (y) 0.2, 0.4, 0.4; }\n"
)


def with_table(entries: str) -> str:
    return f"{VARIABLES}probability ( a ) {{ table 0.25, 0.75; }}\nprobability ( b | a ) {{\n{entries}\n}}\n"


def test_parse() -> None:
    network = bif.parse(TEXT, PATH)
    assert dict(network.states) == {"a": ("x", "y"), "b": ("r", "s", "t")}
    assert network.parents("b") == ("a",)
    assert network.table("b").tolist() == [[0.1, 0.3, 0.6], [0.2, 0.4, 0.4]]


@pytest.mark.parametrize(
    "entries",
    [
        "(y) 0.2, 0.4, 0.4; (x) 0.1, 0.3, 0.6;",
        "table 0.1, 0.2, 0.3, 0.4, 0.6, 0.4;",
        "default 0.2, 0.4, 0.4; (x) 0.1, 0.3, 0.6;",
        "(x) 0.1, 0.3, 0.6; (y) 0.2, 0.4, 0.4; default 0.5, 0.25, 0.25;",
        '("x") 0.1, 0.3, 0.6; // a comment; }\n ( y ) 0.2, /* another } */ 0.4, 0.4; property of = "}";',
    ],
)
def test_ways_to_give_a_table(entries: str) -> None:
    assert bif.parse(with_table(entries), PATH) == bif.parse(TEXT, PATH)


def test_a_default_alone_is_enough() -> None:
    network = bif.parse(with_table("default 0.2, 0.4, 0.4;"), PATH)
    assert network.table("b").tolist() == [[0.2, 0.4, 0.4]] * 2


def test_tables_may_come_before_variables() -> None:
    tables = TEXT.removeprefix(VARIABLES)
    assert bif.parse(tables + VARIABLES, PATH) == bif.parse(TEXT, PATH)


@pytest.mark.parametrize(
    ("entries", "message", "line"),
    [
        ("(x) 0.1, 0.3, 0.6;", "the table of 'b' gives 1 of 2 parent states", 6),
        ("(x) 0.1, 0.3, 0.6;\n(x) 0.1, 0.3, 0.6;", r"gives \(x\) twice", 7),
        ("(x) 0.1, 0.3, 0.6;\n(\nx\n) 0.1, 0.3, 0.6;", r"gives \(x\) twice", 8),
        ("(x,\n\nx) 0.1, 0.3, 0.6;", r"\(x, x\) must give a state for each parent", 6),
        ("(x) 0.1, 0.3, 0.6;\n(z) 0.1, 0.3, 0.6;", "variable 'a' has no state 'z'", 7),
        ("(x) 0.1, 0.3, 0.6;\n(y, x) 0.1, 0.3, 0.6;", "must give a state for each parent of 'b'", 7),
        ("(x) 0.1, 0.3, 0.6;\n(y) 0.1, 0.9;", "lists 2 probabilities instead of 3", 7),
        ("(x) 0.1, 0.3, 0.6;\n(y) 0.1, 0.3, 0.5;", "'b' given a=y add up to 0.9, not 1", 6),
        ("(x) 0.1, 0.3, 0.6;\n(y) -0.5, 0.5, 1;", "entries outside 0..1", 6),
        ("(x) 0.1, 0.3, 0.6;\n(y) nan, 0.5, 0.5;", "not a number", 7),
        ("(x) 0.1, 0.3, 0.6;\n(y) 1_0, 0.5, 0.5;", "not a number", 7),
        ("(x) 0.1, 0.3, 0.6;\n(y) infinity, 0, 0;", "not a number", 7),
        ("(x) 0.1, 0.3, 0.6;\n(y) 1e999, 0, 0;", "entries outside 0..1", 6),
        ("(x) 0.1, 0.3, 0.6;\n(y) \u0661, 0, 0;", "not a number", 7),
        ("table 0.5, 0.5;", "lists 2 probabilities instead of 6", 6),
        ("table 0.1, 0.2, 0.3, 0.4, 0.6, 0.4;\n(x) 0.1, 0.3, 0.6;", "both a table entry and others", 6),
        ("default 0.5, 0.3, 0.2;\ndefault 0.5, 0.3, 0.2;", "has two default entries", 7),
        ("table 0.1, 0.2, 0.3, 0.4, 0.6, 0.4;\ntable 0.1, 0.2, 0.3, 0.4, 0.6, 0.4;", "has two table entries", 7),
        ("what 0.1;", "expected an entry of the table of 'b'", 6),
    ],
)
def test_errors_in_tables(entries: str, message: str, line: int) -> None:
    check_error(bif, with_table(entries), message, line)


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("network x {\n}\n", "declares no variable", 2),
        (VARIABLES + "\nprobability ( a ) { table 0.25, 0.75; }", "variable 'b' has no probability block", 3),
        (TEXT + "variable a { type discrete [ 1 ] { x }; }", "variable 'a' is declared twice", 6),
        (TEXT + "probability ( a ) { table 1, 0; }", "'a' has two probability blocks", 6),
        (TEXT + "probability ( c ) { table 1, 0; }", "there is no variable 'c'", 6),
        (TEXT.replace("b | a", "b | c"), "there is no variable 'c' as a parent of 'b'", 5),
        (TEXT.replace("b | a", "b | b"), "variable 'b' has no state 'x'", 5),
        (TEXT.replace("[ 2 ]", "[ 3 ]"), "'a' declares 3 states and lists 2", 2),
        (TEXT.replace("[ 2 ]", "[ " + "2" * 5000 + " ]"), "states and lists 2", 2),
        (TEXT.replace("{ x, y }", "{ x, x }"), "variable 'a' has no state 'y'", 5),
        (TEXT + "\n/* no end", "expected network, variable or probability", 7),
        (TEXT + "\nprobability ( a ", r"expected \( variable", 7),
    ],
)
def test_errors(text: str, message: str, line: int) -> None:
    check_error(bif, text, message, line)


def test_names_are_quoted_where_needed() -> None:
    network = BayesianNetwork({"a b": ["<5", "x,y", ""], "//": ["1"]}, {}, {"a b": [0.5, 0.25, 0.25], "//": [1.0]})
    text = bif.render(network, PATH)
    assert 'variable "a b"' in text
    assert '{ <5, "x,y", "" }' in text
    assert 'variable "//"' in text
    assert bif.parse(text, PATH) == network


def test_pyagrum_takes_the_variable_of_a_table_entry_as_slowest_too(tmp_path: Path) -> None:
    path = tmp_path / "network.bif"
    path.write_text(
        "network x { }\nvariable a { type discrete [ 2 ] { x, y }; }\nvariable b { type discrete [ 3 ] { r, s, t }; }\n"
        "probability ( a ) { table 0.25, 0.75; }\nprobability ( b | a ) { table 0.1, 0.2, 0.3, 0.4, 0.6, 0.4; }\n"
    )
    theirs = BayesianNetwork.from_pyagrum(pyagrum.loadBN(str(path)))
    assert_same(load(path), theirs, tolerance=1e-7)


def test_pyagrum_reads_what_is_written(tmp_path: Path) -> None:
    network = asymmetric_network()
    path = tmp_path / "network.bif"
    network.save(path)
    # PyAgrum reads in single precision.
    assert_same(network, BayesianNetwork.from_pyagrum(pyagrum.loadBN(str(path))), tolerance=1e-7)


def test_what_pyagrum_writes_is_read(tmp_path: Path) -> None:
    network = asymmetric_network()
    path = tmp_path / "network.bif"
    pyagrum.saveBN(network.to_pyagrum(), str(path))
    assert load(path) == network


# The file carpo lacks tables, and pyAgrum refuses the label Asy/Patch of child.
@pytest.mark.parametrize("name", [name for name in network_names() if name not in ("carpo", "child")] or ["asia"])
def test_pyagrum_reads_shared_networks(name: str, tmp_path: Path) -> None:
    network = load(shared_data("networks", f"{name}.bif.gz"))
    path = tmp_path / "network.bif"
    network.save(path)
    assert_same(network, BayesianNetwork.from_pyagrum(pyagrum.loadBN(str(path))), tolerance=1e-7)
