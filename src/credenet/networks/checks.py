"""Checks of the parts of a network: states, parents and probability tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credenet._arguments import mapping, name_list, show_value
from credenet.data.states import Label, StateLabels, check_labels
from credenet.errors import NetworkError
from credenet.graphs import DAG
from credenet.graphs.arguments import find_graph

SUM_TOLERANCE = 1e-5  # Largest distance of the sum of a row from 1, as files often have six significant digits.


def check_parents(parents: Mapping[str, Sequence[str]] | DAG, states: StateLabels) -> dict[str, tuple[str, ...]]:
    """The parents of every variable, checked to be variables."""
    graph = None if isinstance(parents, Mapping) else find_graph(parents, "parents")
    if isinstance(graph, DAG):
        given = {name: graph.parents(name) for name in graph.variables}
    else:
        lists = mapping("parents", parents, "lists of names").items()
        given = {name: tuple(name_list(f"the parents of {show_value(name)}", family)) for name, family in lists}
    for name, family in given.items():
        for member in (name, *family):
            if member not in states:
                what = "" if member == name else f" as a parent of {name!r}"
                raise NetworkError(f"there is no variable {member!r}{what}", variable=name)
    return {name: given.get(name, ()) for name in states}


def check_states(states: Mapping[str, Sequence[Label]]) -> dict[str, tuple[Label, ...]]:
    """The state labels of every variable, checked to be distinct."""
    if not mapping("states", states, "lists of labels"):
        raise NetworkError("a network needs at least one variable")
    named = {str(name): check_labels(f"the states of {name!r}", labels) for name, labels in states.items()}
    for name, labels in named.items():
        if not name:
            raise NetworkError("the name of a variable must not be empty", variable=name)
        if not labels:
            raise NetworkError(f"variable {name!r} has no states", variable=name)
        if len(set(labels)) < len(labels):
            twice = next(label for label in labels if labels.count(label) > 1)
            raise NetworkError(f"variable {name!r} has two states named {twice!r}", variable=name)
        if len(labels) > 65535:
            raise NetworkError(f"variable {name!r} has {len(labels)} states; at most 65535 can be held", variable=name)
    return named


def check_table(
    name: str,
    values: Any,
    parents: Sequence[str],
    states: StateLabels,
) -> NDArray[np.float64]:
    """The table, checked to hold probabilities, with an axis for each parent and a last one for the variable."""
    shape = [len(states[parent]) for parent in parents] + [len(states[name])]
    cells = math.prod(shape)
    try:
        table = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise NetworkError(f"the table of {name!r} is not made of numbers", variable=name) from None
    if table.shape not in (tuple(shape), (cells // shape[-1], shape[-1]), (cells,)):
        raise NetworkError(
            f"the table of {name!r} must have shape {tuple(shape)} ({cells} entries), got {table.shape}", variable=name
        )
    table = table.reshape(shape)
    if not np.isfinite(table).all() or (table < 0).any() or (table > 1 + SUM_TOLERANCE).any():
        raise NetworkError(f"the table of {name!r} has entries outside 0..1", variable=name)
    sums = table.sum(axis=-1)
    wrong = np.abs(sums - 1) > SUM_TOLERANCE
    if wrong.any():
        first = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
        condition = ", ".join(f"{parent}={states[parent][at]}" for parent, at in zip(parents, first, strict=True))
        where = f" given {condition}" if condition else ""
        raise NetworkError(f"the probabilities of {name!r}{where} add up to {sums[first]:.9g}, not 1", variable=name)
    return np.ascontiguousarray(table)
