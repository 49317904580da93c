"""Credible networks by looking at all networks, and random tables that have several independent parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import strategies as st

import brute
from credenet import DAG, PDAG, CredibleClasses, CredibleSet, FamilyTable, Knowledge
from credenet.families.info import FamilyTableInfo
from credenet.families.tolerance import tolerance
from credenet.settings.priors import InDegree, Prior
from slow_learning import all_parents, all_scores

WHOLE = FamilyTableInfo(slack=math.inf, complete=True)
SLACKS = st.sampled_from([0.0, 0.5, math.log(3), math.log(20), 10.0, 100.0])


@dataclass(frozen=True)
class Credible:
    """All credible networks with their scores and probabilities."""

    optimum: float
    networks: dict[DAG, tuple[float, float]]

    def edge_probabilities(self) -> dict[tuple[str, str], float]:
        sums: dict[tuple[str, str], float] = {}
        for dag, (_, share) in self.networks.items():
            for edge in dag.edges:
                sums[edge] = sums.get(edge, 0.0) + share
        return sums

    def classes(self) -> dict[object, list[DAG]]:
        found: dict[object, list[DAG]] = {}
        for dag in self.networks:
            arcs = frozenset((parent, child) for child, several in enumerate(dag.parent_indices) for parent in several)
            found.setdefault(brute.class_of(arcs), []).append(dag)
        return found


def credible(families: FamilyTable, slack: float) -> Credible:
    """The networks within the slack, up to the documented tolerance, from the scores of all networks."""
    n = len(families.variables)
    scores = all_scores(families)
    optimum = float(scores.max())
    if optimum == -math.inf:
        return Credible(optimum, {})
    rows = np.flatnonzero(scores >= optimum - slack - tolerance(optimum))
    weights = np.exp(scores[rows] - optimum)
    networks = {}
    for row, weight in zip(rows.tolist(), (weights / weights.sum()).tolist(), strict=True):
        parents = [[k for k in range(n) if mask >> k & 1] for mask in all_parents(n)[row].tolist()]
        networks[DAG.from_indices(families.variables, parents)] = (float(scores[row]), weight)
    return Credible(optimum, networks)


def check_networks(found: CredibleSet, expected: Credible) -> None:
    """Checks for equal networks with equal weights, best first, by every way to get them."""
    assert found.n_networks == len(found) == len(expected.networks)
    networks = list(found.listing.networks())
    assert len({network.dag for network in networks}) == len(networks)
    assert {network.dag for network in networks} == set(expected.networks)
    for network in networks:
        score, share = expected.networks[network.dag]
        assert network.score == pytest.approx(score, abs=1e-9)
        assert network.probability == pytest.approx(share, rel=1e-8)
    scores = [network.score for network in networks]
    assert all(later <= earlier + 1e-9 for earlier, later in pairwise(scores))
    edges = expected.edge_probabilities()
    assert found.edge_probabilities() == pytest.approx(edges, rel=1e-8)
    for name, sets in found.parent_set_probabilities().items():
        assert math.fsum(sets.values()) == pytest.approx(1.0)
        for parents, share in sets.items():
            several = [p for dag, (_, p) in expected.networks.items() if dag.parents(name) == parents]
            assert share == pytest.approx(math.fsum(several), rel=1e-8)


def obeying_members(dag: DAG, knowledge: Knowledge | None, prior: Prior | None = None) -> list[DAG]:
    """All networks equivalent to one that obey the knowledge and the limits of a prior of in-degrees."""
    limits = dict(prior.limits) if isinstance(prior, InDegree) and not isinstance(prior.limits, int) else {}
    other = prior.limits if isinstance(prior, InDegree) and isinstance(prior.limits, int) else limits.get("*")
    most = {name: limits.get(name, len(dag) if other is None else other) for name in dag.variables}
    names = dag.variables
    arcs = frozenset((parent, child) for child, several in enumerate(dag.parent_indices) for parent in several)
    members = [DAG(names, [(names[a], names[b]) for a, b in each]) for each in brute.members(len(names), arcs)]
    return [
        each
        for each in members
        if (knowledge is None or not knowledge.violations(each))
        and all(len(each.parents(name)) <= number for name, number in most.items())
    ]


def shared_directions(members: Sequence[DAG]) -> PDAG:
    """The graph of equivalent networks: an edge is directed if all of them have it so."""
    shared = set(members[0].edges).intersection(*(each.edges for each in members))
    return PDAG(members[0].variables, shared, [edge for edge in members[0].edges if edge not in shared])


def check_classes(
    found: CredibleClasses, expected: Credible, knowledge: Knowledge | None = None, prior: Prior | None = None
) -> None:
    """The same classes with the same members and weights, best first, and what they say of each pair.

    Of a class, only the networks that obey the knowledge and the limits of the prior count.
    """
    classes = expected.classes()
    graphs: dict[DAG, PDAG] = {}
    assert found.n_classes == len(found) == len(classes)
    assert found.n_networks == len(expected.networks)
    listed = list(found)
    for one in listed:
        arcs = frozenset((parent, child) for child, several in enumerate(one.dag.parent_indices) for parent in several)
        members = classes.pop(brute.class_of(arcs))
        assert one.members == len(members)
        obeying = obeying_members(one.dag, knowledge, prior)
        assert one.size == len(obeying)
        assert one.score == pytest.approx(max(expected.networks[dag][0] for dag in members), abs=1e-9)
        assert one.probability == pytest.approx(math.fsum(expected.networks[dag][1] for dag in members), rel=1e-8)
        assert one.cpdag == shared_directions(obeying)
        graphs |= dict.fromkeys(members, one.cpdag)
    assert not classes
    assert all(later.score <= one.score + 1e-9 for one, later in pairwise(listed))
    assert found[-1:] == listed[-1:]
    assert found[1:3] == listed[1:3]
    assert found[::-2] == listed[::-2]
    with pytest.raises(IndexError):
        found[len(listed)]
    joined = found.pair_probabilities()
    for a, b in combinations(found.variables, 2):
        shares = [0.0, 0.0, 0.0, 0.0]
        for dag, (_, share) in expected.networks.items():
            cpdag = graphs[dag]
            kinds = [(a, b) in cpdag.directed, (b, a) in cpdag.directed, {(a, b), (b, a)} & set(cpdag.undirected)]
            shares[next((at for at, kind in enumerate(kinds) if kind), 3)] += share
        absent = (0.0, 0.0, 0.0, sum(shares))
        assert joined.pop((a, b), absent) == pytest.approx(tuple(shares), abs=1e-9)
    assert not joined


@st.composite
def tables(draw: st.DrawFn, most: int = 5, *, with_empty: bool = True) -> FamilyTable:
    """Families with close scores and many ties; candidate parents sometimes only from a few tiers."""
    n = draw(st.integers(1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    names = [f"v{place}" for place in rng.permutation(n)]
    tiers = rng.integers(0, draw(st.integers(1, 3)), n)
    spread = draw(st.sampled_from([0.5, 2.0, 8.0]))
    digits = draw(st.sampled_from([0, 1, 3, 12]))
    lists: dict[str, list[tuple[float, list[str]]]] = {}
    for child in range(n):
        others = [k for k in range(n) if k != child and tiers[k] <= tiers[child]]
        sets = {tuple(sorted(rng.permutation(others)[: rng.integers(0, 4)])) for _ in range(rng.integers(0, 9))}
        sets = {several for several in sets if several}
        if with_empty or not sets:
            sets.add(())
        lists[names[child]] = [
            (round(-10 + spread * float(rng.standard_normal()), digits), [names[k] for k in several])
            for several in sorted(sets)
        ]
    return FamilyTable.from_lists(lists, made=WHOLE)


def independent_pairs(n: int, made: FamilyTableInfo = WHOLE) -> FamilyTable:
    """Pairs of variables that are joined in either direction, equally well, or not at all, worse by 1."""
    lists: dict[str, list[tuple[float, list[str]]]] = {}
    for pair in range(n):
        a, b = f"a{pair}", f"b{pair}"
        lists[a] = [(-1.0, []), (0.0, [b])]
        lists[b] = [(-1.0, []), (0.0, [a])]
    return FamilyTable.from_lists(lists, made=made)
