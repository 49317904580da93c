"""Names of scores, priors and methods as people write them in a shell."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import credenet
from credenet.cli.app import run


@pytest.mark.parametrize(
    "words",
    [
        ["score", "asia.csv", "--score", "BIC", "--prior", "Uniform", "-o", "asia.jkl", "--search", "Best-First"],
        ["credible", "asia.csv", "--score", "BDeu"],
        ["learn", "asia.csv", "--score", "K2"],
        ["fit", "asia.csv", "--graph", "asia.bif", "--smoothing", "Jeffreys"],
        ["query", "asia.bif", "lung", "--task", "MAR", "--method", "Loopy-BP"],
    ],
    ids=lambda words: words[0],
)
def test_names_in_any_case(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    credenet.textbook.asia().save("asia.bif")
    credenet.datasets.asia(100, seed=1).save("asia.csv")
    assert run([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)


def test_no_verb_tells_the_default_of_a_limit() -> None:
    """The group of flags tells it, so that it is the same everywhere."""
    verbs = Path(credenet.__file__).parent / "cli" / "verbs"
    found = [
        f"{path.name}: {words}"
        for path in sorted(verbs.glob("*.py"))
        for words in re.findall(r"^    limits\.\w+\n(?: {8}.*\n)*", path.read_text(), re.MULTILINE)
        if re.search(r"if\s+not\s+(given|said)|by\s+default", words)
    ]
    assert not found


def test_a_wrong_name_lists_the_right_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["query", "asia.bif", "--task", "best"]) == 2
    assert "choose from mar, pr, mpe, mmap; got 'best'" in capsys.readouterr().err
