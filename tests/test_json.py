"""No infinity and no not-a-number reaches JSON: whatever a result holds, its text is JSON as its standard has it."""

from __future__ import annotations

import ast
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from commands import credenet_command
from credenet._json import AsJson, json_text, json_values
from credenet.explorer.front_end import page_part
from html_page import Page

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)
# Files that are read back: no number in them may become null.
FORMATS = {"_json", "dataset", "json_network", "knowledge", "graphs", "writer", "format", "ingesting"}
FORMATS |= {"family_text", "family_parquet", "info", "digests"}


def strict(text: str) -> Any:
    """The value of a text, which must be JSON."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


def same(value: Any, read: Any) -> bool:
    """Whether a value was read back, with null for numbers that are not finite."""
    if isinstance(value, float) and not math.isfinite(value):
        return read is None
    if isinstance(value, list | tuple):
        return len(value) == len(read) and all(map(same, value, read))
    if isinstance(value, dict):
        return value.keys() == read.keys() and all(same(value[key], read[key]) for key in value)
    return bool(value == read)


@settings(max_examples=300, deadline=None)
@given(value=VALUES)
def test_any_value(value: Any) -> None:
    assert same(value, strict(json_text(value)))
    assert json_text(value) == json_text(json_values(value))


@dataclass(frozen=True)
class Numbers(AsJson):
    """A result that holds all that JSON has not."""

    def to_dict(self) -> dict[str, Any]:
        return {"a": [math.inf, 1.5], "b": {"c": (-math.inf, np.float64("nan"))}}


def test_results_and_pages() -> None:
    assert strict(Numbers().to_json()) == {"a": [None, 1.5], "b": {"c": [None, None]}}
    page = page_part(Numbers().to_dict())
    embedded = page.partition('id="contents">')[2].partition("</script>")[0]
    assert strict(embedded) == strict(Numbers().to_json())


def test_one_place_writes_results() -> None:
    """All but the writers of formats, which are read back, call `json_text`."""
    package = Path(credenet.__file__).parent
    calling = set()
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and ast.unparse(node) in ("json.dumps", "json.dump"):
                calling.add(path.stem)
    assert calling <= FORMATS


@pytest.fixture
def infinite_rhat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every R-hat is infinite, as it is when each chain stays at a network of its own."""

    def rhat(means: np.ndarray, variances: np.ndarray, n_draws: float) -> np.ndarray:
        return np.full(means.shape[1:], np.inf)

    monkeypatch.setattr("credenet.posteriors.sampling.diagnostics.rhat", rhat)


def test_chains_that_stay_apart(infinite_rhat: None, tmp_path: Path) -> None:
    data = credenet.datasets.asia(300, seed=1)
    found = credenet.posterior(data, method="mcmc", time_limit=1)
    assert found.chains[0].largest_rhat == math.inf
    assert strict(found.to_json())["diagnostics"][0]["largest_rhat"] is None
    assert "R-hat is infinite, as a chain stays where it is: the chains do not agree" in found.summary()
    found.report(tmp_path / "r.html")
    assert "infinite: a chain stays where it is" in Page((tmp_path / "r.html").read_text()).text


def test_chains_that_stay_apart_on_the_command_line(infinite_rhat: None, tmp_path: Path) -> None:
    credenet.datasets.asia(300, seed=1).save(tmp_path / "asia.csv")
    done = credenet_command("posterior", "asia.csv", "--method", "mcmc", "--time-limit", "1", "--json", cwd=tmp_path)
    assert done.returncode == 3
    assert strict(done.stdout)["diagnostics"][0]["largest_rhat"] is None


def test_a_log_of_zero(tmp_path: Path) -> None:
    """Fitted without smoothing, a network gives no probability to a row that it has not seen."""
    (tmp_path / "a.csv").write_text("a,b\nx,x\ny,y\nx,x\ny,y\n")
    (tmp_path / "b.csv").write_text("a,b\nx,y\ny,x\n")
    (tmp_path / "g.txt").write_text("a -> b\n")
    done = credenet_command("fit", "a.csv", "--graph", "g.txt", "--smoothing", "none", "-o", "m.bif", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = credenet_command("compare", "m.bif", "m.bif", "--data", "b.csv", "--json", cwd=tmp_path)
    assert set(strict(done.stdout)["log_likelihood"].values()) == {None}
