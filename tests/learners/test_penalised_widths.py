"""Networks of bounded tree-width with a prior on whole networks, against all networks of that tree-width."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import FamilyTable, Knowledge, learn
from credenet.families.info import FamilyTableInfo
from credenet.families.tolerance import tolerance
from credenet.priors import SSP
from family_strategies import small_data, tempting_tables
from slow_learning import best_score

PROVEN = ("auto", "exact", "exact(engine=dp)", "exact(engine=milp)")
HEURISTIC = ("auto", "kmax", "kg", "annealing", "s2", "s2_plus", "kp", "kp_plus")
WHOLE = FamilyTableInfo(slack=math.inf, complete=True)
PRIORS = st.sampled_from([SSP(), SSP(exclusive=True), SSP(complexity="edges"), SSP(True, "edges")])


@pytest.mark.parametrize("method", PROVEN)
@settings(max_examples=25, deadline=None)
@given(families=tempting_tables(max_size=4), width=st.integers(0, 4), prior=PRIORS)
def test_the_best_of_its_tree_width(method: str, families: FamilyTable, width: int, prior: SSP) -> None:
    families = families.with_info(WHOLE)
    result = learn(families, method=method, tree_width=width, prior=prior)
    best = best_score(families, tree_width=width, prior=prior)
    assert result.status == "optimal"
    assert result.score == pytest.approx(best, abs=tolerance(best))
    assert result.bound == result.score
    assert result.provenance.prior == prior
    assert result.verify(families), str(result.verify(families))


@pytest.mark.parametrize("method", HEURISTIC)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000), width=st.integers(1, 3), prior=PRIORS)
def test_no_better_than_the_best_of_data(method: str, seed: int, width: int, prior: SSP) -> None:
    data = small_data(seed)
    data = data.select(data.variables[:4])
    families = credenet.score_families(data, slack=1e300, knowledge=Knowledge())
    best = best_score(families, tree_width=width, prior=prior)
    result = learn(data, method=method, tree_width=width, prior=prior)
    assert result.score is not None
    assert result.bound is not None
    assert result.score <= best + tolerance(best) <= result.bound + 2 * tolerance(best)
    assert credenet.score(data, result.dag, prior=prior).total == pytest.approx(result.score, abs=1e-9)
    assert method != "auto" or result.status == "optimal"
    assert result.verify(data), str(result.verify(data))


def test_cliques_and_time_limits() -> None:
    data = credenet.datasets.asia(300)
    cliques = [["asia", "tub", "either"], ["either", "lung", "smoke"], ["either", "bronc", "dysp"], ["either", "xray"]]
    plain, penalised = (learn(data, cliques=cliques, prior=prior) for prior in ("uniform", "ssp"))
    assert plain.score is not None
    assert penalised.score is not None
    assert penalised.score >= credenet.score(data, plain.dag, prior="ssp").total - 1e-9
    assert penalised.verify(data), str(penalised.verify(data))
    quick = learn(data, tree_width=2, method="kmax(iterations=0)", prior="ssp", time_limit=0.6)
    assert quick.status == "time_limit"
    assert "searches within each largest in-degree" in quick.provenance.reason
    assert quick.verify(data), str(quick.verify(data))
