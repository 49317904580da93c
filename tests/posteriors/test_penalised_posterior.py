"""The posterior with a prior on whole networks, against all networks weighed by the definition of the prior."""

from __future__ import annotations

import math
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import Knowledge, StructurePosterior, posterior
from credenet.errors import ArgumentError
from credenet.priors import SSP
from family_strategies import small_data
from polls import every_poll
from slow_learning import all_parents, penalised_scores

JOINED = Knowledge(isolate_constant=False)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(1, 4),
    prior=st.sampled_from([SSP(), SSP(exclusive=True)]),
    max_parents=st.sampled_from([None, 0, 1, 2]),
    isolate=st.booleans(),
    from_table=st.booleans(),
)
def test_every_probability_is_that_of_all_networks(
    seed: int, n: int, prior: SSP, max_parents: int | None, isolate: bool, from_table: bool
) -> None:
    data = small_data(seed)
    data = data.select(data.variables[:n])
    rules = Knowledge(isolate_constant=isolate)
    families = credenet.score_families(data, slack=1e300, knowledge=rules, max_parents=max_parents)
    names, networks, scores = data.variables, all_parents(n), penalised_scores(families, prior)
    weights = np.exp(scores - scores.max())
    shares = weights / weights.sum()
    options: dict[str, Any] = {} if from_table else {"isolate_constant": isolate, "max_parents": max_parents}
    found = posterior(families if from_table else data, prior=prior, **options)
    assert found.provenance.prior == prior
    assert found.log_evidence == pytest.approx(math.log(weights.sum()) + scores.max(), abs=1e-9)
    assert found.consistency is not None
    assert found.consistency < 1e-9
    edges, paths = found.edge_probabilities(), found.path_probabilities()
    for a, parent in enumerate(names):
        for b, child in enumerate(names):
            expected = shares[networks[:, b] >> a & 1 == 1].sum()
            assert edges.get((parent, child), 0.0) == pytest.approx(expected, abs=1e-11)
            assert paths.get((parent, child), 0.0) >= expected - 1e-11
    for place, name in enumerate(names):
        for parents, share in found.parent_set_probabilities()[name].items():
            mask = sum(1 << names.index(parent) for parent in parents)
            assert share == pytest.approx(shares[networks[:, place] == mask].sum(), abs=1e-11)
        assert math.fsum(found.markov_blanket_probabilities(name).values()) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("prior", [SSP(), SSP(exclusive=True)], ids=repr)
def test_paths_blankets_and_draws(prior: SSP, tmp_path: Path) -> None:
    data = credenet.datasets.asia(60).select(["smoke", "lung", "bronc", "dysp"])
    families = credenet.score_families(data, slack=1e300, knowledge=JOINED)
    scores = penalised_scores(families, prior)
    shares = np.exp(scores - scores.max())
    shares /= shares.sum()
    names = data.variables
    dags = [
        credenet.DAG.from_indices(names, [[k for k in range(4) if mask >> k & 1] for mask in network])
        for network in all_parents(4).tolist()
    ]
    found = posterior(data, prior=prior, isolate_constant=False)
    expected = math.fsum(s for s, dag in zip(shares.tolist(), dags, strict=True) if "smoke" in dag.ancestors("dysp"))
    assert found.path_probabilities()["smoke", "dysp"] == pytest.approx(expected, abs=1e-10)
    blanket = [dag.parents("bronc") + dag.children("bronc") for dag in dags]
    inside = [
        "smoke" in around or any("smoke" in dag.parents(child) for child in dag.children("bronc"))
        for around, dag in zip(blanket, dags, strict=True)
    ]
    assert found.markov_blanket_members("bronc")["smoke"] == pytest.approx(shares[inside].sum(), abs=1e-9)
    drawn = found.sample(20_000, seed=1)
    assert drawn == found.sample(20_000, seed=1)
    in_degrees = np.array([dag.max_in_degree for dag in dags])
    shown = np.bincount([dag.max_in_degree for dag in drawn], minlength=4) / 20_000
    np.testing.assert_allclose(shown, [shares[in_degrees == d].sum() for d in range(4)], atol=0.02)
    edges = found.edge_probabilities()
    for edge in [("smoke", "lung"), ("bronc", "dysp"), ("lung", "dysp")]:
        assert np.mean([edge in dag.edges for dag in drawn]) == pytest.approx(edges[edge], abs=0.02)
    found.save(tmp_path / "posterior.json")
    again = StructurePosterior.load(tmp_path / "posterior.json")
    assert again.edge_probabilities() == edges
    assert again.sample(10, seed=3) == found.sample(10, seed=3)
    assert f"prior {prior}" in str(again)


def test_sums_over_orders() -> None:
    data = credenet.datasets.asia(100).select(["smoke", "lung", "bronc"])
    families = credenet.score_families(data, slack=1e300, knowledge=JOINED)
    before = [[sum(1 << u for u in order[: order.index(v)]) for v in range(3)] for order in permutations(range(3))]
    networks = all_parents(3)
    n_orders = sum((networks & ~np.array(sets) == 0).all(axis=1).astype(int) for sets in before)
    weights = np.exp(penalised_scores(families, SSP())) * n_orders
    expected = weights[networks[:, 1] & 1 == 1].sum() / weights.sum()
    found = posterior(data, method="order", prior="ssp", isolate_constant=False)
    assert found.edge_probabilities()["smoke", "lung"] == pytest.approx(expected, abs=1e-10)


def test_what_chains_cannot_do_is_refused_with_what_can() -> None:
    wide = credenet.random.network(credenet.random.dag(22, n_edges=20, seed=1), seed=1).sample(50, seed=1)
    for data, method in ((small_data(1), "mcmc"), (wide, "auto")):
        with pytest.raises(ArgumentError, match=r'give method="exact", which sums up to 26 variables, or a prior that'):
            posterior(data, method=method, prior="ssp")


def test_a_stop_leaves_no_probabilities() -> None:
    with every_poll():
        found = posterior(credenet.datasets.asia(100), prior="ssp", on_progress=lambda progress: False)
    assert found.status == "stopped"
    assert not found.has_probabilities
