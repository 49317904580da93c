"""Cuts, multipliers and proofs of branch and cut: against all networks, and with proofs that were tampered with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from credenet import FamilyTable, LearnResult, _core, learn
from credenet.families.tolerance import tolerance
from credenet.search.components import components_of
from credenet.search.ilp.cuts import Inequality
from credenet.search.ilp.linear_program import most_violated_cluster
from credenet.search.ilp.multipliers import Multipliers
from credenet.search.ilp.proof import Proof, ProofNode
from ilp_cases import FEW_CUTS, complete_table, drawn_table, hard_component, networks, solved


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 5))
def test_no_network_violates_a_cut(seed: int, n: int) -> None:
    flat = complete_table(seed, n)
    rows = _core.FamilyRows(flat.lists)
    rng = np.random.default_rng(seed)
    for _ in range(5):
        x = rng.dirichlet(np.full(1 << (n - 1), 0.2), size=n).ravel()
        cuts = rows.cluster_cuts(x, 0.01, 50) + rows.small_cuts(x, 0.01, 50, 1000)
        cuts += rows.local_cuts(x, max(n - 1, 2), 3, 0.01, 50, 0)  # The limit must be at least 1.
        numbers = [rows.add_cut(*cut) for cut in cuts]
        assert (rows.violations(x)[numbers] >= 0.01 - 1e-6).all()
    for network in networks(flat):
        assert rows.violations(network).max(initial=0.0) <= 0


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 4))
def test_any_multipliers_give_a_bound(seed: int, n: int) -> None:
    flat = complete_table(seed, n)
    rows = _core.FamilyRows(flat.lists)
    rng = np.random.default_rng(seed)
    for _ in range(6):
        size = int(rng.integers(2, n + 1))
        members = np.sort(rng.permutation(n)[:size]).tolist()
        rows.add_cut(int(rng.integers(1, size)), members)
    numbers = np.arange(len(rows), dtype=np.int32)
    multipliers = rng.exponential(size=len(rows))
    alive = np.ones(len(flat.scores), dtype=np.uint8)
    bound, losses = rows.bound(numbers, multipliers, alive)
    for network in networks(flat):
        score = float(flat.scores[network > 0].sum())
        assert score <= bound
        assert (score <= bound - losses[network > 0] + 1e-12).all()


def test_the_most_violated_cluster() -> None:
    # 0 and 1 are half each other's parent, 2 and 3 nearly whole.
    children = np.array([0, 0, 1, 1, 2, 2, 3, 3], dtype=np.int32)
    masses = np.array([0.5, 0.5, 0.5, 0.5, 0.9, 0.1, 0.9, 0.1])
    parents: list[list[int]] = [[1], [], [0], [], [3], [], [2], []]
    assert most_violated_cluster(children, masses, parents, max_nodes=100) == [2, 3]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(6, 11))
def test_proofs_hold(seed: int, n: int) -> None:
    for component in components_of(drawn_table(seed, n, most_families=20)):
        part = solved(component)
        assert part.proof is not None
        assert abs(part.proof.bound(component.flat) - part.score) <= tolerance(part.score)


def test_proofs_that_were_tampered_with_prove_less_or_nothing() -> None:
    component = hard_component()
    part = solved(component)
    proof = part.proof
    assert proof is not None
    flat = component.flat

    def proves(changed: Proof) -> bool:
        try:
            return changed.bound(flat) <= part.score + tolerance(part.score)
        except ValueError:
            return False

    assert proves(proof)
    assert not proves(replace(proof, root=ProofNode()))
    for less in (1.0, 10.0, 1000.0):  # A smaller multiplier may prove as much, but never more.
        assert replace(proof, score=part.score - less).bound(flat) >= part.score - tolerance(part.score)
    assert not proves(replace(proof, inequalities=proof.inequalities[:3]))
    assert not proves(replace(proof, inequalities=tuple(Inequality(1, (0, 0)) for _ in proof.inequalities)))
    for terms in (((0, 1, 1),), ((0, 4, 1),), ((0, 2, -1),), ((2, 1, 1),)):
        # The terms have a child among its parents or a place that does not exist.
        assert not proves(replace(proof, inequalities=(*proof.inequalities, Inequality(0, (0, 1), terms))))
    assert proves(replace(proof, inequalities=(*proof.inequalities, Inequality(0, (0, 1), ((0, 2, 1),)))))
    negative = Multipliers(proof.root.charges[0].rows, -proof.root.charges[0].values)
    assert not proves(replace(proof, root=replace(proof.root, charges=[negative, *proof.root.charges])))
    assert proof.root.pair is not None
    assert not proves(replace(proof, root=replace(proof.root, children=proof.root.children[:1])))
    better = replace(flat, scores=flat.scores + 0.5)
    assert proof.bound(better) > part.score + tolerance(part.score)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 10))
def test_a_result_carries_its_proof(seed: int, n: int) -> None:
    families = drawn_table(seed, n, most_families=12)
    result = learn(families, method=FEW_CUTS)
    assert bool(result.verify(families)), str(result.verify(families))
    if not result.proofs:
        return
    assert "the proofs give" in str(result.verify(families))
    assert result.bound is not None
    lower = replace(result, bound=result.bound - 1)
    assert not lower.verify(families)
    without = replace(result, proofs=(replace(result.proofs[0], root=ProofNode(), score=-1e9), *result.proofs[1:]))
    trivial = sum(component.bound for component in components_of(families)[:1])
    assert bool(without.verify(families)) == (trivial <= part_bound(families, result, 0) + 1e-9)


def part_bound(families: FamilyTable, result: LearnResult, number: int) -> float:
    return result.proofs[number].bound(components_of(families)[number].flat)
