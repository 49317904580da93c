"""DOT, the language of Graphviz: a graph, or the structure of a network, for drawing."""

from __future__ import annotations

import re
from pathlib import Path

from credenet.errors import FormatError
from credenet.graphs import DAG, PDAG
from credenet.graphs.arguments import edges_by_kind
from credenet.networks.bayesian import BayesianNetwork

_illegal = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff]")
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})


def render(network: BayesianNetwork, path: str | Path) -> str:
    """The structure of the network as a Graphviz digraph."""
    return render_graph(network.dag, path)


def render_graph(graph: DAG | PDAG, path: str | Path) -> str:
    """The graph as a Graphviz digraph, its undirected edges without arrow heads."""
    names = {name: _quote(name, path) for name in graph.variables}
    directed, undirected = edges_by_kind(graph)
    lines = ["digraph {"]
    lines.extend(f"  {name};" for name in names.values())
    lines.extend(f"  {names[parent]} -> {names[child]};" for parent, child in directed)
    lines.extend(f"  {names[first]} -> {names[second]} [dir=none];" for first, second in undirected)
    return "\n".join([*lines, "}"]) + "\n"


def _quote(name: str, path: str | Path) -> str:
    if _illegal.search(name):
        raise FormatError(f"DOT cannot hold the name {name!r}", path=path)
    return f'"{name.translate(_ESCAPES)}"'
