"""Graphs of other libraries: networkx, and the networks of pgmpy (which are networkx graphs) and pyAgrum."""

from __future__ import annotations

from typing import Any

from credenet.graphs import DAG, PDAG


def graph_of_library(value: Any) -> DAG | PDAG | None:
    """The graph of an object of another library, without its tables; None if the object has no graph."""
    if hasattr(value, "is_multigraph") and hasattr(value, "nodes"):
        return DAG.from_networkx(value) if value.is_directed() else PDAG.from_networkx(value)
    if all(hasattr(value, name) for name in ("arcs", "names", "variable", "cpt")):  # The value is a pyagrum.BayesNet.
        names = {node: value.variable(node).name() for node in sorted(value.nodes())}
        return DAG(names.values(), [(names[tail], names[head]) for tail, head in value.arcs()])
    return None
