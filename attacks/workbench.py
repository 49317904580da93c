"""A folder with inputs of the command line, and commands that work on them: long ones, and all that write a file."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import credenet

PROGRAM = Path(sys.executable).with_name("credenet")
OLD = b"what was here before\n"


@dataclass(frozen=True, slots=True)
class Command:
    """The words of a command; ``{o}`` is the file that it writes, and inputs are files of the workbench."""

    text: str
    suffix: str = ""

    def words(self, folder: Path, output: Path) -> list[str]:
        names = {path.name: str(path) for path in folder.iterdir()}
        return [names.get(word, word.replace("{o}", str(output))) for word in self.text.split()]


def workbench() -> Path:
    """The folder with the inputs, which is made once and goes with the process."""
    return Path(_filled().name)


@cache
def _filled() -> TemporaryDirectory[str]:
    made = TemporaryDirectory(prefix="credenet-workbench-")
    folder = Path(made.name)
    large = credenet.random.network(credenet.random.dag(60, n_edges=110, max_parents=4, seed=1), n_states=3, seed=1)
    small = credenet.random.network(credenet.random.dag(17, n_edges=30, max_parents=3, seed=2), n_states=2, seed=2)
    large.save(folder / "large.bif")
    large.sample(3000, seed=1).save(folder / "large.csv")
    large.sample(200_000, seed=2).save(folder / "long.csv")
    small.save(folder / "small.bif")
    small.sample(400, seed=1).save(folder / "small.csv")
    small.sample(40_000, seed=1).save(folder / "rows.csv")
    credenet.textbook.asia().save(folder / "asia.bif")
    credenet.datasets.asia(500, seed=1).save(folder / "asia.csv")
    credenet.score_families(credenet.datasets.asia(500, seed=1), bayes_factor=20).save(folder / "asia.jkl")
    return made


LONG = (
    Command("learn large.csv -o {o}", ".bif"),
    Command("learn large.csv --method ilp --max-parents 2 -o {o}", ".json"),
    Command("learn large.csv --method hill_climb(restarts=1000) -o {o} --json", ".json"),
    Command("learn large.csv --method tabu(restarts=1000) -o {o}", ".txt"),
    Command("learn large.csv --method order_search --max-parents 2 -o {o}", ".json"),
    Command("learn small.csv --method astar -o {o}", ".json"),
    Command("learn small.csv --method bfbnb --json -o {o}", ".json"),
    Command("learn large.csv --tree-width 3 --method kmax --max-parents 2 -o {o}", ".json"),
    Command("learn long.csv --method pc -o {o}", ".json"),
    Command("learn long.csv --method rai -o {o}", ".json"),
    Command("learn long.csv --method mmhc -o {o}", ".json"),
    Command("learn small.csv --bootstrap 1000 -o {o} --json", ".json"),
    Command("score large.csv --max-parents 3 -o {o}", ".jkl"),
    Command("score large.csv --search best_first --max-families 100000 -o {o}", ".parquet"),
    Command("credible small.csv --bayes-factor 1e6 -o {o}", ".txt"),
    Command("credible small.csv --classes --bayes-factor 1e4 --json -o {o}", ".json"),
    Command("posterior small.csv -o {o}", ".csv"),
    Command("posterior large.csv --max-parents 2 -o {o}", ".json"),
    Command("posterior small.csv --method mcmc -o {o} --json", ".parquet"),
    Command("effect small.csv --bayes-factor 1000 -o {o}", ".json"),
    Command("effect small.csv --posterior -o {o}", ".csv"),
    Command("validate small.csv --methods hill_climb,pc,auto --json"),
    Command("ingest long.csv -o {o}", ".cnb"),
    Command("sample large.bif --rows 3000000 -o {o}", ".csv"),
    Command("convert long.csv {o}", ".parquet"),
    Command("convert long.csv {o}", ".tsv.gz"),
    Command("query small.bif x0 --data rows.csv --json"),
    Command("fit long.csv --graph large.bif -o {o}", ".xdsl"),
    Command("info long.csv --json"),
    Command("explain large.bif --evidence x0=s0 --evidence x59=s1"),
)
"""Every verb that works for long, by most of its ways to work."""

WRITING = (
    *(Command("learn asia.csv -o {o}", suffix) for suffix in (".bif", ".xmlbif", ".xdsl", ".net", ".dsc", ".uai")),
    *(Command("learn asia.csv -o {o}", suffix) for suffix in (".json", ".txt", ".csv", ".dot", ".res", ".bif.gz")),
    *(Command("learn asia.csv --trace {o}", suffix) for suffix in (".csv", ".svg", ".png", ".pdf")),
    *(Command("score asia.csv -o {o}", suffix) for suffix in (".jkl", ".pss", ".parquet", ".jkl.gz")),
    *(Command("credible asia.csv -o {o}", suffix) for suffix in (".txt", ".json", ".parquet", ".txt.gz")),
    Command("credible asia.csv --report {o}", ".html"),
    *(Command("posterior asia.csv -o {o}", suffix) for suffix in (".csv", ".parquet", ".json")),
    Command("posterior asia.csv --report {o}", ".html"),
    Command("posterior asia.csv --plot {o}", ".png"),
    *(Command("effect asia.csv -o {o}", suffix) for suffix in (".csv", ".parquet", ".json")),
    Command("effect asia.csv --plot {o}", ".svg"),
    Command("validate asia.csv --methods pc,hill_climb --repetitions 2 --plot {o}", ".pdf"),
    *(Command("fit asia.csv --graph asia.bif -o {o}", suffix) for suffix in (".bif", ".json")),
    *(Command("sample asia.bif --rows 3000 -o {o}", suffix) for suffix in (".csv", ".parquet", ".dat", ".tsv.gz")),
    *(Command("sample asia.bif --rows 30000 -o {o}", suffix) for suffix in (".cnb", ".parquet.gz")),
    *(Command("convert asia.bif {o}", suffix) for suffix in (".xdsl", ".net", ".dot", ".csv")),
    *(Command("convert rows.csv {o}", suffix) for suffix in (".parquet", ".tsv", ".csv.gz")),
    Command("ingest rows.csv -o {o}", ".cnb"),
    *(Command("draw asia.bif -o {o}", suffix) for suffix in (".svg", ".png", ".pdf")),
    *(Command("example asia --rows 2000 -o {o}", suffix) for suffix in (".csv", ".parquet")),
    Command("example asia -o {o}", ".bif"),
)
"""Every verb that writes a file, in every format."""

_READERS: Mapping[str, Callable[[Path], Any]] = {
    ".csv": lambda path: credenet.read(path, discretize="median", missing="keep"),
    ".tsv.gz": credenet.read,
    ".parquet": lambda path: __import__("polars").read_parquet(path),
    ".cnb": credenet.read,
    ".jkl": credenet.load_families,
    ".json": lambda path: __import__("json").loads(path.read_text()),
    ".bif": credenet.load,
    ".xdsl": credenet.load,
}


def check_output(output: Path, *, may_be_new: bool) -> None:
    """The file is as it was before, or it is whole: no half of it is left, nor a temporary file beside it."""
    contents = output.read_bytes() if output.exists() else OLD
    if contents != OLD:
        assert may_be_new, f"{output.name} was written"
        suffix = "".join(output.suffixes[-2:]) if output.suffix == ".gz" else output.suffix
        if suffix in _READERS:
            _READERS[suffix](output)
    kept = {output.name, f"{output.name}.part", f"{output.name}.journal"} if output.suffix == ".cnb" else {output.name}
    left = {path.name for path in output.parent.iterdir()} - kept
    assert not left, f"left behind: {left}"


def start(words: list[str], cwd: Path, **options: Any) -> subprocess.Popen[str]:
    """A command in a process of its own."""
    return subprocess.Popen(
        [str(PROGRAM), *words],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )
