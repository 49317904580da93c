"""The explorer in a notebook: questions and answers as messages."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import credenet
from credenet import FamilyTable
from credenet.errors import ArgumentError, MissingExtraError

DATA = credenet.datasets.asia(500, seed=1)


def test_messages() -> None:
    widget = credenet.credible_networks(DATA, score="bic").explore(data=DATA)
    sent: list[dict[str, Any]] = []
    widget.send = sent.append
    questions: list[tuple[str, dict[str, Any]]] = [
        ("state", {}),
        ("evidence", {"evidence": {"smoke": "yes"}}),
        ("nothing", {}),
    ]
    for number, (name, given) in enumerate(questions):
        widget._handle_custom_msg({"number": number, "name": name, "given": given}, [])
    assert [message["number"] for message in sent] == [0, 1, 2]
    assert sent[0]["answer"]["kind"] == "credible"
    assert "credenet explore DATA" in sent[0]["answer"]["abilities"]["knowledge"]
    smoke = DATA.variables.index("smoke")
    assert [mean for mean, _, _ in sent[1]["answer"]["bars"][smoke]] == [
        float(state == "yes") for state in DATA.states["smoke"]
    ]
    assert sent[2]["error"] == "there is no call 'nothing'"


def test_the_module_renders() -> None:
    widget = credenet.credible_networks(DATA, score="bic").explore()
    assert "export default { render(" in widget._esm
    assert ".cx-main" in widget._css


def test_nothing_to_explore() -> None:
    none = credenet.credible_networks(FamilyTable.from_lists({"a": [(0.0, ["b"])], "b": [(0.0, ["a"])]}), slack=1.0)
    with pytest.raises(ArgumentError, match="there is no network to explore"):
        none.explore()


def test_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(MissingExtraError, match=r"pip install credenet\[notebook\]"):
        credenet.credible_networks(DATA, score="bic").explore()
