"""Networks with one thing changed: a table, names, or a variable more or less.

A variable is summed out by arc reversals (Shachter 1986): the edge to its first child in a topological order is
reversed, which gives both the parents of either and leaves the joint distribution as it is, until it has no children
and can be left out. The tables that arise may be large, as they are in the exact network over the others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet._arguments import name_list, show_value
from credenet.data.states import Label, StateLabels
from credenet.errors import NetworkError
from credenet.graphs._base import new_names
from credenet.networks.checks import check_states

if TYPE_CHECKING:
    from credenet.networks.bayesian import BayesianNetwork

_MOST_CELLS = 1 << 26  # Cells at most (512 MiB) of a table that arises when a variable is summed out.


class _Table(NamedTuple):
    """P(variable | parents)."""

    parents: tuple[str, ...]
    values: NDArray[np.float64]


def with_table(network: BayesianNetwork, variable: str, table: Any, parents: Sequence[str] | None) -> BayesianNetwork:
    """The same network but for one table, which may have other parents."""
    network._index(variable)
    own = network.parents(variable) if parents is None else tuple(name_list("parents", parents))
    tables = _tables(network) | {variable: _Table(own, table)}
    return _rebuilt(network, network.states, tables, changed=variable)


def rename_variables(network: BayesianNetwork, names: Mapping[str, str]) -> BayesianNetwork:
    """The same network with other names."""
    old = network.variables
    new = dict(zip(old, new_names({name: at for at, name in enumerate(old)}, names), strict=True))
    states = {new[name]: network.states[name] for name in old}
    tables = {
        new[name]: _Table(tuple(new[parent] for parent in table.parents), table.values)
        for name, table in _tables(network).items()
    }
    return _rebuilt(network, states, tables, new=new)


def with_variable(
    network: BayesianNetwork, variable: str, states: Sequence[Label], table: Any, parents: Sequence[str]
) -> BayesianNetwork:
    """The network with one more variable, without children."""
    if not isinstance(variable, str):
        raise NetworkError(f"variable must be a name, got {show_value(variable)}")
    if variable in network.dag:
        raise NetworkError(f"there is a variable {variable!r} already", variable=variable)
    wider = {**network.states, **check_states({variable: states})}
    return _rebuilt(network, wider, _tables(network) | {variable: _Table(tuple(name_list("parents", parents)), table)})


def without_variable(network: BayesianNetwork, variable: str) -> BayesianNetwork:
    """The network of the joint distribution of all other variables."""
    network._index(variable)
    if len(network.variables) == 1:
        raise NetworkError("a network needs at least one variable", variable=variable)
    tables = _tables(network)
    children = set(network.dag.children(variable))
    for child in (name for name in network.dag.topological_order() if name in children):
        tables[variable], tables[child] = _reverse_edge(variable, child, tables, network.states)
    del tables[variable]
    states = {name: labels for name, labels in network.states.items() if name != variable}
    return _rebuilt(network, states, tables, changed=variable)


def _reverse_edge(
    variable: str, child: str, tables: Mapping[str, _Table], states: StateLabels
) -> tuple[_Table, _Table]:
    """The tables of a variable and of a child after the edge between them is reversed."""
    one, other = tables[variable], tables[child]
    family = tuple(dict.fromkeys((*(name for name in other.parents if name != variable), *one.parents)))
    axes = (*family, child, variable)
    cells = math.prod(len(states[name]) for name in axes)
    if cells > _MOST_CELLS:
        raise NetworkError(
            f"summing out {variable!r} needs a table of {cells:,} numbers over {len(axes)} variables; at most "
            f"{_MOST_CELLS:,} are allowed",
            variable=variable,
        )
    joint = _along(axes, (*one.parents, variable), one.values) * _along(axes, (*other.parents, child), other.values)
    sums = joint.sum(axis=-1)
    with np.errstate(invalid="ignore"):
        given_child = joint / sums[..., None]
    given_child[sums == 0] = 1 / len(states[variable])  # A child's state that never occurs gets a uniform row.
    summed_out = sums / sums.sum(axis=-1, keepdims=True)  # Rows from files sum to 1 only nearly.
    return _Table((*family, child), given_child), _Table(family, summed_out)


def _along(axes: Sequence[str], names: Sequence[str], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """A table with an axis for each of some variables, of length 1 for those that it does not have."""
    own = [name for name in axes if name in names]
    sizes = dict(zip(names, values.shape, strict=True))
    return values.transpose([names.index(name) for name in own]).reshape([sizes.get(name, 1) for name in axes])


def _tables(network: BayesianNetwork) -> dict[str, _Table]:
    return {name: _Table(network.parents(name), network.table(name)) for name in network.variables}


def _rebuilt(
    network: BayesianNetwork,
    states: Mapping[str, Sequence[Label]],
    tables: Mapping[str, _Table],
    *,
    new: Mapping[str, str] | None = None,
    changed: str | None = None,
) -> BayesianNetwork:
    """A network from new parts; it keeps the elimination order and the interventions that still apply."""
    from credenet.networks.bayesian import BayesianNetwork

    names = {name: name for name in network.variables} if new is None else new
    after = BayesianNetwork(
        states,
        {name: table.parents for name, table in tables.items()},
        {name: table.values for name, table in tables.items()},
    )
    kept = [names[name] for name in network.elimination_order or () if names[name] in states]
    if len(kept) == len(after.variables):
        after = after.with_elimination_order(kept)
    fixed = {names[name]: state for name, state in network._factor_model().fixed.items() if name != changed}
    return after._with_factors(replace(after._factor_model(), fixed=fixed)) if fixed else after
