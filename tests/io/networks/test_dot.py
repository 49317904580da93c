"""DOT: what is drawn, and names that must be escaped."""

from __future__ import annotations

import pytest

from credenet.errors import FormatError
from credenet.io.networks import dot
from credenet.networks.bayesian import BayesianNetwork


def chain(first: str, second: str) -> BayesianNetwork:
    return BayesianNetwork({first: ["x"], second: ["x"]}, {first: [second]}, {first: [[1.0]], second: [1.0]})


def test_render() -> None:
    assert dot.render(chain("a", "b c"), "file") == 'digraph {\n  "a";\n  "b c";\n  "b c" -> "a";\n}\n'


@pytest.mark.parametrize(
    ("name", "written"),
    [('"', r'"\""'), ("\\", r'"\\"'), ("a\nb", r'"a\nb"'), ("\u00e9", '"\u00e9"'), ("->", '"->"')],
)
def test_names_are_escaped(name: str, written: str) -> None:
    assert dot.render(chain("a", name), "file").splitlines()[3] == f'  {written} -> "a";'


@pytest.mark.parametrize("name", ["\x00", "\r", "\ud800"])
def test_names_that_dot_cannot_hold(name: str) -> None:
    with pytest.raises(FormatError, match="DOT cannot hold the name"):
        dot.render(chain("a", name), "file")
