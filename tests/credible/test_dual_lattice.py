"""Subsets that dual values leave: whatever the values are, nothing that reaches the target is missing."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from credenet import DAG, FamilyTable, _core, credible_networks
from credenet.credible.engine import lattice
from credibility_tables import SLACKS, credible, tables
from large_groups import entangled, split_groups_above
from polls import every_poll

MANY = 1 << 20


def random_rows(families: FamilyTable, rng: np.random.Generator) -> tuple[_core.FamilyRows, NDArray[np.int32]]:
    """Cuts of all kinds; in a small problem even clusters have tables of their subsets."""
    n = len(families.variables)
    rows = _core.FamilyRows(families.flat().lists)
    numbers = []
    for _ in range(rng.integers(0, 12)):
        size = int(rng.integers(2, n + 1)) if n > 1 else 0
        members = sorted(rng.permutation(n)[:size].tolist())
        kind = int(rng.integers(0, 3))
        if size < 2 or kind > size:
            continue
        if kind == 0:
            masks = [(child, int(rng.integers(1, 1 << size)) & ~(1 << child)) for child in range(size)]
            terms = [(child, mask, int(rng.integers(1, 3))) for child, mask in masks if mask]
            if terms:
                numbers.append(rows.add_cut(0, members, terms))
        else:
            numbers.append(rows.add_cut(kind, members))
        if size == 4:
            numbers.append(rows.add_cut(-1 - int(rng.integers(0, _core.n_small_facets)), members))
    return rows, np.array(sorted(set(numbers)), dtype=np.int32)


def dags_of(
    diagram: _core.NetworkDiagram, root: int | None, names: tuple[str, ...], families: FamilyTable
) -> list[DAG]:
    """All networks of a node whose choices are positions in the lists."""
    if root is None:
        return []
    positions, _, _ = diagram.listed(root, -_core.NetworkDiagram.no_limit, _core.NetworkDiagram.no_limit, 1 << 20)
    flat = families.flat()
    several = []
    for row in positions.reshape(-1, len(names)):
        at = flat.starts[:-1] + row
        several.append(
            DAG.from_indices(names, [flat.parents[flat.offsets[f] : flat.offsets[f + 1]].tolist() for f in at])
        )
    return several


@settings(max_examples=200, deadline=None)
@given(families=tables(), slack=SLACKS, seed=st.integers(0, 2**32 - 1), n_threads=st.sampled_from([1, 3]))
def test_any_dual_values(families: FamilyTable, slack: float, seed: int, n_threads: int) -> None:
    rng = np.random.default_rng(seed)
    flat = families.flat()
    rows, numbers = random_rows(families, rng)
    values = rng.exponential(rng.choice([0.1, 1.0, 5.0]), len(numbers))
    members = np.arange(len(families.variables), dtype=np.int32)
    expected = credible(families, slack)
    target = expected.optimum - slack - 1e-9
    active = np.ones(len(flat.scores), dtype=np.uint8)
    found = _core.DualLattice(rows, numbers, values, active, members, target)
    assert found.grow(MANY, n_threads, None) == "complete"
    best = found.best_families()
    assert flat.scores[best].sum() == pytest.approx(expected.optimum, abs=1e-9)
    diagram = _core.NetworkDiagram(len(members))
    positions = (np.arange(len(flat.scores)) - flat.starts[flat.children]).astype(np.uint16)
    ticks = np.zeros(len(flat.scores), dtype=np.int64)
    status, root, _ = found.networks(positions, ticks, MANY << 8, n_threads, diagram, None)
    assert status == "complete"
    dags = dags_of(diagram, root, families.variables, families)
    assert len(set(dags)) == len(dags)
    within = {dag for dag in dags if families.score_of(dag) >= target}
    assert within == set(expected.networks)
    status, kept = found.families(None)
    assert status == "complete"
    used = {(name, dag.parents(name)) for dag in expected.networks for name in families.variables}
    for at in range(len(flat.scores)):
        name = families.variables[flat.children[at]]
        parents = flat.parents[flat.offsets[at] : flat.offsets[at + 1]].tolist()
        assert bool(kept[at]) == ((name, tuple(families.variables[k] for k in sorted(parents))) in used)


@settings(max_examples=100, deadline=None)
@given(families=tables(4), seed=st.integers(0, 2**32 - 1))
def test_no_network_reaches_the_target(families: FamilyTable, seed: int) -> None:
    rows, numbers = random_rows(families, np.random.default_rng(seed))
    members = np.arange(len(families.variables), dtype=np.int32)
    flat = families.flat()
    target = credible(families, 0.0).optimum + 0.5
    active = np.ones(len(flat.scores), dtype=np.uint8)
    found = _core.DualLattice(rows, numbers, np.ones(len(numbers)), active, members, target)
    assert found.grow(MANY, 1, None) == "complete"
    assert len(found.best_families()) == 0
    assert not found.families(None)[1].any()


@pytest.mark.parametrize("seed", range(3))
def test_a_cluster_of_many_variables(seed: int) -> None:
    """Clusters above ten members have no table of their subsets."""
    families = entangled(13, seed)
    flat = families.flat()
    rows = _core.FamilyRows(flat.lists)
    everyone = list(range(13))
    numbers = np.array([rows.add_cut(kind, members) for kind in (1, 2) for members in (everyone, everyone[1:])])
    values = np.array([0.5, 0.3, 0.2, 0.1])
    expected = credible_networks(families, slack=1.0)
    assert expected.optimum is not None
    active = np.ones(len(flat.scores), dtype=np.uint8)
    members = np.arange(13, dtype=np.int32)
    target = expected.optimum - 1.0
    for some, multipliers in ((numbers, values), (numbers[:0], values[:0])):
        found = _core.DualLattice(rows, some.astype(np.int32), multipliers, active, members, target)
        assert found.grow(MANY, 2, None) == "complete"
        assert flat.scores[found.best_families()].sum() == pytest.approx(expected.optimum, abs=1e-9)
        kept = found.families(None)[1] > 0
        probabilities = expected.parent_set_probabilities()
        assert np.count_nonzero(kept) == sum(len(sets) for sets in probabilities.values())


def test_too_many_subsets() -> None:
    families = entangled(12, 0)
    flat = families.flat()
    rows, active = _core.FamilyRows(flat.lists), np.ones(len(flat.scores), dtype=np.uint8)
    nothing = np.empty(0, dtype=np.int32)
    found = _core.DualLattice(rows, nothing, np.empty(0), active, np.arange(12, dtype=np.int32), -1e6)
    assert found.grow(1000, 1, None) == "iteration_limit"
    with every_poll():
        assert found.grow(MANY, 1, lambda *_: False) == "stopped"
    assert found.grow(MANY, 1, None) == "complete"
    assert found.n_sets == 2**12 - 1
    diagram, n_families = _core.NetworkDiagram(12), len(flat.scores)
    names = np.zeros(n_families, dtype=np.uint16), np.zeros(n_families, dtype=np.int64)
    assert found.networks(*names, 1000, 1, diagram, None)[:2] == ("memory_limit", None)
    with every_poll():
        assert found.networks(*names, MANY, 1, diagram, lambda *_: False)[:2] == ("stopped", None)
    assert diagram.n_nodes == 0


@pytest.mark.parametrize("leaf", [2, 5])
@pytest.mark.parametrize("seed", range(3))
def test_the_same_as_by_a_table(monkeypatch: pytest.MonkeyPatch, seed: int, leaf: int) -> None:
    families = entangled(14, seed)
    expected = credible_networks(families, slack=math.log(20))
    split_groups_above(monkeypatch, leaf, sets=lattice.MOST_SETS)
    several = [credible_networks(families, slack=math.log(20), n_threads=n) for n in (1, 3)]
    for found in several:
        assert found.complete
        assert found.n_networks == expected.n_networks
        assert found.edge_probabilities() == pytest.approx(expected.edge_probabilities(), rel=1e-8)
    assert several[0].listing.first(50)[:] == several[1].listing.first(50)[:]


@pytest.mark.parametrize("stop", [lambda _: False, None])
def test_a_stop(monkeypatch: pytest.MonkeyPatch, stop: Callable[[object], bool] | None) -> None:
    split_groups_above(monkeypatch, 2, sets=lattice.MOST_SETS)
    found = credible_networks(entangled(14, 0), slack=3.0, on_progress=stop, time_limit=None if stop else 1e-6)
    assert not found.complete
    assert found.status in ("stopped", "time_limit")
