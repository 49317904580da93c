"""Candidates: their names, the options they get, and what is refused before any learning."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import credenet
from credenet import Dataset, Knowledge, validate
from credenet.errors import ArgumentError, DataError, KnowledgeError
from credenet.priors import Edge, Expert, Fair, InDegree
from credenet.scores import BDe, BDeu
from credenet.tests import Oracle
from credenet.types import Progress
from credenet.validation.candidates import candidates_of

NOTHING: dict[str, Any] = {"method": None, "score": None, "prior": None}
RULES = Knowledge(required=[("smoke", "nobody")])
OTHER = credenet.DAG(["x", "y"])


@pytest.fixture(scope="module")
def asia() -> Dataset:
    return credenet.textbook.asia().sample(200, seed=1)


def names(**listed: Any) -> list[str]:
    return [each.name for each in candidates_of(None, {**NOTHING, **listed}, {}, None)]


def test_names_tell_what_differs() -> None:
    assert names(prior=["uniform", "edge(beta=0.5)"]) == ["uniform", "edge(beta=0.5)"]
    assert names(score="bic", prior=[Fair(), Edge(0.5)]) == ["fair", "edge(beta=0.5)"]
    assert names(score=["BIC", BDeu(10)], prior=("fair", "uniform")) == [
        *("bic fair", "bic uniform", "bdeu(ess=10) fair", "bdeu(ess=10) uniform"),
    ]
    assert names(method=["pc", "dp"], score=["bic", "aic"]) == ["pc", "dp bic", "dp aic"]
    assert names(method=iter(["tabu", "hill_climb"]), score=iter(["bic", "aic"])) == [
        *("tabu bic", "tabu aic", "hill_climb bic", "hill_climb aic"),
    ]


def test_common_options_go_where_they_are_used() -> None:
    common = {"max_parents": 2, "test": "g2", "states": "declared"}
    found = {
        each.name: each.options for each in candidates_of(None, {**NOTHING, "method": ["pc", "dp", "mmhc"]}, common, 3)
    }
    assert found == {
        "pc": {"test": "g2", "states": "declared"},
        "dp": {"max_parents": 2, "states": "declared"},
        "mmhc": common,
    }
    own = candidates_of({"a": {"max_parents": 1, "time_limit": 7}, "b": {}}, NOTHING, {"max_parents": 2}, 3)
    assert [(each.options, each.time_limit) for each in own] == [({"max_parents": 1}, 7), ({"max_parents": 2}, 3)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "at least two candidates are needed, got 1; give several methods, scores or priors"),
        ({"scores": "bic"}, "at least two candidates"),
        ({"methods": "pc", "scores": ["bic", "aic"]}, "at least two candidates"),
        ({"candidates": {}}, "at least two candidates are needed, got 0"),
        ({"candidates": {"a": {}}}, "at least two candidates are needed, got 1"),
        ({"candidates": ["dp", "pc"]}, r'candidates must map names to options of learn, such as {"sparse"'),
        (
            {"candidates": {"a": "pc", "b": {}}},
            r"candidates\['a'\] must map names to values: they are options of learn",
        ),
        ({"candidates": {"a": {}, "b": {}}, "scores": ["bic"]}, "give candidates or scores, not both"),
        (
            {"candidates": {"a": {"metho": "pc"}, "b": {}}},
            r"candidates\['a'\]: learn has no option 'metho'; it has method,",
        ),
        ({"candidates": {"a": {"seed": 3}, "b": {}}}, r"candidates\['a'\]: seed holds for all candidates"),
        ({"candidates": {"a": {"method": "nope"}, "b": {}}}, "candidate 'a': method must be a method or one of auto"),
        ({"candidates": {"a": {"score": "nope"}, "b": {}}}, "candidate 'a': score must be .*one of"),
        (
            {"candidates": {"a": {"method": "pc", "score": "bic"}, "b": {}}},
            "candidate 'a': pc uses tests of independence",
        ),
        (
            {"candidates": {"a": {"time_limit": -1}, "b": {}}},
            r"candidates\['a'\]: time_limit must be a positive number, got -1",
        ),
        ({"methods": ["dp", "nope"]}, "methods: method must be a method or one of"),
        ({"priors": ["fair", 3]}, "priors: prior must be .*got 3"),
        ({"scores": []}, r"scores must have at least one entry, got \[\]"),
        ({"priors": ["fair", "Fair"]}, "priors has fair twice"),
        ({"scores": ["bic", "aic"], "prior": "fair"}, "give priors='fair', not prior"),
        ({"scores": ["bic", "aic"], "maxparents": 2}, "options: learn has no option 'maxparents'"),
        ({"scores": ["bic", "aic"], "test": "g2"}, "no candidate uses test"),
        ({"methods": ["pc", "rai"], "max_parents": 2}, "no candidate uses max_parents"),
        ({"methods": ["dp", "s2"]}, "candidate 's2': s2 finds networks of bounded tree-width; give tree_width"),
        ({"methods": ["dp", "ilp"], "knowledge": Knowledge(max_roots=1)}, "candidate 'dp': dp cannot honour"),
        ({"scores": ["bic", "aic"], "fractions": []}, "fractions must have at least one number, such as 1/2"),
        ({"scores": ["bic", "aic"], "fractions": 0.5}, "fractions must be a list of numbers, got 0.5"),
        ({"scores": ["bic", "aic"], "fractions": [1]}, "fractions must be a number above 0 and below 1, got 1"),
        ({"scores": ["bic", "aic"], "fractions": [0.001]}, "fractions: 0.001 of 200 rows is no row"),
        ({"scores": ["bic", "aic"], "fractions": [0.999]}, "fractions: 0.999 of 200 rows is all rows"),
        ({"scores": ["bic", "aic"], "fractions": [0.5, 0.501]}, "but 0.5 and 0.501 both give 100"),
        ({"scores": ["bic", "aic"], "repetitions": 0}, "repetitions must be at least 1, got 0"),
        ({"scores": ["bic", "aic"], "time_limit_each": 0}, "time_limit_each must be a positive number, got 0"),
    ],
)
def test_refused(asia: Dataset, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((ArgumentError, KnowledgeError), match=message):
        validate(asia, **arguments)


@pytest.mark.parametrize(
    ("last", "message"),
    [
        ({"knowledge": RULES}, "candidate 'last': .*nobody"),
        ({"method": "pc", "knowledge": RULES}, "candidate 'last': .*nobody"),
        ({"prior": Expert(OTHER, 0.5)}, "candidate 'last': .*"),
        ({"prior": InDegree({"nobody": 2})}, "candidate 'last': limits names the variable 'nobody'"),
    ],
)
def test_refused_before_any_learning(asia: Dataset, last: dict[str, Any], message: str) -> None:
    told: list[Progress] = []
    with pytest.raises(credenet.CredenetError, match=message):
        validate(asia, {"first": {"score": "bic"}, "last": last}, on_progress=lambda p: told.append(p))
    assert told == []


def test_a_network_of_other_variables_is_refused(asia: Dataset) -> None:
    wrong = {"score": BDe(credenet.textbook.cancer())}
    with pytest.raises(credenet.CredenetError, match="candidate 'last': "):
        validate(asia, {"first": {"score": "bic"}, "last": wrong})


def test_errors_of_learning_name_the_candidate(asia: Dataset) -> None:
    with pytest.raises(ArgumentError, match=r"^candidate 'tests': "):
        validate(asia, {"b": {}, "tests": {"method": "pc", "test": Oracle(OTHER)}})


def test_data_are_checked(asia: Dataset) -> None:
    codes = np.asarray(asia.codes)
    missing = codes.astype(int)
    missing[3, 2] = -1
    with pytest.raises(DataError, match="validation needs complete rows; cells are missing in smoke"):
        validate(Dataset(asia.states, missing), scores=["bic", "aic"])
    with pytest.raises(DataError, match="weights must be whole numbers: how often a row occurs"):
        validate(Dataset(asia.states, codes, weights=np.full(200, 0.5)), scores=["bic", "aic"])
    with pytest.raises(DataError, match="at most 999,999,999 rows, the weights sum to 20"):
        validate(Dataset(asia.states, codes, weights=np.full(200, 1e8)), scores=["bic", "aic"])
    with pytest.raises(DataError, match="validation needs at least two variables, got 1"):
        validate(asia.select(["lung"]), scores=["bic", "aic"])
    with pytest.raises(ArgumentError, match=r"0.5 of 0 rows is no row"):
        validate(asia.take(slice(0)), scores=["bic", "aic"])
    with pytest.raises(ArgumentError, match=r"^data must be a Dataset, a data frame, a two-dimensional array"):
        validate(credenet.score_families(asia), scores=["bic", "aic"])  # type: ignore[arg-type]


def test_contradictory_knowledge(asia: Dataset) -> None:
    rules = Knowledge(min_edges=9)
    with pytest.raises(KnowledgeError):
        validate(asia, scores=["bic", "aic"], knowledge=rules, max_parents=1)
