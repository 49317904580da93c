"""Branch and cut under knowledge of whole networks: against all networks, its rows, proofs and limits."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import credenet
from constraint_cases import drawn_table, independences, obedient, unpruned
from credenet import DAG, Dataset, FamilyTable, Knowledge, LearnResult, learn
from credenet._run.clock import Clock
from credenet._run.ledger import Ledger
from credenet._run.progress import Progress
from credenet._run.run import Run
from credenet.errors import ArgumentError, KnowledgeError
from credenet.families.tolerance import tolerance
from credenet.methods import ILP
from credenet.priors import SSP, InDegree
from credenet.search.adjacency import join_network
from credenet.search.components import Component, whole
from credenet.search.ilp.branch_and_cut import solve_ilp
from credenet.search.ilp.constraints import Constraints
from credenet.search.local import obeying, quick_network
from slow_learning import all_parents, best_score

UNLIMITED = Run(Clock(), 1e12, 1, 0, None)
FEW_CUTS = ILP(max_rounds=1, trials=2, order_iterations=1)
KINDS = (
    "adjacent",
    "ancestral",
    "not_ancestral",
    "min_edges",
    "max_edges",
    "min_roots",
    "max_roots",
    "no_immoralities",
    "forbidden_immoralities",
    "independences",
)


@st.composite
def rules_of(draw: st.DrawFn, kind: str, names: list[str]) -> Any:
    """A rule or a few of one kind."""
    n = len(names)
    match kind:
        case "no_immoralities":
            return True
        case "min_edges":
            return draw(st.integers(0, n * (n - 1) // 2))
        case "max_edges":
            return draw(st.integers(0, n))
        case "min_roots" | "max_roots":
            return draw(st.integers(1, n))
        case "independences":
            return [draw(independences(names)) for _ in range(draw(st.integers(1, 2)))]
        case "forbidden_immoralities":
            return draw(st.lists(st.permutations(names).map(lambda order: tuple(order[:3])), min_size=1, max_size=4))
    pairs = st.permutations(names).map(lambda order: tuple(order[:2]))
    return draw(st.lists(pairs, min_size=1, max_size=3))


@st.composite
def knowledge_of(draw: st.DrawFn, n: int, kinds: list[str]) -> Knowledge:
    """Rules of some kinds that do not contradict each other at once."""
    names = [f"v{place}" for place in range(n)]
    rules = {kind: draw(rules_of(kind, names)) for kind in kinds if n > 2 or kind != "forbidden_immoralities"}
    try:
        return Knowledge(**rules)
    except KnowledgeError:
        reject()


def check(families: FamilyTable, knowledge: Knowledge, method: ILP | str = "ilp") -> LearnResult | None:
    """Learns, and compares with the best of all networks that obey."""
    best = best_score(families, knowledge=knowledge)
    try:
        result = learn(families, method=method, knowledge=knowledge)
    except KnowledgeError:
        assert best == -math.inf
        return None
    verification = result.verify(families)
    assert bool(verification), str(verification)
    if best == -math.inf:
        assert result.status == "infeasible"
        assert result.score is None
        assert not result.has_network
        return result
    assert result.status == "optimal"
    assert result.score is not None
    assert abs(result.score - best) <= tolerance(best)
    assert result.bound == result.score
    assert knowledge.violations(result.dag) == []
    assert abs(families.score_of(result.dag) - best) <= tolerance(best)
    assert all(claim.holds for claim in verification), str(verification)
    return result


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 4), share=st.sampled_from([0.5, 1.0]), drawn=st.data())
def test_each_kind_gives_the_best_of_all_networks_that_obey(
    kind: str, seed: int, n: int, share: float, drawn: st.DataObject
) -> None:
    knowledge = drawn.draw(knowledge_of(n, [kind]))
    check(drawn_table(seed, n, share=share), knowledge)


@pytest.mark.parametrize("method", [ILP(), FEW_CUTS], ids=["usual", "few cuts"])
@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 4),
    kinds=st.lists(st.sampled_from(KINDS), min_size=2, max_size=4, unique=True),
    share=st.sampled_from([0.3, 0.6, 1.0]),
    drawn=st.data(),
)
def test_mixtures(method: ILP, seed: int, n: int, kinds: list[str], share: float, drawn: st.DataObject) -> None:
    knowledge = drawn.draw(knowledge_of(n, kinds))
    check(drawn_table(seed, n, share=share), knowledge, method)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    kinds=st.lists(st.sampled_from(KINDS), min_size=1, max_size=3, unique=True),
    share=st.sampled_from([0.3, 1.0]),
    drawn=st.data(),
)
def test_five_variables(seed: int, kinds: list[str], share: float, drawn: st.DataObject) -> None:
    knowledge = drawn.draw(knowledge_of(5, kinds))
    check(drawn_table(seed, 5, share=share), knowledge)


def small_data(seed: int, n_rows: int = 80) -> Dataset:
    """Five variables joined by cycles of candidate parents, the last with one state."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, (n_rows, 5))
    codes[:, 2] = np.where(rng.random(n_rows) < 0.2, codes[:, 2], codes[:, 0] ^ codes[:, 1])
    codes[:, 3] = np.where(rng.random(n_rows) < 0.2, codes[:, 3], codes[:, 2])
    codes[:, 4] = 0
    return Dataset({**{f"v{place}": ["0", "1"] for place in range(4)}, "v4": ["only"]}, codes)


def all_families(data: Dataset) -> FamilyTable:
    """The score of every family, by that of a graph."""
    names = data.variables
    lists: dict[str, list[tuple[float, list[str]]]] = {}
    for child in names:
        others = [name for name in names if name != child]
        sets = [[name for place, name in enumerate(others) if mask >> place & 1] for mask in range(1 << len(others))]
        graphs = [DAG(names, [(parent, child) for parent in several]) for several in sets]
        scores = [credenet.score(data, graph, score="bic").local[child] for graph in graphs]
        lists[child] = list(zip(scores, sets, strict=True))
    return FamilyTable.from_lists(lists)


@pytest.mark.parametrize("seed", range(3))
def test_data_are_scored_without_pruning_that_the_knowledge_forbids(seed: int) -> None:
    data = small_data(seed)
    families = all_families(data)
    rules: list[dict[str, Any]] = [
        {"adjacent": [("v0", "v3"), ("v1", "v4")]},
        {"ancestral": [("v4", "v0"), ("v3", "v1")]},
        {"not_ancestral": [("v0", "v3"), ("v3", "v0")]},
        {"min_edges": 5},
        {"max_edges": 1},
        {"min_roots": 4},
        {"max_roots": 2},
        {"no_immoralities": True, "max_roots": 2},
        {"forbidden_immoralities": [("v0", "v2", "v1")]},
        {"independences": [("v0", "v3", ["v1"])]},
        {"required": [("v4", "v0")], "adjacent": [("v4", "v1")], "max_parents": 2, "min_edges": 4},
    ]
    for rule in rules:
        knowledge = Knowledge(**rule)
        is_named = "v4" in {name for kind in ("adjacent", "ancestral") for pair in rule.get(kind, ()) for name in pair}
        alone = Knowledge(not_adjacent=[] if is_named else [("v4", f"v{place}") for place in range(4)])
        best = best_score(families, knowledge=knowledge.combine(alone))
        for method in ("ilp", "auto"):
            result = learn(data, score="bic", method=method, knowledge=knowledge)
            assert result.status == "optimal", rule
            assert result.score == pytest.approx(best, abs=tolerance(best)), rule
            assert knowledge.violations(result.dag) == []
            assert result.isolated == (() if is_named else ("v4",))
            verification = result.verify(data)
            assert all(claim.holds for claim in verification), str(verification)


def test_auto_says_why() -> None:
    result = learn(small_data(0), knowledge=Knowledge(max_edges=2, adjacent=[("v0", "v1")]))
    assert result.provenance.reason == "ilp, which honours adjacent, max_edges"


def test_tables_that_were_pruned_are_refused_where_that_may_matter() -> None:
    families = credenet.score_families(small_data(0), score="bic")
    with pytest.raises(KnowledgeError, match=r"may need families that the table dropped .* score the data again"):
        learn(families, knowledge=Knowledge(min_edges=3))
    loose = learn(families, knowledge=Knowledge(max_edges=2))
    assert loose.status == "optimal"
    assert loose.score == pytest.approx(learn(small_data(0), score="bic", knowledge=Knowledge(max_edges=2)).score)
    rules = Knowledge(min_edges=3)
    made = credenet.score_families(small_data(0), score="bic", knowledge=rules)
    assert made.made.slack == math.inf
    assert learn(made).dag.n_edges >= 3  # The table records its knowledge.
    with pytest.raises(KnowledgeError, match="dp cannot honour min_edges; use auto or ilp"):
        learn(made, method="dp")


def test_more_families_than_fit_are_refused_with_their_number() -> None:
    codes = np.random.default_rng(1).integers(0, 2, (500, 40))
    data = credenet.Dataset({f"v{place}": ["0", "1"] for place in range(40)}, codes)
    with pytest.raises(ArgumentError, match=r"all 21,990,232,555,520 take 8\.8 PB, .* a smaller max_parents"):
        learn(data, knowledge=Knowledge(min_edges=3))
    assert learn(data, score="bic", knowledge=Knowledge(min_edges=15), max_parents=1).dag.n_edges == 15
    wide = credenet.Dataset({f"v{place}": ["0", "1"] for place in range(1500)}, codes[:10].repeat(38, 1)[:, :1500])
    for rules in (Knowledge(min_edges=3), Knowledge(adjacent=[("v0", "v40")]), Knowledge(ancestral=[("v0", "v40")])):
        with pytest.raises(ArgumentError, match=r"all more than 10\^15 take more than 1,000 PB, the memory"):
            learn(wide, knowledge=rules)


def test_knowledge_that_no_network_obeys() -> None:
    families = drawn_table(3, 4)
    knowledge = Knowledge(independences=[("v0", "v1"), ("v2", "v3")], min_edges=4)
    result = learn(families, knowledge=knowledge)
    assert result.status == "infeasible"
    assert "no network obeys the knowledge" in repr(result)
    assert result.dag.n_edges == 0
    verification = result.verify(families)
    assert [check.claim for check in verification if check.holds][-1] == "no network obeys the knowledge"
    other = replace(result, provenance=replace(result.provenance, knowledge=replace_rule(knowledge, min_edges=2)))
    assert not other.verify(families)
    assert not replace(result, proofs=(replace(result.proofs[0], score=1e9),)).verify(families)


def replace_rule(knowledge: Knowledge, **rules: Any) -> Knowledge:
    return Knowledge.from_dict({**knowledge.to_dict(), **rules})


def test_structure_priors_that_are_no_sum() -> None:
    families = drawn_table(11, 4)
    for knowledge in (Knowledge(min_edges=4), Knowledge(max_roots=1), Knowledge(no_immoralities=True)):
        prior = SSP()
        result = learn(families, knowledge=knowledge, prior=prior)
        assert result.score == pytest.approx(best_score(families, knowledge=knowledge, prior=prior))
        assert knowledge.violations(result.dag) == []


# Pairs that must be adjacent, in local search.


@settings(max_examples=100, deadline=None)
@given(n=st.integers(2, 5), limit=st.integers(0, 3), drawn=st.data())
def test_a_first_network_is_found_if_there_is_one(n: int, limit: int, drawn: st.DataObject) -> None:
    names = [f"v{place}" for place in range(n)]
    pairs = st.lists(st.permutations(names).map(lambda order: (order[0], order[1])), max_size=6, unique=True)
    try:
        knowledge = Knowledge(forbidden=drawn.draw(pairs), adjacent=drawn.draw(pairs), max_parents=limit)
    except KnowledgeError:
        reject()
    try:
        found = join_network(knowledge, names, [n] * n, UNLIMITED)
    except KnowledgeError:
        found = None
    assert (found is not None) == (len(obedient(knowledge, n)) > 0)
    assert found is None or not knowledge.violations(DAG.from_indices(names, found))


@pytest.mark.parametrize("method", ["hill_climb", "tabu"])
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), drawn=st.data())
def test_local_search_keeps_pairs_adjacent(method: str, seed: int, drawn: st.DataObject) -> None:
    knowledge = drawn.draw(knowledge_of(5, ["adjacent"]))
    assert knowledge is not None
    data = small_data(seed)
    families = credenet.score_families(data, score="bic", knowledge=knowledge)
    best = learn(families).score
    assert best is not None
    for source in (data, families):
        result = learn(source, score="bic", method=method, knowledge=knowledge)
        assert result.status == "local_optimum"
        assert result.score is not None
        assert result.score <= best + tolerance(best)
        assert knowledge.violations(result.dag) == []
        assert bool(result.verify(source)), str(result.verify(source))


def test_local_search_has_nothing_to_start_from() -> None:
    pairs = [("v0", "v1"), ("v0", "v2"), ("v1", "v2"), ("v1", "v3"), ("v2", "v3"), ("v0", "v3")]
    knowledge = Knowledge(adjacent=pairs, max_parents=2)
    with pytest.raises(KnowledgeError, match="no network has an edge for every pair that must be adjacent"):
        learn(small_data(0), method="hill_climb", knowledge=knowledge)
    assert learn(drawn_table(0, 4), method="hill_climb", knowledge=knowledge).status == "infeasible"
    assert learn(drawn_table(0, 4), method="ilp", knowledge=knowledge).status == "infeasible"
    sparse = FamilyTable.from_lists({"v0": [(0.0, [])], "v1": [(1.0, []), (2.0, ["v0", "v2"])], "v2": [(3.0, [])]})
    found = learn(unpruned(sparse), method="tabu", knowledge=Knowledge(adjacent=pairs[:1]))
    assert found.dag.parents("v1") == ("v0", "v2")
    assert learn(unpruned(sparse), method="tabu", knowledge=Knowledge(adjacent=[("v0", "v2")])).status == "infeasible"


@settings(max_examples=120, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    share=st.sampled_from([0.2, 0.4, 1.0]),
    method=st.sampled_from(["hill_climb", "tabu"]),
    prior=st.sampled_from([None, SSP(), SSP(exclusive=True)]),
    limit=st.sampled_from([None, 1, 2]),
    drawn=st.data(),
)
def test_local_search_starts_where_a_network_of_the_table_obeys(
    seed: int, share: float, method: str, prior: SSP | None, limit: int | None, drawn: st.DataObject
) -> None:
    """Whichever families are listed, and for each in-degree that the prior asks for."""
    knowledge = drawn.draw(knowledge_of(4, ["adjacent"]))
    families = drawn_table(seed, 4, share=share)
    if limit is not None:
        families = families.filter(families.flat().sizes <= limit)
    result = learn(families, method=method, prior=prior, knowledge=knowledge)
    best = best_score(families, knowledge=knowledge, prior=prior)
    assert (result.status == "infeasible") == (best == -math.inf)
    assert result.score is None or result.score <= best + tolerance(best)
    assert result.score is None or knowledge.violations(result.dag) == []


@settings(max_examples=150, deadline=None)
@given(
    method=st.sampled_from(["hill_climb", "tabu"]),
    limits=st.lists(st.integers(0, 3), min_size=4, max_size=4),
    exact=st.booleans(),
    drawn=st.data(),
)
def test_local_search_of_data_starts_with_the_in_degrees_of_the_prior(
    method: str, limits: list[int], exact: bool, drawn: st.DataObject
) -> None:
    """Wherever a network has them, and joins the pairs that must be adjacent."""
    data = small_data(1)
    data = data.select(data.variables[:4])
    prior = InDegree(dict(zip(data.variables, limits, strict=True)), exact=exact)
    knowledge = drawn.draw(knowledge_of(4, ["adjacent"]))
    try:
        found = learn(data, score="bic", prior=prior, method=method, knowledge=knowledge)
    except KnowledgeError:
        found = None
    allowed = [
        parents
        for parents in all_parents(4)[obedient(knowledge, 4)].tolist()
        if all(
            mask.bit_count() == limit or (not exact and mask.bit_count() < limit)
            for mask, limit in zip(parents, limits, strict=True)
        )
    ]
    assert (found is not None and found.has_network) == bool(allowed)
    assert found is None or not found.has_network or not knowledge.violations(found.dag)


def test_the_search_for_a_first_network_can_be_stopped() -> None:
    names = [f"v{place}" for place in range(60)]
    # With one parent each, the triangle would be a cycle.
    circle = Knowledge(adjacent=[*pairwise(names), (names[-3], names[-1])])
    asked: list[Progress] = []

    def stop_at_the_fourth(progress: Progress) -> bool:
        if len(asked) == 3:
            return False
        asked.append(progress)
        return True

    run = Run.from_limits(None, None, 1, stop_at_the_fourth)
    with pytest.raises(KnowledgeError, match="no network to start from was found"):
        join_network(circle, names, [1] * 60, run)
    assert len(asked) == 3


# Proofs and limits.


def hard_problem(seed: int = 1, n: int = 7) -> tuple[FamilyTable, Knowledge]:
    """One that takes several nodes."""
    rng = np.random.default_rng(seed)
    names = [f"v{place}" for place in range(n)]
    lists: dict[str, list[tuple[float, list[str]]]] = {}
    for child in names:
        others = [name for name in names if name != child]
        sets = [[name for place, name in enumerate(others) if mask >> place & 1] for mask in range(1 << len(others))]
        lists[child] = [(float(4 * rng.standard_normal()), several) for several in sets if len(several) <= 3]
    knowledge = Knowledge(
        independences=[("v0", "v1", "v2"), ("v3", "v4")],
        no_immoralities=True,
        min_edges=n - 1,
        ancestral=[("v0", "v5")],
    )
    return unpruned(FamilyTable.from_lists(lists)), knowledge


def solved(families: FamilyTable, knowledge: Knowledge, **limits: Any) -> Any:
    run = Run(Clock(limits.get("time_limit")), limits.get("memory", 1e12), 1, 0, limits.get("on_progress"))
    component: Component = whole(families)[0]
    constraints = Constraints(knowledge, families.variables)
    part = solve_ilp(FEW_CUTS, constraints)(component, run, Ledger(run.clock, 0.0, [component.bound]), 0)
    return part, component, constraints


@pytest.mark.parametrize("last", [1, 3, 8, 20, 50])
def test_stopped_at_any_time_says_the_truth(last: int) -> None:
    families, knowledge = hard_problem()
    whole_part = solved(families, knowledge)[0]
    assert whole_part.status == "optimal"
    assert whole_part.expanded > 3
    best, calls = whole_part.score, 0

    def on_progress(progress: Progress) -> bool:
        nonlocal calls
        calls += 1
        return calls < last

    part, component, constraints = solved(families, knowledge, on_progress=on_progress)
    assert part.score <= best + tolerance(best)
    assert part.bound >= best - tolerance(best)
    assert part.choice is None or constraints.obeys(component.flat, part.choice)
    proven = part.proof.bound(component.flat, constraints)
    assert best - tolerance(best) <= proven <= part.bound + tolerance(best)


def test_a_limit_before_any_network_leaves_none() -> None:
    families, knowledge = hard_problem()
    assert (
        obeying(quick_network, Constraints(knowledge, families.variables))(
            whole(families)[0], Run(Clock(), 1e12, 1, 0, None)
        ).choice
        is None
    )
    result = learn(families, knowledge=knowledge, on_progress=lambda _: False)
    assert result.status == "stopped"
    assert result.score is None
    assert not result.has_network
    assert result.bound is not None
    assert "no network found" in repr(result)
    assert bool(result.verify(families))


def test_proofs_without_the_knowledge_or_with_other_knowledge_prove_nothing() -> None:
    families, knowledge = hard_problem()
    part, component, constraints = solved(families, knowledge)
    proof = part.proof
    assert proof.bound(component.flat, constraints) <= part.score + tolerance(part.score)
    other = Constraints(Knowledge(no_immoralities=True), families.variables)
    for wrong in (None, other):
        with pytest.raises(ValueError, match="does not follow from the knowledge"):
            proof.bound(component.flat, wrong)
