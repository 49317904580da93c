"""The page "Which method when" is what the code says, and every call in its charts does what the chart tells."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

import credenet
from credenet.settings.methods import METHODS
from decision_chart import CHARTS, PAGE, page, pictures

DATA = credenet.datasets.asia(500, seed=1)
NAMES: dict[str, Any] = {"credenet": credenet, "math": math, "data": DATA, "network": credenet.textbook.asia()}


def test_the_page_and_its_pictures_are_made_from_the_code() -> None:
    cure = "run: PYTHONPATH=tests python tests/decision_chart.py"
    assert PAGE.read_text() == page(), cure
    for path, text in pictures().items():
        assert path.read_text() == text, cure


@pytest.mark.parametrize("name", CHARTS)
def test_only_the_last_step_has_no_question(name: str) -> None:
    questions = [step.question for step in CHARTS[name].steps]
    assert all(questions[:-1])
    assert not questions[-1]


@pytest.mark.parametrize("call", sorted({step.call for chart in CHARTS.values() for step in chart.steps}))
def test_the_calls_of_the_charts_run(call: str) -> None:
    assert eval(call, NAMES) is not None


def test_what_the_charts_tell_of_auto() -> None:
    """An exact posterior up to the size in the chart, a proof where one can be had, and exact inference that fits."""
    assert credenet.posterior(DATA).is_exact
    assert credenet.learn(DATA).status == "optimal"
    assert credenet.textbook.asia().infer(method="auto").exact
    assert not credenet.textbook.asia().infer(method="auto", memory_limit=100).exact


def test_every_method_is_in_the_table() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), re.MULTILINE)
    assert rows == [choice.short_name for choice in METHODS.choices]
