"""Data that a service counts: the same answers, with == and without a tolerance, as from rows in memory."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import credenet
from all_answers import all_answers
from credenet import Dataset
from credenet.errors import DataError
from credenet.placement.placed import PlacedDataset
from credenet.placement.service import Counts, Members
from scoring_strategies import datasets
from slow_counts import SlowCounts


def placed(data: Dataset, n_shards: int = 2) -> PlacedDataset:
    return PlacedDataset(data, SlowCounts(data, n_shards))


@settings(max_examples=15, deadline=None)
@given(datasets(), st.integers(1, 4))
def test_all_learners_answer_as_from_memory(data: Dataset, n_shards: int) -> None:
    assert all_answers(placed(data, n_shards)) == all_answers(data)


def test_larger_data_give_the_same_answers() -> None:
    data = credenet.textbook.asia().sample(500, seed=3)
    assert all_answers(placed(data, 3)) == all_answers(data)


def test_tables_of_many_cells_give_the_same_answers() -> None:
    # With 24 states a pair and a conditioning variable have 13,824 cells, and four variables exceed a small table.
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 24, (300, 4))
    codes[:, 3] = (codes[:, 0] + codes[:, 1] + codes[:, 2]) % 24
    data = Dataset({f"v{at}": [str(k) for k in range(24)] for at in range(4)}, codes)
    counted = placed(data, 2)
    table = credenet.score_families(data, score="k2", slack=1e9)
    assert list(credenet.score_families(counted, score="k2", slack=1e9).families("v3")) == list(table.families("v3"))
    for test in ("bayes_factor", "g2"):
        assert credenet.independence_test(counted, "v0", "v1", ["v2", "v3"], test=test) == credenet.independence_test(
            data, "v0", "v1", ["v2", "v3"], test=test
        )


def test_whole_weights_count_as_so_many_rows() -> None:
    rng = np.random.default_rng(2)
    data = credenet.textbook.asia().sample(200, seed=1)
    weighted = Dataset(data.states, data.codes, weights=rng.integers(0, 5, len(data)))
    assert all_answers(placed(weighted)) == all_answers(weighted)


def test_selected_variables_are_counted_by_the_service() -> None:
    data = credenet.textbook.asia().sample(100, seed=1)
    some = placed(data).select(["xray", "either", "smoke"])
    assert isinstance(some, PlacedDataset)
    assert some == data.select(["xray", "either", "smoke"])
    assert all_answers(some) == all_answers(data.select(["xray", "either", "smoke"]))
    with pytest.raises(DataError, match="must differ"):
        some.select(["xray", "xray"])


def test_aligned_data_are_counted_by_the_service_while_states_keep_their_order() -> None:
    data = Dataset({"a": ["x", "y", "z"], "b": ["0", "1"]}, np.array([[0, 1], [2, 1], [2, 0]]))
    for states in ({"a": ["x", "z"]}, {"b": ["0", "1"], "a": ["w", "x", "y", "z"]}):
        used = placed(data).aligned(states)
        assert isinstance(used, PlacedDataset)
        assert used == data.aligned(states)
        assert all_answers(used) == all_answers(data.aligned(states))
    other = placed(data).aligned({"a": ["z", "x"]})
    assert type(other) is Dataset
    assert other == data.aligned({"a": ["z", "x"]})
    with pytest.raises(DataError, match="none of the states"):
        placed(data).aligned({"a": ["x", "y"]})
    with pytest.raises(DataError, match="no variable 'c'"):
        placed(data).aligned({"c": ["x", "y"]})


def test_all_else_is_that_of_the_rows() -> None:
    rng = np.random.default_rng(2)
    rows = credenet.textbook.asia().sample(50, seed=1)
    data = Dataset(rows.states, rows.codes, weights=rng.integers(1, 5, len(rows)))
    used = placed(data)
    assert used == data
    assert data == used
    assert used == placed(data)
    assert len(used) == len(data)
    assert used.total_weight == data.total_weight
    assert used.missing_code == data.missing_code
    assert used.missing == data.missing
    assert used.digest() == data.digest()
    assert used.info().to_dict() == data.info().to_dict()
    assert used.take([3, 1]) == data.take([3, 1])
    assert pickle.loads(pickle.dumps(used)) == data
    assert used.to_polars().equals(data.to_polars())
    assert "50 rows, 8 variables, counted by" in repr(used)


def test_what_the_service_raises_is_raised_by_the_learner() -> None:
    class Broken(SlowCounts):
        def tables(self, members: Members, begins: NDArray[np.int64]) -> Counts:
            raise OSError("the cable is cut")

    data = credenet.textbook.asia().sample(50, seed=1)
    for method in ("pc", "hill_climb", "dp"):
        with pytest.raises(OSError, match="the cable is cut"):
            credenet.learn(PlacedDataset(data, Broken(data)), method=method)
