"""``credenet draw`` and ``credenet example`` as a user runs them."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

import credenet
from credenet.cli.app import run


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    code = run([*words, "--json"])
    printed = capsys.readouterr()
    assert code == 0, printed.err
    found: dict[str, Any] = json.loads(printed.out)
    return found


def complaint(capsys: pytest.CaptureFixture[str], *words: str, code: int = 2) -> str:
    assert run(words) == code
    return capsys.readouterr().err


class TestExample:
    def test_every_network(self, capsys: pytest.CaptureFixture[str]) -> None:
        names = answer(capsys, "example")["examples"]
        assert set(names) == set(credenet.textbook.__all__)
        for name, variables in names.items():
            found = answer(capsys, "example", name, "-o", f"{name}.bif")
            assert found["variables"] == variables
            assert credenet.load(f"{name}.bif") == getattr(credenet.textbook, name)()
        assert run(["example"]) == 0
        assert capsys.readouterr().out.startswith("asia        8 variables. Chest clinic")

    def test_rows(self, capsys: pytest.CaptureFixture[str]) -> None:
        answer(capsys, "example", "Asia", "--rows", "50", "--seed", "3", "-o", "asia.parquet")
        assert credenet.read("asia.parquet") == credenet.datasets.asia(50, seed=3)
        assert run(["example", "asia", "--rows", "2"]) == 0
        assert len(capsys.readouterr().out.splitlines()) == 3

    def test_a_network_on_standard_output(self, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        assert run(["example", "cancer"]) == 0
        (folder / "cancer.bif").write_text(capsys.readouterr().out)
        assert credenet.load("cancer.bif") == credenet.textbook.cancer()

    def test_complaints_come_before_any_work(self, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        assert "give --rows for a table" in complaint(capsys, "example", "asia", "-o", "asia.csv")
        assert "--rows writes a table" in complaint(capsys, "example", "asia", "--rows", "3", "-o", "asia.bif")
        assert "name must be one of asia, cancer" in complaint(capsys, "example", "alarm", "-o", "alarm.bif")
        assert "nowhere/a.bif: the folder does not exist" in complaint(
            capsys, "example", "asia", "-o", "nowhere/a.bif", code=1
        )
        assert "--json needs --output" in complaint(capsys, "example", "asia", "--json")
        assert list(folder.iterdir()) == []


class TestDraw:
    def test_a_network(self, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        credenet.textbook.asia().save("asia.bif")
        found = answer(capsys, "draw", "asia.bif", "-o", "asia.svg")
        svg = ElementTree.fromstring((folder / "asia.svg").read_text())
        assert found["variables"] == found["drawn"] == found["edges"] == 8
        assert [svg.attrib["width"], svg.attrib["height"]] == [str(found["width"]), str(found["height"])]

    @pytest.mark.parametrize("suffix", ["png", "pdf", "dot"])
    def test_other_files(self, capsys: pytest.CaptureFixture[str], folder: Path, suffix: str) -> None:
        (folder / "g.txt").write_text("a -> b -- c")
        answer(capsys, "draw", "g.txt", "-o", f"g.{suffix}")
        assert (folder / f"g.{suffix}").stat().st_size > 20

    def test_a_neighbourhood(self, capsys: pytest.CaptureFixture[str]) -> None:
        credenet.textbook.asia().save("asia.bif")
        found = answer(capsys, "draw", "asia.bif", "-o", "a.svg", "--focus", "lung", "asia", "--depth", "1")
        assert found["drawn"] == 5
        assert run(["draw", "asia.bif", "-o", "a.svg", "--focus", "lung", "--depth", "1"]) == 0
        assert capsys.readouterr().out.startswith("3 of 8 variables drawn to a.svg (")

    def test_two_graphs(self, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        (folder / "first.txt").write_text("a -> b -> c")
        (folder / "second.txt").write_text("a -> b; c")
        answer(capsys, "draw", "first.txt", "--beside", "second.txt", "-o", "both.svg")
        svg = (folder / "both.svg").read_text()
        assert "first.txt" in svg
        assert "second.txt" in svg

    def test_complaints_come_before_any_work(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        wrong = complaint(capsys, "draw", "nothing.bif", "-o", "g.doc")
        assert "a graph is drawn as .svg, .png, .pdf, .dot or .gv, got 'g.doc'" in wrong
        assert "nowhere/g.svg: the folder does not exist" in complaint(
            capsys, "draw", "nothing.bif", "-o", "nowhere/g.svg", code=1
        )
        assert "nothing.bif: No such file" in complaint(capsys, "draw", "nothing.bif", "-o", "g.svg", code=1)
        monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
        assert "pip install credenet[plot]" in complaint(capsys, "draw", "nothing.bif", "-o", "g.png")
