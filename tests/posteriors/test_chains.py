"""Markov chains over networks, against sums over all networks."""

from __future__ import annotations

from itertools import combinations
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import DAG, Dataset, FamilyTable, _core, posterior, score_families
from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet.errors import ArgumentError, GraphError
from credenet.posteriors.sampling import redraws
from credenet.posteriors.sampling.chains import ChainResult, run_chains
from credenet.settings.posterior import MCMC
from credenet.types import Progress
from credibility_tables import credible
from family_strategies import hard_families, small_data
from polls import CtrlC, Polls, Stop, every_poll

GIBBS_ONLY = (True, 0.0, 0.0, 0.0, 0.0)
ARCS_ONLY = (False, 0.0, 0.0, 1.0, 0.0)
EVERYTHING = 1e6  # A slack that no network of listed families exceeds.


def limits(time_limit: float | None = 60.0, n_threads: int = 1, on_progress: OnProgress | None = None) -> Run:
    return Run.from_limits(time_limit, None, n_threads, on_progress)


@st.composite
def mild_tables(draw: st.DrawFn) -> FamilyTable:
    """Up to four variables with some of their families; each has a family within all its others."""
    names = list("abcd"[: draw(st.integers(1, 4))])
    scores = st.floats(-4, 0).map(lambda score: round(score, 2))
    lists: dict[str, list[tuple[float, list[str]]]] = {}
    for child in names:
        before = names[: names.index(child)]
        required = draw(st.sets(st.sampled_from(before), max_size=1)) if before else set()
        others = [name for name in names if name != child and name not in required]
        sets = [set(several) for size in range(len(others) + 1) for several in combinations(others, size)]
        kept = draw(st.lists(st.sampled_from(sets), max_size=6, unique_by=frozenset))
        distinct = dict.fromkeys(frozenset(required | several) for several in [set(), *kept])
        lists[child] = [(draw(scores), sorted(several)) for several in distinct]
    return FamilyTable.from_lists(lists)


def check_against_all_networks(families: FamilyTable, result: ChainResult, tolerance: float) -> None:
    names, flat = families.variables, families.flat()
    networks = {dag: share for dag, (_, share) in credible(families, EVERYTHING).networks.items()}
    by_family = np.zeros(len(families))
    edges, paths = np.zeros((2, len(names), len(names)))
    for dag, share in networks.items():
        by_family[flat.starts[:-1] + np.array(families.positions(dag))] += share
        for at, child in enumerate(names):
            edges[[names.index(parent) for parent in dag.parents(child)], at] += share
            paths[[names.index(above) for above in dag.ancestors(child)], at] += share
    assert result.family_probabilities == pytest.approx(by_family, abs=tolerance)
    assert result.edge_probabilities == pytest.approx(edges, abs=tolerance)
    # Paths are shares of time, whose error is not controlled: six standard errors by the size of the worst edge.
    unsure = (edges > 0.01) & (edges < 0.99)
    size = np.nanmin(result.effective_sizes[unsure], initial=np.inf)
    path_tolerance = 6 * np.sqrt(np.clip(paths * (1 - paths), 0.0, None) / size) + tolerance
    assert (np.abs(result.path_probabilities - paths) <= path_tolerance).all()
    for row in result.networks[:50]:
        parents = [flat.parents[flat.offsets[family] : flat.offsets[family + 1]].tolist() for family in row]
        assert DAG.from_indices(names, parents) in networks


@settings(max_examples=60, deadline=None)
@given(families=mild_tables(), seed=st.integers(0, 2**64 - 1))
def test_small_tables(families: FamilyTable, seed: int) -> None:
    result = run_chains(families, limits(), seed=seed, settings=MCMC(max_error=0.004))
    assert result.status == "converged"
    assert result.largest_rhat <= 1.01
    check_against_all_networks(families, result, 5 * 0.004)
    sums = np.add.reduceat(result.family_probabilities, families.flat().starts[:-1])
    assert sums == pytest.approx(1.0)


@settings(max_examples=30, deadline=None)
@given(families=mild_tables(), seed=st.integers(0, 2**64 - 1), slack=st.sampled_from([0.0, 0.5, 2.0]))
def test_draws_from_some_of_the_networks_leave_the_posterior_as_it_is(
    families: FamilyTable, seed: int, slack: float
) -> None:
    with mock.patch.object(redraws, "SLACK", slack):
        result = run_chains(families, limits(), seed=seed, settings=MCMC(max_error=0.004))
    assert result.status == "converged"
    check_against_all_networks(families, result, 5 * 0.004)


def test_draws_are_those_of_the_credible_networks() -> None:
    families = score_families(small_data(3), slack=1e300)
    found = redraws.find_redraws(families, 5, limits())
    assert found is not None
    n_steps, networks = found.draw(4000, 1)
    assert n_steps >= 4000
    flat = families.flat()
    assert (flat.children[networks] == np.arange(len(families.variables))).all()
    assert flat.scores[networks].sum(axis=1).min() >= found.least_score - 1e-9
    assert np.array_equal(networks, found.draw(4000, 1)[1])
    assert not np.array_equal(networks, found.draw(4000, 2)[1])
    expected = credible(families, redraws.SLACK)
    assert found.least_score == pytest.approx(expected.optimum - redraws.SLACK)
    counts = np.bincount(networks.ravel(), minlength=len(families)) / len(networks)
    shares = np.zeros(len(families))
    scores = np.array([families.score_of(dag) for dag in expected.networks])
    weights = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
    for dag, weight in zip(expected.networks, weights, strict=True):
        shares[flat.starts[:-1] + families.positions(dag)] += weight
    assert counts == pytest.approx(shares, abs=0.05)


def test_scored_data() -> None:
    """Networks that are more than a thousand times as probable as others, and all families of five variables."""
    families = score_families(small_data(3), slack=1e300)
    result = run_chains(families, limits(), seed=1, settings=MCMC(max_error=0.004))
    assert result.status == "converged"
    check_against_all_networks(families, result, 5 * 0.004)
    shares = posterior(families, method="exact").edge_probabilities()
    exact = np.array([[shares.get((a, b), 0.0) for b in families.variables] for a in families.variables])
    assert result.edge_probabilities == pytest.approx(exact, abs=5 * 0.004)
    # Errors are what they claim to be, also together: a sum of squares of about one for each edge.
    known = result.edge_errors > 1e-5
    ratios = (result.edge_probabilities - exact)[known] / result.edge_errors[known]
    assert float((ratios**2).mean()) < 4


def test_duplicated_columns_are_two_modes() -> None:
    """Chains of single edges cannot go from the networks around one copy to those around the other, and say so."""
    data = small_data(5).to_polars()
    name = data.columns[0]
    doubled = Dataset.from_frame(data.with_columns(data[name].alias("copy")))
    families = score_families(doubled, slack=30.0)
    stuck = run_chains(
        families, limits(), seed=3, moves=_core.ChainMoves(*ARCS_ONLY), settings=MCMC(max_iterations=4000)
    )
    whole = run_chains(families, limits(), seed=3)
    shares = posterior(families, method="exact").edge_probabilities()
    exact = np.array([[shares.get((a, b), 0.0) for b in families.variables] for a in families.variables])
    assert whole.status == "converged"
    assert np.abs(whole.edge_probabilities - exact).max() < 0.0125
    assert stuck.status != "converged" or np.abs(stuck.edge_probabilities - exact).max() < 0.0125


def test_recorded_networks_are_drawn_from_the_posterior() -> None:
    families = score_families(small_data(3), slack=1e300)
    result = run_chains(families, limits(), seed=2, settings=MCMC(max_error=0.003))
    counts = np.bincount(result.networks.ravel(), minlength=len(families)) / len(result.networks)
    assert len(result.networks) >= 1000
    assert counts == pytest.approx(result.family_probabilities, abs=0.08)
    assert result.chain_edge_probabilities.mean(axis=0) == pytest.approx(result.edge_probabilities)
    assert result.log_scores.shape[0] == 4
    assert result.log_scores.max() <= credible(families, EVERYTHING).optimum + 1e-9


def duplicated() -> FamilyTable:
    """Two variables that are the same, a and b, and two causes of these.

    The causes are parents of a, and a of b, or the other way round. Between the two, a network is e^-60 times as
    probable, unless both variables change their parents at once.
    """
    one: list[tuple[float, list[str]]] = [(0.0, ["c", "d"]), (-60.0, [])]
    return FamilyTable.from_lists(
        {
            "a": [*one, (60.0, ["b"])],
            "b": [*one, (60.0, ["a"])],
            "c": [(0.0, []), (-1.0, ["d"])],
            "d": [(0.0, []), (-2.0, ["c"])],
        }
    )


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("moves", [GIBBS_ONLY, ARCS_ONLY])
def test_broken_chains_are_detected(moves: tuple[bool, float, float, float], seed: int) -> None:
    result = run_chains(
        duplicated(), limits(), seed=seed, moves=_core.ChainMoves(*moves), settings=MCMC(max_iterations=20_000)
    )
    assert result.status == "not_converged"
    assert result.largest_rhat > 1.5
    assert np.ptp(result.chain_edge_probabilities[:, 0, 1]) > 0.4  # The chains disagree on a -> b.


def test_all_moves_lead_from_one_mode_to_the_other() -> None:
    result = run_chains(duplicated(), limits(), seed=1)
    assert result.status == "converged"
    assert result.edge_probabilities[0, 1] == pytest.approx(0.5, abs=0.0125)
    check_against_all_networks(duplicated(), result, 0.0125)


def test_too_short_chains_are_not_converged() -> None:
    result = run_chains(hard_families(1, 20), limits(), seed=1, settings=MCMC(max_iterations=60))
    assert result.status == "not_converged"
    assert result.sweeps < 100


def same(a: ChainResult, b: ChainResult) -> bool:
    names = ("family_probabilities", "edge_errors", "path_probabilities", "networks", "log_scores", "edge_rhat")
    return all(np.array_equal(getattr(a, name), getattr(b, name), equal_nan=True) for name in names)


def test_result_depends_on_the_seed_only() -> None:
    families = hard_families(1, 12)
    first = run_chains(families, limits(), seed=1, settings=MCMC(max_iterations=2000))
    assert same(first, run_chains(families, limits(n_threads=3), seed=1, settings=MCMC(max_iterations=2000)))
    assert not same(first, run_chains(families, limits(), seed=2, settings=MCMC(max_iterations=2000)))


def test_given_starts() -> None:
    families = duplicated()
    start = DAG.from_indices(families.variables, [[2, 3], [0], [], []])
    result = run_chains(
        families,
        limits(),
        seed=1,
        starts=[start],
        moves=_core.ChainMoves(*GIBBS_ONLY),
        settings=MCMC(max_iterations=2000),
    )
    assert result.edge_probabilities[0, 1] == pytest.approx(1)  # All chains are in one mode.
    with pytest.raises(GraphError, match="no family of 'a'"):
        run_chains(families, limits(), seed=1, starts=[DAG.from_indices(families.variables, [[2], [0], [], []])])
    with pytest.raises(ArgumentError, match="starts must have"):
        run_chains(families, limits(), seed=1, starts=[])


def test_time_limit() -> None:
    result = run_chains(hard_families(1, 60), limits(0.5), seed=1)
    assert result.status in ("not_converged", "time_limit")
    assert 0.4 < result.seconds < 10
    assert len(result.networks) > 0


@pytest.mark.parametrize("polls", [Stop(at=5), CtrlC(at=5)])
def test_stops(polls: Polls) -> None:
    run = limits(on_progress=polls)
    with every_poll():
        result = run_chains(hard_families(1, 60), run, seed=1)
    assert result.status in ("not_converged", "stopped")
    assert run.stop.is_asked
    assert len(result.networks) > 0


def test_progress_tells_rhat() -> None:
    polls = Polls()
    run_chains(duplicated(), limits(on_progress=polls), seed=1)
    phases = [progress.phase or "" for progress in polls.seen]
    assert phases[0] == "sampling networks"
    assert phases[-1].startswith("sampling networks, largest R-hat 1.")
    dones = [progress.done for progress in polls.seen]
    assert dones == sorted(dones)


def test_one_variable() -> None:
    result = run_chains(FamilyTable.from_lists({"a": [(-3.0, [])]}), limits(), seed=1)
    assert result.status == "converged"
    assert result.family_probabilities.tolist() == [1.0]
    assert result.edge_probabilities.tolist() == [[0.0]]


def test_no_edges() -> None:
    result = run_chains(FamilyTable.from_lists({"a": [(-3.0, [])], "b": [(-1.0, [])]}), limits(), seed=1)
    assert result.status == "converged"
    assert not result.path_probabilities.any()
    assert np.isnan(result.edge_rhat).all()


def test_no_network() -> None:
    result = run_chains(FamilyTable.from_lists({"a": [(0.0, ["b"])], "b": [(0.0, ["a"])]}), limits(), seed=1)
    assert result.status == "infeasible"
    assert result.networks.shape == (0, 2)


def test_several_hundred_variables() -> None:
    families = hard_families(2, 300)
    result = run_chains(families, limits(3.0, n_threads=2), seed=1)
    assert result.status == "not_converged"
    sums = np.add.reduceat(result.family_probabilities, families.flat().starts[:-1])
    assert sums == pytest.approx(1.0)
    flat = families.flat()
    parents = [flat.parents[flat.offsets[k] : flat.offsets[k + 1]].tolist() for k in result.networks[-1]]
    DAG.from_indices(families.variables, parents)  # This raises an error if there is a cycle.


def test_arguments() -> None:
    families = duplicated()
    with pytest.raises(ArgumentError, match="chains must be"):
        credenet.posterior(families, method="mcmc(chains=1)")
    with pytest.raises(ArgumentError, match="max_rhat must be"):
        credenet.posterior(families, method=MCMC(max_rhat=1.0))
    with pytest.raises(ArgumentError, match=r"need .* of memory; the limit is"):
        run_chains(families, Run.from_limits(None, 1000, 1, None), seed=1)


def test_chains_that_are_stopped_before_they_agree_say_stopped() -> None:
    """Only without a stop is it the fault of the chains that they do not agree."""

    def stop_sampling(progress: Progress) -> bool:
        return not (progress.phase or "").startswith("sampling networks")

    found = credenet.posterior(credenet.datasets.asia(300, seed=1), method="mcmc", on_progress=stop_sampling)
    assert found.status == "stopped"
    assert [chain.status for chain in found.chains] == ["not_converged"]
    assert not found.has_probabilities


def test_errors_of_edges() -> None:
    """Errors are those of the chains where networks were sampled, and 0 where they were summed."""
    data = small_data(3)
    exact = credenet.posterior(data, method="exact")
    assert set(exact.edge_errors().values()) <= {0.0}
    assert exact.unsettled_edges() == []
    found = credenet.posterior(data, method="mcmc", seed=1)
    assert found.status == "converged"
    assert found.unsettled_edges() == []
    assert found.unsettled_edges(1e-9) != []
    shares = exact.edge_probabilities()
    errors = found.edge_errors()
    assert list(errors) == list(found.edge_probabilities())
    for edge, share in found.edge_probabilities().items():
        assert abs(share - shares.get(edge, 0.0)) <= 5 * errors[edge] + 0.002
        assert found.joined_error(*edge) == found.joined_error(*edge[::-1])
    told = found.to_dict()
    assert [(a, b) for a, b, _ in told["edge_errors"]] == list(errors)
    assert "± is three standard errors" in found.summary()
    assert "±" not in exact.summary()


def test_chains_in_two_modes_know_what_they_agree_on() -> None:
    """Chains that never change their mode know nothing of the direction, but that two variables are joined."""
    families = duplicated()
    moves, few = _core.ChainMoves(*GIBBS_ONLY), MCMC(max_iterations=20_000)
    result = run_chains(families, limits(), seed=1, moves=moves, settings=few)
    assert result.edge_errors[0, 1] > 0.1
    assert result.joined_errors[0, 1] < 0.001


def test_errors_of_edges_from_outside() -> None:
    """A variable outside of a component is a parent with the probability of the merged families that have it."""
    rng = np.random.default_rng(3)
    lists: dict[str, list[tuple[float, list[str]]]] = {"x": [(0.0, [])]}
    names = ["a", "b", "c"]
    for name in names:
        sets = [[], *([other] for other in names if other != name), ["x"]]
        lists[name] = [(float(score), parents) for score, parents in zip(rng.normal(size=len(sets)), sets, strict=True)]
    families = FamilyTable.from_lists(lists)
    exact = credenet.posterior(families, method="exact").edge_probabilities()
    found = credenet.posterior(families, method="mcmc(max_error=0.003)", seed=2)
    for name in names:
        error = found.edge_errors()["x", name]
        assert 0 < error <= 0.01
        assert found.edge_probabilities()["x", name] == pytest.approx(exact["x", name], abs=5 * error + 1e-3)
        assert found.joined_error("x", name) == error


def test_jumps_take_a_small_share_of_the_steps() -> None:
    """Networks drawn from a set that is too large to list are costly, so that few of them are offered."""
    families = hard_families(1, 12)
    with mock.patch.object(redraws, "_FREE_STEPS", 0.0):
        found = redraws.find_redraws(families, 1, limits())
        assert found is not None
        start = np.ascontiguousarray(found.draw(1)[1][0])
        tables = _core.ChainTables(families.flat().lists)
        chain = _core.DagChain(tables, start, _core.ChainMoves(), 1, 0)
        offers = redraws.Offers(found, chain, 0)
        for _ in range(50):
            offers.next(12 * 16)
            chain.run(16, 16, None)
    steps = chain.steps
    tried = offers._for_any + (redraws._TRIED + 2) * offers._for_each
    assert offers._spent <= redraws.SHARE * (steps.windows + steps.counts + steps.others) + 2 * tried
