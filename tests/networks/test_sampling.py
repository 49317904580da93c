"""Sampling: frequencies against the tables, and that rows depend on the seed alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import chi2

import credenet
from credenet import DAG, BayesianNetwork
from credenet._run.progress import Progress
from credenet.errors import ArgumentError, DataError
from credenet.random import dag as random_dag
from credenet.random import network as random_network
from polls import CtrlC, every_poll

NETWORKS: dict[str, Callable[[], BayesianNetwork]] = {
    "asia": credenet.textbook.asia,
    "student": credenet.textbook.student,
    "few states": lambda: random_network(random_dag(10, max_parents=3, seed=1), n_states=(1, 4), seed=1),
    "nine states": lambda: random_network(random_dag(5, n_edges=5, seed=2), n_states=9, beta=1, seed=2),
    "many states": lambda: random_network(random_dag(4, n_edges=2, seed=3), n_states=(10, 40), beta=1, seed=3),
    "300 states": lambda: random_network(random_dag(2, n_edges=1, seed=4), n_states=(250, 300), beta=5, seed=9),
}


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("seed", [0, 1])
def test_frequencies_agree_with_the_tables(name: str, seed: int) -> None:
    """Chi-square over all rows of a family's table, cells with few expected draws put together.

    A correct sampler fails any of these at the given seeds with a probability below 1e-6.
    """
    network = NETWORKS[name]()
    data = network.sample(200_000, seed=seed)
    counts = credenet.fit(data, network.dag, smoothing=None)  # Other tests check these fractions against counts.
    for variable in network.variables:
        table = network.table(variable).reshape(-1, len(network.states[variable]))
        shares = counts.table(variable).reshape(table.shape)
        parents = [data.codes[:, data.index(parent)].astype(np.int64) for parent in network.parents(variable)]
        sizes = [len(network.states[parent]) for parent in network.parents(variable)]
        keys = np.ravel_multi_index(parents, sizes) if parents else np.zeros(len(data), dtype=np.int64)
        n_rows = np.bincount(keys, minlength=len(table))
        statistic, freedom = 0.0, 0
        for row, (p, share) in enumerate(zip(table, shares, strict=True)):
            if not n_rows[row]:
                continue
            assert not share[p == 0].any()
            expected, observed = n_rows[row] * p, n_rows[row] * share
            rare = expected < 10
            expected = np.append(expected[~rare], expected[rare].sum())
            observed = np.append(observed[~rare], observed[rare].sum())
            if expected[-1] < 10:  # The cell has too few rows to judge.
                expected, observed = expected[:-1], observed[:-1]
            statistic += float(((observed - expected) ** 2 / expected).sum())
            freedom += max(len(expected) - (1 if expected.sum() > n_rows[row] - 1e-6 else 0), 0)
        assert statistic == 0 if freedom == 0 else chi2.sf(statistic, freedom) > 1e-9, variable


def test_variables_without_parents_are_independent() -> None:
    names = ["a", "b", "c"]
    network = BayesianNetwork(dict.fromkeys(names, "01"), {}, {name: [0.3, 0.7] for name in names})
    codes = network.sample(400_000, seed=7).codes.astype(np.float64)
    lagged = np.corrcoef(np.column_stack([codes[1:], codes[:-1]]).T)
    assert np.abs(lagged - np.eye(6)).max() < 6 / np.sqrt(400_000)


def test_impossible_states_are_never_drawn() -> None:
    tiny = 1e-300
    rows: list[list[float]] = [
        [0, 1, 0],
        [1, 0, 0],
        [0, 0, 1],
        [0.5, 0, 0.5],
        [0, 0.5, 0.5],
        [0.5, 0.5, 0],
        [1 - tiny, tiny, 0],
    ]
    states = {"row": [str(k) for k in range(len(rows))], "x": "abc"}
    network = BayesianNetwork(states, {"x": ["row"]}, {"row": [1 / 7] * 7, "x": rows})
    data = network.sample(100_000)
    drawn: set[tuple[int, int]] = set(zip(data.codes[:, 0].tolist(), data.codes[:, 1].tolist(), strict=True))
    assert drawn == {(row, at) for row, ps in enumerate(rows) for at, p in enumerate(ps) if p > 1e-3}
    assert network.log_likelihood(data) > -np.inf


def test_rows_that_add_up_only_nearly_to_one() -> None:
    table = np.array([1 / 3 - 3e-7, 1 / 3, 1 / 3, 0])
    data = BayesianNetwork({"x": "abcd"}, {}, {"x": table}).sample(100_000)
    assert set(data.codes[:, 0].tolist()) == {0, 1, 2}


@pytest.mark.parametrize("rows", [1, 1023, 1024, 1025, 50_001])
def test_threads_do_not_change_the_rows(rows: int) -> None:
    network = NETWORKS["few states"]()
    alone = network.sample(rows, seed=11, n_threads=1)
    assert len(alone) == rows
    for n_threads in (2, 4):
        assert network.sample(rows, seed=11, n_threads=n_threads) == alone


def test_seeds_differ() -> None:
    network = credenet.textbook.asia()
    seeds = [0, 1, 2, 1 << 32, (1 << 64) - 1]
    samples = [network.sample(1000, seed=seed).codes.tobytes() for seed in seeds]
    assert len(set(samples)) == len(seeds)
    first, second = (network.sample(1000, seed=seed) for seed in (0, 0))
    assert first == second


@pytest.mark.parametrize(("n_states", "dtype"), [(255, np.uint8), (256, np.uint16), (300, np.uint16)])
def test_many_states_take_wider_codes(n_states: int, dtype: type[np.generic]) -> None:
    states = [str(k) for k in range(n_states)]
    network = BayesianNetwork({"x": states}, {}, {"x": np.full(n_states, 1 / n_states)})
    data = network.sample(20_000)
    assert data.codes.dtype == dtype
    assert sorted(set(data.codes[:, 0].tolist())) == list(range(n_states))
    assert data.missing == {}
    assert credenet.fit(data, network.dag).n_parameters == n_states - 1


def test_wrong_arguments() -> None:
    network = credenet.textbook.asia()
    with pytest.raises(ArgumentError, match="n_rows must be at least 1, got 0"):
        network.sample(0)
    with pytest.raises(ArgumentError, match="seed must be at least 0, got -1"):
        network.sample(1, seed=-1)
    with pytest.raises(ArgumentError, match="seed must be at most 18446744073709551615, got 18446744073709551616"):
        network.sample(1, seed=1 << 64)
    with pytest.raises(ArgumentError, match="n_threads must be at least 1, got 0"):
        network.sample(1, n_threads=0)


LONG_ROWS = 4_000_000  # Rows that take more than a second to sample.


@pytest.fixture
def wide() -> BayesianNetwork:
    return random_network(DAG([f"x{k}" for k in range(40)]), n_states=9, seed=1)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_progress_may_stop(wide: BayesianNetwork, n_threads: int) -> None:
    seen: list[Progress] = []

    def stop(progress: Progress) -> bool:
        seen.append(progress)
        return len(seen) < 3

    with pytest.raises(DataError, match="sampling was stopped"):
        wide.sample(LONG_ROWS, n_threads=n_threads, on_progress=stop)
    assert len(seen) == 3
    assert 0 < seen[0].done < seen[1].done < seen[2].done < LONG_ROWS
    assert {progress.total for progress in seen} == {LONG_ROWS}


def test_an_exception_in_the_callback_arrives(wide: BayesianNetwork) -> None:
    def fail(_: Progress) -> bool:
        raise ZeroDivisionError("from the callback")

    with pytest.raises(ZeroDivisionError, match="from the callback"):
        wide.sample(LONG_ROWS, on_progress=fail)


def test_interruption(wide: BayesianNetwork) -> None:
    """Ctrl-C while the core works."""
    polls = CtrlC(3)
    with every_poll(), pytest.raises(KeyboardInterrupt):
        wide.sample(LONG_ROWS, n_threads=2, on_progress=polls)
    assert len(polls.seen) == 3
