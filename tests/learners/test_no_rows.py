"""Data without rows, or with rows that all weigh nothing: every verb answers, or says what it needs."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import credenet
from credenet import DAG, Dataset
from credenet.errors import DataError
from credenet.scores import BDe
from credenet.settings.scores import SCORES
from slow_scores import slow_family_score

NAMES = ("a", "b", "c")
NO_ROWS = Dataset(dict.fromkeys(NAMES, ("0", "1", "2")), np.empty((0, 3), dtype=np.uint8))
NO_WEIGHT = Dataset(NO_ROWS.states, np.arange(6).reshape(2, 3) % 3, weights=np.zeros(2))
CHAIN = DAG(NAMES, [("a", "b"), ("b", "c")])

VERBS: dict[str, Callable[..., Any]] = {
    "score": lambda data, **options: credenet.score(data, CHAIN, **options),
    "score_families": credenet.score_families,
    "best_first": lambda data, **options: credenet.score_families(data, search="best_first", **options),
    "credible": credenet.credible_networks,
    "posterior": credenet.posterior,
    "posterior by orders": lambda data, **options: credenet.posterior(data, method="order", **options),
    "posterior by chains": lambda data, **options: credenet.posterior(data, method="mcmc", time_limit=0.1, **options),
    **{
        method: lambda data, method=method, **options: credenet.learn(data, method=method, **options)
        for method in ("auto", "dp", "ilp", "order_search", "hill_climb", "tabu", "chow_liu", "mmhc")
    },
    "tree-width": lambda data, **options: credenet.learn(data, tree_width=1, **options),
}


@pytest.mark.parametrize("data", [NO_ROWS, NO_WEIGHT], ids=["no rows", "no weight"])
@pytest.mark.parametrize("verb", VERBS)
def test_the_log_of_no_rows_is_refused(verb: str, data: Dataset) -> None:
    for score in ("bic", "mdl"):
        with pytest.raises(DataError, match=f"{score} takes the log of the weight of all rows, but there are none"):
            VERBS[verb](data, score=score)
    with pytest.raises(DataError, match="the prior data takes the log of the weight of all rows, which must be at"):
        VERBS[verb](data, prior="data")


@pytest.mark.parametrize("data", [NO_ROWS, NO_WEIGHT], ids=["no rows", "no weight"])
@pytest.mark.parametrize("verb", VERBS)
def test_all_networks_are_equal_without_rows(verb: str, data: Dataset) -> None:
    found = VERBS[verb](data, score="bdeu")
    assert getattr(found, "status", None) != "infeasible"
    match found:
        case credenet.LearnResult():
            assert found.score == 0
        case credenet.CredibleSet():
            assert len(found) == 1  # The message counts variables without states that occur.
        case credenet.FamilyTable():
            assert all(family.score == 0 for name in NAMES for family in found.families(name))


@pytest.mark.parametrize("data", [NO_ROWS, NO_WEIGHT], ids=["no rows", "no weight"])
@pytest.mark.parametrize("name", [name for name in SCORES.names if name not in ("bic", "mdl")])
def test_scores_without_rows_are_those_of_the_formulas(name: str, data: Dataset) -> None:
    score = BDe(credenet.fit(data, CHAIN)) if name == "bde" else SCORES.from_text(name)
    found = credenet.score(data, CHAIN, score=score)
    for variable in NAMES:
        expected = slow_family_score(data, variable, CHAIN.parents(variable), score)
        assert found.local[variable] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("smoothing", [None, "bdeu", "k2", "jeffreys"])
def test_tables_without_rows_are_uniform(smoothing: str | None) -> None:
    for data in (NO_ROWS, NO_WEIGHT):
        network = credenet.fit(data, CHAIN, smoothing=smoothing)
        assert np.allclose(network.infer().joint(NAMES), 1 / 27)


@pytest.mark.parametrize("test", ["bayes_factor", "g2", "chi2", "cmi"])
def test_everything_is_independent_without_rows(test: str) -> None:
    for data in (NO_ROWS, NO_WEIGHT):
        assert credenet.independence_test(data, "a", "b", ["c"], test=test).independent
        assert credenet.learn(data, method="pc", test=test).dag == DAG(NAMES)


def test_a_block_file_of_constant_columns(tmp_path: Path) -> None:
    (tmp_path / "constant.csv").write_text("a,b\n" + "x,y\n" * 5)
    data = credenet.ingest(tmp_path / "constant.csv", tmp_path / "constant.cnb")
    for method in ("exact", "order", "mcmc", "auto"):
        found = credenet.posterior(data, method=method)
        assert found.status in ("complete", "converged")
        assert not any(found.edge_probabilities().values())
    assert credenet.posterior(data, method="order").log_evidence == pytest.approx(math.log(2))
    assert credenet.learn(data).dag == DAG(["a", "b"])
