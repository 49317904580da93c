"""Intersection-validation: against plain Python, what must hold of any candidates, and stops at any time."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import Dataset, Knowledge, validate
from credenet.errors import ArgumentError
from credenet.types import IntersectionValidation, Progress
from credenet.validation.agreement import agreement_of, partial_differences
from credenet.validation.subsamples import subsample
from graph_strategies import dags
from polls import CtrlC, Polls, Stop, TimeByHand, every_poll
from scoring_strategies import datasets
from slow_validation import agreed_pairs, expanded, slow_differences, slow_validation, statuses

CANDIDATES: dict[str, dict[str, Any]] = {
    "bdeu": {"method": "dp"},
    "bdeu of 10": {"score": "bdeu", "ess": 10, "method": "dp"},
    "bic": {"score": "bic", "method": "dp"},
    "fair": {"prior": "fair", "method": "dp"},
    "ssp": {"score": "bic", "prior": "ssp"},
    "fnml": {"score": "fnml", "max_parents": 2},
    "climbing": {"method": "hill_climb", "score": "k2"},
    "tree": {"method": "chow_liu"},
    "pc": {"method": "pc", "test": "g2"},
    "rai": {"method": "rai"},
}


@pytest.fixture(scope="module")
def asia() -> Dataset:
    return credenet.textbook.asia().sample(1000, seed=1)


def distances_of(result: IntersectionValidation) -> dict[tuple[str, int, int], tuple[int, int, int]]:
    return {
        (each.candidate, each.n_rows, each.repetition): (each.extra, each.missing, each.misdirected)
        for each in result.distances
    }


@settings(max_examples=60, deadline=None)
@given(datasets(n=4), st.lists(st.sampled_from([*CANDIDATES]), min_size=2, max_size=4, unique=True), st.integers(0, 99))
def test_equals_plain_python(data: Dataset, names: list[str], seed: int) -> None:
    if len(data) < 5:
        data = Dataset(data.states, np.repeat(np.asarray(data.codes), 5, axis=0))
    candidates = {name: CANDIDATES[name] for name in names}
    result = validate(data, candidates, fractions=(1 / 2, 1 / 5), repetitions=2, seed=seed, n_threads=1)
    agreed, found = slow_validation(data, candidates, [*result.sizes], 2, seed)
    assert result.status == "complete"
    assert [*result.sizes] == [round(len(data) / 2), round(len(data) / 5)]
    assert result.agreement is not None
    assert result.agreement.n_pairs == len(agreed)
    assert result.agreement.n_edges == sum(status != "none" for status in agreed.values())
    assert distances_of(result) == found
    assert all(each.distance == each.extra + each.missing + each.misdirected for each in result.distances)
    check_means(result, found)


def check_means(result: IntersectionValidation, found: dict[tuple[str, int, int], tuple[int, int, int]]) -> None:
    """Means, standard errors and ranks of two repetitions, by their definitions."""
    assert result.agreement is not None
    is_ranked = result.agreement.n_edges > 0
    by_candidate: dict[str, list[float]] = {name: [] for name in result.candidates}
    for n_rows in result.sizes:
        sums = {name: [sum(found[name, n_rows, k]) for k in (0, 1)] for name in result.candidates}
        told = {each.candidate: each for each in result.means() if each.n_rows == n_rows}
        for name, (first, second) in sums.items():
            by_candidate[name].append((first + second) / 2)
            assert told[name].mean == (first + second) / 2
            assert told[name].standard_error == pytest.approx(abs(first - second) / 2)
            rank = 1 + sum(sum(other) < first + second for other in sums.values())
            assert told[name].rank == (rank if is_ranked else None)
            assert told[name].extra == sum(found[name, n_rows, k][0] for k in (0, 1)) / 2
    standings = result.ranking()
    assert sorted(each.candidate for each in standings) == sorted(result.candidates if is_ranked else ())
    best = min(map(sum, by_candidate.values())) / 2
    for each in standings:
        mean = sum(by_candidate[each.candidate]) / 2
        assert each.mean == pytest.approx(mean)
        assert each.behind == pytest.approx(mean - best)
    assert [each.rank for each in standings] == sorted(each.rank for each in standings)
    assert result.best == (standings[0].candidate if is_ranked else None)
    assert [(each.rank, each.behind, each.behind_error) for each in standings[:1]] == [(1, 0, 0)] * is_ranked


@settings(max_examples=200, deadline=None)
@given(st.lists(dags(min_size=5, max_size=5), min_size=2, max_size=4), dags(min_size=5, max_size=5))
def test_agreement_of_any_graphs(graphs: list[credenet.DAG], learned: credenet.DAG) -> None:
    agreement = agreement_of([graph.cpdag() for graph in graphs])
    agreed = agreed_pairs([statuses(graph) for graph in graphs])
    assert agreement.n_pairs == len(agreed)
    assert partial_differences(agreement, learned.cpdag()) == slow_differences(agreed, statuses(learned))
    told = agreement.to_dict()
    assert told["edges"] == len(told["directed"]) + len(told["undirected"])
    assert told["pairs"] + len(told["disputed"]) == 10


@pytest.mark.parametrize("method", ["dp", "pc"])
def test_identical_candidates_agree_on_everything(asia: Dataset, method: str) -> None:
    """The distance is then that of the classes learned from the subsample and from all rows."""
    result = validate(asia, {"a": {"method": method}, "b": {"method": method}}, repetitions=2, seed=3)
    assert result.agreement is not None
    assert result.agreement.disputed == ()
    assert result.agreement.n_pairs == 28
    assert result.agreement.graph == result.learned["a"].cpdag == result.learned["b"].cpdag
    assert len(result.distances) == 16
    for each in result.distances:
        drawn = subsample(asia, each.n_rows, (3, each.n_rows, each.repetition))
        learned = credenet.learn(drawn, method=method, seed=3).cpdag
        truth = credenet.compare(result.agreement.graph, learned)
        assert each[3:7] == (truth.shd, truth.extra, truth.missing, truth.misdirected)
    assert {each.rank for each in result.means()} == {1}
    assert "all candidates learned the same from all rows; this one graph is the agreement" in result.remarks


def test_another_candidate_never_increases_distances(asia: Dataset) -> None:
    """It can only make the agreement smaller; the subsamples stay the same."""
    names = ["bdeu", "bic", "tree", "pc"]
    before = validate(asia, {name: CANDIDATES[name] for name in names[:2]}, repetitions=2)
    for n in (3, 4):
        after = validate(asia, {name: CANDIDATES[name] for name in names[:n]}, repetitions=2)
        assert before.agreement is not None
        assert after.agreement is not None
        assert set(before.agreement.disputed) <= set(after.agreement.disputed)
        distances = distances_of(after)
        assert all(sum(distances[key]) <= sum(parts) for key, parts in distances_of(before).items())
        before = after


def test_the_order_of_candidates_does_not_matter(asia: Dataset) -> None:
    names = ["pc", "bdeu", "tree"]
    there = validate(asia, {name: CANDIDATES[name] for name in names}, repetitions=2)
    back = validate(asia, {name: CANDIDATES[name] for name in names[::-1]}, repetitions=2)
    assert there.agreement == back.agreement
    assert distances_of(there) == distances_of(back)


def test_more_sizes_and_repetitions_keep_the_subsamples(asia: Dataset) -> None:
    few = validate(asia, scores=["bdeu", "bic"], fractions=[1 / 4], repetitions=2, seed=5)
    many = validate(asia, scores=["bdeu", "bic"], fractions=[1 / 2, 1 / 4], repetitions=3, seed=5)
    assert distances_of(few).items() <= distances_of(many).items()
    other = validate(asia, scores=["bdeu", "bic"], fractions=[1 / 4], repetitions=2, seed=6)
    assert distances_of(other) != distances_of(few)


@pytest.mark.parametrize("method", ["dp", "tabu", "pc"])
def test_threads_do_not_matter(asia: Dataset, method: str) -> None:
    candidates = {"one": {"method": method}, "two": {"method": "hill_climb", "score": "aic"}}
    results = [validate(asia, candidates, repetitions=3, seed=2, n_threads=n) for n in (1, 3)]
    assert results[0].distances == results[1].distances
    assert results[0].agreement == results[1].agreement


def test_weights_are_numbers_of_rows(asia: Dataset) -> None:
    weights = np.arange(len(asia)) % 4
    weighted = Dataset(asia.states, np.asarray(asia.codes), weights=weights.astype(float))
    whole = expanded(weighted)
    drawn = subsample(weighted, 700, (1, 2))
    assert drawn.total_weight == 700
    assert drawn.weights is not None
    assert (drawn.weights > 0).all()
    counts = {tuple(row): 0 for row in np.asarray(whole.codes).tolist()}
    for row in np.asarray(whole.codes).tolist():
        counts[tuple(row)] += 1
    for row in np.asarray(expanded(drawn).codes).tolist():
        counts[tuple(row)] -= 1
    assert min(counts.values()) >= 0  # No row is drawn more often than it occurs.
    result = validate(weighted, scores=["bdeu", "bic"], repetitions=2)
    same = validate(whole, scores=["bdeu", "bic"], repetitions=2)
    assert result.agreement == same.agreement
    assert [*result.sizes] == [*same.sizes]
    assert result.provenance.n_rows == same.provenance.n_rows == weights.sum()


def test_weighted_draws_have_the_right_mean() -> None:
    data = Dataset({"a": ["0", "1"], "b": ["0", "1"]}, np.array([[0, 0], [1, 1]]), weights=np.array([30.0, 10.0]))
    totals = [subsample(data, 20, (0, k)).aligned({"a": ["0", "1"]}) for k in range(400)]
    ones = [float(drawn.weights[drawn.codes[:, 0] == 1].sum()) for drawn in totals if drawn.weights is not None]
    # The distribution is hypergeometric with mean 5 and variance 20 * 1/4 * 3/4 * 20/39.
    assert len(ones) == 400
    assert abs(np.mean(ones) - 5) < 4 * math.sqrt(20 * 3 / 16 * 20 / 39 / 400)


def test_constant_columns_of_subsamples_keep_their_states() -> None:
    """A state that few rows have is missing in most subsamples."""
    codes = np.zeros((64, 3), dtype=int)
    codes[::2, 0] = codes[::2, 1] = 1
    codes[0, 2] = 1
    data = Dataset({name: ["no", "yes"] for name in "abc"}, codes)
    result = validate(data, scores=["bdeu", "bic"], repetitions=3)
    assert result.status == "complete"
    assert ("a", "b") in result.learned["bic"].cpdag.undirected
    assert result.sizes == {32: 1 / 2, 16: 1 / 4, 8: 1 / 8, 4: 1 / 16}


def test_knowledge_holds_for_all_candidates(asia: Dataset) -> None:
    rules = Knowledge(forbidden=[("smoke", "lung"), ("lung", "smoke")])
    result = validate(asia, methods=["dp", "pc"], knowledge=rules, max_parents=1, repetitions=1)
    assert {*result.candidates} == {"dp", "pc"}
    for learned in result.learned.values():
        assert rules.violations(learned.dag) == []
    assert result.learned["dp"].provenance.max_parents == 1
    assert result.means()[0].standard_error is None
    assert result.ranking()[0].standard_error is None
    check_json(result)


def check_json(result: IntersectionValidation) -> None:
    import json

    told = json.loads(result.to_json())
    assert told["status"] == result.status
    assert len(told["distances"]) == len(result.distances)
    assert told["best"] == result.best


def test_the_ranking_agrees_with_the_truth() -> None:
    """Mean partial Hamming distances order candidates as mean distances to the true class do."""
    from scipy.stats import spearmanr

    dag = credenet.random.dag(10, n_edges=14, max_parents=3, seed=4)
    network = credenet.random.network(dag, n_states=3, beta=0.5, seed=4)
    data = network.sample(6000, seed=4)
    scores = ["bdeu(ess=0.1)", "bdeu", "bdeu(ess=50)", "bic", "aic", "fnml", "k2"]
    result = validate(data, scores=scores, max_parents=3, repetitions=4, fractions=[1 / 8, 1 / 32])
    truths = []
    for name in scores:
        shds = [
            credenet.compare(network.dag, credenet.learn(drawn, score=name, max_parents=3).graph).shd
            for n_rows in result.sizes
            for repetition in range(4)
            for drawn in [subsample(data, n_rows, (0, n_rows, repetition))]
        ]
        truths.append(float(np.mean(shds)))
    means = {each.candidate: each.mean for each in result.ranking()}
    correlation = spearmanr(
        truths, [means[str(credenet.learn(data, score=name, max_parents=3).provenance.score)] for name in scores]
    )
    assert correlation.statistic > 0.8


class TestStops:
    """The callback, Ctrl-C and the clock end the call with what is finished."""

    @pytest.mark.parametrize(("kind", "end"), [(Stop, "stopped"), (CtrlC, "stopped"), (TimeByHand, "time_limit")])
    @pytest.mark.parametrize("of_samples", [False, True], ids=["all rows", "subsamples"])
    @pytest.mark.parametrize("at", [1, 2, 5, 9])
    def test_at_a_poll(self, asia: Dataset, kind: type[Polls], end: str, of_samples: bool, at: int) -> None:
        whole, told = self.validated(asia, Polls())
        at += sum(progress.phase == ALL for progress in told) if of_samples else 0
        result, told = self.validated(asia, kind(at))
        assert len(told) >= at
        assert distances_of(result).items() <= distances_of(whole).items()
        finished = [(each.n_rows, each.repetition) for each in result.distances]
        assert all(finished.count(one) == 2 for one in finished)
        assert (result.agreement is not None) == of_samples == (len(result.learned) == 2)
        assert any("there is no agreement without one" in remark for remark in result.remarks) == (not of_samples)
        # A thread may have learned from all subsamples before the clock is moved.
        assert result.status == ("complete" if len(result.distances) == len(whole.distances) else end)
        assert kind is TimeByHand or result.status == "stopped"
        assert str(result)
        check_json(result)

    def validated(self, data: Dataset, polls: Polls) -> tuple[IntersectionValidation, list[Progress]]:
        candidates = {"one": {"method": "hill_climb"}, "two": {"method": "pc"}}
        limits: dict[str, Any] = {"fractions": [1 / 4, 1 / 8], "repetitions": 3, "n_threads": 1, "on_progress": polls}
        with every_poll():
            if isinstance(polls, TimeByHand):
                with polls.set():
                    result = validate(data, candidates, time_limit=60, **limits)
            else:
                result = validate(data, candidates, **limits)
        return result, polls.seen

    def test_phases_count_up(self, asia: Dataset) -> None:
        polls = Polls()
        with every_poll():
            validate(asia, scores=["bdeu", "bic"], repetitions=2, on_progress=polls, n_threads=1)
        phases = [*dict.fromkeys(progress.phase for progress in polls.seen)]
        assert phases == [ALL, "learning from subsamples"]
        for phase, total in zip(phases, (2, 16), strict=True):
            told = [progress for progress in polls.seen if progress.phase == phase]
            assert {progress.total for progress in told} == {total}
            assert [progress.done for progress in told] == sorted(progress.done for progress in told)
        assert polls.seen[-1].done == 16

    def test_errors_of_a_callback_are_raised(self, asia: Dataset) -> None:
        class OwnError(Exception):
            pass

        for at in (1, 40):
            told: list[object] = []

            def fail(progress: Progress, at: int = at, told: list[object] = told) -> None:
                told.append(progress)
                if len(told) == at:
                    raise OwnError

            with every_poll(), pytest.raises(OwnError):
                validate(asia, scores=["bdeu", "bic"], repetitions=30, on_progress=fail)

    def test_a_limit_of_one_learning_is_remarked(self, asia: Dataset) -> None:
        """A search that has no end but its own time limit."""
        endless = {"method": "s2(iterations=0)", "tree_width": 2, "time_limit": 0.01}
        result = validate(asia, {"endless": endless, "bic": {"score": "bic"}}, fractions=[1 / 4], repetitions=2)
        assert result.status == "complete"
        assert len(result.distances) == 4
        assert "endless reached its time limit in 3 of 3 learnings; the best so far was used" in result.remarks
        each = validate(
            asia,
            {"endless": {"method": "s2(iterations=0)", "tree_width": 2}, "bic": {"score": "bic"}},
            fractions=[1 / 4],
            repetitions=2,
            time_limit_each=0.3,
        )
        assert {one.candidate for one in each.distances if one.status == "time_limit"} == {"endless"}
        with pytest.raises(ArgumentError, match=r"'endless': S2.iterations=0. runs until it is stopped"):
            validate(asia, {"endless": {**endless, "time_limit": None}, "bic": {"score": "bic"}})


ALL = "learning from all rows"
