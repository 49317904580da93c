"""What is said of missing cells that became a state."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom

import credenet
from commands import credenet_command
from credenet import Dataset
from credenet.data.remarks.missing import GapCounts
from shared import shared_data


def gappy(n_rows: int = 400) -> pl.DataFrame:
    """Columns ``a`` and ``b`` are missing together, ``c`` by itself, ``d`` never."""
    rng = np.random.default_rng(3)
    lost = rng.random(n_rows) < 0.3
    alone = rng.random(n_rows) < 0.3
    columns = {name: rng.integers(0, 2, n_rows).astype(str).astype(object) for name in "abcd"}
    columns["a"][lost] = None
    columns["b"][lost] = None
    columns["c"][alone] = None
    return pl.DataFrame({name: cells.tolist() for name, cells in columns.items()})


def test_share_and_joint_gaps_are_told() -> None:
    frame = gappy()
    data = Dataset.from_frame(frame, missing="state")
    n_a, n_c = (frame[name].null_count() for name in "ac")
    share, joint = data.info().remarks
    assert share.startswith(f"{(2 * n_a + n_c) / 1600:.1%} of the cells are missing (")
    for name, number in (("a", n_a), ("b", n_a), ("c", n_c)):
        assert f"'{name}' {number / 400:.0%}" in share
    assert share.endswith(f"missing='drop', which leaves {len(frame.drop_nulls())} of 400 rows")
    assert joint == (
        f"columns are missing together: 'a' and 'b' in {n_a} rows ({n_a * n_a / 400:.0f} expected by chance); "
        "edges between them may say no more than that"
    )
    for missing in ("keep", "drop"):
        assert not any("'state'" in text for text in Dataset.from_frame(frame, missing=missing).info().remarks)
    assert Dataset.from_frame(frame.drop_nulls(), missing="state").info().remarks == ()


@given(st.integers(0, 10**6), st.integers(20, 200), st.floats(0.05, 0.95))
@example(999999, 20, 0.921875)
@settings(max_examples=60, deadline=None)
def test_pairs_are_those_of_the_hypergeometric_test(seed: int, n_rows: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    common = rng.random(n_rows) < share
    columns = {str(k): np.where(rng.random(n_rows) < k / 4, common, rng.random(n_rows) < share) for k in range(4)}
    counts = GapCounts({name: int(is_gap.sum()) for name, is_gap in columns.items()})
    for rows in (slice(0, n_rows // 3), slice(n_rows // 3, None)):
        counts.add([is_gap[rows] for is_gap in columns.values()])
    text = counts.remarks(5)[-1]
    assert counts.n_complete == int((~np.logical_or.reduce(list(columns.values()))).sum())
    for (a, first), (b, second) in itertools.combinations(columns.items(), 2):
        both, n_a, n_b = int((first & second).sum()), int(first.sum()), int(second.sum())
        chance = hypergeom.sf(both - 1, n_rows, n_a, n_b)
        is_said = f"{a!r} and {b!r} in {both:,} rows" in text
        may_be_said = chance < 0.001 and both > n_a * n_b / n_rows
        must_be_said = chance < 1e-9 and both >= 5 and both > 1.1 * n_a * n_b / n_rows and "more" not in text
        assert must_be_said <= is_said <= may_be_said


@pytest.mark.parametrize("verb", ["learn", "credible", "posterior", "score", "effect", "fit"])
def test_verbs_that_learn_say_it_in_text_and_json(verb: str, tmp_path: Path) -> None:
    gappy().write_csv(tmp_path / "t.csv")
    (tmp_path / "g.txt").write_text("a -> b\nc\nd\n")
    more = ["--graph", "g.txt"] if verb == "fit" else ["--max-parents", "1"] if verb != "effect" else []
    done = credenet_command(verb, "t.csv", "--missing", "state", "--json", *more, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    remarks = json.loads(done.stdout)["data_remarks"]
    assert [f"remark: {remark}" for remark in remarks] == done.stderr.splitlines()
    assert "and --missing state made being missing a value: this can hide edges" in remarks[0]
    assert remarks[1].startswith("columns are missing together: 'a' and 'b' in ")
    done = credenet_command(verb, "t.csv", "--missing", "drop", "--json", *more, cwd=tmp_path)
    assert not any("--missing state" in remark for remark in json.loads(done.stdout)["data_remarks"])


@pytest.mark.parametrize("merge", ["yes", "no"])
def test_block_files_keep_the_warning(merge: Literal["yes", "no"], tmp_path: Path) -> None:
    gappy().write_csv(tmp_path / "t.csv")
    data = credenet.ingest(tmp_path / "t.csv", tmp_path / "t.cnb", missing="state", merge=merge)
    assert len(data.info().remarks) == 2
    assert data.info().remarks == credenet.read(tmp_path / "t.csv", missing="state").info().remarks


def test_what_the_page_on_data_says_of_alarm() -> None:
    """With gaps as a state, edges of probability 1 are lost and edges of probability 0 found (docs/guide/data.md)."""
    full = credenet.read(shared_data("missing/alarm5000.csv.gz"))
    chosen = full.variables[:16]
    gaps = credenet.read(shared_data("missing/alarm5000_mar.csv.gz"), columns=chosen, missing="state")
    assert gaps.info().remarks[0].startswith("15.1% of the cells are missing")
    of_full, of_gaps = (credenet.posterior(data).edge_probabilities() for data in (full.select(chosen), gaps))
    pairs = list(itertools.combinations(chosen, 2))
    joined = [[found.get((a, b), 0) + found.get((b, a), 0) for a, b in pairs] for found in (of_full, of_gaps)]
    assert sum(before > 0.9999 and after < 0.01 for before, after in zip(*joined, strict=True)) == 2
    assert sum(before < 0.001 and after > 0.999 for before, after in zip(*joined, strict=True)) == 4
