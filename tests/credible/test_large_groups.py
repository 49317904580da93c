"""Credible networks by splitting groups that are too large for a table, here of all sizes, against all networks."""

from __future__ import annotations

import math
import os
import signal
import threading
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from credenet import FamilyTable, _core, credible_networks
from credenet._run.run import Run
from credenet.credible import stages
from credenet.credible.engine import credible_tree
from credenet.credible.engine.by_table import TableEnumerator
from credenet.credible.engine.credible_tree import ListLeaves
from credenet.search import cost
from credenet.search.components import Component
from credenet.search.ilp.node import Node
from credenet.search.ilp.proof import ProofNode
from credenet.search.ilp.tree import Tree
from credibility_tables import SLACKS, WHOLE, check_networks, credible, tables


def split_groups_above(patch: pytest.MonkeyPatch, largest: int, work: int = 0) -> None:
    """Groups of more variables are split, until no component has more, or little work is left."""
    patch.setattr(credible_tree, "WORK", work)
    patch.setattr(cost, "LARGEST_TABLE", largest)
    patch.setattr(cost, "LARGEST_LEAF", largest)
    patch.setattr(cost, "LARGEST_RESORT", 0)


@pytest.fixture(params=[0, 100_000], ids=["tables", "choices"])
def small_tables(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    split_groups_above(monkeypatch, 2, request.param)


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


def ring(n: int) -> FamilyTable:
    """At least one arc must be missing, each of which costs 1."""
    names = [f"v{k}" for k in range(n)]
    lists = {name: [(-1.0, []), (0.0, [names[at - 1]])] for at, name in enumerate(names)}
    return FamilyTable.from_lists(lists, made=WHOLE)


def test_many_variables_that_hang_together() -> None:
    found = credible_networks(ring(70), bayes_factor=20)
    assert found.complete
    assert found.optimum == -1
    assert found.n_networks == math.comb(70, 1) + math.comb(70, 2) + math.comb(70, 3)
    edges = found.edge_probabilities()
    assert len(edges) == 70
    assert max(edges.values()) == pytest.approx(min(edges.values()), rel=1e-8)


def entangled(n: int, seed: int) -> FamilyTable:
    """Variables most of which can be each other's parents, with close scores."""
    rng = np.random.default_rng(seed)
    names = [f"v{k}" for k in range(n)]
    lists: dict[str, list[tuple[float, list[str]]]] = {}
    for child, name in enumerate(names):
        others = [other for other in range(n) if other != child]
        sets = {tuple(sorted(rng.choice(others, rng.integers(1, 4), replace=False).tolist())) for _ in range(8)}
        scored = [(float(rng.normal(3, 2)), [names[k] for k in several]) for several in sorted(sets)]
        lists[name] = [(0.0, []), *scored]
    return FamilyTable.from_lists(lists, made=WHOLE)


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
        if found.n_networks <= 20_000:
            listed = {network.dag: network for network in found.networks()}
            assert len(listed) == found.n_networks
            for network in expected.networks():
                assert listed[network.dag].score == pytest.approx(network.score, abs=1e-9)
                assert listed[network.dag].probability == pytest.approx(network.probability, rel=1e-8)
        assert found.edge_probabilities() == pytest.approx(expected.edge_probabilities(), rel=1e-8)
    assert n_nodes > 6 or work > 0  # there was something to be split


@pytest.mark.parametrize("attempts", [1e-9, 3, 1e9])  # as long as it takes, as usual, and no time at all
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
    limited = credible_networks(families, slack=2.0, time_limit=1000)  # the limit of attempts is another one then
    assert limited.complete
    assert limited.n_networks == expected.n_networks


def list_deep_nodes_only(patch: pytest.MonkeyPatch, pause: float = 0.0, depth: int = 2) -> None:
    """So that there are several leaves."""
    is_listed = ListLeaves._is_listed

    def listed(policy: ListLeaves, tree: Tree, node: Node) -> bool:
        if node.depth < depth:
            return False
        time.sleep(pause)
        return is_listed(policy, tree, node)

    patch.setattr(ListLeaves, "_is_listed", listed)


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
        assert found.complete_slack is not None
        within = credible_networks(families, slack=found.complete_slack)
        assert within.complete
        assert found.n_networks == within.n_networks
        assert set(found[:500]) == set(within[:500])
        assert found.n_networks <= 2 * numbers[-1]
        numbers.append(found.n_networks)
        assert found.n_networks >= share * everything.n_networks / 20  # much of what fits


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
    if not found.complete:
        assert found.complete_slack is not None
        assert found.complete_slack > 0.4
        assert found.n_networks == credible_networks(families, slack=found.complete_slack).n_networks


def test_more_optima_than_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """All networks score the same, so none of them is rather dropped than others."""
    names = [f"v{k}" for k in range(12)]
    lists = {
        name: [(0.0, []), *((0.0, [names[(at + step) % 12]]) for step in (1, 2, 5))] for at, name in enumerate(names)
    }
    split_groups_above(monkeypatch, 5, credible_tree.WORK)
    list_deep_nodes_only(monkeypatch, depth=7)  # so that some leaves fit and the next does not
    found = credible_networks(FamilyTable.from_lists(lists, made=WHOLE), slack=0.5, memory_limit=3e5)
    assert found.status in ("memory_limit", "stopped")
    assert not found.complete
    assert found.complete_slack is None
    assert found.n_networks > 1
    assert found.optimum == 0


def give_attempts(patch: pytest.MonkeyPatch, seconds: float) -> None:
    """Time for each, before a table is made."""

    def limited(component: Component, run: Run) -> Run:
        return cost.stage(run, seconds)

    patch.setattr(cost, "attempt", limited)


def test_time_spent_on_listing_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    families = entangled(12, 0)
    expected = credible_networks(families, slack=3.0)

    def no_table(*_: object) -> None:
        pytest.fail("a table was made")

    monkeypatch.setattr(cost, "LARGEST_TABLE", 5)
    monkeypatch.setattr(cost, "LARGEST_LEAF", 5)
    give_attempts(monkeypatch, 5.0)
    list_deep_nodes_only(monkeypatch, pause=3.0)
    monkeypatch.setattr(TableEnumerator, "listed", no_table)
    found = credible_networks(families, slack=3.0)
    assert found.statistics.seconds > 6  # more than the time that was given
    assert found.complete
    assert found.n_networks == expected.n_networks


def test_a_callback_that_says_stop_is_obeyed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost, "LARGEST_TABLE", 5)
    monkeypatch.setattr(cost, "LARGEST_LEAF", 5)
    give_attempts(monkeypatch, 3.0)
    list_deep_nodes_only(monkeypatch, pause=3.5)
    start = time.monotonic()
    found = credible_networks(
        entangled(12, 0), slack=3.0, on_progress=lambda _: False if time.monotonic() - start > 4 else None
    )
    assert found.status == "stopped"
    assert not found.complete
    assert found.n_networks > 1  # of the first leaf


def test_a_stop_leaves_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "LARGEST_AT_ONCE", math.inf)
    monkeypatch.setattr(cost, "LARGEST_RESORT", 100)
    families = ring(40)
    timed = credible_networks(families, slack=20.0, time_limit=2.0)
    assert timed.status == "time_limit"
    assert timed.complete_slack is None
    full = credible_networks(families, slack=20.0, memory_limit=20_000_000)
    assert full.status == "memory_limit"
    assert full.complete_slack is not None
    assert full.n_networks == sum(math.comb(40, missing) for missing in range(1, math.floor(full.complete_slack) + 2))
    for found in (timed, full):
        assert not found.complete
        assert found.n_networks > 0
        assert found.optimum == -1
        first = found[:100]
        assert len(set(first)) == len(first)
        assert families.score_of(found.best) == -1
        assert all(families.score_of(dag) >= -21 for dag in first)


def test_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "LARGEST_AT_ONCE", math.inf)
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    found = credible_networks(ring(50), slack=25.0)
    timer.join()
    assert found.status == "stopped"
    assert found.n_networks > 0
    assert not found.complete


@settings(max_examples=100, deadline=None)
@given(families=tables(), seed=st.integers(0, 2**32 - 1))
def test_groups_of_living_families(families: FamilyTable, seed: int) -> None:
    flat = families.flat()
    alive = np.random.default_rng(seed).integers(0, 2, len(flat.scores), dtype=np.uint8)
    alive[flat.starts[:-1]] = 1
    assert _core.FamilyRows(flat.lists).components(alive) == _core.strong_components(flat.kept(alive > 0).lists)
