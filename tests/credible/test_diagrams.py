"""Credible networks as diagrams, where they are not listed, against all networks and against lists."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings

from credenet import FamilyTable, credible_classes, credible_networks, k_best
from credenet.credible.engine import credible_tree, leaf_listing
from credenet.credible.growth import slack_rounds as stages
from credenet.errors import ArgumentError
from credenet.structures.products import network_diagrams
from credenet.structures.products.network_diagrams import DiagramProduct
from credibility_tables import SLACKS, Credible, check_classes, check_networks, credible, tables
from large_groups import entangled, list_deep_nodes_only, ring, split_groups_above

FORCED = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def keep_diagrams(patch: pytest.MonkeyPatch, most_listed: int = 0, sets: int = 0) -> None:
    """No component of more than two variables is listed."""
    split_groups_above(patch, 2, credible_tree.WORK, sets)
    patch.setattr(stages, "LARGEST_AT_ONCE", math.inf)
    patch.setattr(leaf_listing, "MANY", most_listed)
    patch.setattr(leaf_listing, "MOST_LISTED", most_listed)
    patch.setattr(network_diagrams, "MOST_LISTED", most_listed)


@pytest.fixture(params=[0, 10_000], ids=["choices", "lattice"])
def diagrams(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    keep_diagrams(monkeypatch, sets=request.param)


@FORCED
@given(families=tables(), slack=SLACKS)
def test_all_credible_networks(diagrams: None, families: FamilyTable, slack: float) -> None:
    found = credible_networks(families, slack=slack)
    expected = credible(families, slack)
    assert found.complete
    if len(expected.networks) <= 3000:
        check_networks(found, expected)
        check_some((found.n_networks + 1) // 2, families, expected)
    else:
        assert found.n_networks == len(expected.networks)
        assert found.edge_probabilities() == pytest.approx(expected.edge_probabilities(), rel=1e-8)


def check_some(k: int, families: FamilyTable, expected: Credible) -> None:
    """The best, ties, and networks from a rank on."""
    scores = sorted((score for score, _ in expected.networks.values()), reverse=True)
    slack = expected.optimum - scores[-1]
    found = credible_networks(families, slack=slack)
    assert found.listing.ties.networks == sum(score >= expected.optimum - 1e-9 for score in scores)
    first = found.listing.first(k)
    assert first.n_networks == sum(score >= scores[k - 1] - 1e-9 for score in scores)
    assert [one.score for one in found.listing.networks(k)] == pytest.approx(scores[k:], abs=1e-9)
    assert k_best(families, k).n_networks == first.n_networks


@FORCED
@given(families=tables(4), slack=SLACKS)
def test_classes_of_a_diagram(diagrams: None, families: FamilyTable, slack: float) -> None:
    expected = credible(families, slack)
    assume(len(expected.networks) <= 300)
    check_classes(credible_networks(families, slack=slack).classes, expected)
    check_classes(credible_classes(families, slack=slack), expected)


def test_threads_draw_from_one_diagram(diagrams: None) -> None:
    """They get what one thread gets."""
    product = credible_networks(entangled(18, 0), slack=6.0)._product
    assert isinstance(product, DiagramProduct)

    def drawn(seed: int) -> list[list[int]]:
        rows: list[list[int]] = product.draw(20, np.random.default_rng(seed)).tolist()
        return rows

    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(drawn, range(60)))
    assert together == [drawn(seed) for seed in range(60)]


@pytest.mark.parametrize("sets", [0, 10_000], ids=["choices", "lattice"])
@pytest.mark.parametrize("is_split", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_the_same_as_by_lists(monkeypatch: pytest.MonkeyPatch, seed: int, is_split: bool, sets: int) -> None:
    families = entangled(12, seed)
    expected = credible_networks(families, slack=4.0)
    keep_diagrams(monkeypatch, sets=sets)
    if is_split:
        list_deep_nodes_only(monkeypatch)
    found = credible_networks(families, slack=4.0)
    assert isinstance(found._product, DiagramProduct)
    assert found.complete
    assert found.n_networks == expected.n_networks
    assert found.edge_probabilities() == pytest.approx(expected.edge_probabilities(), rel=1e-8)
    assert {one.dag for one in found.listing.networks()} == set(expected)
    assert found.listing.first(50).n_networks == expected.listing.first(50).n_networks
    assert found.listing.ties == expected.listing.ties
    shares = {one.dag: one.probability for one in expected.listing.networks()}
    drawn = found.sample(3000, seed=seed)
    best = max(shares, key=lambda dag: shares[dag])
    assert drawn.count(best) / 3000 == pytest.approx(shares[best], abs=5 * math.sqrt(shares[best] / 3000))
    edge = found.edge_probabilities()
    seen = np.array([[pair in dag.edges for pair in edge] for dag in drawn]).mean(axis=0)
    assert np.abs(seen - np.array(list(edge.values()))).max() < 0.05
    assert found.verify(families)


def test_far_more_networks_than_can_be_listed() -> None:
    families = ring(60)
    found = credible_networks(families, bayes_factor=150)
    assert found.complete
    assert found.n_networks == sum(math.comb(60, missing) for missing in range(1, 7)) > 50_000_000
    edges = found.edge_probabilities()
    weights = [math.comb(60, missing) * math.exp(1 - missing) for missing in range(1, 7)]
    share = sum(weight * (60 - missing) / 60 for missing, weight in enumerate(weights, 1)) / sum(weights)
    assert list(edges.values()) == pytest.approx([share] * 60, rel=1e-8)
    assert [found.listing.first(k).n_networks for k in (1, 61)] == [60, 60 + math.comb(60, 2)]
    assert all(families.score_of(dag) >= -6 for dag in found.sample(100))
    assert [families.score_of(dag) for dag in islice(found, 70)] == [-1.0] * 60 + [-2.0] * 10
    assert found.listing.ties.networks == 60
    for answer in (found.path_probabilities, lambda: found.markov_blanket_probabilities("v0"), lambda: found.classes):
        with pytest.raises(ArgumentError, match="one by one"):
            answer()
    assert f"{found.n_networks:,}" in found.summary()
    checks = {check.claim: check for check in found.verify(families)}
    number = checks[f"there are {found.n_networks:,} networks"]
    assert number.holds is None
    assert "of the 1,830 best 1,830 different ones were listed" in number.detail
    assert all(check.holds is not False for check in checks.values())


def test_the_same_score_many_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any of them come first, and it is said that the others do not come."""
    monkeypatch.setattr(network_diagrams, "_MOST_AT_ONCE", 500)
    keep_diagrams(monkeypatch)
    found = credible_networks(ring(40), bayes_factor=20)
    networks = found.listing.networks()
    assert len({one.dag for one in islice(networks, 500)}) == 500
    with pytest.raises(ArgumentError, match="networks score the same or better; no more than"):
        next(networks)
