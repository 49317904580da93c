"""Posteriors over all networks of small problems, against their enumeration.

An exact result must equal the enumeration, wherever the work ended. The results of Markov chains must lie within their
own errors if the chains claim that they converged.
"""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import credenet
from attacks.campaign import Campaign, Case
from attacks.problems import check_refusal, cut_short, problems
from credenet import DAG, CredenetError, StructurePosterior
from posterior_checks import check_probabilities, shares_of

CHAIN_SECONDS = 20.0  # Chains that have not converged by then say so, which is no fault.


def attack(case: Case) -> None:
    problem = case.draw(problems(most=4, huge=False))
    method: Any = case.draw(st.sampled_from(["auto", "exact", "exact", "order", "mcmc"]))
    networks = problem.networks()
    with cut_short(case.draw) as (ending, limits):
        if method == "mcmc" and ending is None:
            limits = {"time_limit": CHAIN_SECONDS}
        try:
            found = credenet.posterior(problem.data, method=method, n_threads=1, **problem.options, **limits)
        except CredenetError as error:
            check_refusal(error, is_feasible=bool(networks))
            return
    if not networks:
        assert found.status in ("infeasible", ending), found.status
        assert not found.has_probabilities
        return
    assert found.status != "infeasible"
    if ending is None and method != "mcmc":
        assert found.is_exact
    if found.is_exact:
        check_exact(found, networks, by_orders=method == "order")
    elif found.status == "converged":
        check_within_errors(found, networks)
    if ending is None and found.status in ("complete", "converged"):
        other = credenet.posterior(problem.data, method=method, n_threads=2, **problem.options, **limits)
        assert other.edge_probabilities() == found.edge_probabilities()
    assert str(found)
    assert found.to_json()


def check_exact(found: StructurePosterior, networks: list[tuple[DAG, float]], *, by_orders: bool) -> None:
    if not by_orders and found.log_evidence is not None:
        check_probabilities(found, networks)
        return
    weighted = [(dag, score + math.log(n_orders(dag))) for dag, score in networks] if by_orders else networks
    _, shares = shares_of(weighted)
    edges = found.edge_probabilities()
    for edge in permutations(found.variables, 2):
        expected = math.fsum(share for dag, share in shares if edge in dag.edges)
        assert edges.get(edge, 0.0) == pytest.approx(expected, abs=1e-10)


def n_orders(dag: DAG) -> int:
    """The number of orders of the variables in which no edge leads backwards."""
    return sum(all(order.index(a) < order.index(b) for a, b in dag.edges) for order in permutations(dag.variables))


def check_within_errors(found: StructurePosterior, networks: list[tuple[DAG, float]]) -> None:
    """Six standard errors, and what chains that agree may miss: one in a thousand."""
    _, shares = shares_of(networks)
    edges = found.edge_probabilities()
    largest = max(float(np.nanmax(chain.edge_errors, initial=0.0)) for chain in found.chains)
    for edge in permutations(found.variables, 2):
        expected = math.fsum(share for dag, share in shares if edge in dag.edges)
        assert abs(edges.get(edge, 0.0) - expected) <= 6 * largest + 2e-3, (edge, edges.get(edge), expected, largest)


CAMPAIGN = Campaign(attack)
