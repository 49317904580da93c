"""Method ``auto`` with a prior on whole networks, on data of which not all families can be scored at once."""

from __future__ import annotations

import pytest

import credenet
from credenet import learn
from credenet.priors import SSP


@pytest.mark.parametrize("prior", [SSP(), SSP(exclusive=True)], ids=repr)
def test_no_worse_than_its_climbs(prior: SSP) -> None:
    truth = credenet.random.network(credenet.random.dag(60, n_edges=120, seed=1, max_parents=4), seed=1)
    data = truth.sample(3000, seed=1)
    climbed = learn(data, method="hill_climb", prior=prior)
    found = learn(data, prior=prior, time_limit=3)
    assert found.score is not None
    assert climbed.score is not None
    assert found.score >= climbed.score
    assert found.bound is None
    assert found.status in ("local_optimum", "time_limit")
    assert found.provenance.prior == prior
    assert "climbs under limits on the number of parents" in found.provenance.reason
    assert credenet.score(data, found.dag, prior=prior).total == pytest.approx(found.score)
    assert found.verify(data), str(found.verify(data))


def test_all_families_where_they_are_few() -> None:
    data = credenet.datasets.asia(1000)
    found = learn(data, prior="ssp")
    assert found.status == "optimal"
    assert found.score == pytest.approx(learn(data, prior="ssp", method="dp").score)
