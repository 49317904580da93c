"""Every writer meets a full disk: one kind of error that names the file, the old file stays, and nothing is left."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import credenet
from commands import credenet_command
from credenet import CredenetError
from credenet.errors import WriteError
from credenet.types import IntersectionValidation
from full_disk import full_disk

OLD = b"the file of yesterday"


@cache
def network() -> credenet.BayesianNetwork:
    return credenet.textbook.asia()


@cache
def data() -> credenet.Dataset:
    return network().sample(200, seed=1)


@cache
def families() -> credenet.FamilyTable:
    return credenet.score_families(data(), max_parents=2)


@cache
def learned() -> credenet.LearnResult:
    return credenet.learn(families())


@cache
def credible() -> credenet.CredibleSet:
    return credenet.credible_networks(data(), bayes_factor=3)


@cache
def posterior() -> credenet.StructurePosterior:
    return credenet.posterior(data())


@cache
def effects() -> credenet.Effects:
    return network().effects({"smoke": ["yes", "no"]})


@cache
def validated() -> IntersectionValidation:
    return credenet.validate(data(), scores=["bic", "bdeu"], repetitions=2, fractions=[0.5])


def read_only(path: Path) -> None:
    """A dataset of a block file, written as another."""
    with_blocks = path.with_name("source.cnb")
    credenet.read(with_blocks).save(path)


Write = Callable[[Path], object]
WRITERS: dict[str, tuple[str, Write]] = {
    **{
        f"network {suffix}": (f"m{suffix}", lambda path: network().save(path))
        for suffix in (".bif", ".bif.gz", ".xmlbif", ".xdsl", ".net", ".dsc", ".uai", ".json", ".dot")
    },
    **{
        f"graph {suffix}": (f"g{suffix}", lambda path: credenet.save_graph(network().dag, path))
        for suffix in (".json", ".txt", ".csv", ".res", ".dot")
    },
    **{
        f"table {suffix}": (f"t{suffix}", lambda path: data().save(path))
        for suffix in (".csv", ".csv.gz", ".tsv", ".dat", ".parquet", ".cnb")
    },
    **{
        f"families {suffix}": (f"f{suffix}", lambda path: families().save(path))
        for suffix in (".jkl", ".jkl.gz", ".pss", ".parquet")
    },
    **{
        f"credible {suffix}": (f"c{suffix}", lambda path: credible().save(path))
        for suffix in (".parquet", ".json", ".txt", ".txt.gz")
    },
    **{
        f"classes {suffix}": (f"c{suffix}", lambda path: credible().classes.save(path))
        for suffix in (".parquet", ".json", ".txt")
    },
    **{
        f"posterior {suffix}": (f"p{suffix}", lambda path: posterior().save(path))
        for suffix in (".json", ".csv", ".parquet")
    },
    **{
        f"effects {suffix}": (f"e{suffix}", lambda path: effects().save(path))
        for suffix in (".json", ".csv", ".parquet")
    },
    **{
        f"plot {suffix}": (f"p{suffix}", lambda path: posterior().plot_average(path))
        for suffix in (".svg", ".png", ".pdf")
    },
    "block file of a file": ("b.cnb", read_only),
    "merged block file": ("b.cnb", lambda path: credenet.ingest(data(), path, merge="yes")),
    "learned network": ("l.bif", lambda path: learned().save(path, data=data())),
    "trace": ("t.csv", lambda path: learned().save_trace(path)),
    "trace plot": ("t.svg", lambda path: learned().save_trace(path)),
    "knowledge": ("k.json", lambda path: credenet.Knowledge(forbidden=[("smoke", each) for each in "abc"]).save(path)),
    "credible report": ("r.html", lambda path: credible().report(path)),
    "posterior report": ("r.html", lambda path: posterior().report(path)),
    "effects plot": ("e.png", lambda path: effects().plot(path)),
    "validation plot": ("v.svg", lambda path: validated().plot(path)),
    "drawing": ("d.svg", lambda path: network().dag.draw(path)),
    "drawing as png": ("d.png", lambda path: network().dag.draw(path)),
    "inference": ("i.svg", lambda path: network().infer().draw(path)),
}


@pytest.mark.filterwarnings("ignore:UAI files hold no names")
@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("room", [0, 30])
def test_a_full_disk(writer: str, room: int, tmp_path: Path) -> None:
    name, write = WRITERS[writer]
    data().save(tmp_path / "source.cnb")
    source = (tmp_path / "source.cnb").read_bytes()
    path = tmp_path / name
    write(path)  # The first call loads modules and fonts.
    assert path.stat().st_size > 30
    path.write_bytes(OLD)
    with full_disk(room), pytest.raises(WriteError) as caught:
        write(path)
    error = caught.value
    assert isinstance(error, CredenetError)
    assert isinstance(error, OSError)
    assert error.filename == str(path)
    assert "too large" in str(error)
    assert str(path) in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {name: OLD, "source.cnb": source}


def test_a_file_that_is_ingested_goes_on_later(tmp_path: Path) -> None:
    """Blocks that were written are kept with their journal, as the message says."""
    source, target = tmp_path / "t.csv", tmp_path / "t.cnb"
    network().sample(3000, seed=1).save(source)
    target.write_bytes(OLD)
    with full_disk(3000), pytest.raises(WriteError, match=r"t\.cnb: .*; run the same again to continue"):
        credenet.ingest(source, target, block_rows=512)
    assert target.read_bytes() == OLD
    assert credenet.ingest(source, target, block_rows=512) == credenet.read(source)
    assert {path.name for path in tmp_path.iterdir()} == {"t.csv", "t.cnb"}


def test_merged_rows_are_not_continued(tmp_path: Path) -> None:
    source, target = tmp_path / "t.csv", tmp_path / "t.cnb"
    states = {name: ["x", "y"] for name in "abcdefghijkl"}
    credenet.Dataset(states, np.random.default_rng(1).integers(0, 2, (3000, 12))).save(source)
    with full_disk(3000), pytest.raises(WriteError, match=r"t\.cnb: .* are written$"):
        credenet.ingest(source, target, merge="yes", block_rows=512)
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.parametrize(
    "words",
    [
        ("credible", "t.csv", "-o", "x.parquet"),
        ("learn", "t.csv", "-o", "x.bif"),
        ("posterior", "t.csv", "--plot", "x.png"),
        ("convert", "t.csv", "x.cnb"),
        ("sample", "m.bif", "--rows", "1000", "-o", "x.csv"),
        ("query", "m.bif", "--draw", "x.svg"),
    ],
)
def test_on_the_command_line(words: tuple[str, ...], tmp_path: Path) -> None:
    data().save(tmp_path / "t.csv")
    network().save(tmp_path / "m.bif")
    with full_disk():
        done = credenet_command(*words, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("error: ")
    assert words[-1] in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"t.csv", "m.bif"}
