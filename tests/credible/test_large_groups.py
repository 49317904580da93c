"""Credible networks by splitting groups that are too large for a table, here of all sizes, against all networks."""

from __future__ import annotations

import math
from itertools import islice

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from credenet import FamilyTable, _core, credible_networks
from credenet._run.run import Run
from credenet.credible.engine import credible_tree, lattice, leaf_listing
from credenet.credible.engine.by_table import TableEnumerator
from credenet.credible.engine.credible_tree import ListLeaves
from credenet.credible.growth import slack_rounds as stages
from credenet.search import cost
from credenet.search.components import Component
from credenet.search.ilp.proof import ProofNode
from credenet.search.ilp.tree import Tree
from credibility_tables import SLACKS, WHOLE, check_networks, credible, tables
from large_groups import entangled, list_deep_nodes_only, ring, split_groups_above
from polls import CtrlC, TimeByHand, every_poll

MANY = 20_000


@pytest.fixture(params=[(0, 0), (100_000, 0), (0, 10_000)], ids=["tables", "choices", "lattice"])
def small_tables(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    split_groups_above(monkeypatch, 2, *request.param)


FORCED = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@FORCED
@given(families=tables(), slack=SLACKS, n_threads=st.sampled_from([1, 3]))
def test_all_credible_networks(small_tables: None, families: FamilyTable, slack: float, n_threads: int) -> None:
    found = credible_networks(families, slack=slack, n_threads=n_threads)
    assert found.complete
    expected = credible(families, slack)
    assert found.optimum == pytest.approx(expected.optimum, abs=1e-9)
    if len(expected.networks) <= 3000:
        check_networks(found, expected)
    else:
        assert found.n_networks == len(expected.networks)


@FORCED
@given(families=tables(4, with_empty=False), slack=SLACKS)
def test_families_without_the_empty_set(small_tables: None, families: FamilyTable, slack: float) -> None:
    found = credible_networks(families, slack=slack)
    expected = credible(families, slack)
    if not expected.networks:
        assert found.status == "infeasible"
        assert found.n_networks == 0
    else:
        check_networks(found, expected)


def test_many_variables_that_hang_together() -> None:
    found = credible_networks(ring(70), bayes_factor=20)
    assert found.complete
    assert found.optimum == -1
    assert found.n_networks == math.comb(70, 1) + math.comb(70, 2) + math.comb(70, 3)
    edges = found.edge_probabilities()
    assert len(edges) == 70
    assert max(edges.values()) == pytest.approx(min(edges.values()), rel=1e-8)


@pytest.mark.parametrize("work", [0, credible_tree.WORK])
@pytest.mark.parametrize(
    ("n", "slack", "leaf"),
    [(8, math.log(150), 1), (8, math.log(150), 4), (10, math.log(20), 5), (12, math.log(20), 6), (14, 1.0, 6)],
)
def test_the_same_as_by_a_table(monkeypatch: pytest.MonkeyPatch, n: int, slack: float, leaf: int, work: int) -> None:
    n_nodes = 0
    search = Tree.search

    def counted(tree: Tree) -> ProofNode:
        nonlocal n_nodes
        root = search(tree)
        n_nodes += tree.n_nodes if isinstance(tree.policy, ListLeaves) else 0
        return root

    monkeypatch.setattr(Tree, "search", counted)
    for seed in range(3):
        families = entangled(n, seed)
        expected = credible_networks(families, slack=slack)
        assert n_nodes == 0 or seed > 0
        with monkeypatch.context() as patch:
            split_groups_above(patch, leaf, work)
            found = credible_networks(families, slack=slack)
        assert found.complete
        assert found.optimum == pytest.approx(expected.optimum, abs=1e-9)
        assert found.n_networks == expected.n_networks
        first, listed = (
            {one.dag: one for one in islice(several.listing.networks(), MANY)} for several in (expected, found)
        )
        assert len(listed) == min(found.n_networks, MANY)
        assert listed.keys() == first.keys() or found.n_networks > MANY
        for dag in listed.keys() & first.keys():
            assert listed[dag].score == pytest.approx(first[dag].score, abs=1e-9)
            assert listed[dag].probability == pytest.approx(first[dag].probability, rel=1e-8)
        assert found.edge_probabilities() == pytest.approx(expected.edge_probabilities(), rel=1e-8)
    assert n_nodes > 6 or work > 0  # Some node had to be split.


@pytest.mark.parametrize("attempts", [1e-9, 3, 1e9])  # Attempts get unlimited time, the usual time, and no time.
@pytest.mark.parametrize("seed", range(3))
def test_a_table_takes_the_place_of_attempts(monkeypatch: pytest.MonkeyPatch, attempts: float, seed: int) -> None:
    families = entangled(14, seed)
    expected = credible_networks(families, slack=2.0)
    monkeypatch.setattr(cost, "LARGEST_TABLE", 5)
    monkeypatch.setattr(cost, "ATTEMPTS", attempts)
    found = credible_networks(families, slack=2.0)
    assert found.complete
    assert found.n_networks == expected.n_networks
    assert found.edge_probabilities() == pytest.approx(expected.edge_probabilities(), rel=1e-8)
    limited = credible_networks(families, slack=2.0, time_limit=1000)  # With a time limit, attempts have another limit.
    assert limited.complete
    assert limited.n_networks == expected.n_networks


@pytest.mark.parametrize("is_split", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_what_fits_into_memory_is_complete(monkeypatch: pytest.MonkeyPatch, seed: int, is_split: bool) -> None:
    families = entangled(12, seed)
    split_groups_above(monkeypatch, 5, credible_tree.WORK)
    if is_split:
        list_deep_nodes_only(monkeypatch)
    everything = credible_networks(families, slack=5.0)
    assert everything.complete
    n_bytes = 3 * (8 + 2 * 12) * everything.n_networks
    numbers = [everything.n_networks]
    for share in (0.7, 0.5, 0.35, 0.2):
        found = credible_networks(families, slack=5.0, memory_limit=max(share * n_bytes, 1e5))
        assert found.status == "memory_limit"
        assert found.listing.complete_slack is not None
        within = credible_networks(families, slack=found.listing.complete_slack)
        assert within.complete
        assert found.n_networks == within.n_networks
        assert set(found[:500]) == set(within[:500])
        assert found.n_networks <= 2 * numbers[-1]
        numbers.append(found.n_networks)
        # The set holds a good part of the networks that fit.
        assert found.n_networks >= share * everything.n_networks / 20


def test_what_scores_the_same_goes_together() -> None:
    """The best network is one; half a nat below are many, which do not fit."""
    others = [f"d{k}" for k in range(9)]
    lists: dict[str, list[tuple[float, list[str]]]] = {
        "a": [(0.0, ["c"]), (-0.5, others)],
        "b": [(0.0, ["a"])],
        "c": [(0.0, ["b"]), (-1.0, [])],
        **{name: [(0.0, []), (0.0, ["a"]), (0.0, ["c"])] for name in others},
    }
    families = FamilyTable.from_lists(lists, made=WHOLE)
    with pytest.MonkeyPatch.context() as patch:
        split_groups_above(patch, 3, credible_tree.WORK)
        patch.setattr(cost, "LARGEST_TABLE", 5)
        found = credible_networks(families, slack=0.9, memory_limit=4e5)
    expected = credible_networks(families, slack=0.9)
    assert expected.complete
    assert not found.complete
    assert found.listing.complete_slack is not None
    assert found.listing.complete_slack > 0.4
    assert found.n_networks == credible_networks(families, slack=found.listing.complete_slack).n_networks


def test_more_optima_than_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """All networks score the same, so none of them is rather dropped than others."""
    names = [f"v{k}" for k in range(12)]
    lists = {
        name: [(0.0, []), *((0.0, [names[(at + step) % 12]]) for step in (1, 2, 5))] for at, name in enumerate(names)
    }
    split_groups_above(monkeypatch, 5, credible_tree.WORK)
    monkeypatch.setattr(leaf_listing, "MANY", math.inf)  # Otherwise the networks would become a diagram.
    list_deep_nodes_only(monkeypatch, depth=7)  # With this depth some leaves fit and the next does not.
    found = credible_networks(FamilyTable.from_lists(lists, made=WHOLE), slack=0.5, memory_limit=3e5)
    assert found.status in ("memory_limit", "stopped")
    assert not found.complete
    assert found.listing.complete_slack is None
    assert found.n_networks > 1
    assert found.optimum == 0


def give_attempts(patch: pytest.MonkeyPatch, seconds: float) -> None:
    """Time for each, before a table is made."""

    def limited(component: Component, run: Run) -> Run:
        return run.end_within(seconds=seconds)

    patch.setattr(cost, "attempt", limited)


def test_time_spent_on_listing_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    families = entangled(12, 0)
    expected = credible_networks(families, slack=3.0)

    def no_table(*_: object) -> None:
        pytest.fail("a table was made")

    monkeypatch.setattr(cost, "LARGEST_TABLE", 5)
    monkeypatch.setattr(cost, "LARGEST_LEAF", 5)
    monkeypatch.setattr(lattice, "MOST_SETS", 0)
    give_attempts(monkeypatch, 5.0)
    monkeypatch.setattr(TableEnumerator, "list_within", no_table)
    with TimeByHand().set() as hand:
        list_deep_nodes_only(monkeypatch, pause=lambda: hand.wait(3.0))
        found = credible_networks(families, slack=3.0)
    assert found.statistics.seconds > 5  # The call took longer than its time limit.
    assert found.complete
    assert found.n_networks == expected.n_networks


def test_a_callback_that_says_stop_is_obeyed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost, "LARGEST_TABLE", 5)
    monkeypatch.setattr(cost, "LARGEST_LEAF", 5)
    monkeypatch.setattr(lattice, "MOST_SETS", 0)
    give_attempts(monkeypatch, 3.0)
    with every_poll(), TimeByHand().set() as hand:
        list_deep_nodes_only(monkeypatch, pause=lambda: hand.wait(3.5))
        found = credible_networks(entangled(12, 0), slack=3.0, on_progress=lambda _: hand.now < 4)
    assert found.status == "stopped"
    assert not found.complete
    assert found.n_networks > 1  # The first leaf has several networks.


def test_a_stop_leaves_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "LARGEST_AT_ONCE", math.inf)
    split_groups_above(monkeypatch, 5, credible_tree.WORK)
    families = entangled(20, 0)
    timed = credible_networks(families, slack=12.0, time_limit=2.0)
    assert timed.status == "time_limit"
    full = credible_networks(families, slack=12.0, memory_limit=20_000_000)
    assert full.status == "memory_limit"
    assert full.listing.complete_slack is not None
    for found in (timed, full):
        assert not found.complete
        assert found.n_networks > 0
        assert found.optimum is not None
        first = found[:100]
        assert len(set(first)) == len(first)
        assert families.score_of(found.best) == pytest.approx(found.optimum, abs=1e-9)
        assert all(families.score_of(dag) >= found.optimum - 12 - 1e-9 for dag in first)


def test_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "LARGEST_AT_ONCE", math.inf)
    found = credible_networks(ring(50), slack=25.0, on_progress=CtrlC(10))
    assert found.status == "stopped"
    assert found.n_networks > 0
    assert not found.complete


@settings(max_examples=100, deadline=None)
@given(families=tables(), seed=st.integers(0, 2**32 - 1))
def test_groups_of_living_families(families: FamilyTable, seed: int) -> None:
    flat = families.flat()
    alive = np.random.default_rng(seed).integers(0, 2, len(flat.scores), dtype=np.uint8)
    alive[flat.starts[:-1]] = 1
    assert _core.FamilyRows(flat.lists).components(alive) == _core.strong_components(flat.keep(alive > 0).lists)
