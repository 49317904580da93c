"""DOT, the language of Graphviz: the structure of a network for drawing. Tables and states are not part of it."""

from __future__ import annotations

import re
from pathlib import Path

from credenet.errors import FormatError
from credenet.network import BayesianNetwork

_illegal = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff]")
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})


def render(network: BayesianNetwork, path: str | Path) -> str:
    """The structure of the network as a Graphviz digraph."""
    names = {name: _quoted(name, path) for name in network.variables}
    lines = ["digraph {"]
    lines.extend(f"  {names[name]};" for name in network.variables)
    lines.extend(f"  {names[parent]} -> {names[child]};" for parent, child in network.dag.edges)
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(name: str, path: str | Path) -> str:
    if _illegal.search(name):
        raise FormatError(f"DOT cannot hold the name {name!r}", path=path)
    return f'"{name.translate(_ESCAPES)}"'
