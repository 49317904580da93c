"""The cures that messages name work as printed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import credenet
from commands import credenet_command
from credenet.errors import ArgumentError, DataError, KnowledgeError

WHOLE = {"a": ["x", "y", "x", "y"] * 25, "b": ["u", "u", "v", "v"] * 25}
N = 100
FRAMES: dict[str, tuple[dict[str, list[Any]], int]] = {
    "gap": ({**WHOLE, "c": ["x", None, "y", "x"] * 25}, 2),
    "empty": ({**WHOLE, "c": [None] * N}, 1),
    "fraction": ({**WHOLE, "c": [0.5, 1.5, 2.25, 3.5] * 25}, 1),
    "identifier": ({"a": ["x", "y"] * 1000, "c": [f"p{k}" for k in range(2000)]}, 1),
    "many states": ({"a": ["x", "y"] * 2000, "c": [f"p{k % 1500}" for k in range(4000)]}, 2),
    "many numbers": ({"a": ["x", "y"] * 2000, "c": [k % 1500 for k in range(4000)]}, 3),
    "commas": ({**WHOLE, "c": ["1,5", "2,5", "3,5", "4,5"] * 25}, 1),
    "stray": ({"a": ["x", "y"] * 50, "c": [*(f"{k}.5" for k in range(99)), "low"]}, 1),
}


def frame(name: str, kind: str = "pandas") -> Any:
    values = FRAMES[name][0]
    if kind == "polars":
        return pl.DataFrame(values)
    return pd.DataFrame(values)


VALUE = r"(?:'[^']*'|\{[^}]*\}|\[[^\]]*\]|\d+)"
OPTIONS = rf"\b(?:drop|missing|discretize|max_states|na_values|decimal)={VALUE}"


def cures(message: str) -> list[str]:
    """The options that a message names; those that cure only together are one."""
    return re.findall(rf"{OPTIONS}(?: and {OPTIONS})*", message)


def cures_of_reader(message: str, argument: str) -> list[str]:
    """The calls of `Dataset.from_frame` in a message; an option on its own would be for somebody else."""
    found = re.findall(r"credenet\.Dataset\.from_frame\((?:[^()'\"]|'[^']*')*\)", message)
    rest = message
    for call in found:
        assert call.startswith(f"credenet.Dataset.from_frame({argument}, ")
        rest = rest.replace(call, "")
    assert not re.search(OPTIONS, rest), message
    return found


def told_cures(message: str) -> str:
    """The message, or its last line where that cures several problems together."""
    return message.partition("all of this is cured by ")[2] or message


def learnt_in_the_end(data: Any, cure: str) -> None:
    """A cure may lead to the next fault, which names its own."""
    options: dict[str, Any] = {}
    for _ in range(3):
        options |= eval(f"dict({cure.replace(' and ', ', ')})")
        try:
            result = credenet.learn(data, method="chow_liu", **options)
        except DataError as error:
            cure = cures(str(error))[0]
        else:
            assert len(result.dag) >= 1
            return
    raise AssertionError(cure)


@pytest.mark.parametrize("kind", ["pandas", "polars", "file"])
@pytest.mark.parametrize("name", FRAMES)
def test_cures_for_frames(name: str, kind: str, tmp_path: Path) -> None:
    data, n_cures = frame(name, kind), FRAMES[name][1]
    if kind == "file":
        data.to_csv(tmp_path / "t.csv", index=False)
        data = tmp_path / "t.csv"
    with pytest.raises(DataError) as caught:
        credenet.learn(data)
    found = cures(told_cures(str(caught.value)))
    assert "from_frame" not in str(caught.value)
    assert len(found) == n_cures
    for cure in found:
        learnt_in_the_end(data, cure)


CALLS: dict[str, Callable[..., Any]] = {
    "fit": partial(credenet.fit, dag=credenet.DAG(["a", "c"], [])),
    "score": partial(credenet.score, graph=credenet.DAG(["a", "b", "c"], [])),
    "score_families": credenet.score_families,
    "credible_networks": credenet.credible_networks,
    "posterior": credenet.posterior,
    "bootstrap": partial(credenet.bootstrap, method="chow_liu", n_samples=2),
    "independence_test": partial(credenet.independence_test, x="a", y="c"),
    "array": lambda data, **options: credenet.learn(np.array(data, dtype=object), **options),
}


@pytest.mark.parametrize("name", CALLS)
def test_every_call_takes_the_cures(name: str) -> None:
    with pytest.raises(DataError) as caught:
        CALLS[name](frame("gap"))
    for cure in cures(str(caught.value)):
        CALLS[name](frame("gap"), **eval(f"dict({cure})"))


def test_rows() -> None:
    network = credenet.fit(pd.DataFrame(WHOLE), credenet.DAG(["a", "b"], []))
    rows = pd.DataFrame({**WHOLE, "a": ["x", None, "y", "x"] * 25})
    with pytest.raises(DataError) as caught:
        network.log_likelihood(rows)
    first, second = cures_of_reader(str(caught.value), "rows")
    assert np.isfinite(network.log_likelihood(eval(first, {"credenet": credenet, "rows": rows})))
    assert "missing='state'" in second


@pytest.mark.parametrize(
    "rows",
    [
        {"a": "x", "b": "u"},
        {"a": ["x", "y"], "b": ["u", "v"]},
        [{"a": "x", "b": "u"}, {"a": "y", "b": "v"}],
        [["x", "u"], ["y", "v"]],
    ],
)
def test_rows_that_are_no_table(rows: Any) -> None:
    """The call that is advised makes a table of what was given in place of the dots."""
    names = ["a", "b"] if isinstance(rows, dict) or isinstance(rows[0], dict) else ["0", "1"]
    states = dict(zip(names, [["x", "y"], ["u", "v"]], strict=True))
    network = credenet.BayesianNetwork(states, {}, {name: [0.5, 0.5] for name in names})
    with pytest.raises(ArgumentError, match=r"; make .* of it first: ") as caught:
        network.predict(rows, names[0])
    call = str(caught.value).rpartition("of it first: ")[2].replace("...", "rows")
    table = eval(call, {"polars": pl, "numpy": np, "rows": rows})
    assert network.predict_proba(table, names[0]).tolist() == [[0.5, 0.5]] * (1 if rows == {"a": "x", "b": "u"} else 2)


def test_families_that_were_scored_with_less() -> None:
    data = credenet.datasets.asia(300, seed=1)
    calls: list[Callable[[credenet.FamilyTable], Any]] = [
        lambda families: credenet.credible_networks(families, bayes_factor=1000),
        lambda families: credenet.learn(families, max_parents=3),
    ]
    for call in calls:
        with pytest.raises(ArgumentError, match=r"; score the data again with ") as caught:
            call(credenet.score_families(data, max_parents=2))
        cure = str(caught.value).rpartition("score the data again with ")[2]
        call(credenet.score_families(data, **{"max_parents": 2, **eval(f"dict({cure})")}))


def test_from_frame_itself_takes_its_options() -> None:
    with pytest.raises(DataError, match=r"; pass missing='drop' to"):
        credenet.Dataset.from_frame(frame("gap"))


@pytest.mark.parametrize("name", ["gap", "fraction", "identifier", "many states", "many numbers", "commas"])
def test_cures_in_a_shell(name: str, tmp_path: Path) -> None:
    frame(name).to_csv(tmp_path / "t.csv", index=False)
    refused = credenet_command("learn", "t.csv", "--method", "chow_liu", cwd=tmp_path)
    assert refused.returncode == 1
    assert "from_frame" not in refused.stderr
    told = told_cures(refused.stderr)
    flags = [told.replace(" and ", " ")] if told != refused.stderr else re.findall(r"--[a-z-]+ [^\s;]+", told)
    assert len(flags) == FRAMES[name][1]
    for flag in flags:
        done = credenet_command("learn", "t.csv", "--method", "chow_liu", *shlex.split(flag), cwd=tmp_path)
        assert done.returncode == 0, done.stderr


def test_knowledge_in_a_table_of_edges(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("from,to\na,b\n")
    pd.DataFrame(WHOLE).to_csv(tmp_path / "t.csv", index=False)
    refused = credenet_command("learn", "t.csv", "--knowledge", "e.csv", cwd=tmp_path)
    assert refused.returncode == 2
    assert "Knowledge.load('e.csv', kind='required')" in refused.stderr
    assert credenet.Knowledge.load(tmp_path / "e.csv", kind="required").required == (("a", "b"),)
    (tmp_path / "rules.json").write_text(re.findall(r"\{.*\}", refused.stderr)[0])
    done = credenet_command("learn", "t.csv", "--knowledge", "rules.json", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert '["a", "b"]' in done.stdout


@pytest.mark.parametrize(
    ("method", "knowledge"),
    [
        ("dp", {"max_edges": 1}),
        ("s2", {"max_edges": 1}),
        ("exact", {"no_immoralities": True}),
        ("order_search", {"adjacent": [("a", "b")]}),
    ],
)
def test_methods_that_an_error_names_obey_the_rule(method: str, knowledge: dict[str, Any]) -> None:
    rules = credenet.Knowledge(**knowledge)
    width: dict[str, Any] = {"tree_width": 2} if method in ("s2", "exact") else {}
    with pytest.raises(KnowledgeError) as caught:
        credenet.learn(pd.DataFrame(WHOLE), method=method, knowledge=rules, **width)
    named, _, without = str(caught.value).partition("; use ")[2].partition(", ")
    assert without == ("without tree_width" if width else "")
    for other in named.split(" or "):
        result = credenet.learn(pd.DataFrame(WHOLE), method=other, knowledge=rules)
        assert not rules.violations(result.dag)
