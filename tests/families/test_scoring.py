"""Families and their scores against the formulas, and pruning against every network."""

from __future__ import annotations

import itertools
import math
import os
from functools import partial
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import DAG, Dataset, FamilyTable, Knowledge, _core, score_families
from credenet.errors import ArgumentError, DataError
from credenet.priors import DataPrior, Expert, InDegree, Uniform
from credenet.scores import AIC, BIC, MDL, MIT, BDe, BDeu, BDs, fNML, qNML
from credenet.settings.priors import Prior
from credenet.settings.scores import Score
from polls import TimeByHand, every_poll
from scoring_strategies import CORE_SCORES, PRIORS, allowed_by_mask, datasets, prior_networks, rules, scores_by_mask
from shared import shared_data
from slow_learning import all_parents
from slow_scores import slow_family_score

PRUNING_EXAMPLES = int(os.environ.get("CREDENET_PRUNING_EXAMPLES", "300"))  # A long run takes thousands.


def families_of(table: FamilyTable) -> dict[str, dict[frozenset[str], float]]:
    return {name: {frozenset(parents): value for value, parents in table.families(name)} for name in table.variables}


@settings(max_examples=250, deadline=None)
@given(
    data=datasets(),
    score=st.sampled_from(CORE_SCORES),
    prior=st.sampled_from(PRIORS),
    states=st.sampled_from(["declared", "observed"]),
)
def test_scores_are_those_of_the_formulas(data: Dataset, score: Score, prior: Prior, states: Any) -> None:
    everything = Knowledge(no_immoralities=True)  # This knowledge switches pruning off.
    table = score_families(data, score=score, prior=prior, knowledge=everything, states=states, max_parents=3)
    constant = set(data.info().constant)
    for name, found in families_of(table).items():
        others = [other for other in data.variables if other != name and other not in constant]
        expected = 1 if name in constant else 2 ** len(others)
        assert len(found) == expected
        for parents, value in found.items():
            slow = slow_family_score(data, name, sorted(parents), score, prior, states)
            assert value == pytest.approx(slow, rel=1e-10, abs=1e-8)


def prior_weights() -> st.SearchStrategy[float]:
    """Equivalent sample sizes over the whole range that is allowed."""
    return st.floats(-100, 100).map(lambda exponent: 10.0**exponent)


@settings(max_examples=80, deadline=None)
@given(data=datasets(4) | datasets(4, weighted=True), ess=prior_weights(), more=st.data())
def test_scores_of_any_equivalent_sample_size(data: Dataset, ess: float, more: st.DataObject) -> None:
    """The logs of gamma functions that a score is made of may be a googol times as large as the score."""
    of_network = more.draw(prior_networks(data))
    assert isinstance(of_network, BDe)
    scores: list[Score] = [BDeu(ess), BDs(ess), BDe(of_network.network, ess)]
    score = more.draw(st.sampled_from(scores))
    table = score_families(data, score=score, knowledge=Knowledge(no_immoralities=True))
    for name, found in families_of(table).items():
        for parents, value in found.items():
            slow = slow_family_score(data, name, sorted(parents), score)
            assert value == pytest.approx(slow, rel=1e-12, abs=1e-13 * (10 + data.total_weight))


@settings(max_examples=80, deadline=None)
@given(data=datasets(3), score=st.sampled_from(CORE_SCORES), states=st.sampled_from(["declared", "observed"]))
def test_rows_of_weight_0_are_as_if_they_were_not_there(data: Dataset, score: Score, states: Any) -> None:
    rng = np.random.default_rng(len(data))
    weights = rng.integers(0, 2, len(data)).astype(float)
    weights[0] = 1.0
    whole = Dataset(data.states, data.codes, weights=weights)
    part = Dataset(data.states, data.codes[weights > 0])
    graph = DAG(data.variables, [("v0", "v1"), ("v0", "v2"), ("v1", "v2")])
    totals = [credenet.score(each, graph, score=score, states=states).total for each in (whole, part)]
    assert totals[0] == pytest.approx(totals[1], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("score", [s for s in CORE_SCORES if not isinstance(s, BIC | MDL)], ids=repr)
@pytest.mark.parametrize("states", ["declared", "observed"])
@pytest.mark.parametrize("weights", [None, np.zeros(3)], ids=["no rows", "no weight"])
def test_without_rows_no_edge_is_better_than_none(score: Score, states: Any, weights: Any) -> None:
    """BIC and MDL take the log of the weight of all rows."""
    codes = np.zeros((0 if weights is None else 3, 3), dtype=np.uint8)
    data = Dataset({name: ["x", "y"] for name in "abc"}, codes, weights=weights)
    for graph in (DAG(list("abc")), DAG(list("abc"), [("a", "b")])):
        slow = [slow_family_score(data, name, graph.parents(name), score, states=states) for name in graph.variables]
        assert credenet.score(data, graph, score=score, states=states).total == pytest.approx(sum(slow), abs=1e-12)
    result = credenet.learn(data, score=score, states=states)
    assert (result.status, result.dag) == ("optimal", DAG(list("abc")))


@settings(max_examples=80, deadline=None)
@given(
    data=datasets(3, weighted=True),
    score=st.sampled_from([s for s in CORE_SCORES if not isinstance(s, fNML | qNML)]),
)
def test_weighted_rows(data: Dataset, score: Score) -> None:
    """Normalised maximum likelihood is defined for whole counts only."""
    total = 0.0 if data.weights is None else float(data.weights.sum())
    for name in data.variables:
        others = [other for other in data.variables if other != name]
        for size in range(3):
            for parents in itertools.combinations(others, size):
                dag = DAG(data.variables, [(parent, name) for parent in parents])
                value = credenet.score(data, dag, score=score).local[name]
                assert value == pytest.approx(
                    slow_family_score(data, name, parents, score), rel=1e-9, abs=1e-8 * max(1.0, total)
                )


@settings(max_examples=60, deadline=None)
@given(data=datasets(5) | datasets(5, weighted=True), more=st.data())
def test_prior_network(data: Dataset, more: st.DataObject) -> None:
    """All families of up to four parents; those that the prior network rules out are left out."""
    score = more.draw(prior_networks(data, sparse=more.draw(st.booleans())))
    table = score_families(data, score=score, knowledge=Knowledge(no_immoralities=True))
    constant = set(data.info().constant)
    for name, found in families_of(table).items():
        others = [] if name in constant else [v for v in data.variables if v != name and v not in constant]
        for size in range(len(others) + 1):
            for parents in itertools.combinations(others, size):
                slow = slow_family_score(data, name, parents, score)
                if slow == -math.inf:
                    assert frozenset(parents) not in found
                else:
                    assert found[frozenset(parents)] == pytest.approx(slow, rel=1e-9, abs=1e-7)


@settings(max_examples=60, deadline=None)
@given(
    data=datasets(5) | datasets(5, weighted=True),
    alpha=st.sampled_from([1e-9, 0.3, 0.6, 0.999, 1 - 1e-12]),
    states=st.sampled_from(["declared", "observed"]),
)
def test_mutual_information_tests(data: Dataset, alpha: float, states: Any) -> None:
    score = MIT(alpha)
    table = score_families(data, score=score, knowledge=Knowledge(no_immoralities=True), states=states)
    for name, found in families_of(table).items():
        for parents, value in found.items():
            slow = slow_family_score(data, name, sorted(parents), score, states=states)
            assert value == pytest.approx(slow, rel=1e-9, abs=1e-8)


@pytest.mark.parametrize("alpha", [1e-9, 0.001, 0.5, 0.9, 0.999, 1 - 1e-9])
def test_quantiles_of_many_degrees_of_freedom(alpha: float) -> None:
    """One row has no information, so the score is what chance explains."""
    names = [f"v{at}" for at in range(9)]
    data = Dataset(
        {name: [str(k) for k in range(2 + at)] for at, name in enumerate(names)}, np.zeros((1, 9), dtype=int)
    )
    for size in range(9):
        dag = DAG(names, [(parent, names[0]) for parent in names[1 : size + 1]])
        value = credenet.score(data, dag, score=MIT(alpha)).local[names[0]]
        assert value == pytest.approx(slow_family_score(data, names[0], names[1 : size + 1], MIT(alpha)), rel=1e-10)


def test_a_family_that_does_not_fit_under_a_prior_network_is_refused() -> None:
    names = [f"v{at}" for at in range(45)]
    data = Dataset(dict.fromkeys(names, ("0", "1")), np.zeros((3, 45), dtype=int))
    network = credenet.BayesianNetwork(data.states, {}, {name: np.array([0.5, 0.5]) for name in names})
    dag = DAG(names, [(parent, names[0]) for parent in names[1:]])
    with pytest.raises(ArgumentError, match="distribution of 44 variables does not fit in memory; use a smaller"):
        credenet.score(data, dag, score=BDe(network))


def check_pruning(
    data: Dataset, score: Score, prior: Any, knowledge: Knowledge | None, slack: float, states: Any, **options: Any
) -> int:
    """No family of a network within the slack of the best is dropped; the number of families kept."""
    names, n = data.variables, data.n_variables
    every = Knowledge(no_immoralities=True)
    full = scores_by_mask(score_families(data, score=score, prior=prior, knowledge=every, states=states))
    table = score_families(data, score=score, prior=prior, knowledge=knowledge, slack=slack, states=states, **options)
    kept = scores_by_mask(table)
    if knowledge is not None:
        full[~allowed_by_mask(knowledge, names)] = -math.inf
    masks = all_parents(n)
    totals = full[np.arange(n), masks].sum(axis=1)
    best = totals.max()
    if best == -math.inf:
        return len(table)
    credible = masks[totals >= best - slack]
    lost = (kept[np.arange(n), credible] == -math.inf).any(axis=1)
    assert not lost.any(), (credible[lost][0].tolist(), slack)
    present = kept > -math.inf
    assert np.allclose(kept[present], full[present], rtol=0, atol=1e-9)
    return len(table)


@settings(max_examples=PRUNING_EXAMPLES, deadline=None)
@given(
    data=datasets() | datasets(5) | datasets(weighted=True),
    score=st.sampled_from(CORE_SCORES) | st.just("bde"),
    prior=st.sampled_from(PRIORS) | st.just("expert") | st.just("in_degree") | st.just("exact_in_degree"),
    slack=st.floats(0, 25) | st.just(0.0),
    states=st.sampled_from(["declared", "observed"]),
    more=st.data(),
)
def test_no_family_of_a_credible_network_is_dropped(
    data: Dataset, score: Any, prior: Any, slack: float, states: Any, more: st.DataObject
) -> None:
    names = data.variables
    unproven = isinstance(score, fNML | qNML)
    if unproven and data.weights is not None:  # Normalised maximum likelihood needs whole counts.
        data = Dataset(data.states, data.codes)
    if score == "bde":
        score, states = more.draw(prior_networks(data)), "declared"
    if prior == "expert":
        prior = Expert(DAG(names, [(names[0], names[1]), (names[2], names[3])]), more.draw(kappas))
    elif prior == DataPrior(0.5) and data.weights is not None and data.weights.sum() < 1:
        prior = "uniform"  # The log of N needs a row.
    elif prior in ("in_degree", "exact_in_degree"):
        limits = dict(zip(names, (0, 1, 1, 2, 3), strict=False))
        prior = InDegree(limits, exact=prior == "exact_in_degree")
    knowledge = more.draw(st.none() | rules(names))
    kept = check_pruning(data, score, prior, knowledge, slack, states)
    assert check_pruning(data, score, prior, knowledge, slack, states, unproven_bounds=unproven) == kept


kappas = st.sampled_from([0.1, 0.5, 2.0])


@settings(max_examples=PRUNING_EXAMPLES // 2, deadline=None)
@given(
    data=datasets(5) | datasets(weighted=True),
    score=st.sampled_from([BIC(), AIC(), MDL(), BDeu(0.5), BDeu(20)]),
    prior=st.sampled_from(PRIORS),
    slack=st.floats(0, 25) | st.just(0.0),
)
def test_no_family_is_dropped_by_tables_of_sets(data: Dataset, score: Score, prior: Prior, slack: float) -> None:
    """The way of scoring that is chosen for many families, here for few."""
    if prior == DataPrior(0.5) and data.weights is not None and data.weights.sum() < 1:
        prior = Uniform()  # The log of N needs a row.
    few = partial(_core.FamilyOptions, many_families=0.0)
    listed = score_families(data, score=score, prior=prior, slack=slack)
    with mock.patch.object(_core, "FamilyOptions", few):
        check_pruning(data, score, prior, None, slack, "declared")
        assert families_of(score_families(data, score=score, prior=prior, slack=slack)) == families_of(listed)


@settings(max_examples=60, deadline=None)
@given(data=datasets(), score=st.sampled_from(CORE_SCORES), slack=st.sampled_from([0.0, 2.0]))
def test_threads_and_columns_do_not_matter(data: Dataset, score: Score, slack: float) -> None:
    one = score_families(data, score=score, slack=slack, n_threads=1)
    assert one == score_families(data, score=score, slack=slack, n_threads=3)
    turned = score_families(data.select(reversed(data.variables)), score=score, slack=slack)
    for name in data.variables:
        first, second = families_of(one)[name], families_of(turned)[name]
        assert first.keys() == second.keys()
        for parents, value in first.items():
            assert value == pytest.approx(second[parents], rel=1e-12, abs=1e-9)


@pytest.mark.parametrize(
    ("data", "file", "score", "states", "tolerance"),
    [
        ("wine.csv", "wine.BIC.3", "bic", "observed", 6e-9),
        ("asia_10000.dat.gz", "asia_10000.dat.3.jkl", "bdeu", "observed", 6e-9),
        ("alarm_100.dat", "alarm_100_1_3.scores", "bdeu", "declared", 6e-7),
        ("asia_1000.dat", "asia_1000.jaa", "bic", "observed", 6e-8),
    ],
)
def test_shared_score_files(data: str, file: str, score: str, states: Any, tolerance: float) -> None:
    """The files round to some digits, and may keep sets that need not be kept."""
    table = credenet.read(shared_data("datasets", data))
    every = Knowledge(no_immoralities=True)
    found = families_of(score_families(table, score=score, knowledge=every, states=states, max_parents=3))
    expected = credenet.load_families(shared_data("scores", file))
    numbered = all(name.isdigit() for name in expected.variables)
    name_of = {name: table.variables[int(name)] if numbered else name for name in expected.variables}
    for name in expected.variables:
        for value, parents in expected.families(name):
            members = frozenset(name_of[parent] for parent in parents)
            assert found[name_of[name]][members] == pytest.approx(value, abs=tolerance)


def test_every_family_below_a_limit_is_evaluated() -> None:
    data = credenet.read(shared_data("datasets", "alarm1000.csv.gz"))
    table = score_families(data, knowledge=Knowledge(no_immoralities=True), max_parents=2)
    assert len(table) == table.made.evaluated == 37 * (1 + 36 + 36 * 35 // 2)


def test_time_limit_leaves_a_usable_table() -> None:
    network = credenet.random.network(credenet.random.dag(40, n_edges=80, seed=1), n_states=3, seed=1)
    data = network.sample(20_000, seed=1)
    with every_poll(), TimeByHand(200).set() as hand:
        table = score_families(data, score="bdeu", time_limit=60.0, on_progress=hand)
    assert table.made.complete is False
    assert table.made.status == "stopped"
    assert all(() in [family.parents for family in table.families(name)] for name in table.variables)


def test_memory_limit_ends_at_a_level() -> None:
    data = credenet.random.network(credenet.random.dag(30, n_edges=60, seed=1), seed=1).sample(200, seed=1)
    table = score_families(data, score="qnml", memory_limit=5e6)
    assert table.made.status == "memory_limit"
    assert table.made.complete is False
    assert table.made.max_parents == 2


def test_children_go_on_by_themselves_when_memory_is_short() -> None:
    data = credenet.random.network(credenet.random.dag(14, n_edges=20, seed=1), seed=1).sample(60, seed=1)
    whole = score_families(data, score="bdeu", slack=3.0)
    apart = score_families(data, score="bdeu", slack=3.0, memory_limit=4e6)
    assert apart.made.status == "complete"
    assert (apart.made.evaluated or 0) < (whole.made.evaluated or 0)
    assert families_of(apart) == families_of(whole)


def test_unproven_bounds_score_less_and_are_recorded() -> None:
    data = credenet.datasets.asia(200, seed=1)
    for name in ("fnml", "qnml"):
        plain = score_families(data, score=name, slack=1.0)
        bounded = score_families(data, score=name, slack=1.0, unproven_bounds=True)
        assert families_of(bounded) == families_of(plain)
        assert (bounded.made.evaluated or 0) < (plain.made.evaluated or 0)
        assert bounded.made.unproven_bounds is True
        assert plain.made.unproven_bounds is False
    assert score_families(data, unproven_bounds=True).made.unproven_bounds is False


@pytest.mark.parametrize(
    ("limit", "status"), [({"time_limit": 60.0}, "stopped"), ({"memory_limit": 1e6}, "memory_limit")]
)
def test_a_prior_network_obeys_limits(limit: dict[str, float], status: str) -> None:
    network = credenet.random.network(credenet.random.dag(24, n_edges=30, seed=1), seed=1)
    data, score = network.sample(100, seed=1), BDe(network, 1.0)
    with every_poll(), TimeByHand(100).set() as hand:
        table = score_families(data, score=score, on_progress=hand, **limit)  # type: ignore[arg-type]
    assert table.made.complete is False
    assert table.made.status == status
    sizes = {len(parents) for name in table.variables for _, parents in table.families(name)}
    assert max(sizes) <= (table.made.max_parents or 0)


def test_on_progress_can_stop() -> None:
    data = credenet.random.network(credenet.random.dag(40, n_edges=80, seed=1), n_states=3, seed=1).sample(20_000)
    with every_poll():
        table = score_families(data, score="bdeu", on_progress=lambda progress: False)
    assert table.made.status == "stopped"


def test_candidates_restrict_and_make_it_incomplete() -> None:
    data = credenet.datasets.asia(500)
    table = score_families(data, candidates={"dysp": ["bronc"]})
    assert {parent for _, parents in table.families("dysp") for parent in parents} <= {"bronc"}
    assert table.made.complete is False


def test_constant_columns_are_isolated_and_equal_ones_reported() -> None:
    codes = np.array([[0, 0, 1, 0], [1, 0, 0, 1], [1, 0, 0, 1], [0, 0, 1, 1]])
    data = Dataset({"a": "xy", "b": "xy", "c": "xy", "d": "xy"}, codes)
    table = score_families(data, score="bic")
    assert table.made.isolated == ("b",)
    assert table.made.duplicates == (("a", "c"),)
    assert [parents for _, parents in table.families("b")] == [()]
    assert not any("b" in parents for name in "acd" for _, parents in table.families(name))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"score": "bdue"}, "bdue"),
        ({"ess": 0.0}, "ess must be a number of at least 1e-100"),
        ({"score": "bic", "ess": 1.0}, "ess"),
        ({"prior": "ssp"}, "modular"),
        ({"slack": -1.0}, "slack must be a number of at least 0, got -1"),
        ({"bayes_factor": 0.5}, "bayes_factor must be a number of at least 1, got 0.5"),
        ({"bayes_factor": 2.0, "slack": 1.0}, "not both"),
        ({"bayes_factor": 2.0, "score": "mit"}, "give slack"),
        ({"max_parents": -1}, "max_parents must be at least 0, got -1"),
        ({"time_limit": 0.0}, "time_limit must be a positive number, got 0.0"),
        ({"knowledge": Knowledge(required=[("smoke", "nothing")])}, "nothing"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        score_families(credenet.datasets.asia(50), **options)


def test_a_prior_network_over_other_variables_is_refused() -> None:
    with pytest.raises(ArgumentError, match="the prior network does not have the variable 'asia'"):
        score_families(credenet.datasets.asia(50), score=BDe(credenet.textbook.cancer(), 1.0))


def test_missing_cells_are_refused() -> None:
    data = Dataset({"a": "xy", "b": "xy"}, np.array([[0, -1], [1, 0]]))
    with pytest.raises(DataError, match="cells are missing in b"):
        score_families(data)


@pytest.mark.parametrize("score", ["bdeu", "qnml"])
def test_parents_with_too_many_joint_states_are_refused(score: str) -> None:
    names = [f"v{at}" for at in range(1100)]
    data = Dataset(dict.fromkeys(names, "01"), np.random.default_rng(0).integers(0, 2, (20, len(names))))
    dag = DAG(names, [(name, "v0") for name in names[1:]])
    message = "the 1,099 parents of 'v0' have more than 1e200 joint states, too many for "
    with pytest.raises(DataError, match=message + score):
        credenet.score(data, dag, score=score)
    assert credenet.score(data, dag, score="bds").local["v0"] == pytest.approx(-20 * math.log(2))


def test_score_of_a_graph() -> None:
    asia = credenet.textbook.asia()
    data = asia.sample(2000, seed=1)
    for name in ("bic", "bdeu", "k2", "fnml", "qnml", "bds"):
        result = credenet.score(data, asia.dag, score=name)
        assert result.total == pytest.approx(sum(result.local.values()))
        table = score_families(data, score=name, max_parents=2, slack=1e6)
        assert result.total == pytest.approx(table.score_of(asia.dag), rel=1e-12)
    equivalent = asia.dag.reverse_edge("asia", "tub")
    assert credenet.score(data, equivalent).log_bayes_factor(credenet.score(data, asia.dag)) == pytest.approx(
        0, abs=1e-8
    )
    with pytest.raises(ArgumentError, match="log probability"):
        credenet.score(data, asia.dag, score="mit").log_bayes_factor(credenet.score(data, asia.dag, score="mit"))
    with pytest.raises(DataError, match="same variables"):
        credenet.score(data, DAG(["asia"]))
    assert credenet.score(data, asia.dag.cpdag()).total == pytest.approx(credenet.score(data, asia.dag).total)
