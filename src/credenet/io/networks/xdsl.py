"""XDSL, the format of GeNIe and SMILE.

In ``probabilities`` the first of the ``parents`` changes slowest and the variable itself fastest. Nodes are written
with parents before children; the order of the variables is that in which GeNIe's extensions list them.
"""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import TopologicalSorter
from pathlib import Path

from credenet.errors import FormatError
from credenet.io.networks.formats import Lines
from credenet.io.networks.parts import NetworkParts
from credenet.io.networks.xml_tree import Element, escape_name, is_word, parse_xml, words
from credenet.networks.bayesian import BayesianNetwork


def parse(text: str, path: str | Path) -> BayesianNetwork:
    """The network that an XDSL text describes."""
    root = parse_xml(text, path)
    parts = NetworkParts(path)
    if root.tag != "smile":
        parts.fail(f"expected the element smile of an XDSL file, found {root.tag}", root.line)
    for dynamic in root.all("dynamic"):
        parts.fail("dynamic networks cannot be read", dynamic.line)
    nodes = [node for part in root.all("nodes") for node in part.children]
    order = [
        node.attributes.get("id", "")
        for extensions in root.all("extensions")
        for drawing in extensions.all("genie")
        for node in drawing.all("node")
    ]
    if sorted(order) == sorted(node.attributes.get("id", "") for node in nodes):
        position = {name: at for at, name in enumerate(order)}
        nodes.sort(key=lambda node: position[node.attributes.get("id", "")])
    for node in nodes:
        _add_node(node, parts)
    return parts.network(Lines(text).line(len(text)))


def _add_node(node: Element, parts: NetworkParts) -> None:
    name = _id(node, parts)
    if node.tag not in ("cpt", "deterministic"):
        parts.fail(f"node {name!r} is of kind {node.tag}; only cpt and deterministic nodes can be read", node.line)
    states = [_id(state, parts) for state in node.all("state")]
    parts.add_variable(name, states, node.line)
    parents = [parent for listed in node.all("parents") for parent in words(listed.text)]
    tag = "probabilities" if node.tag == "cpt" else "resultingstates"
    tables = list(node.all(tag))
    if len(tables) != 1:
        parts.fail(f"node {name!r} must have one element {tag}, this has {len(tables)}", node.line)
    table = tables[0]
    values = table.text if node.tag == "cpt" else _one_hot(name, states, table, parts)
    parts.add_table(name, parents, values, table.line)


def _one_hot(name: str, states: Sequence[str], table: Element, parts: NetworkParts) -> list[float]:
    """The table of a node whose state is a function of its parents' states."""
    results = words(table.text)
    position = {label: at for at, label in enumerate(states)}
    for result in results:
        if result not in position:
            parts.fail(f"variable {name!r} has no state {result!r}", table.line)
    if len(results) * len(states) > 1 << 26:
        parts.fail(f"the table of {name!r} would have {len(results) * len(states)} entries", table.line)
    values = [0.0] * (len(results) * len(states))
    for at, result in enumerate(results):
        values[at * len(states) + position[result]] = 1.0
    return values


def _id(element: Element, parts: NetworkParts) -> str:
    if "id" not in element.attributes:
        parts.fail(f"the element {element.tag} has no id", element.line)
    return element.attributes["id"]


def render(network: BayesianNetwork, path: str | Path) -> str:
    """The network as XDSL text."""
    parents = {name: network.parents(name) for name in network.variables}
    position = {name: at for at, name in enumerate(network.variables)}
    in_order = all(position[parent] < position[name] for name in parents for parent in parents[name])
    order = network.variables if in_order else tuple(TopologicalSorter(parents).static_order())
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<smile version="1.0" id="unknown">', "  <nodes>"]
    for name in order:
        lines.append(f'    <cpt id="{escape_name(name, "XDSL", path)}">')
        lines.extend(f'      <state id="{escape_name(str(label), "XDSL", path)}" />' for label in network.states[name])
        if parents[name]:
            listed = " ".join(_parent(parent, path) for parent in parents[name])
            lines.append(f"      <parents>{listed}</parents>")
        numbers = " ".join(map(repr, network.table(name).reshape(-1).tolist()))
        lines.append(f"      <probabilities>{numbers}</probabilities>")
        lines.append("    </cpt>")
    lines += ["  </nodes>", "  <extensions>", '    <genie version="1.0" app="credenet" name="unknown">']
    for name in network.variables:
        shown = escape_name(name, "XDSL", path)
        lines.append(f'      <node id="{shown}"><name>{shown}</name></node>')
    lines += ["    </genie>", "  </extensions>", "</smile>"]
    return "\n".join(lines) + "\n"


def _parent(name: str, path: str | Path) -> str:
    if not is_word(name):
        raise FormatError(f"XDSL cannot hold the name {name!r} of a parent, as blanks separate them", path=path)
    return escape_name(name, "XDSL", path)
