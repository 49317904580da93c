"""Scores as objects, the pseudo-counts of those that have a Dirichlet prior, and what the formulas promise."""

from __future__ import annotations

import doctest
import math
import pickle
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
import credenet
from credenet import K2, BayesianNetwork, BDe, BDeu, Dataset, Jeffreys
from credenet.errors import ArgumentError, NetworkError
from credenet.settings import scores
from credenet.settings.scores import (
    AIC,
    BIC,
    MDL,
    MIT,
    SCORES,
    BDs,
    LogLikelihood,
    Score,
    fNML,
    qNML,
    score_from,
    smoothing_from,
)
from slow_networks import networks
from slow_scores import Counts, slow_family_score, slow_local_score, slow_nml_regret

WITHOUT_NETWORK: list[Score] = [
    LogLikelihood(),
    BIC(),
    AIC(),
    MDL(),
    MDL(name_parents=False),
    BDeu(2.0),
    K2(),
    Jeffreys(),
    BDs(0.5),
    fNML(),
    qNML(),
    MIT(0.9),
]
STATES = {"a": ("0", "1"), "b": ("0", "1", "2"), "c": ("0",)}


def test_pseudo_counts_of_uniform_priors() -> None:
    family = ("b", "c", "a")
    assert np.array_equal(BDeu(3.0).pseudo_counts(family, STATES), np.full((3, 1, 2), 0.5))
    assert np.array_equal(K2().pseudo_counts(family, STATES), np.ones((3, 1, 2)))
    assert np.array_equal(Jeffreys().pseudo_counts(family, STATES), np.full((3, 1, 2), 0.5))


@given(networks(max_size=4), st.floats(0.1, 100), st.data())
@settings(max_examples=50, deadline=None)
def test_pseudo_counts_of_a_prior_network_add_up(network: BayesianNetwork, ess: float, data: st.DataObject) -> None:
    family = data.draw(st.permutations(network.variables))
    counts = BDe(network, ess).pseudo_counts(family, network.states)
    assert counts.sum() == pytest.approx(ess)
    smaller = BDe(network, ess).pseudo_counts(family[:-1], network.states) if family[1:] else np.array(ess)
    assert np.allclose(counts.sum(axis=-1), smaller, rtol=1e-9, atol=1e-12)


def test_bdeu_is_bde_of_the_uniform_network() -> None:
    uniform = BayesianNetwork(STATES, {}, {name: np.full(len(of), 1 / len(of)) for name, of in STATES.items()})
    family = ("a", "b")
    assert np.allclose(BDe(uniform, 2.0).pseudo_counts(family, STATES), BDeu(2.0).pseudo_counts(family, STATES))


def test_the_prior_network_must_have_the_variables_of_the_data() -> None:
    prior = BDe(credenet.textbook.asia())
    with pytest.raises(NetworkError, match="the prior network does not have the variable 'a' with the states"):
        prior.pseudo_counts(("a",), STATES)
    with pytest.raises(NetworkError, match="the prior network does not have the variable 'tub' with the states"):
        prior.pseudo_counts(("tub",), {"tub": ("no", "yes")})


@pytest.mark.parametrize("ess", [0, -1.0, float("inf"), float("nan"), 5e-324, 9e-101, 1.1e100, 1e308])
def test_ess_is_positive(ess: float) -> None:
    message = r"ess must be a number of at least 1e-100 and at most 1e\+100, got"
    with pytest.raises(ArgumentError, match=message):
        BDeu(ess)
    with pytest.raises(ArgumentError, match=message):
        BDe(credenet.textbook.asia(), ess)
    with pytest.raises(ArgumentError, match=message):
        score_from("bds", ess=ess)


def test_names() -> None:
    assert smoothing_from("bdeu") == smoothing_from("BDeu") == BDeu(1.0)
    assert smoothing_from("k2") == K2()
    assert smoothing_from("jeffreys") == Jeffreys()
    assert smoothing_from("none") is None
    assert smoothing_from(None) is None
    assert smoothing_from(BDeu(5)) == BDeu(5)


@pytest.mark.parametrize("wrong", ["BD", "", 1.0, BDeu])
def test_wrong_names(wrong: Any) -> None:
    with pytest.raises(ArgumentError, match=r"smoothing must be .* one of none, bdeu, k2, jeffreys, bde, got"):
        smoothing_from(wrong)


def test_examples() -> None:
    result = doctest.testmod(scores)
    assert result.attempted > 0
    assert result.failed == 0


def test_scores_by_name() -> None:
    named = ["log_likelihood", "bic", "aic", "mdl", "bdeu", "k2", "jeffreys", "bds", "fnml", "qnml", "mit"]
    assert [score_from(name) for name in named] == [
        LogLikelihood(), BIC(), AIC(), MDL(), BDeu(), K2(), Jeffreys(), BDs(), fNML(), qNML(), MIT()
    ]  # fmt: skip
    assert [score_from(name).short_name for name in named] == named
    assert score_from("bdeu", ess=5) == BDeu(5)
    assert score_from("bds", ess=5) == BDs(5)
    assert score_from(BDeu(5)) == BDeu(5)


def test_facts() -> None:
    equivalent = {type(score).__name__ for score in WITHOUT_NETWORK if score.is_equivalent}
    assert equivalent == {"LogLikelihood", "BIC", "AIC", "MDL", "BDeu", "qNML"}
    assert BDe.is_equivalent
    assert [type(score) for score in WITHOUT_NETWORK if not score.has_bayes_factor] == [MIT]


@pytest.mark.parametrize(
    ("score", "ess", "message"),
    [
        ("bde", None, "score 'bde' needs network; pass BDe\\(network\\)"),
        ("BICs", None, "score must be a score or one of log_likelihood, bic, .*, got 'BICs'"),
        (1.0, None, "score must be a score or one of .*, got 1.0"),
        (BDeu, None, "score must be a score or one of"),
        ("bic", 1.0, "ess goes with the names bdeu and bds, not with 'bic'"),
        (
            "BDe",
            1.0,
            r"ess goes with the names bdeu and bds; bde needs a network, so give both: BDe\(network, ess=...\)",
        ),
        (BDeu(2.0), 1.0, r"ess goes with the name of a score; bdeu\(ess=2\) is complete"),
    ],
)
def test_wrong_scores(score: Any, ess: float | None, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        score_from(score, ess=ess)


@pytest.mark.parametrize("alpha", [0, 1, -0.5, float("nan")])
def test_alpha_is_a_confidence_level(alpha: float) -> None:
    with pytest.raises(ArgumentError, match="alpha must be a number above 0 and below 1, got"):
        MIT(alpha)


@pytest.mark.parametrize("score", WITHOUT_NETWORK, ids=str)
def test_descriptions_are_read_back(score: Score) -> None:
    assert SCORES.get(str(score)) == score
    assert pickle.loads(pickle.dumps(score)) == score


def test_descriptions() -> None:
    assert str(BDeu(1)) == "bdeu"
    assert str(BDeu(10)) == str(BDeu(10.0)) == "bdeu(ess=10)"
    assert str(MDL(False)) == "mdl(name_parents=False)"
    assert str(BIC()) == "bic"
    network = credenet.textbook.asia()
    assert str(BDe(network, 2)) == f"bde(network={network!r}, ess=2)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bde(network=<BayesianNetwork 8 variables>)", "network must be a BayesianNetwork, which a text does not hold"),
        ("BDe(network of 8 variables, ess=1.0)", "written as name=value, got 'network of 8 variables'"),
        ("BIC(ess=1.0)", "bic has no setting 'ess'; bic has none"),
        ("BDeu(alpha=1.0)", r"bdeu has no setting 'alpha'; bdeu has ess \(a number of at least 1e-100"),
        ("BDeu(ess=one)", r"ess must be a number of at least 1e-100 and at most 1e\+100, got 'one'"),
        ("BDeu(ess=-1)", r"ess must be a number of at least 1e-100 and at most 1e\+100, got -1"),
        ("BDeu(ess=1, ess=2)", "bdeu has the setting ess twice"),
        ("BDeu(ess=(1)", "settings are written as name=value, name=value, got"),
        ("MDL(name_parents=1)", "name_parents must be True or False, got 1"),
    ],
)
def test_wrong_descriptions(text: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        SCORES.get(text)


@st.composite
def small_data(draw: st.DrawFn) -> Dataset:
    """Three variables of one to three declared states, not all of them in use."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=3, max_size=3))
    n_rows = draw(st.integers(1, 25))
    codes = draw(st.lists(st.tuples(*(st.integers(0, size - 1) for size in sizes)), min_size=n_rows, max_size=n_rows))
    states = {name: [str(k) for k in range(size)] for name, size in zip("abc", sizes, strict=True)}
    return Dataset(states, np.array(codes))


def slow_score(data: Dataset, graph: brute.Arcs, score: Score, states: Any) -> float:
    names = data.variables
    return math.fsum(
        slow_family_score(data, name, [names[p] for p in brute.parents(graph, child)], score, states=states)
        for child, name in enumerate(names)
    )


@pytest.mark.parametrize("states", ["declared", "observed"])
@given(small_data(), st.sampled_from([score for score in WITHOUT_NETWORK if score.is_equivalent]))
@settings(max_examples=60, deadline=None)
def test_equivalent_networks_have_the_same_score(states: Any, data: Dataset, score: Score) -> None:
    by_class: dict[object, float] = {}
    for graph in brute.all_dags(3):
        found = slow_score(data, graph, score, states)
        assert found == pytest.approx(by_class.setdefault(brute.class_of(graph), found), rel=1e-9, abs=1e-9)


@given(networks(max_size=3, max_states=2), st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_equivalent_networks_have_the_same_score_under_a_prior_network(network: BayesianNetwork, seed: int) -> None:
    data = network.sample(20, seed=seed)
    by_class: dict[object, float] = {}
    for graph in brute.all_dags(data.n_variables):
        found = slow_score(data, graph, BDe(network, 3.0), "declared")
        assert found == pytest.approx(by_class.setdefault(brute.class_of(graph), found), rel=1e-8, abs=1e-7)


@pytest.mark.parametrize("score", [K2(), Jeffreys(), fNML(), BDs(1.0), MIT(0.9)], ids=str)
def test_the_other_scores_are_not_equivalent(score: Score) -> None:
    codes = [[0, 0], [1, 0], [1, 0], [2, 0], [2, 1], [2, 1], [2, 1]]
    data = Dataset({"a": "0123", "b": "01", "c": "012"}, np.array([[a, b, (a + b) % 3] for a, b in codes]))
    forth, back = (frozenset(arcs) for arcs in ([(0, 1), (0, 2), (1, 2)], [(2, 1), (2, 0), (1, 0)]))
    assert brute.class_of(forth) == brute.class_of(back)
    assert slow_score(data, forth, score, "declared") != pytest.approx(slow_score(data, back, score, "declared"))


@pytest.mark.parametrize(("n_states", "n_rows"), [(1, 4), (2, 5), (3, 4), (4, 3), (5, 2), (3, 0)])
def test_the_regret_is_the_sum_over_all_data(n_states: int, n_rows: int) -> None:
    total = 0.0
    for rows in product(range(n_states), repeat=n_rows):
        total += math.prod((rows.count(k) / n_rows) ** rows.count(k) for k in range(n_states)) if rows else 1.0
    assert slow_nml_regret(n_states, n_rows) == pytest.approx(total, rel=1e-12)


def test_the_formulas_on_a_table_by_hand() -> None:
    counts: Counts = {(0,): [3.0, 1.0], (1,): [0.0, 4.0]}
    likelihood = 3 * math.log(3 / 4) + math.log(1 / 4)
    found = {type(score): slow_local_score(score, counts, 2, [3], 8, 5) for score in WITHOUT_NETWORK[:4]}
    assert found[LogLikelihood] == pytest.approx(likelihood)
    assert found[BIC] == pytest.approx(likelihood - 1.5 * math.log(8))
    assert found[AIC] == pytest.approx(likelihood - 3)
    assert found[MDL] == pytest.approx(likelihood - 1.5 * math.log(8) - math.log(5))
    # One pseudo-count each: 3! 1! / (2 * 3 * 4 * 5) and 4! / (2 * 3 * 4 * 5).
    assert slow_local_score(K2(), counts, 2, [3], 8, 5) == pytest.approx(math.log(6 / 120 * 24 / 120))
    # An ess of 6 over six cells is the same; over the two parent states that occur it is 1.5 in each cell.
    assert slow_local_score(BDeu(6.0), counts, 2, [3], 8, 5) == pytest.approx(math.log(6 / 120 * 24 / 120))
    gammas = 1.5 * 2.5 * 3.5 * 1.5 / 360 * (1.5 * 2.5 * 3.5 * 4.5 / 360)
    assert slow_local_score(BDs(6.0), counts, 2, [3], 8, 5) == pytest.approx(math.log(gammas))


def test_the_prior_network_can_rule_data_out() -> None:
    counts: Counts = {(): [1.0, 2.0]}
    assert slow_local_score(BDe(credenet.textbook.asia()), counts, 2, [], 3, 1, {(): [1.0, 0.0]}) == -math.inf
    unused = slow_local_score(BDe(credenet.textbook.asia()), {(): [3.0, 0.0]}, 2, [], 3, 1, {(): [1.0, 0.0]})
    assert unused == pytest.approx(0.0)
