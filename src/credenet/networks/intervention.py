"""A network after an intervention: some variables are set from outside, whatever their parents are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from credenet._arguments import mapping
from credenet.data.states import Label
from credenet.errors import ArgumentError

if TYPE_CHECKING:
    from credenet.networks.bayesian import BayesianNetwork


def intervene(network: BayesianNetwork, states: Mapping[str, Label]) -> BayesianNetwork:
    """The network of the truncated factorisation: the tables of the variables that are set give way to the states."""
    from credenet.networks.bayesian import BayesianNetwork

    given = mapping("states", states, "states")
    if not given:
        raise ArgumentError("do needs a state for at least one variable, such as {'smoke': 'yes'}")
    tables = {name: network.table(name) for name in network.variables}
    set_to: dict[str, Label] = {}
    for name, state in given.items():
        network._index(name)
        place = network._state(name, state)
        set_to[name] = network.states[name][place]
        tables[name] = np.eye(len(network.states[name]))[place]
    parents = {name: () if name in given else network.parents(name) for name in network.variables}
    after = BayesianNetwork(network.states, parents, tables).with_elimination_order(network.elimination_order)
    fixed = {**network._factor_model().fixed, **set_to}
    return after._with_factors(replace(after._factor_model(), fixed=fixed))
