"""Sound files of every format that the library reads, from which mutants are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import credenet
from credenet import DAG, PDAG, Dataset, Knowledge, MarkovNetwork
from credenet.io.uai_evidence import load_evidence, load_query
from credenet.types import ResFile

_STATES = {f"v{at}": ("no", "yes") for at in range(4)}


@dataclass(frozen=True, slots=True)
class Kind:
    """A format: how a file of it is read, and sound contents."""

    suffix: str
    read: Callable[[Path], Any]
    contents: tuple[bytes, ...]


def read_table(path: Path) -> Dataset:
    return credenet.read(path, missing="keep")


def read_cut_table(path: Path) -> Dataset:
    return credenet.read(path, missing="state", discretize="frequency:3")


def read_weighted_table(path: Path) -> Dataset:
    return credenet.read(path, weights="w")


def read_required_edges(path: Path) -> Knowledge:
    return Knowledge.load(path, kind="required")


@cache
def kinds() -> tuple[Kind, ...]:
    """Every format with its reader."""
    with TemporaryDirectory() as name:
        return (*_tables(Path(name)), *_families(Path(name)), *_networks(Path(name)), *_graphs(Path(name)), *_others())


def _written(path: Path, write: Callable[[Path], object]) -> bytes:
    write(path)
    return path.read_bytes()


def _tables(folder: Path) -> list[Kind]:
    data = credenet.datasets.asia(25, seed=1)
    rng = np.random.default_rng(1)
    gaps = Dataset(
        {"a": ["x", "y", "z"], "b b": list(map(str, range(20))), "c": ["0"]},
        np.stack([rng.integers(-1, 3, 700), rng.integers(0, 20, 700), np.zeros(700, dtype=np.int64)], axis=1),
        weights=rng.random(700),
    )
    plain = _written(folder / "t.csv", data.save)
    fractions = b"w,x,y\n" + b"".join(b"%d,%.3f,%.2e\n" % (k, k / 7, -k * 1e5) for k in range(12))
    quoted = b'"a, b";"c ""d""";"e\nf"\r\n1;2,5;x\r\n"";NA;"y\n"\r\n3;1e5;?\r\n'
    counted = b"3\n2 3 2\n4\n0 1 1\n1 2 0\n0 0 0\n1 1 1\n"
    named = b"a b c\n2 3 2\n0 1 1\n1 2 0\n0 0 0\n1 1 1\n"
    blocks, parquet = (
        tuple(_written(folder / f"{at}{suffix}", rows.save) for at, rows in enumerate((data, gaps)))
        for suffix in (".cnb", ".parquet")
    )
    return [
        Kind(".csv", read_table, (plain, quoted, fractions)),
        Kind(".csv", read_cut_table, (fractions, quoted)),
        Kind(".csv", read_weighted_table, (fractions,)),
        Kind(".csv.gz", read_table, (_written(folder / "t.csv.gz", data.save),)),
        Kind(".tsv", read_table, (_written(folder / "t.tsv", data.save),)),
        Kind(".dat", read_table, (counted, named, _written(folder / "t.dat", data.save))),
        Kind(".data", read_table, (counted, plain)),
        Kind(".parquet", read_table, parquet),
        Kind(".cnb", read_table, blocks),
    ]


def _families(folder: Path) -> list[Kind]:
    families = credenet.score_families(credenet.datasets.asia(25, seed=1), slack=2.0)
    suffixes = (".jkl", ".scores", ".jaa", ".pss", ".parquet", ".jkl.gz")
    return [
        Kind(suffix, credenet.load_families, (_written(folder / f"f{suffix}", families.save),)) for suffix in suffixes
    ]


def _networks(folder: Path) -> list[Kind]:
    networks = (credenet.textbook.asia(), credenet.random.network(credenet.random.dag(4, n_edges=4, seed=1), seed=1))
    found = []
    for suffix in (".bif", ".xmlbif", ".xdsl", ".net", ".dsc", ".uai", ".json", ".bif.gz"):
        contents = tuple(_written(folder / f"{at}{suffix}", network.save) for at, network in enumerate(networks))
        found.append(Kind(suffix, credenet.load, contents))
    markov = b"MARKOV\n3\n2 2 3\n2\n2 0 1\n2 1 2\n\n4\n1.0 0.5\n2e3 0.25\n\n6\n1 2 3\n0 0.5 7\n"
    found.append(Kind(".uai", MarkovNetwork.load, (markov, found[5].contents[0])))
    return found


def _graphs(folder: Path) -> list[Kind]:
    dag = credenet.textbook.asia().dag
    found = []
    for suffix in (".json", ".txt", ".csv", ".dot", ".res"):
        graphs: list[DAG | PDAG] = [dag] if suffix == ".res" else [dag, dag.cpdag()]
        contents = tuple(
            _written(folder / f"{at}{suffix}", partial(credenet.save_graph, graph)) for at, graph in enumerate(graphs)
        )
        found.append(Kind(suffix, credenet.load_graph, contents))
    found.append(Kind(".txt", credenet.load_graph, (b"[a][b|a][c|a:b]\n", b"a -> b; c -- b\nd\n")))
    return [*found, Kind(".res", ResFile.load, found[4].contents)]


def _others() -> list[Kind]:
    rules = Knowledge(
        required=[("a", "b")], tiers=[["a"], ["b", "c"]], max_parents={"a": 1}, independences=[("a", "c")]
    )
    with TemporaryDirectory() as name:
        json = _written(Path(name) / "k.json", rules.save)
    gobnilp = b"a->b\n~c->b\na-c\n~a->b<-c\na,b _|_ c | d\n"
    return [
        Kind(".json", Knowledge.load, (json,)),
        Kind(".txt", Knowledge.load, (gobnilp,)),
        Kind(".csv", read_required_edges, (b"from,to\na,b\nc,d\n",)),
        Kind(".evid", lambda path: load_evidence(path, _STATES), (b"2 0 1 3 0\n", b"1\n2 0 1 1 0\n")),
        Kind(".query", lambda path: load_query(path, _STATES), (b"2 0 1\n",)),
    ]
