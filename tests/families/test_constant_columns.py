"""Columns of which one state occurs: isolated by rule, or treated by the formula like any other."""

from __future__ import annotations

import json
import math
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import brute
import credenet
from commands import answer, credenet_command
from credenet import DAG, Dataset, Knowledge, learn, score_families
from credenet.errors import KnowledgeError
from credenet.families.tolerance import tolerance
from credenet.scores import BIC, K2, MIT, BDeu, BDs
from credenet.settings.priors import Prior
from credenet.settings.scores import Score
from posterior_checks import shares_of
from scoring_strategies import CORE_SCORES, PRIORS
from shared import shared_data
from slow_learning import all_parents
from slow_scores import slow_family_score

Local = NDArray[np.float64]


@st.composite
def tables(draw: st.DrawFn) -> Dataset:
    """Four columns, of which one to three have one observed state; of these one to four states are declared."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rows, n_constant = draw(st.sampled_from([1, 2, 5, 12, 40, 150])), draw(st.integers(1, 3))
    declared = [draw(st.integers(1, 4)) for _ in range(4)]
    codes = np.empty((n_rows, 4), dtype=np.int64)
    for at in range(4):
        if at < n_constant:
            codes[:, at] = draw(st.integers(0, declared[at] - 1))
        else:
            codes[:, at] = (rng.integers(0, 2, n_rows) + (codes[:, at - 1] if draw(st.booleans()) else 0)) % declared[
                at
            ]
    order = draw(st.permutations(range(4)))
    states = {f"v{at}": [str(code) for code in range(declared[column])] for at, column in enumerate(order)}
    return Dataset(states, codes[:, order])


def local_scores(data: Dataset, score: Score, prior: Prior, states: Any) -> Local:
    """Each variable with each set of parents as bits, by the formula."""
    n = data.n_variables
    found = np.full((n, 1 << n), -math.inf)
    for child, name in enumerate(data.variables):
        for mask in range(1 << n):
            if not mask >> child & 1:
                parents = [data.variables[at] for at in range(n) if mask >> at & 1]
                found[child, mask] = slow_family_score(data, name, parents, score, prior, states)
    return found


def network_scores(local: Local) -> NDArray[np.float64]:
    n = len(local)
    total: NDArray[np.float64] = local[np.arange(n), all_parents(n)].sum(axis=1)
    return total


def masks_within(local: Local, slack: float) -> set[tuple[int, int]]:
    """The families, as child and parents in bits, of all networks within a slack of the best."""
    scores = network_scores(local)
    chosen = all_parents(len(local))[scores >= scores.max() - slack + tolerance(scores.max())]
    return {(child, int(mask)) for child in range(len(local)) for mask in np.unique(chosen[:, child])}


scored = {
    "data": tables(),
    "score": st.sampled_from(CORE_SCORES),
    "prior": st.sampled_from(PRIORS),
    "states": st.sampled_from(["declared", "observed"]),
}


@settings(max_examples=150, deadline=None)
@given(method=st.sampled_from(["auto", "dp", "astar", "bfbnb", "ilp", "awa_star"]), **scored)
def test_without_the_rule_the_optimum_is_that_of_the_formula(
    data: Dataset, score: Score, prior: Prior, states: Any, method: str
) -> None:
    best = network_scores(local_scores(data, score, prior, states)).max()
    options: dict[str, Any] = {"score": score, "prior": prior, "states": states, "isolate_constant": False}
    result = learn(data, method=method, **options)
    assert result.status == "optimal"
    assert result.score == pytest.approx(best, rel=1e-10, abs=1e-8)
    assert result.bound == result.score
    assert (result.isolated, result.provenance.knowledge) == ((), Knowledge(isolate_constant=False))
    assert result.verify(data)
    assert result.verify(score_families(data, **options))


@settings(max_examples=150, deadline=None)
@given(slack=st.sampled_from([0.0, 1.0, 4.0]), search=st.sampled_from(["levels", "best_first"]), **scored)
def test_without_the_rule_no_family_of_a_credible_network_is_pruned(
    data: Dataset, score: Score, prior: Prior, states: Any, slack: float, search: Any
) -> None:
    assume(search != "best_first" or not isinstance(score, MIT))
    local = local_scores(data, score, prior, states)
    table = score_families(
        data, score=score, prior=prior, states=states, slack=slack, search=search, isolate_constant=False
    )
    assert table.made.complete
    place = {name: at for at, name in enumerate(table.variables)}
    kept = {
        (place[name], sum(1 << place[parent] for parent in parents)): value
        for name in table.variables
        for value, parents in table.families(name)
    }
    for (child, mask), value in kept.items():
        assert value == pytest.approx(local[child, mask], rel=1e-10, abs=1e-8)
    scores = network_scores(local)
    if slack == 0.0:  # Only one of several networks with equal scores is kept.
        among = np.full_like(local, -math.inf)
        for (child, mask), value in kept.items():
            among[child, mask] = value
        assert network_scores(among).max() == pytest.approx(scores.max(), rel=1e-10, abs=1e-8)
    else:
        assert masks_within(local, slack) <= set(kept)


@settings(max_examples=100, deadline=None)
@given(most=st.integers(0, 2), **scored)
def test_without_the_rule_unscored_sets_are_bounded(
    data: Dataset, score: Score, prior: Prior, states: Any, most: int
) -> None:
    local = local_scores(data, score, prior, states)
    table = score_families(
        data, score=score, prior=prior, states=states, up_to_parents=most, slack=0.0, isolate_constant=False
    )
    assume(table.made.unscored is not None or table.made.complete)
    for child, name in enumerate(data.variables):
        larger = [value for mask, value in enumerate(local[child]) if mask.bit_count() > most]
        known = max(value for value, _ in table.families(name))
        unscored = (table.made.unscored or {}).get(name)
        bound = known if unscored is None else max(known, unscored.bound)
        assert max(larger, default=-math.inf) <= bound + tolerance(bound)


@settings(max_examples=60, deadline=None)
@given(
    data=tables(),
    score=st.sampled_from([BDeu(1.0), BDeu(10.0), BIC(), K2(), BDs(1.0)]),
    prior=st.sampled_from(PRIORS),
)
def test_without_the_rule_sets_and_posteriors_are_those_of_all_networks(
    data: Dataset, score: Score, prior: Prior
) -> None:
    local = local_scores(data, score, prior, "declared")
    scores = network_scores(local)
    options: dict[str, Any] = {"score": score, "prior": prior, "isolate_constant": False}
    posterior = credenet.posterior(data, method="exact", **options)
    dags = [DAG(data.variables, [(f"v{a}", f"v{b}") for a, b in arcs]) for arcs in brute.all_dags(4)]
    total, shares = shares_of(list(zip(dags, scores.tolist(), strict=True)))
    assert posterior.log_evidence == pytest.approx(total, rel=1e-10, abs=1e-8)
    found = posterior.edge_probabilities()
    for a, b in [*combinations(data.variables, 2), *combinations(reversed(data.variables), 2)]:
        expected = math.fsum(share for dag, share in shares if (a, b) in dag.edges)
        assert found.get((a, b), 0.0) == pytest.approx(expected, abs=1e-8)
    ranked = np.sort(scores)[::-1]
    gaps = np.flatnonzero(ranked[:-1] - ranked[1:] > 1e-6)  # A slack between these scores leaves no network in doubt.
    number = int(gaps[0]) + 1 if len(gaps) else len(ranked)
    best = credenet.k_best(data, 1, **options)
    assert best.n_networks == number
    slack = 3.0 if not np.any(abs(ranked - ranked[0] + 3.0) < 1e-6) else 3.1
    expected_number = int(np.sum(ranked >= ranked[0] - slack))
    assert credenet.credible_networks(data, slack=slack, **options).n_networks == expected_number
    assert credenet.credible_classes(data, slack=slack, **options).n_networks == expected_number


@settings(max_examples=100, deadline=None)
@given(**scored)
def test_with_the_rule_the_optimum_is_the_best_network_that_isolates_them(
    data: Dataset, score: Score, prior: Prior, states: Any
) -> None:
    constant = data.info().constant
    isolated = sum(1 << data.index(name) for name in constant)
    networks = all_parents(4)
    places = np.array([data.index(name) for name in constant])
    allowed = (networks[:, places] == 0).all(axis=1) & (networks & isolated == 0).all(axis=1)
    best = network_scores(local_scores(data, score, prior, states))[allowed].max()
    result = learn(data, score=score, prior=prior, states=states)
    assert result.score == pytest.approx(best, rel=1e-10, abs=1e-8)
    assert result.isolated == constant


def fives() -> Dataset:
    """Two related columns, and two constant ones that BDeu would join."""
    rows = [[k % 2, k // 2 % 2 if k % 5 else k % 2, 0, 0] for k in range(40)]
    return Dataset({"a": "xy", "b": "xy", "c": "xyz", "d": "xyzw"}, np.array(rows))


def test_an_edge_of_constant_columns_may_raise_bdeu() -> None:
    """Without that, the rule and the texts below would be about nothing."""
    data = fives()
    by_rule, free = learn(data), learn(data, isolate_constant=False)
    assert by_rule.score is not None
    assert free.score is not None
    assert free.score > by_rule.score + 1.0
    assert free.score == pytest.approx(credenet.score(data, free.dag).total)


def test_results_name_the_rule() -> None:
    data = fives()
    remark = (
        "c, d have one observed state and have no edges by rule: networks that join them to other variables were not "
        "considered, whatever they score; isolate_constant=False considers them"
    )
    learned, posterior = learn(data), credenet.posterior(data)
    networks, classes = credenet.credible_networks(data), credenet.credible_classes(data)
    for result in (learned, posterior, networks, classes):
        assert result.isolated == ("c", "d")
        assert remark in result.remarks
        assert remark in str(result)
        assert remark in result.to_dict()["remarks"]
        assert result.to_dict()["isolated"] == ["c", "d"]
    assert "with 2 variables isolated" in repr(learned)
    assert networks.to_dict()["scope"] == classes.to_dict()["scope"] == "all networks with 2 variables isolated"
    assert "over all networks of 4 variables, 2 of them isolated" in posterior.summary()
    limited = credenet.credible_networks(data, max_parents=2).to_dict()["scope"]
    assert limited == "all networks with at most 2 parents and 2 variables isolated"


def test_results_name_that_the_rule_is_off() -> None:
    data = fives()
    for result in (
        learn(data, isolate_constant=False),
        credenet.posterior(data, isolate_constant=False),
        credenet.credible_networks(data, isolate_constant=False),
        credenet.credible_classes(data, isolate_constant=False),
    ):
        told = result.to_dict()
        assert told["isolated"] == []
        assert not any("no edges by rule" in remark for remark in told["remarks"])
        assert told["provenance"]["knowledge"] == {"isolate_constant": False}
        assert "variables with one observed state may have edges" in str(result)
        assert "isolated" not in str(result)
        assert "obey the knowledge" not in json.dumps(told)


def test_a_score_names_edges_that_no_search_considers() -> None:
    data = fives()
    joined = credenet.score(data, DAG(data.variables, [("a", "b"), ("c", "d"), ("d", "a")]))
    assert joined.remarks == (
        "the graph has edges of c, d, which have one observed state: a search considers such edges only with "
        "isolate_constant=False, or where the knowledge asks for them",
    )
    assert credenet.score(data, DAG(data.variables, [("a", "b")])).remarks == ()


def test_a_table_keeps_the_rule_that_it_was_made_with() -> None:
    data = fives()
    by_rule, free = score_families(data), score_families(data, isolate_constant=False)
    with pytest.raises(KnowledgeError, match=r"made without edges of c, d.*score the data again with isolate"):
        learn(by_rule, isolate_constant=False)
    result = learn(free)
    assert result.score == learn(data, isolate_constant=False).score
    assert result.provenance.knowledge == Knowledge(isolate_constant=False)
    restricted = learn(free, knowledge=Knowledge(forbidden=[("a", "b"), ("b", "a")]))
    assert restricted.provenance.knowledge == Knowledge([], [("a", "b"), ("b", "a")], isolate_constant=False)
    empty = Dataset({"a": "xy", "b": "xy"}, np.array([[0, 1], [1, 0], [0, 0]]))
    learn(score_families(empty), isolate_constant=False)  # No column is constant, so no family is missing.


@pytest.mark.parametrize("method", ["pc", "rai", "mmhc", "chow_liu"])
def test_methods_that_cannot_join_constant_columns_refuse(method: str) -> None:
    with pytest.raises(KnowledgeError, match=f"{method} gives no edges to variables with one observed state"):
        learn(fives(), method=method, isolate_constant=False)


def test_knowledge_holds_the_option() -> None:
    rules = Knowledge([("a", "b")], isolate_constant=False)
    assert rules.to_dict() == {"required": [["a", "b"]], "isolate_constant": False}
    assert Knowledge.from_dict(rules.to_dict()) == rules
    assert not Knowledge().combine(rules).isolate_constant
    assert rules.restricts_networks
    assert not Knowledge(isolate_constant=False).restricts_networks
    assert Knowledge().to_dict() == {}
    assert learn(fives(), knowledge=rules).isolated == ()
    with pytest.raises(credenet.CredenetError, match="isolate_constant must be True or False, got 'no'"):
        learn(fives(), isolate_constant="no")  # type: ignore[arg-type]


def test_classes_are_counted_without_listing_networks_if_the_rule_is_off() -> None:
    """The option is no restriction that treats the networks of a class differently."""
    from credenet.credible.provenance import treats_classes_alike

    found = credenet.credible_classes(fives(), isolate_constant=False)
    assert treats_classes_alike(found.provenance)
    listed = credenet.credible_networks(fives(), isolate_constant=False)
    assert (found.n_classes, found.n_networks) == (listed.classes.n_classes, listed.n_networks)


def test_water_has_better_networks_than_the_rule_allows() -> None:
    data = credenet.read(shared_data("datasets", "Water_1000.dat.gz"))
    by_rule, free = learn(data, max_parents=2), learn(data, max_parents=2, isolate_constant=False)
    assert by_rule.bound == pytest.approx(-13289.787321, abs=1e-6)
    assert "with at most 2 parents each and 6 variables isolated" in repr(by_rule)
    joined = DAG(data.variables, [*by_rule.dag.edges, ("One", "Twelve")])
    better = credenet.score(data, joined)
    assert better.total == pytest.approx(-13286.065, abs=1e-3)
    assert "One, Twelve" in better.remarks[0]
    assert free.score is not None
    assert free.score >= better.total
    assert free.status == "optimal"


def test_the_command_line_has_the_switch(tmp_path: Path) -> None:
    path, graph = tmp_path / "rows.dat", tmp_path / "graph.txt"
    rows = [" ".join(map(str, row)) for row in fives().codes.tolist()]
    path.write_text("\n".join(["a b c d", "2 2 3 4", *rows]) + "\n")
    graph.write_text("a\nb\nc -> d\n")
    for verb, key in (("learn", "score"), ("credible", "optimum"), ("posterior", "log_evidence")):
        by_rule, free = (answer(verb, path, *flags, cwd=tmp_path) for flags in ([], ["--no-isolate-constant"]))
        assert free[key] > by_rule[key] + 1.0
        assert by_rule["remarks"][0].endswith("--no-isolate-constant considers them")
        assert "--no-isolate-constant considers them" in credenet_command(verb, path, cwd=tmp_path).stdout
        assert (by_rule["isolated"], free["isolated"]) == (["c", "d"], [])
    table = tmp_path / "families.jkl"
    answer("score", path, "--no-isolate-constant", "-o", table, cwd=tmp_path)
    assert answer("learn", table, cwd=tmp_path)["score"] == pytest.approx(learn(fives(), isolate_constant=False).score)
    assert "--no-isolate-constant" in answer("score", path, "--graph", graph, cwd=tmp_path)["remarks"][0]
    printed = credenet_command("score", path, "--graph", graph, cwd=tmp_path).stdout
    assert "remark: the graph has edges of c, d" in printed
