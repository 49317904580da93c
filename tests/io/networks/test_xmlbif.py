"""XMLBIF: syntax, errors, and agreement with pyAgrum."""

from __future__ import annotations

from pathlib import Path

import pytest

from credenet.io.networks import xmlbif
from credenet.networks.bayesian import BayesianNetwork
from credenet.networks.loading import load
from format_checks import PATH, assert_same, check_error
from network_strategies import asymmetric_network
from other_programs import pyagrum
from shared import shared_data

TEXT = """<?xml version="1.0"?>
<!DOCTYPE BIF [ <!ELEMENT BIF ( NETWORK )*> <!ATTLIST BIF VERSION CDATA #REQUIRED> ]>
<BIF VERSION="0.3"><NETWORK><NAME>n</NAME><PROPERTY>author me</PROPERTY>
<VARIABLE TYPE="nature"><NAME> a </NAME><OUTCOME>x</OUTCOME><OUTCOME>y</OUTCOME></VARIABLE>
<VARIABLE><NAME>b</NAME><OUTCOME>r</OUTCOME><OUTCOME>s</OUTCOME><OUTCOME>t</OUTCOME></VARIABLE>
<VARIABLE><NAME>c</NAME><OUTCOME>u</OUTCOME><OUTCOME>v</OUTCOME></VARIABLE>
<DEFINITION><FOR>c</FOR><GIVEN>b</GIVEN><GIVEN>a</GIVEN>
<TABLE>0.1 0.9 <!-- b=r, a=y -->
0.2 0.8  0.3 0.7  0.4 0.6  0.45 0.55  1 0</TABLE></DEFINITION>
<DEFINITION><FOR>a</FOR><TABLE>0.25 0.75</TABLE></DEFINITION>
<DEFINITION><FOR>b</FOR><TABLE>0.5 0.3 0.2</TABLE><PROPERTY>p</PROPERTY></DEFINITION>
</NETWORK></BIF>
"""


def test_parse() -> None:
    network = xmlbif.parse(TEXT, PATH)
    assert network.variables == ("a", "b", "c")
    assert network.parents("c") == ("b", "a")
    assert network.probability("c", "u", a="y", b="r") == 0.2
    assert network.probability("c", "u", a="x", b="s") == 0.3
    assert network.probability("c", "v", a="y", b="t") == 0.0


@pytest.mark.parametrize(
    ("old", "new", "message", "line"),
    [
        ("<BIF ", "<BAF ", "mismatched tag", 12),
        ("1 0</TABLE>", "1</TABLE>", "the table of 'c' lists 11 probabilities instead of 12", 8),
        ("1 0</TABLE>", "1 x</TABLE>", "the table of 'c' holds something that is not a number", 8),
        ("1 0</TABLE>", "nan 0</TABLE>", "the table of 'c' holds something that is not a number", 8),
        ("1 0</TABLE>", "1 0.1</TABLE>", "'c' given b=t, a=y add up to 1.1, not 1", 8),
        ("<GIVEN>a</GIVEN>", "<GIVEN>d</GIVEN>", "there is no variable 'd' as a parent of 'c'", 8),
        ("<GIVEN>a</GIVEN>", "<GIVEN>b</GIVEN>", "instead of 18", 8),
        ("<GIVEN>a</GIVEN>", "<GIVEN>c</GIVEN>", "'c' is its own parent", 8),
        ("<FOR>a</FOR>", "<FOR>b</FOR>", "variable 'b' has two tables", 11),
        ("<FOR>a</FOR>", "<FOR>e</FOR>", "there is no variable 'e'", 10),
        ("<FOR>a</FOR>", "", "a DEFINITION must have one FOR, this has 0", 10),
        ("<TABLE>0.25 0.75</TABLE>", "", "a DEFINITION must have one TABLE, this has 0", 10),
        ("<DEFINITION><FOR>a</FOR><TABLE>0.25 0.75</TABLE></DEFINITION>", "", "variable 'a' has no table", 4),
        ("<NAME>b</NAME>", "<NAME>a</NAME>", "variable 'a' is declared twice", 5),
        ("<NAME>b</NAME>", "", "a VARIABLE must have one NAME, this has 0", 5),
        ("<OUTCOME>x</OUTCOME><OUTCOME>y</OUTCOME>", "", "variable 'a' lists no states", 4),
        ("<OUTCOME>x</OUTCOME>", "<OUTCOME>y</OUTCOME>", "two states named 'y'", 10),
        ('TYPE="nature"', 'TYPE="decision"', "variable 'a' is a decision node", 4),
        ("<!ELEMENT BIF ( NETWORK )*>", '<!ENTITY a "b">', "entities are not supported", 2),
    ],
)
def test_errors(old: str, new: str, message: str, line: int) -> None:
    assert old in TEXT
    check_error(xmlbif, TEXT.replace(old, new, 1), message, line)


def test_other_documents() -> None:
    check_error(xmlbif, "<smile/>", "expected the element BIF of an XMLBIF file, found smile", 1)
    check_error(xmlbif, '<BIF VERSION="0.3">\n</BIF>', "declares no variable", 2)


def test_pyagrum_reads_what_is_written(tmp_path: Path) -> None:
    path = tmp_path / "network.bifxml"
    networks = [asymmetric_network(), xmlbif.parse(TEXT, PATH)]
    for network in networks:
        network.save(path)
        assert_same(network, BayesianNetwork.from_pyagrum(pyagrum.loadBN(str(path))))


def test_what_pyagrum_writes_is_read(tmp_path: Path) -> None:
    path = tmp_path / "network.bifxml"
    for network in [asymmetric_network(), xmlbif.parse(TEXT, PATH)]:
        pyagrum.saveBN(network.to_pyagrum(), str(path))
        assert_same(network, load(path))


@pytest.mark.parametrize("name", ["asia", "alarm", "child", "hailfinder", "insurance", "water"])
def test_pyagrum_reads_shared_networks(name: str, tmp_path: Path) -> None:
    network = load(shared_data("networks", f"{name}.bif.gz"))
    path = tmp_path / "network.bifxml"
    network.save(path)
    assert_same(network, BayesianNetwork.from_pyagrum(pyagrum.loadBN(str(path))))
