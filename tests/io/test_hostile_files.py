"""Files made to take much time, memory or depth are refused soon, with an error that names them."""

from __future__ import annotations

import gzip
import json
import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import credenet
from commands import credenet_command
from credenet import CredenetError
from credenet._files.files import read_bytes
from credenet.cli.inputs import kind_of
from credenet.errors import FormatError
from credenet.io.uai_evidence import load_evidence, load_query
from credenet.priors import InDegree

STATES = {"a": ("x", "y"), "b": ("x", "y")}
LENGTH = 24_000  # Characters of a run; quadratic time would take seconds.
SECONDS = 0.8  # CPU seconds, far more than linear time takes.

Read = Callable[[Path], object]


def knowledge(path: Path) -> object:
    return credenet.Knowledge.load(path, kind="forbidden" if path.suffix == ".csv" else None)


# A reader for every suffix, with texts in the middle of which a run may begin.
READERS: dict[str, tuple[Read, tuple[str, ...]]] = {
    "n.bif": (credenet.load, ("network ", "network a { } variable a { ", "network a { } variable a { property ")),
    "n.xmlbif": (credenet.load, ("<!DOCTYPE a>", "<BIF><NETWORK><VARIABLE><NAME>")),
    "n.xdsl": (credenet.load, ("<!DOCTYPE a>", "<smile><nodes><cpt id='a'>")),
    "n.net": (credenet.load, ("net ", "net { } node a { states = ", "net { } node ")),
    "n.dsc": (credenet.load, ("belief network ", "belief network node a { type : discrete [ 2 ] = { ")),
    "n.uai": (credenet.load, ("BAYES\n",)),
    "n.json": (credenet.load, ('{"format": "credenet network", "variables": [',)),
    "n": (credenet.load, ("<!DOCTYPE a>", "network ", "net", "node ")),
    "g.txt": (credenet.load_graph, ("", "a -> ", "[a|", "[a]")),
    "g.csv": (credenet.load_graph, ("a,b\n",)),
    "g.res": (credenet.load_graph, ("0: -1.5 ", "0: ", "0 ", "elim-order: ( ", "0: -1 ( ")),
    "g": (kind_of, ("", "<!DOCTYPE a>", "<smile>", "variable ", "a -> ", "% ")),
    "f.jkl": (credenet.load_families, ("2\n0 1\n-1.5 0\n", "# credenet: {")),
    "f.pss": (credenet.load_families, ("VAR a\n",)),
    "t.csv": (credenet.read, ("a,b\n", 'a,b\n"')),
    "t.dat": (credenet.read, ("a b\n",)),
    "k.json": (knowledge, ('{"format": "credenet knowledge", ',)),
    "k.txt": (knowledge, ("a -> b <- ", "a _|_ ")),
    "k.csv": (knowledge, ("from,to\n", 'from,to\n"')),
    "e.evid": (lambda path: load_evidence(path, STATES), ("1 ",)),
    "q.query": (lambda path: load_query(path, STATES), ("1 ",)),
}
UNITS = (*' \n\ta"([{<-1,;:|#', '""', "0 ", "% \n", "/*", "<a>")
TAILS = ("", "x(")  # Blanks at the end are removed first.


@pytest.mark.parametrize("name", READERS)
def test_long_runs_are_read_in_linear_time(name: str, tmp_path: Path) -> None:
    read, heads = READERS[name]
    path = tmp_path / name
    for head, unit, tail in product(heads, UNITS, TAILS):
        path.write_text(head + unit * (LENGTH // len(unit)) + tail, encoding="utf-8")
        # A busy machine may slow one of the tries, not all.
        assert any(seconds_to_refuse(read, path) < SECONDS for _ in range(3)), (head, unit, tail)


def seconds_to_refuse(read: Read, path: Path) -> float:
    begin = time.process_time()
    with suppress(CredenetError):  # Most texts are no files of the format.
        read(path)
    return time.process_time() - begin


DEEP = {
    "lists": "[" * 100_000,
    "objects": '{"a":' * 100_000,
    "closed lists": "[" * 100_000 + "]" * 100_000,
    "an object in a list": '{"format": "credenet network", "variables": ' + "[" * 100_000,
}


@pytest.mark.parametrize("text", DEEP)
@pytest.mark.parametrize("name", ["n.json", "k.json", "g.json", "candidates.json", "cliques.json"])
def test_deep_json(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(DEEP[text])
    credenet.datasets.asia(20).save(tmp_path / "t.csv")
    words: dict[str, tuple[str, ...]] = {
        "n.json": ("query", name),
        "k.json": ("learn", "t.csv", "--knowledge", name),
        "g.json": ("score", "t.csv", "--graph", name),
        "candidates.json": ("validate", "t.csv", "--candidates", name),
        "cliques.json": ("learn", "t.csv", "--cliques", name),
    }
    done = credenet_command(*words[name], cwd=tmp_path)
    assert done.returncode in (1, 2), done.stderr
    assert name in done.stderr
    assert "Traceback" not in done.stderr


def test_other_deep_files(tmp_path: Path) -> None:
    path = tmp_path / "n.xmlbif"
    path.write_text("<a>" * 100_000)
    with pytest.raises(FormatError, match=r"n\.xmlbif:1: elements are nested more than 100 deep"):
        credenet.load(path)
    path = tmp_path / "f.jkl"
    path.write_text("# credenet: " + "[" * 100_000 + "\n2\n")
    with pytest.raises(FormatError, match=r"f\.jkl:1: the '# credenet:' line"):
        credenet.load_families(path)
    path = tmp_path / "f.parquet"
    credenet.score_families(credenet.datasets.asia(20), max_parents=1).save(path)
    pl.read_parquet(path).write_parquet(path, metadata={"credenet": "[" * 100_000})
    with pytest.raises(FormatError, match=r"f\.parquet"):
        credenet.load_families(path)


def test_a_small_packed_file_takes_little_memory(tmp_path: Path) -> None:
    """The memory is that of the contents, not of the limit."""
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n1,2\n2,1\n" * 100))
    tracemalloc.start()
    try:
        assert len(read_bytes(path)) == 1200
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 10e6


@pytest.mark.parametrize("name", ["t.csv.gz", "n.bif.gz", "f.jkl.gz", "k.json.gz", "g.txt.gz"])
def test_a_packed_file_that_does_not_fit_into_memory(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of times its size: it is refused as soon as half of the memory is reached."""
    path = tmp_path / name
    path.write_bytes(gzip.compress(b"a,b\n" + b"0" * 30_000_000))
    monkeypatch.setattr("credenet._files.files.available_memory", lambda: 20_000_000)
    read = READERS[name.removesuffix(".gz")][0]
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match=rf"{name}: decompresses to more than 10 MB, which may not fit"):
            read(path)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 60e6


def test_memory_that_runs_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n1,2\n"))

    def full(*arguments: Any) -> bytes:
        raise MemoryError

    monkeypatch.setattr("gzip.GzipFile.read", full)
    with pytest.raises(FormatError, match=r"t\.csv\.gz: decompresses to more than fits into memory"):
        read_bytes(path)


@pytest.mark.parametrize("text", ['a,b\n1,2\n"', "a,b\n1,2\n"], ids=["a quote", "no line end"])
def test_a_row_without_end(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that is ingested is not kept in memory, not even if its packed text is one row of any length."""
    monkeypatch.setattr("credenet.io.blocks.text_source._MOST_ROW_BYTES", 1 << 20)
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(text.encode() + b"0" * 8_000_000))
    with pytest.raises(FormatError, match=r"t\.csv\.gz: has a row of more than 1\.05 MB; a quote may not be closed"):
        credenet.ingest(path, tmp_path / "t.cnb", memory_limit=1e6)


STAR = ("*", "^a.*$", "ab", "c")


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.dat", "t.parquet", "t.cnb"])
def test_names_that_are_patterns_elsewhere(name: str, tmp_path: Path) -> None:
    """polars takes them for the names of other columns; here they are names."""
    frame = pl.DataFrame({each: [str(k >> at & 1) for k in range(40)] for at, each in enumerate(STAR)})
    data = credenet.Dataset.from_frame(frame)
    assert data.variables == STAR
    assert credenet.Dataset.from_frame(frame.to_pandas()) == data
    assert credenet.Dataset.from_frame(data.to_pandas()) == data
    gaps = frame.with_columns(pl.Series("*", [None, 2] * 20))
    assert credenet.Dataset.from_frame(gaps, missing="keep").missing == {"*": 20}
    data.save(tmp_path / name)
    assert credenet.read(tmp_path / name) == data
    assert credenet.read(tmp_path / name, columns=["*", "c"]) == data.select(["*", "c"])
    assert credenet.read(tmp_path / name, drop=["*"]) == data.select(STAR[1:])


@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
def test_such_names_are_ingested(name: str, tmp_path: Path) -> None:
    data = credenet.Dataset.from_frame(pl.DataFrame({each: ["x", "y"] * 20 for each in STAR}))
    data.save(tmp_path / name)
    some = ["*", "^a.*$"]
    assert credenet.ingest(tmp_path / name, tmp_path / "i.cnb", columns=some) == data.select(some)


def test_the_star_of_limits(tmp_path: Path) -> None:
    """It stands for the variables that are not named, so a variable of this name is refused in words."""
    data = credenet.Dataset.from_frame(pl.DataFrame({each: ["x", "y"] * 20 for each in STAR}))
    rules = credenet.Knowledge(max_parents={"*": 1, "c": 2})
    for call in (
        lambda: credenet.learn(data, knowledge=rules),
        lambda: credenet.learn(data, prior=InDegree({"*": 1})),
        lambda: rules.violations(credenet.DAG(STAR)),
    ):
        with pytest.raises(CredenetError, match=r"has '\*', which stands for the variables that are not named, but a"):
            call()
    assert credenet.learn(data, knowledge=credenet.Knowledge(max_parents={"c": 1})).score is not None
    assert credenet.learn(data.select(["ab", "c"]), knowledge=rules).score is not None
    (tmp_path / "k.json").write_text(json.dumps({"format": "credenet knowledge", "max_parents": {"*": 1}}))
    data.save(tmp_path / "t.csv")
    done = credenet_command("learn", "t.csv", "--knowledge", "k.json", cwd=tmp_path)
    assert done.returncode == 1
    assert "rename the variable" in done.stderr
