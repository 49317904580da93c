"""Extreme settings are refused when they are made, or the search ends soon: none runs for ever."""

from __future__ import annotations

import contextlib
import math
from dataclasses import fields
from typing import Any, get_args

import pytest

import credenet
from credenet.errors import ArgumentError
from credenet.methods import ARAStar, OrderSearch
from credenet.priors import Expert
from credenet.scores import BDe
from credenet.settings.inference import ApproximateMethod
from credenet.settings.methods import Method
from credenet.settings.priors import Prior
from credenet.settings.scores import Score
from credenet.settings.tests import DataTest
from polls import Stop

DATA = credenet.textbook.sprinkler().sample(200, seed=1)  # The data have four variables.
NETWORK = credenet.fit(DATA, credenet.textbook.sprinkler())
EXTREME = [1e-320, 1e-9, 1e300, math.nan, math.inf, -math.inf, -1, 0, 1, 64, 10**9, 2**31, 2**63, 10**30]
WITHOUT_END = OrderSearch(iterations=0)
POLLS = 200  # Polls come ten a second; every search that ends takes far fewer.

NEEDED: dict[type, dict[str, Any]] = {
    BDe: {"network": NETWORK},
    Expert: {"dag": NETWORK.dag},
}


def settings_of(kinds: Any) -> list[tuple[type, str]]:
    """Every setting that may be a number."""
    return [
        (kind, field.name)
        for kind in get_args(kinds)
        for field in fields(kind)
        if any(word in str(field.type) for word in ("int", "float", "Limits"))
    ]


def made(kind: type, name: str, value: Any) -> Any:
    """The settings, or None if they are refused."""
    given = [value] if name == "weights" else value
    try:
        return kind(**NEEDED.get(kind, {}), **{name: given})
    except ArgumentError as error:
        if name not in str(error):
            raise
        return None


def ends_soon(run: Any) -> None:
    polls = Stop(POLLS)
    with contextlib.suppress(credenet.CredenetError):
        run(polls)
    assert len(polls.seen) < POLLS


@pytest.mark.parametrize(("kind", "name"), settings_of(Method), ids=str)
def test_methods(kind: type, name: str) -> None:
    for value in EXTREME:
        method = made(kind, name, value)
        if method is not None and method != WITHOUT_END:
            ends_soon(lambda watch, method=method: credenet.learn(DATA, method=method, on_progress=watch))


def test_an_order_search_without_end_needs_a_limit() -> None:
    with pytest.raises(ArgumentError, match="runs until it is stopped; give a time_limit"):
        credenet.learn(DATA, method=WITHOUT_END)


@pytest.mark.parametrize(("kind", "name"), settings_of(DataTest), ids=str)
def test_tests_of_independence(kind: type, name: str) -> None:
    for value in EXTREME:
        if (test := made(kind, name, value)) is not None:
            ends_soon(lambda watch, test=test: credenet.learn(DATA, method="pc", test=test, on_progress=watch))


@pytest.mark.parametrize(("kind", "name"), settings_of(ApproximateMethod), ids=str)
def test_approximate_inference(kind: type, name: str) -> None:
    for value in EXTREME:
        if (method := made(kind, name, value)) is not None:
            ends_soon(lambda watch, method=method: NETWORK.infer(method=method, on_progress=watch).marginals())


@pytest.mark.parametrize(("kind", "name"), settings_of(Score), ids=str)
def test_scores(kind: type, name: str) -> None:
    for value in EXTREME:
        if (score := made(kind, name, value)) is not None:
            ends_soon(lambda watch, score=score: credenet.learn(DATA, score=score, on_progress=watch))


@pytest.mark.parametrize(("kind", "name"), settings_of(Prior), ids=str)
def test_priors(kind: type, name: str) -> None:
    for value in EXTREME:
        if (prior := made(kind, name, value)) is not None:
            ends_soon(lambda watch, prior=prior: credenet.learn(DATA, prior=prior, on_progress=watch))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"step": 1e-320}, r"step must be at least 0.0003 for a weight of 4, which then falls to 1 in 10,000 rounds"),
        ({"weight": 1e300}, r"weight must be a number of at least 1 and at most 1e\+06, got 1e\+300"),
        ({"weight": 1e5, "step": 0.5}, r"step must be at least 9.9999 for a weight of 100000"),
    ],
)
def test_a_falling_weight_comes_to_its_end(settings: dict[str, float], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        ARAStar(**settings)  # type: ignore[arg-type]


def test_the_most_rounds_of_a_falling_weight_end_soon() -> None:
    ends_soon(lambda watch: credenet.learn(DATA, method=ARAStar(weight=1e6, step=100), on_progress=watch))
