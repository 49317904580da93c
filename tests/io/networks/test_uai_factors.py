"""Factors in UAI files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import credenet
from credenet import MarkovNetwork
from credenet.errors import FormatError, NetworkError

TEXT = "MARKOV\n2\n2 3\n3\n2 1 0\n1 0\n0\n\n6\n1 2 3 4 5 6\n2\n0.5 1e-3\n1\n7\n"


def loaded(text: str, folder: Path) -> MarkovNetwork:
    (folder / "m.uai").write_text(text)
    return MarkovNetwork.load(folder / "m.uai")


def test_factors(tmp_path: Path) -> None:
    """The last variable of a scope changes fastest; a factor may have no variable at all."""
    network = loaded(TEXT, tmp_path)
    assert network.states == {"0": ("0", "1"), "1": ("0", "1", "2")}
    assert [scope for scope, _ in network.factors] == [("1", "0"), ("0",), ()]
    assert network.factors[0][1].tolist() == [[1, 2], [3, 4], [5, 6]]
    total = 7 * (0.5 * (1 + 3 + 5) + 1e-3 * (2 + 4 + 6))
    assert network.infer().log_evidence == pytest.approx(np.log(total))


def test_bayes_files_are_factors_too(tmp_path: Path) -> None:
    asia = credenet.textbook.asia()
    with pytest.warns(UserWarning, match="UAI files hold no names"):
        asia.save(tmp_path / "asia.uai")
    found = MarkovNetwork.load(tmp_path / "asia.uai").infer().marginals()
    assert [list(p.values()) for p in found.values()] == [
        pytest.approx(list(p.values())) for p in asia.marginals().values()
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TEXT.replace("MARKOV", "FACTORS"), "m.uai:1: expected BAYES or MARKOV, got FACTORS"),
        (TEXT.replace("0.5", "-0.5"), "m.uai:12: the table of factor 1 has a negative entry"),
        (TEXT.replace("0.5", "half"), "the table of factor 1 holds something that is not a number"),
        (TEXT.replace("\n6\n", "\n5\n"), "the table of factor 0 has 5 entries instead of 6"),
        (TEXT + "1", "expected the end of the file, got 1"),
        (TEXT.replace("2 1 0", "2 1 2"), "the variables are 0 to 1, got 2"),
        (TEXT.replace("2 1 0", "2 1 1"), "a factor has a variable twice"),
    ],
)
def test_what_is_wrong_is_named(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=message):
        loaded(text, tmp_path)


def test_factors_by_hand() -> None:
    states = {"a": ["x", "y"]}
    for factor, message in (
        ((["b"], [1, 2]), "factor 0 names 'b', but there is no such variable"),
        ((["a"], [1, 2, 3]), r"the table of factor 0 must have shape \(2,\), got \(3,\)"),
        ((["a"], [1, -2]), "must be finite and not negative"),
        ((["a", "a"], [[1, 2], [1, 2]]), "factor 0 has a variable twice"),
    ):
        with pytest.raises(NetworkError, match=message):
            MarkovNetwork(states, [factor])
