"""Classes of credible networks without listing these, against all networks."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import FamilyTable, Knowledge, _core, credible_classes, credible_networks
from credenet.credible.engine.by_table import TableEnumerator
from credenet.credible.engine.enumerator import Budget, What
from credenet.credible.growth import slack_rounds as stages
from credenet.errors import ArgumentError
from credenet.families.info import FamilyTableInfo
from credenet.knowledge.equivalence import ClassRules
from credenet.learners.problem import LearningProblem
from credenet.search import cost
from credenet.structures.products import class_products
from credenet.structures.products.network_products import ComponentNetworks
from credibility_tables import check_classes, credible, independent_pairs

EQUIVALENT = FamilyTableInfo(score="BDeu(ess=1.0)", prior="Uniform()", slack=math.inf, complete=True)
SLACKS = st.sampled_from([0.0, 0.5, math.log(3), math.log(20), 100.0])


@st.composite
def equivalent_tables(draw: st.DrawFn, most: int = 4) -> FamilyTable:
    """All families, scored G(parents and child) - G(parents), which is the same for equivalent networks."""
    n = draw(st.integers(1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    values = draw(st.sampled_from([0.5, 2.0])) * rng.standard_normal(1 << n)
    values = np.round(values, draw(st.sampled_from([0, 12])))
    names = [f"v{place}" for place in rng.permutation(n)]
    lists: dict[str, list[tuple[float, list[str]]]] = {}
    for child in range(n):
        sets = [mask for mask in range(1 << n) if not mask >> child & 1]
        lists[names[child]] = [
            (float(values[mask | 1 << child] - values[mask]), [names[k] for k in range(n) if mask >> k & 1])
            for mask in sets
        ]
    return FamilyTable.from_lists(lists, made=EQUIVALENT)


@settings(max_examples=100, deadline=None)
@given(families=equivalent_tables(), slack=SLACKS, n_threads=st.sampled_from([1, 3]))
def test_classes_without_listing(families: FamilyTable, slack: float, n_threads: int) -> None:
    found = credible_classes(families, slack=slack, n_threads=n_threads)
    assert found.complete
    expected = credible(families, slack)
    check_classes(found, expected)
    check_classes(credible_networks(families, slack=slack).classes, expected)


@settings(max_examples=8, deadline=None)
@given(families=equivalent_tables(5), slack=st.sampled_from([0.5, math.log(20)]))
def test_classes_of_five_variables(families: FamilyTable, slack: float) -> None:
    found = credible_classes(families, slack=slack)
    expected = credible(families, slack)
    assert found.n_networks == len(expected.networks)
    assert found.n_classes == len(expected.classes())


@pytest.mark.parametrize("score", ["bic", "bdeu", "qnml"])
@pytest.mark.parametrize("seed", range(4))
def test_classes_of_data_in_several_parts(score: str, seed: int) -> None:
    """Edges between parts are directed, and parts have several networks of the same and of different classes."""
    dag = credenet.random.dag(8, max_parents=2, seed=seed)
    data = credenet.random.network(dag, n_states=2, seed=seed).sample(400, seed=seed)
    networks = credible_networks(data, score=score, bayes_factor=20)
    keys: dict[object, list[float]] = {}
    for network in networks.listing.networks():
        keys.setdefault(network.dag.class_key(), []).append(network.probability)
    for found in (credible_classes(data, score=score, bayes_factor=20), networks.classes):
        assert found.n_classes == len(keys)
        assert found.n_networks == networks.n_networks
        for one in found:
            shares = keys[one.dag.class_key()]
            assert one.members == one.size == len(shares)
            assert one.probability == pytest.approx(math.fsum(shares), rel=1e-8)
    whole = networks.pair_probabilities()
    # A filtered set is not known to have whole classes.
    listed = networks.listing.filter(lambda dag: True).pair_probabilities()
    assert set(whole) == set(listed)
    assert all(whole[pair] == pytest.approx(listed[pair], abs=1e-9) for pair in whole)


def test_classes_of_groups_without_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups that are taken to be large are listed, and their classes are the same."""
    data = credenet.random.network(credenet.random.dag(9, max_parents=3, seed=5), n_states=2, seed=5).sample(
        300, seed=5
    )
    families = credenet.score_families(data, slack=3.0)
    expected = credible_classes(families, slack=3.0)
    for name in ("LARGEST_TABLE", "LARGEST_RESORT", "LARGEST_LEAF"):
        monkeypatch.setattr(cost, name, 3)
    listed = class_products.list_classes
    seen = []

    def grouped(*arguments: Any) -> Any:
        seen.append(arguments)
        return listed(*arguments)

    monkeypatch.setattr(class_products, "list_classes", grouped)
    found = credible_classes(families, slack=3.0)
    assert seen
    assert (found.n_classes, found.n_networks) == (expected.n_classes, expected.n_networks)
    shares = {one.cpdag: (one.members, one.probability) for one in expected}
    assert {one.cpdag: one.members for one in found} == {key: members for key, (members, _) in shares.items()}
    assert all(one.probability == pytest.approx(shares[one.cpdag][1], rel=1e-8) for one in found)


@settings(max_examples=40, deadline=None)
@given(families=equivalent_tables(), k=st.integers(1, 30))
def test_k_best_classes(families: FamilyTable, k: int) -> None:
    found = credenet.k_best_classes(families, k)
    whole = credible(families, 1e5)
    scores = sorted((whole.networks[dags[0]][0] for dags in whole.classes().values()), reverse=True)
    last = scores[min(k, len(scores)) - 1]
    check_classes(found, credible(families, max(scores[0] - last, 0.0)))


@pytest.mark.parametrize("options", [{"score": "k2"}, {"max_parents": 1}, {"knowledge": True}, {"prior": "fact"}])
def test_classes_that_are_credible_in_part(options: dict[str, object]) -> None:
    """A score that tells equivalent networks apart, a limit or knowledge: the networks are listed."""
    if "knowledge" in options:
        options = {"knowledge": Knowledge(forbidden=[("smoke", "lung")])}
    data = credenet.datasets.asia(300, seed=3)
    networks = credible_networks(data, bayes_factor=3, **options)  # type: ignore[arg-type]
    found = credible_classes(data, bayes_factor=3, **options)  # type: ignore[arg-type]
    keys = [dag.class_key() for dag in networks]
    assert found.n_classes == len(set(keys))
    assert found.n_networks == networks.n_networks
    rules = ClassRules.from_knowledge(data.variables, found.provenance.knowledge)
    for one in found:
        assert one.members == keys.count(one.dag.class_key()) <= one.size == rules.class_size(one.dag)


def test_numbers_that_no_listing_reaches() -> None:
    for found in (
        credible_classes(independent_pairs(100, EQUIVALENT), slack=3),
        credible_networks(independent_pairs(100, EQUIVALENT), slack=3).classes,
    ):
        assert found.n_classes == sum(math.comb(100, j) for j in range(4))
        assert found.n_networks == sum(math.comb(100, j) * 2 ** (100 - j) for j in range(4))
        assert found[0].members == found[0].size == 2**100
        assert found[1].members == 2**99
        pairs = found.pair_probabilities()
        weights = [math.comb(100, j) * 2 ** (100 - j) * math.exp(-j) for j in range(4)]
        apart = sum(j / 100 * weight for j, weight in enumerate(weights)) / sum(weights)
        assert len(pairs) == 100
        assert pairs["a0", "b0"] == pytest.approx((0, 0, 1 - apart, apart))
        assert "classes" in repr(found)
    endless = credible_networks(independent_pairs(200, EQUIVALENT), slack=1000).classes
    with pytest.raises(OverflowError, match="n_classes"):
        len(endless)
    assert endless.n_classes == 2**200


def test_sizes_that_no_word_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The core says 0 for them; they are then counted here."""
    data = credenet.datasets.asia(300, seed=3)
    expected = credible_classes(data, bayes_factor=10)
    find = TableEnumerator.find

    def found(enumerator: TableEnumerator, budget: Budget, what: What) -> tuple[ComponentNetworks, str, int]:
        networks, status, n_expanded = find(enumerator, budget, what)
        assert networks.sizes is not None
        return replace(networks, sizes=np.zeros_like(networks.sizes)), status, n_expanded

    monkeypatch.setattr(TableEnumerator, "find", found)
    again = credible_classes(data, bayes_factor=10)
    assert again.n_networks == expected.n_networks > expected.n_classes
    assert list(again) == list(expected)


def test_limits_and_mistakes(monkeypatch: pytest.MonkeyPatch) -> None:
    data = credenet.datasets.asia(200, seed=1)
    with pytest.raises(ArgumentError, match="at least 1"):
        credible_classes(data, bayes_factor=0.5)
    with pytest.raises(ArgumentError, match="k must be"):
        credible_classes(data).listing.first(0)
    with monkeypatch.context() as patch:
        patch.setattr(stages, "LARGEST_AT_ONCE", math.inf)  # A search by stages may end before it can be stopped.
        listed = credenet.score_families(data, slack=30.0)
        stopped = credible_classes(listed, slack=30.0, on_progress=lambda progress: False)
    assert stopped.status == "stopped"
    assert not stopped.complete
    assert stopped.n_classes >= 1
    assert "at least" in repr(stopped)
    families = credenet.score_families(data, slack=4.0)
    whole = credible_classes(families, slack=4.0)
    full = credible_classes(families, slack=4.0, memory_limit=50_000)
    assert full.status == "memory_limit"
    assert 1 <= full.n_classes < whole.n_classes
    assert {one.cpdag for one in full} == {one.cpdag for one in whole[: full.n_classes]}
    assert full.listing.complete_slack is not None
    assert full.listing.complete_slack < 4.0 == whole.listing.complete_slack
    infeasible = credible_classes(FamilyTable.from_lists({"a": [(0.0, ["b"])], "b": [(0.0, ["a"])]}), slack=1)
    assert not infeasible
    assert list(infeasible) == []
    assert infeasible.pair_probabilities() == {}


def test_families_that_were_not_scored_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Classes of networks that are listed instead say that the scoring ended early."""

    families = LearningProblem.families

    def scored(*arguments: Any) -> FamilyTable:
        table = families(*arguments)
        return table.with_info(replace(table.made, complete=False, status="memory_limit"))

    monkeypatch.setattr(LearningProblem, "families", scored)
    data = credenet.datasets.asia(200, seed=1)
    classes = credible_classes(data, score="bic", slack=2.0)
    networks = credible_networks(data, score="bic", slack=2.0)
    assert classes.status == networks.status == "memory_limit"
    assert not classes.complete
    assert classes.provenance == networks.provenance
    assert classes.listing.ended_in == networks.listing.ended_in == "scoring"
    assert "memory was full before all families were scored" in str(classes)
    assert "networks that were not looked at may be more probable than all of these" in str(classes)
    assert "probability" not in classes.to_polars().columns
    assert json.loads(classes.to_json())["pair_probabilities"] is None
    assert classes.n_networks == networks.n_networks


def test_frames_files_and_summary(tmp_path: Path) -> None:
    data = credenet.datasets.asia(300, seed=2)
    found = credible_classes(data, score="bic")
    frame = found.to_polars()
    assert frame["rank"].to_list() == list(range(found.n_classes))
    assert frame["cpdag"].to_list() == ["; ".join(str(one.cpdag).splitlines()) for one in found]
    assert frame["size"].to_list() == [one.size for one in found]
    assert found.to_polars(limit=2).equals(frame[:2])
    found.save(tmp_path / "classes.parquet")
    assert pl.read_parquet(tmp_path / "classes.parquet").equals(frame)
    networks = credible_networks(data, score="bic")
    assert found.covered_mass(data) == pytest.approx(networks.covered_mass(data))
    share = found.covered_mass(data)
    assert share is not None
    assert f"together they hold {100 * (1 - share):.0f} % of the posterior" in found.summary(data)
    assert str(found).startswith("posterior   these networks hold only 46 % of the posterior")
    assert f"\nclasses     {found.n_classes}\nnetworks    {found.n_networks}\n" in str(found)
    known = json.loads(found.to_json())
    assert (known["classes"], known["networks"]) == (found.n_classes, networks.n_networks)
    assert known["pair_probabilities"] == [[a, b, *shares] for (a, b), shares in found.pair_probabilities().items()]


def test_numbers_that_no_file_holds() -> None:
    """22! networks of one class are more than 64 bits hold."""
    names = [f"v{k}" for k in range(22)]
    lists = {name: [(0.0, names[:at])] for at, name in enumerate(names)}
    found = credible_classes(FamilyTable.from_lists(lists), slack=0)
    assert [one.size for one in found] == [math.factorial(22)]
    assert found.to_polars()["size"].to_list() == [None]


@pytest.mark.parametrize(
    "choices",
    [
        pytest.param([1, 3], id="a cycle"),
        pytest.param([2, 0], id="families of other variables"),
        pytest.param([0, 4], id="beyond the last family"),
        pytest.param([0, -1], id="before the first family"),
        pytest.param([0], id="too few variables"),
        pytest.param([0, 2, 0], id="too many variables"),
    ],
)
def test_sizes_of_choices_of_another_table(choices: list[int]) -> None:
    both = FamilyTable.from_lists({"a": [(-1.0, ()), (-2.0, ["b"])], "b": [(-1.0, ()), (-2.0, ["a"])]}).flat()
    children = np.ones(len(choices), dtype=np.uint8)
    with pytest.raises(ValueError, match=r"choices must|directed cycle"):
        _core.class_sizes(both.lists, np.array([choices]), children, 1)
    assert _core.class_sizes(both.lists, np.array([[0, 3]]), np.ones(2, dtype=np.uint8), 1) == [2]
