"""Learning under priors on the number of edges or the tree-width: the best of all networks, and local optima."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import Dataset, Knowledge, LearnResult, learn
from credenet.errors import ArgumentError, KnowledgeError
from credenet.families.tolerance import tolerance
from credenet.priors import SSP
from family_strategies import small_data
from polls import CtrlC, Polls, Stop, TimeByHand, every_poll
from slow_learning import best_score

PRIORS = [SSP(complexity="edges"), SSP(exclusive=True, complexity="edges")]
BY_WIDTH = [SSP(complexity="tree_width"), SSP(exclusive=True, complexity="tree_width")]


def last_columns(seed: int, n: int) -> Dataset:
    data = small_data(seed)
    return data.select(data.variables[-n:])


@pytest.mark.parametrize("prior", [*PRIORS, *BY_WIDTH], ids=str)
@settings(max_examples=40, deadline=None)
@given(n=st.integers(1, 4), seed=st.integers(0, 10**6), score=st.sampled_from(["bdeu", "bic"]))
def test_the_best_of_data_in_spite_of_pruning(prior: SSP, n: int, seed: int, score: str) -> None:
    data = last_columns(seed, n)
    optimum = best_score(credenet.score_families(data, score=score, slack=1e6), prior=prior)
    result = learn(data, score=score, prior=prior)
    assert result.status == "optimal"
    assert result.score == pytest.approx(optimum, abs=tolerance(optimum))
    assert result.score == pytest.approx(credenet.score(data, result.dag, score=score, prior=prior).total)
    assert bool(result.verify(data)), str(result.verify(data))


@settings(max_examples=25, deadline=None)
@given(n=st.integers(2, 4), seed=st.integers(0, 10**6), prior=st.sampled_from(PRIORS + BY_WIDTH), drawn=st.data())
def test_with_rules_on_whole_networks(n: int, seed: int, prior: SSP, drawn: st.DataObject) -> None:
    data = last_columns(seed, n)
    least = drawn.draw(st.integers(0, n * (n - 1) // 2))
    first, second = data.variables[:2]
    rules = Knowledge(min_edges=least) if drawn.draw(st.booleans()) else Knowledge(ancestral=[(first, second)])
    optimum = best_score(credenet.score_families(data, slack=1e6), prior=prior, knowledge=rules)
    result = learn(data, prior=prior, knowledge=rules)
    assert result.score == pytest.approx(optimum, abs=tolerance(optimum))


def test_a_table_without_slack_is_refused_with_the_slack_it_needs() -> None:
    data, prior = credenet.datasets.asia(40), PRIORS[1]
    families = credenet.score_families(data, score="aic", slack=0)
    with pytest.raises(ArgumentError, match=r"may favour a network with more edges .* a slack of at least"):
        learn(families, prior=prior)
    assert learn(families, prior=PRIORS[0]).status == "optimal"


def test_more_variables() -> None:
    data = credenet.textbook.asia().sample(400, seed=2)
    edges, plain = learn(data, prior=PRIORS[0]), learn(data)
    assert edges.dag.n_edges <= plain.dag.n_edges
    assert edges.score is not None
    assert edges.score >= credenet.score(data, plain.dag, prior=PRIORS[0]).total
    for method in ("hill_climb", "tabu", "mmhc", "order_search"):
        other = learn(data, method=method, prior=PRIORS[0])
        assert other.score is not None
        assert other.score <= edges.score + 1e-9


@pytest.mark.parametrize("prior", PRIORS, ids=str)
@pytest.mark.parametrize("width", [1, 2])
def test_bounded_tree_width(prior: SSP, width: int) -> None:
    data = last_columns(7, 4)
    optimum = best_score(credenet.score_families(data, slack=1e6), prior=prior, tree_width=width)
    result = learn(data, prior=prior, tree_width=width)
    assert result.score is not None
    assert result.score <= optimum + tolerance(optimum)
    assert result.status != "optimal" or result.score == pytest.approx(optimum)
    assert bool(result.verify(data)), str(result.verify(data))


def neighbours_score(data: Dataset, result: LearnResult, prior: SSP) -> float:
    """The best score of the networks that differ by the direction or presence of one edge."""
    best = -math.inf
    dag = result.dag
    for tail in dag.variables:
        for head in dag.variables:
            for edges in ({(tail, head)}, {(head, tail)}, set()):
                kept = {edge for edge in dag.edges if set(edge) != {tail, head}} | edges
                try:
                    other = credenet.DAG(dag.variables, kept)
                except credenet.errors.GraphError:
                    continue
                best = max(best, credenet.score(data, other, prior=prior).total)
    return best


@pytest.mark.parametrize("method", ["hill_climb", "hill_climb(restarts=0)", "tabu"])
@settings(max_examples=25, deadline=None)
@given(
    n=st.integers(1, 4),
    seed=st.integers(0, 10**6),
    prior=st.sampled_from(PRIORS),
    kinds=st.sampled_from([None, "required", "adjacent"]),
)
def test_climbs_end_in_local_optima(method: str, n: int, seed: int, prior: SSP, kinds: str | None) -> None:
    data = last_columns(seed, n)
    pair = [(data.variables[0], data.variables[1])] if n > 1 else []
    several = {None: None, "required": Knowledge(required=pair), "adjacent": Knowledge(adjacent=pair)}
    rules = several[kinds]
    optimum = best_score(credenet.score_families(data, slack=1e6), prior=prior, knowledge=rules)
    result = learn(data, method=method, prior=prior, knowledge=rules)
    assert result.score is not None
    assert result.score <= optimum + tolerance(optimum)
    assert result.score == pytest.approx(credenet.score(data, result.dag, prior=prior).total)
    assert rules is None or not rules.violations(result.dag)
    assert bool(result.verify(data)), str(result.verify(data))
    neighbours = neighbours_score(data, result, prior)  # Rules may forbid some of them.
    assert rules is not None or result.score >= neighbours - tolerance(result.score)


def test_climbs_say_how_they_went() -> None:
    data = credenet.textbook.asia().sample(400, seed=2)
    result = learn(data, method="tabu", prior=PRIORS[0], n_threads=1)
    scores = [point.score for point in result.trace]
    assert all(a < b for a, b in pairwise(scores))
    assert scores[-1] == result.score
    expected = f"climbs under priors of single edges, with {result.dag.n_edges} edges in the best network"
    assert result.provenance.reason == expected
    again = learn(data, method="tabu", prior=PRIORS[0], n_threads=3)
    assert (again.graph, again.score) == (result.graph, result.score)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.9])
@pytest.mark.parametrize(
    ("kind", "status"),
    [(Stop, "stopped"), (CtrlC, "stopped"), (TimeByHand, "time_limit")],
    ids=["callback", "ctrl_c", "clock"],
)
def test_a_climb_that_ends_early_has_a_network(share: float, kind: type[Polls], status: str) -> None:
    data = credenet.textbook.asia().sample(200, seed=3)
    seen = Polls(0)
    with every_poll():
        learn(data, method="tabu", prior=PRIORS[0], n_threads=1, on_progress=seen)
    polls = kind(1 + round(share * (len(seen.seen) - 1)))
    with every_poll():
        if isinstance(polls, TimeByHand):
            with polls.set():
                result = learn(data, method="tabu", prior=PRIORS[0], n_threads=1, time_limit=60.0, on_progress=polls)
        else:
            result = learn(data, method="tabu", prior=PRIORS[0], n_threads=1, on_progress=polls)
    assert result.status == status
    assert bool(result.verify(data)), str(result.verify(data))


def test_auto_where_families_are_too_many() -> None:
    wide = credenet.random.network(credenet.random.dag(60, n_edges=70, seed=1), seed=1).sample(200, seed=1)
    found = learn(wide, prior=PRIORS[0], time_limit=3)
    assert found.score is not None
    assert found.score == pytest.approx(credenet.score(wide, found.dag, prior=PRIORS[0]).total)


def test_refusals_name_what_takes_the_prior() -> None:
    data = credenet.datasets.asia(100)
    with pytest.raises(ArgumentError, match=r"credible networks are not known under ssp\(complexity=edges\)"):
        credenet.credible_networks(data, prior=PRIORS[0])
    with pytest.raises(ArgumentError, match=r"sums over all networks are not known .* learn and score take"):
        credenet.posterior(data, prior=PRIORS[0])
    with pytest.raises(ArgumentError, match="complexity must be one of in_degree, edges, tree_width, got 'width'"):
        SSP(complexity="width")  # type: ignore[arg-type]
    by_width = SSP(complexity="tree_width")
    with pytest.raises(ArgumentError, match=r"ssp\(complexity=tree_width\) is not known for networks of 8 variables"):
        learn(data, prior=by_width)
    few = data.select(data.variables[:4])
    for options, message in [
        ({"method": "tabu"}, "climbs do not follow"),
        ({"tree_width": 2}, "give it without tree_"),
    ]:
        with pytest.raises(ArgumentError, match=message):
            learn(few, prior=by_width, **options)  # type: ignore[arg-type]
    wide = Dataset({f"v{place}": ["0", "1"] for place in range(101)}, np.zeros((2, 101), dtype=np.uint8))
    with pytest.raises(ArgumentError, match="at most 100 variables"):
        learn(wide, method="hill_climb", prior=PRIORS[0])
    with pytest.raises(KnowledgeError):
        learn(data, prior=PRIORS[0], knowledge=Knowledge(required=[("asia", "nobody")]))
