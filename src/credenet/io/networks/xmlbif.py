"""XMLBIF 0.3, the XML interchange format of JavaBayes, Weka and others.

In a ``TABLE`` the first ``GIVEN`` changes slowest and the variable itself fastest.
"""

from __future__ import annotations

from pathlib import Path

from credenet.errors import FormatError
from credenet.io.networks.formats import Lines
from credenet.io.networks.parts import NetworkParts
from credenet.io.networks.xml_tree import Element, name_element, parse_xml
from credenet.networks.bayesian import BayesianNetwork


def parse(text: str, path: str | Path) -> BayesianNetwork:
    """The network that an XMLBIF text describes."""
    root = parse_xml(text, path)
    if root.tag != "BIF":
        raise FormatError(f"expected the element BIF of an XMLBIF file, found {root.tag}", path=path, line=root.line)
    parts = NetworkParts(path)
    for network in root.all("NETWORK"):
        for variable in network.all("VARIABLE"):
            _add_variable(variable, parts)
        for definition in network.all("DEFINITION"):
            _add_definition(definition, parts)
    return parts.network(Lines(text).line(len(text)))


def _add_variable(variable: Element, parts: NetworkParts) -> None:
    name = _only(variable, "NAME", parts).name()
    kind = variable.attributes.get("TYPE", "nature")
    if kind != "nature":
        parts.fail(f"variable {name!r} is a {kind} node; only nature nodes can be read", variable.line)
    parts.add_variable(name, [outcome.name() for outcome in variable.all("OUTCOME")], variable.line)


def _add_definition(definition: Element, parts: NetworkParts) -> None:
    name = _only(definition, "FOR", parts).name()
    parents = [given.name() for given in definition.all("GIVEN")]
    table = _only(definition, "TABLE", parts)
    parts.add_table(name, parents, table.text, table.line)


def _only(element: Element, tag: str, parts: NetworkParts) -> Element:
    elements = list(element.all(tag))
    if len(elements) != 1:
        parts.fail(f"a {element.tag} must have one {tag}, this has {len(elements)}", element.line)
    return elements[0]


def render(network: BayesianNetwork, path: str | Path) -> str:
    """The network as XMLBIF text."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<BIF VERSION="0.3">', "<NETWORK>", "<NAME>unknown</NAME>"]
    for name, labels in network.states.items():
        lines.append('<VARIABLE TYPE="nature">')
        lines.append("  " + name_element("NAME", name, "XMLBIF", path))
        lines.extend("  " + name_element("OUTCOME", str(label), "XMLBIF", path) for label in labels)
        lines.append("</VARIABLE>")
    for name, labels in network.states.items():
        lines.append("<DEFINITION>")
        lines.append("  " + name_element("FOR", name, "XMLBIF", path))
        lines.extend("  " + name_element("GIVEN", parent, "XMLBIF", path) for parent in network.parents(name))
        lines.append("  <TABLE>")
        lines.extend("    " + " ".join(map(repr, row)) for row in network.table(name).reshape(-1, len(labels)).tolist())
        lines.append("  </TABLE>")
        lines.append("</DEFINITION>")
    lines += ["</NETWORK>", "</BIF>"]
    return "\n".join(lines) + "\n"
