"""Scores as settings: names, bounds and text."""

from __future__ import annotations

import doctest
import pickle
from typing import Any

import pytest
from credenet.scores import K2, BDe, BDeu, Jeffreys

import credenet
from credenet.errors import ArgumentError
from credenet.settings import scores
from credenet.settings.scores import (
    AIC,
    BIC,
    MDL,
    MIT,
    SCORES,
    BDs,
    LogLikelihood,
    Score,
    fNML,
    qNML,
    score_from,
    smoothing_from,
)

WITHOUT_NETWORK: list[Score] = [
    LogLikelihood(),
    BIC(),
    AIC(),
    MDL(),
    MDL(name_parents=False),
    BDeu(2.0),
    K2(),
    Jeffreys(),
    BDs(0.5),
    fNML(),
    qNML(),
    MIT(0.9),
]
STATES = {"a": ("0", "1"), "b": ("0", "1", "2"), "c": ("0",)}


@pytest.mark.parametrize("ess", [0, -1.0, float("inf"), float("nan"), 5e-324, 9e-101, 1.1e100, 1e308])
def test_ess_is_positive(ess: float) -> None:
    message = r"ess must be a number of at least 1e-100 and at most 1e\+100, got"
    with pytest.raises(ArgumentError, match=message):
        BDeu(ess)
    with pytest.raises(ArgumentError, match=message):
        BDe(credenet.textbook.asia(), ess)
    with pytest.raises(ArgumentError, match=message):
        score_from("bds", ess=ess)


def test_names() -> None:
    assert smoothing_from("bdeu") == smoothing_from("BDeu") == BDeu(1.0)
    assert smoothing_from("k2") == K2()
    assert smoothing_from("jeffreys") == Jeffreys()
    assert smoothing_from("none") is None
    assert smoothing_from(None) is None
    assert smoothing_from(BDeu(5)) == BDeu(5)


@pytest.mark.parametrize("wrong", ["BD", "", 1.0, BDeu])
def test_wrong_names(wrong: Any) -> None:
    with pytest.raises(ArgumentError, match=r"smoothing must be .* one of none, bdeu, k2, jeffreys, bde, got"):
        smoothing_from(wrong)


def test_examples() -> None:
    result = doctest.testmod(scores)
    assert result.attempted > 0
    assert result.failed == 0


def test_scores_by_name() -> None:
    named = ["log_likelihood", "bic", "aic", "mdl", "bdeu", "k2", "jeffreys", "bds", "fnml", "qnml", "mit"]
    assert [score_from(name) for name in named] == [
        LogLikelihood(), BIC(), AIC(), MDL(), BDeu(), K2(), Jeffreys(), BDs(), fNML(), qNML(), MIT()
    ]  # fmt: skip
    assert [score_from(name).short_name for name in named] == named
    assert score_from("bdeu", ess=5) == BDeu(5)
    assert score_from("bds", ess=5) == BDs(5)
    assert score_from(BDeu(5)) == BDeu(5)


def test_facts() -> None:
    equivalent = {type(score).__name__ for score in WITHOUT_NETWORK if score.is_equivalent}
    assert equivalent == {"LogLikelihood", "BIC", "AIC", "MDL", "BDeu", "qNML"}
    assert BDe.is_equivalent
    assert [type(score) for score in WITHOUT_NETWORK if not score.has_bayes_factor] == [MIT]


@pytest.mark.parametrize(
    ("score", "ess", "message"),
    [
        ("bde", None, "score 'bde' needs network; pass BDe\\(network\\)"),
        ("BICs", None, "score must be a score or one of log_likelihood, bic, .*, got 'BICs'"),
        (1.0, None, "score must be a score or one of .*, got 1.0"),
        (BDeu, None, "score must be a score or one of"),
        ("bic", 1.0, "ess goes with the names bdeu and bds, not with 'bic'"),
        (
            "BDe",
            1.0,
            r"ess goes with the names bdeu and bds; bde needs a network, so give both: BDe\(network, ess=...\)",
        ),
        (BDeu(2.0), 1.0, r"ess goes with the name of a score; bdeu\(ess=2\) is complete"),
    ],
)
def test_wrong_scores(score: Any, ess: float | None, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        score_from(score, ess=ess)


@pytest.mark.parametrize("alpha", [0, 1, -0.5, float("nan")])
def test_alpha_is_a_confidence_level(alpha: float) -> None:
    with pytest.raises(ArgumentError, match="alpha must be a number above 0 and below 1, got"):
        MIT(alpha)


@pytest.mark.parametrize("score", WITHOUT_NETWORK, ids=str)
def test_descriptions_are_read_back(score: Score) -> None:
    assert SCORES.get(str(score)) == score
    assert pickle.loads(pickle.dumps(score)) == score


def test_descriptions() -> None:
    assert str(BDeu(1)) == "bdeu"
    assert str(BDeu(10)) == str(BDeu(10.0)) == "bdeu(ess=10)"
    assert str(MDL(False)) == "mdl(name_parents=False)"
    assert str(BIC()) == "bic"
    network = credenet.textbook.asia()
    assert str(BDe(network, 2)) == f"bde(network={network!r}, ess=2)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bde(network=<BayesianNetwork 8 variables>)", "network must be a BayesianNetwork, which a text does not hold"),
        ("BDe(network of 8 variables, ess=1.0)", "written as name=value, got 'network of 8 variables'"),
        ("BIC(ess=1.0)", "bic has no setting 'ess'; bic has none"),
        ("BDeu(alpha=1.0)", r"bdeu has no setting 'alpha'; bdeu has ess \(a number of at least 1e-100"),
        ("BDeu(ess=one)", r"ess must be a number of at least 1e-100 and at most 1e\+100, got 'one'"),
        ("BDeu(ess=-1)", r"ess must be a number of at least 1e-100 and at most 1e\+100, got -1"),
        ("BDeu(ess=1, ess=2)", "bdeu has the setting ess twice"),
        ("BDeu(ess=(1)", "settings are written as name=value, name=value, got"),
        ("MDL(name_parents=1)", "name_parents must be True or False, got 1"),
    ],
)
def test_wrong_descriptions(text: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        SCORES.get(text)
