"""Predictions for many rows against one query for each."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import credenet
import credenet.inference.prediction as prediction
from credenet import BayesianNetwork, Dataset
from credenet.errors import DataError, NetworkError
from slow_networks import networks


@given(networks(max_size=6), st.data())
@settings(max_examples=150, deadline=None)
def test_rows_against_queries(network: BayesianNetwork, data: st.DataObject) -> None:
    target = data.draw(st.sampled_from(network.variables))
    names = data.draw(st.lists(st.sampled_from(network.variables), unique=True, min_size=1))
    rows = data.draw(
        st.lists(st.tuples(*(st.integers(-1, len(network.states[name]) - 1) for name in names)), min_size=1, max_size=8)
    )
    table = Dataset({name: network.states[name] for name in names}, np.array(rows))
    expected = []
    for row in rows:
        evidence = {
            name: network.states[name][code]
            for name, code in zip(names, row, strict=True)
            if code >= 0 and name != target
        }
        inference = network.infer(evidence)
        try:
            expected.append(list(inference.marginals([target])[target].values()))
        except NetworkError:
            reject()  # Rows that cannot be are tested below.
    found = network.predict_proba(table, target)
    assert found.shape == (len(rows), len(network.states[target]))
    assert found.tolist() == [pytest.approx(row, rel=1e-10, abs=1e-13) for row in expected]


@pytest.mark.parametrize("cells_per_plan", [0, 10**12])
def test_both_ways_with_missing_cells(cells_per_plan: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables cut by the evidence of each pattern, and one plan for all patterns, give the same."""
    asia = credenet.textbook.asia()
    codes = np.array(asia.sample(400, seed=3).codes, dtype=np.int32)
    codes[np.random.default_rng(1).random(codes.shape) < 0.3] = -1
    data = Dataset(asia.states, codes)
    expected = asia.predict_proba(data, "lung")
    monkeypatch.setattr(prediction, "CELLS_PER_PLAN", cells_per_plan)
    for n_threads in (1, 3):
        assert asia.predict_proba(data, "lung", n_threads=n_threads) == pytest.approx(expected, rel=1e-12)
    row = {name: asia.states[name][code] for name, code in zip(asia.states, codes[0], strict=True) if code >= 0}
    row.pop("lung", None)
    assert expected[0].tolist() == pytest.approx(list(asia.infer(row).marginals(["lung"])["lung"].values()))


def test_columns_by_name() -> None:
    """Other columns, another order of columns and states, a column of the target: none of them matters."""
    asia = credenet.textbook.asia()
    frame = asia.sample(50, seed=2).to_polars()
    shuffled = frame.select(sorted(frame.columns, reverse=True)).with_columns(other=frame["asia"])
    data = Dataset.from_frame(shuffled)
    assert asia.predict_proba(data, "lung").tolist() == asia.predict_proba(asia.sample(50, seed=2), "lung").tolist()
    labels = asia.predict(data, "either")
    assert labels == [
        "yes" if "yes" in (row["lung"], row["tub"]) else "no" for row in frame.select("lung", "tub").to_dicts()
    ]


def test_without_any_known_variable() -> None:
    asia = credenet.textbook.asia()
    data = Dataset({"other": ["a"]}, np.zeros((3, 1), dtype=int))
    assert asia.predict_proba(data, "lung").tolist() == [pytest.approx([0.055, 0.945])] * 3


def test_impossible_rows_are_named() -> None:
    asia = credenet.textbook.asia()
    data = Dataset({name: ["no", "yes"] for name in ("lung", "either")}, np.array([[0, 0], [1, 0]]))
    with pytest.raises(NetworkError, match="row 2 has probability 0 in the network"):
        asia.predict_proba(data, "tub")
    assert asia.predict_proba(data, "xray")[0, 0] == pytest.approx(0.05)  # Only the variable either affects the target.
    with pytest.raises(NetworkError, match="there is no variable 'nose'"):
        asia.predict(data, "nose")


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_one_row_with_gaps(frame: type) -> None:
    """The states of a column without values are those of the network, whatever the type of such a column is."""
    asia = credenet.textbook.asia()
    smokers = list(asia.infer({"smoke": "yes"}).marginals(["lung"])["lung"].values())
    for gap in (None, float("nan")):
        for row in ({"smoke": ["yes"], "xray": [gap]}, {"lung": [gap], "smoke": ["yes"]}, {"smoke": ["yes"]}):
            assert asia.predict_proba(frame(row), "lung").tolist() == [pytest.approx(smokers)]
            assert asia.predict(frame(row), "lung") == ["no"]
        assert asia.predict_proba(frame({"smoke": [gap]}), "lung").tolist() == [pytest.approx([0.055, 0.945])]
    with pytest.raises(DataError, match="cells are missing in 'smoke'"):
        asia.log_likelihood(frame({name: [None if name == "smoke" else "no"] for name in asia.variables}))


def test_one_row_of_averaged_networks() -> None:
    data = credenet.datasets.asia(200)
    found = credenet.credible_networks(data, max_parents=1, bayes_factor=1)
    row = pd.DataFrame({name: ["no"] for name in data.variables}).assign(xray=None, other=0.5)
    expected = found.predict_proba(Dataset.from_frame(row[[*data.variables]].drop(columns="xray")), "lung", data=data)
    assert found.predict_proba(row, "lung", data=data).tolist() == expected.tolist()


def test_rows_are_counted_as_in_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that were left out for their gaps count; so do the rows of earlier blocks."""
    network = credenet.BayesianNetwork({"a": ["x"], "b": ["y", "w"]}, {}, {"a": [1.0], "b": [1.0, 0.0]})
    columns = {"a": ["x", None] * 50 + ["x"] * 3, "b": ["y"] * 100 + ["y", "bad", "w"]}
    frame = pd.DataFrame(columns)
    frame.to_csv(tmp_path / "rows.csv", index=False)
    monkeypatch.setattr("credenet.networks.bayesian.BLOCK_ROWS", 7)
    for data in (
        credenet.read(tmp_path / "rows.csv", missing="drop"),
        Dataset.from_frame(frame, missing="drop"),
        pickle.loads(pickle.dumps(Dataset.from_frame(frame, missing="drop"))),
    ):
        with pytest.raises(DataError, match=r"'b' has the value 'bad' \(row 102\)"):
            network.log_likelihood(data)
        with pytest.raises(DataError, match=r"'b' has the value 'bad' \(row 102\)"):
            network.predict(data.select(["b", "a"]), "a")
        with pytest.raises(DataError, match=r"\(row 52\)"):  # The message counts rows of the caller from 1.
            network.log_likelihood(data.take(range(data.n_rows)))
    kept = Dataset.from_frame(frame[frame.b != "bad"], missing="drop")
    never = {"a": [0.5, 0.5], "b": [[1.0, 0.0]] * 2}
    certain = credenet.BayesianNetwork({"a": ["x", "z"], "b": ["y", "w"]}, {"b": ["a"]}, never)
    with pytest.raises(NetworkError, match="row 102 has probability 0"):
        certain.predict(kept, "a")
    with pytest.raises(DataError, match=r"\(row 102\)"):
        network.log_likelihood(frame.assign(a="x"))
