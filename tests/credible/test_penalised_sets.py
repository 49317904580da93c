"""Credible sets with a prior on whole networks: all networks whose penalised score is within the limit, each once."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import CredibleSet, Knowledge
from credenet.errors import ArgumentError
from credenet.families.tolerance import tolerance
from credenet.priors import SSP, count_dags
from family_strategies import small_data
from polls import every_poll
from slow_learning import penalised_scores

PRIORS = st.sampled_from([SSP(), SSP(exclusive=True)])
JOINED = Knowledge(isolate_constant=False)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(1, 4),
    prior=PRIORS,
    factor=st.sampled_from([1.0, 3.0, 20.0, 1e4]),
    max_parents=st.sampled_from([None, 0, 1, 2]),
)
def test_all_networks_within_the_factor_and_no_other(
    seed: int, n: int, prior: SSP, factor: float, max_parents: int | None
) -> None:
    data = small_data(seed)
    data = data.select(data.variables[:n])
    families = credenet.score_families(data, slack=1e300, knowledge=JOINED, max_parents=max_parents)
    scores = penalised_scores(families, prior)
    best = scores.max()
    within = np.sort(scores[scores >= best - math.log(factor) - tolerance(best)])[::-1]
    options: dict[str, Any] = {"bayes_factor": factor, "prior": prior, "max_parents": max_parents}
    options["isolate_constant"] = False
    found = credenet.credible_networks(data, **options)
    assert found.complete
    assert found.provenance.prior == prior
    assert found.optimum == pytest.approx(best, abs=1e-9)
    assert found.n_networks == len(set(found)) == len(within)
    several = list(found.listing.networks())
    np.testing.assert_allclose([each.score for each in several], within, atol=1e-9)
    shares = np.exp(within - best)
    np.testing.assert_allclose([each.probability for each in several], shares / shares.sum(), atol=1e-9)
    for dag, score, _ in several[:5]:
        assert credenet.score(data, dag, prior=prior).total == pytest.approx(score, abs=1e-9)
    assert bool(found.verify(data)), str(found.verify(data))
    same = credenet.credible_networks(families, **{**options, "isolate_constant": True})
    assert set(same) == set(found)
    classes = credenet.credible_classes(data, **options)
    assert classes.n_networks == found.n_networks
    assert {one.cpdag for one in classes} == {dag.cpdag() for dag in found}
    assert math.fsum(one.probability for one in classes) == pytest.approx(1)
    share = np.exp(scores - best)
    assert found.covered_mass() == pytest.approx(shares.sum() / share[np.isfinite(scores)].sum(), abs=1e-9)


def test_sets_of_many_rows_stay_a_product() -> None:
    data = credenet.textbook.asia().sample(20_000, seed=1)
    uniform, penalised = (credenet.credible_networks(data, prior=name, max_parents=2) for name in ("uniform", "ssp"))
    assert set(uniform) == set(penalised)
    assert penalised.diagram.sizes == uniform.diagram.sizes
    assert "prior ssp" in str(penalised)
    d = uniform.best.max_in_degree
    assert uniform.optimum is not None
    assert penalised.optimum == pytest.approx(uniform.optimum - math.log(count_dags(8, d)), abs=1e-6)


def test_the_k_best_and_a_share_of_the_posterior(tmp_path: Path) -> None:
    data = credenet.datasets.asia(300)
    found = credenet.credible_networks(data, prior="ssp", bayes_factor=20)
    best = credenet.k_best(data, 10, prior="ssp")
    assert best.n_networks >= 10
    assert set(best) == set(found.listing.first(10))
    covering = credenet.credible_networks(data, prior="ssp", mass=0.5)
    covered = covering.covered_mass()
    assert covered is not None
    assert covered >= 0.5
    found.save(tmp_path / "set.json")
    again = CredibleSet.load(tmp_path / "set.json")
    assert [each.score for each in again.listing.networks()] == [each.score for each in found.listing.networks()]
    assert found.to_polars()["score"].to_list() == pytest.approx([each.score for each in found.listing.networks()])


def test_knowledge_is_obeyed() -> None:
    data = credenet.datasets.asia(300)
    rules = Knowledge(required=[("asia", "xray"), ("smoke", "xray")], forbidden=[("lung", "either")])
    found = credenet.credible_networks(data, prior="ssp", knowledge=rules, score="bic")
    assert found.complete
    assert all(not rules.violations(dag) and dag.max_in_degree >= 2 for dag in found)
    assert found.optimum == pytest.approx(credenet.learn(data, prior="ssp", knowledge=rules, score="bic").score)
    assert bool(found.verify(data)), str(found.verify(data))


def test_tables_need_enough_slack_where_more_parents_may_weigh_more() -> None:
    families = credenet.score_families(credenet.datasets.asia(100), slack=3)
    assert credenet.credible_networks(families, prior="ssp").complete
    with pytest.raises(ArgumentError, match=r"needs families with a slack of at least .* score the data again"):
        credenet.credible_networks(families, prior="ssp(exclusive=True)")


def test_limits_give_parts_that_say_so() -> None:
    data = credenet.datasets.asia(100)
    small = credenet.credible_networks(data, prior="ssp", slack=4.5, memory_limit=1e6)
    assert small.status == "memory_limit"
    assert not small.complete
    within = small.listing.complete_slack
    assert within is not None
    whole = credenet.credible_networks(data, prior="ssp", slack=within)
    assert small.n_networks == whole.n_networks
    with every_poll():
        stopped = credenet.credible_networks(data, prior="ssp", on_progress=lambda progress: False)
    assert stopped.status == "stopped"
    assert not stopped.complete
