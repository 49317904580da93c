"""Checks of a posterior (edges, parent sets, paths, Markov blankets) against all networks listed with scores."""

from __future__ import annotations

import math
from itertools import permutations

import pytest

import credenet
from credenet import DAG


def shares_of(networks: list[tuple[DAG, float]]) -> tuple[float, list[tuple[DAG, float]]]:
    """The log of the sum of exp(score), and the probability of each network."""
    best = max(score for _, score in networks)
    total = best + math.log(math.fsum(math.exp(score - best) for _, score in networks))
    return total, [(dag, math.exp(score - total)) for dag, score in networks]


def blanket(dag: DAG, name: str) -> set[str]:
    children = dag.children(name)
    return {*dag.parents(name), *children, *(parent for child in children for parent in dag.parents(child))} - {name}


def check_blankets(found: credenet.StructurePosterior, name: str, expected: dict[frozenset[str], float]) -> None:
    blankets = {frozenset(members): share for members, share in found.markov_blanket_probabilities(name).items()}
    for blanket_ in {*blankets, *expected}:
        assert blankets.get(blanket_, 0.0) == pytest.approx(expected.get(blanket_, 0.0), abs=2e-9)
    members = found.markov_blanket_members(name)
    assert set(members) == set(found.variables) - {name}
    assert list(members.values()) == sorted(members.values(), reverse=True)
    for other, share in members.items():
        with_it = math.fsum(share for blanket_, share in expected.items() if other in blanket_)
        assert share == pytest.approx(with_it, abs=1e-10)


def check_probabilities(found: credenet.StructurePosterior, networks: list[tuple[DAG, float]]) -> None:
    """Checks that edges, parent sets, paths and Markov blankets have the probabilities of the listed networks."""
    total, shares = shares_of(networks)
    assert found.log_evidence == pytest.approx(total, rel=1e-12, abs=1e-10)
    assert found.consistency is not None
    assert found.consistency < 1e-10
    edges, paths, sets = found.edge_probabilities(), found.path_probabilities(), found.parent_set_probabilities()
    for a, b in permutations(found.variables, 2):
        expected = math.fsum(share for dag, share in shares if (a, b) in dag.edges)
        assert edges.get((a, b), 0.0) == pytest.approx(expected, abs=1e-10)
        expected = math.fsum(share for dag, share in shares if a in dag.ancestors(b))
        assert paths.get((a, b), 0.0) == pytest.approx(expected, abs=1e-10)
    for name in found.variables:
        expected_sets: dict[frozenset[str], float] = {}
        expected_blankets: dict[frozenset[str], float] = {}
        for dag, share in shares:
            key = frozenset(dag.parents(name))
            expected_sets[key] = expected_sets.get(key, 0.0) + share
            key = frozenset(blanket(dag, name))
            expected_blankets[key] = expected_blankets.get(key, 0.0) + share
        check_blankets(found, name, expected_blankets)
        given_sets = {frozenset(parents): share for parents, share in sets[name].items()}
        for parents, share in expected_sets.items():
            assert given_sets.get(parents, 0.0) == pytest.approx(share, abs=1e-10)
        assert list(sets[name].values()) == sorted(sets[name].values(), reverse=True)
