"""Bootstrap samples of blocks: their tables, and shares of samples against those of the row bootstrap."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import credenet
from credenet import Dataset
from credenet.errors import ArgumentError, DataError
from credenet.placement import block_samples
from credenet.placement.block_samples import BlockSample, BlockTables
from credenet.placement.placed import PlacedDataset
from credenet.placement.shards import PackedShard
from slow_counts import SlowCounts

DATA = credenet.textbook.asia().sample(2000, seed=3)


@pytest.mark.parametrize("memory", [1e9, 1.0])
@pytest.mark.parametrize("short", [0, block_samples._SHORT])
def test_a_sample_counts_its_blocks_as_often_as_they_were_drawn(
    memory: float, short: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(block_samples, "_SHORT", short)
    data = DATA.take(slice(103))
    blocks = BlockTables(data, 10, 7, memory)
    order = np.random.default_rng([7, 10]).permutation(103)
    ends = np.linspace(0, 103, 11).round().astype(int)
    parts = [order[begin:end] for begin, end in itertools.pairwise(ends)]
    members = np.array([0, 3, 1, 5, 6], dtype=np.uint16)
    begins = np.array([0, 1, 3, 5], dtype=np.int64)
    for sample in range(4):
        drawn = np.random.default_rng([7, sample]).integers(0, 10, size=10)
        rows = data.take(np.concatenate([parts[block] for block in drawn]))
        slow, found = SlowCounts(rows), BlockSample(blocks, [7, sample])
        # A sample that lacks a state still has the cells of the state.
        slow.observed_codes = [list(codes) for codes in found.observed_codes]
        slow._shards = [([rows.codes[:, at].astype(np.uint64) for at in range(8)], np.ones(len(rows), np.uint32))]
        assert found.n_rows == len(rows)
        assert found.tables(members, begins).tolist() == slow.tables(members, begins).tolist()
        assert [part.tolist() for part in found.cells(members)] == [part.tolist() for part in slow.cells(members)]


def test_shares_are_those_of_the_row_bootstrap() -> None:
    """Both shares are means of independent samples, so that they differ by at most 4 standard deviations.

    For 28 pairs and three shares of each the chance of a larger difference is below 1 %.
    """
    n = 300
    options = {"method": "hill_climb(restarts=0)", "n_samples": n, "score": "bic"}
    by_rows = credenet.bootstrap(DATA, seed=1, **options)  # type: ignore[arg-type]
    by_blocks = credenet.bootstrap(DATA, seed=2, blocks=500, **options)  # type: ignore[arg-type]
    for pair in itertools.combinations(DATA.variables, 2):
        for one, other in zip(
            (by_rows[pair].joined, *by_rows[pair]), (by_blocks[pair].joined, *by_blocks[pair]), strict=True
        ):
            mean = (one + other) / 2
            assert abs(one - other) <= 4 * math.sqrt(2 * mean * (1 - mean) / n) + 1e-12
    assert any(0.1 < pair.joined < 0.9 for pair in by_blocks.pairs.values())


def test_samples_do_not_depend_on_threads_or_memory() -> None:
    options = {"method": "pc", "n_samples": 10, "blocks": 64, "seed": 5}
    found = [credenet.bootstrap(DATA, n_threads=number, **options) for number in (1, 3)]  # type: ignore[arg-type]
    assert found[0] == found[1]


def test_a_block_of_one_row_is_the_row_bootstrap() -> None:
    data = DATA.take(slice(60))
    blocks = BlockTables(data, 60, 3, 1e9)
    assert all(isinstance(shard, PackedShard) and shard.n_rows == 1 for shard in blocks.shards)
    order = np.random.default_rng([3, 60]).permutation(60)
    rows = data.take(order[np.random.default_rng([3, 0]).integers(0, 60, size=60)])
    placed = PlacedDataset(data, BlockSample(blocks, [3, 0]))
    expected = credenet.score_families(rows, score="bic", max_parents=2)
    found = credenet.score_families(placed, score="bic", max_parents=2)
    for name in data.variables:
        scores = {parents: score for score, parents in expected.families(name)}
        assert {parents: score for score, parents in found.families(name)} == pytest.approx(scores)


def test_what_cannot_be_sampled_is_refused() -> None:
    weighted = Dataset(DATA.states, DATA.codes, weights=np.ones(len(DATA)))
    with pytest.raises(DataError, match="samples of blocks need rows without weights"):
        credenet.bootstrap(weighted, method="pc", blocks=10)
    with pytest.raises(ArgumentError, match="blocks must be at most the number of rows, 2000, got 3000"):
        credenet.bootstrap(DATA, method="pc", blocks=3000)
    with pytest.raises(ArgumentError, match="blocks must be at least 2, got 1"):
        credenet.bootstrap(DATA, method="pc", blocks=1)
