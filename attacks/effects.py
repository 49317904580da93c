"""Effects of interventions and adjustment sets, against the average over all DAGs and the full joint."""

from __future__ import annotations

from itertools import permutations
from typing import get_args

import pytest
from hypothesis import strategies as st

import brute
from adjustment_checks import check_class, check_sets
from attacks.campaign import Campaign, Case
from attacks.problems import odd_tables
from credenet import BayesianNetwork
from credenet.interventions.questions import Adjust
from effect_checks import check_enumeration
from graph_strategies import as_dag, as_sets, dags, pdags
from network_strategies import networks as tiny_entries
from slow_effects import network_after
from slow_networks import networks as zero_entries


def attack(case: Case) -> None:
    case.draw(st.sampled_from([averages, one_network, sets_of_dags, sets_of_pdags]))(case)


def averages(case: Case) -> None:
    """Effects averaged over all networks of a table."""
    data = case.draw(odd_tables(most=4, huge=False).filter(lambda data: data.n_variables > 1 and data.total_weight > 0))
    adjust = case.draw(st.sampled_from(get_args(Adjust)))
    ess = case.draw(st.sampled_from([1e-6, 0.5, 1.0, 10.0, 1e6]))
    check_enumeration(data, adjust, ess, list(permutations(data.variables, 2)))


def one_network(case: Case) -> None:
    """P(y | do(x)) of a network, whose tables have zeros and tiny numbers."""
    network: BayesianNetwork = case.draw(st.one_of(zero_entries(max_size=5), tiny_entries()))
    if len(network.variables) < 2:
        return
    for effect in network.effects():
        for state, chances in effect.means.items():
            assert chances == pytest.approx(network_after(network, {effect.x: state}, effect.y), abs=1e-12)
        assert effect.probability == (effect.y in network.dag.descendants(effect.x))


def sets_of_dags(case: Case) -> None:
    """Sets of a DAG for one or several causes and targets."""
    dag = case.draw(dags(min_size=2, max_size=6))
    side = case.draw(
        st.permutations([*"xy", *case.draw(st.text("xy--", min_size=len(dag) - 2, max_size=len(dag) - 2))])
    )
    x, y = (tuple(node for node, letter in enumerate(side) if letter == name) for name in "xy")
    check_sets(dag, x, y)


def sets_of_pdags(case: Case) -> None:
    """Checks that the sets of a PDAG are those that all its extensions share."""
    pdag = case.draw(pdags(min_size=2, max_size=5))
    members = [as_dag(len(pdag), each) for each in brute.extensions(len(pdag), *as_sets(pdag))]
    if members:
        x, y = case.draw(st.sampled_from(list(permutations(range(len(pdag)), 2))))
        check_class(pdag, members, x, y)


CAMPAIGN = Campaign(attack)
