"""Networks to and from other libraries, which are imported when first used."""

from __future__ import annotations

import re
import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from credenet._arguments import show_value
from credenet.data.states import texts
from credenet.errors import ArgumentError, MissingExtraError, NetworkError

if TYPE_CHECKING:
    from credenet.networks.bayesian import BayesianNetwork

_not_for_pyagrum = re.compile(r"[\x00\ud800-\udfff]")


def _module(name: str) -> Any:
    package = name.partition(".")[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Importing pyAgrum warns, which may be an error.
        try:
            import_module(package)
        except ModuleNotFoundError as error:
            if error.name != package:
                raise
            raise MissingExtraError(
                f"this needs the package {package}; install it with: pip install {package}"
            ) from None
        return import_module(name)


def network_of_library(value: Any) -> BayesianNetwork | None:
    """The network of an object of another library that has tables; None if it is none."""
    if hasattr(value, "get_cpds"):
        return from_pgmpy(value) if value.get_cpds() else None
    if hasattr(value, "cpt") and hasattr(value, "arcs"):
        return from_pyagrum(value)
    if hasattr(value, "is_multigraph") and value.is_directed() and len(value):
        has_tables = all("states" in each and "table" in each for _, each in value.nodes(data=True))
        return from_networkx(value) if has_tables else None
    return None


def to_networkx(network: BayesianNetwork) -> Any:
    """A ``networkx.DiGraph``; the axes of a node's table are its ``parents`` in their order, then itself."""
    networkx = _module("networkx")
    graph = networkx.DiGraph()
    for name, labels in network.states.items():
        graph.add_node(name, states=labels, parents=network.parents(name), table=network.table(name))
    graph.add_edges_from((parent, name) for name in network.variables for parent in network.parents(name))
    return graph


def from_networkx(graph: Any) -> BayesianNetwork:
    """The network of a ``networkx.DiGraph`` whose nodes have ``states`` and ``table`` as `to_networkx` gives them.

    A node without ``parents`` has its predecessors in their order.
    """
    from credenet.networks.bayesian import BayesianNetwork

    if not hasattr(graph, "nodes") or not hasattr(graph, "predecessors"):
        raise ArgumentError(f"graph must be a networkx DiGraph, got {show_value(graph)}")
    for node, attributes in graph.nodes(data=True):
        for key in ("states", "table"):
            if key not in attributes:
                raise NetworkError(f"node {str(node)!r} has no attribute {key!r}", variable=str(node))
    return BayesianNetwork(
        {str(node): states for node, states in graph.nodes(data="states")},
        {str(node): _networkx_parents(graph, node) for node in graph.nodes},
        {str(node): table for node, table in graph.nodes(data="table")},
    )


def _networkx_parents(graph: Any, node: Any) -> list[str]:
    """The parents of a node in the order of its table, which a copy of the graph may not keep for its predecessors."""
    predecessors = [str(parent) for parent in graph.predecessors(node)]
    given = graph.nodes[node].get("parents")
    parents = predecessors if given is None else [str(parent) for parent in given]
    if sorted(parents) != sorted(predecessors):
        raise NetworkError(
            f"node {str(node)!r} has the parents {parents}, but edges from {predecessors}", variable=str(node)
        )
    return parents


def to_pyagrum(network: BayesianNetwork) -> Any:
    """A ``pyagrum.BayesNet`` of labelled variables."""
    pyagrum = _module("pyagrum")
    for name, labels in network.states.items():
        for word in (name, *texts(labels)):
            if _not_for_pyagrum.search(word):  # PyAgrum would truncate such names or end the process.
                raise NetworkError(f"pyAgrum cannot hold the name {word!r}", variable=name)
    model = pyagrum.BayesNet()
    try:
        for name, labels in network.states.items():
            model.add(pyagrum.LabelizedVariable(name, name, list(texts(labels))))
        for name in network.variables:
            for parent in network.parents(name):
                model.addArc(parent, name)
            family = (*network.parents(name), name)
            tensor = model.cpt(name)
            axes = [
                family.index(member) for member in reversed(tensor.names)
            ]  # The first variable of pyAgrum changes fastest.
            tensor.fillWith(network.table(name).transpose(axes).reshape(-1).tolist())
    except pyagrum.GumException as error:
        raise NetworkError(f"pyAgrum cannot hold the network: {error}") from None
    return model


def from_pyagrum(model: Any) -> BayesianNetwork:
    """The network of a ``pyagrum.BayesNet``; variables are in the order of their identifiers."""
    from credenet.networks.bayesian import BayesianNetwork

    if not hasattr(model, "nodes") or not hasattr(model, "cpt"):
        raise ArgumentError(f"model must be a pyagrum BayesNet, got {show_value(model)}")
    states: dict[str, tuple[str, ...]] = {}
    parents: dict[str, tuple[str, ...]] = {}
    tables: dict[str, Any] = {}
    for node in sorted(model.nodes()):
        name = model.variable(node).name()
        states[name] = tuple(model.variable(node).labels())
        tensor = model.cpt(node)
        axes = tuple(reversed(tensor.names))  # The axes of the array are in reverse order.
        parents[name] = tuple(member for member in tensor.names if member != name)  # The order is that of the arcs.
        order = [axes.index(member) for member in (*parents[name], name)]
        tables[name] = np.asarray(tensor.toarray(), dtype=np.float64).transpose(order)
    return BayesianNetwork(states, parents, tables)


def to_pgmpy(network: BayesianNetwork) -> Any:
    """A pgmpy ``DiscreteBayesianNetwork`` with state names."""
    models = _module("pgmpy.models")
    factors = _module("pgmpy.factors.discrete")
    model = models.DiscreteBayesianNetwork()
    model.add_nodes_from(network.variables)
    model.add_edges_from((parent, name) for name in network.variables for parent in network.parents(name))
    for name, labels in network.states.items():
        parents = network.parents(name)
        model.add_cpds(
            factors.TabularCPD(
                name,
                len(labels),
                network.table(name).reshape(-1, len(labels)).T,
                evidence=list(parents) or None,
                evidence_card=[len(network.states[parent]) for parent in parents] or None,
                state_names={member: list(network.states[member]) for member in (name, *parents)},
            )
        )
    return model


def from_pgmpy(model: Any) -> BayesianNetwork:
    """The network of a pgmpy ``DiscreteBayesianNetwork``; names are converted to text."""
    from credenet.networks.bayesian import BayesianNetwork

    if not hasattr(model, "nodes") or not hasattr(model, "get_cpds"):
        raise ArgumentError(f"model must be a pgmpy DiscreteBayesianNetwork, got {show_value(model)}")
    cpds = {}
    for node in model.nodes():
        cpds[node] = model.get_cpds(node)
        if cpds[node] is None:
            raise NetworkError(f"variable {str(node)!r} has no probability table", variable=str(node))
    states = {str(node): tuple(cpd.state_names[node]) for node, cpd in cpds.items()}
    parents: dict[str, tuple[str, ...]] = {}
    tables: dict[str, Any] = {}
    for node, cpd in cpds.items():
        parents[str(node)] = tuple(str(parent) for parent in cpd.variables[1:])
        for parent in cpd.variables[1:]:
            if tuple(cpd.state_names[parent]) != states[str(parent)]:
                raise NetworkError(
                    f"the table of {str(node)!r} has the states of {str(parent)!r} in another order than its own table",
                    variable=str(node),
                )
        tables[str(node)] = np.moveaxis(np.asarray(cpd.values, dtype=np.float64), 0, -1)
    return BayesianNetwork(states, parents, tables)
