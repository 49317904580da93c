"""One case of `compare_versions`, run with whichever credenet this interpreter finds: CPU seconds and the answer.

Calls use positional arguments and names that every version has.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import credenet

Case = Callable[[Path, Path], Callable[[], Any]]
"""Given the shared data and a folder of its own, the work to be timed; what it returns must agree between versions."""


def _read(data: Path, folder: Path) -> Callable[[], Any]:
    return lambda: credenet.read(folder / "alarm.csv").variables


def _score(data: Path, folder: Path) -> Callable[[], Any]:
    rows = credenet.read(data / "datasets" / "alarm1000.csv.gz")
    return lambda: len(credenet.score_families(rows, score="bdeu", max_parents=3, n_threads=1))


def _learn(name: str, **options: Any) -> Case:
    def case(data: Path, folder: Path) -> Callable[[], Any]:
        rows = credenet.read(data / "datasets" / name)
        return lambda: credenet.learn(rows, n_threads=1, **options).score

    return case


def _learn_families(data: Path, folder: Path) -> Callable[[], Any]:
    families = credenet.load_families(data / "scores" / "pigs-5000.jkl.gz")
    return lambda: credenet.learn(families, n_threads=1).score


def _rai(data: Path, folder: Path) -> Callable[[], Any]:
    network = credenet.load(data / "networks" / "munin.bif.gz")
    rows = network.sample(10_000, seed=1)
    return lambda: len(credenet.learn(rows, method="rai", n_threads=1).graph.edges)


def _credible(name: str, **options: Any) -> Case:
    def case(data: Path, folder: Path) -> Callable[[], Any]:
        rows = credenet.read(data / "datasets" / name)
        return lambda: credenet.credible_networks(rows, bayes_factor=20, n_threads=1, **options).n_networks

    return case


def _marginals(data: Path, folder: Path) -> Callable[[], Any]:
    network = credenet.load(data / "networks" / "munin1.bif.gz")
    return lambda: round(sum(max(table.values()) for table in network.marginals().values()), 9)


def _command(*arguments: str) -> Case:
    def case(data: Path, folder: Path) -> Callable[[], Any]:
        call = [sys.executable, "-S", "-m", "credenet", *arguments]
        return lambda: subprocess.run(call, capture_output=True, check=True).returncode

    return case


CASES: dict[str, Case] = {
    "read 200,000 rows of 37 (csv)": _read,
    "score alarm1000 BDeu, ≤ 3 parents": _score,
    "learn autos BIC": _learn("autos.csv", score="bic"),
    "learn alarm1000 BDeu, ≤ 3 parents": _learn("alarm1000.csv.gz", score="bdeu", max_parents=3),
    "learn pigs-5000.jkl": _learn_families,
    "learn munin 10,000 rows, RAI": _rai,
    "credible hepatitis BIC, 20": _credible("hepatitis.csv", score="bic"),
    "credible autos BIC, 20": _credible("autos.csv", score="bic"),
    "credible alarm1000 BDeu ≤ 3, 20": _credible("alarm1000.csv.gz", score="bdeu", max_parents=3),
    "credible hailfinder500 BIC ≤ 4, 20": _credible("hailfinder500.csv.gz", score="bic", max_parents=4),
    "marginals munin1": _marginals,
    "credenet --help": _command("--help"),
    "credenet example asia": _command("example", "asia"),
}


def main() -> None:
    """``python version_cases.py CASE DATA FOLDER REPEATS``; prints one line of JSON."""
    name, data, folder, repeats = sys.argv[1:]
    work = CASES[name](Path(data), Path(folder))
    seconds, answer = [], None
    for _ in range(int(repeats)):
        start = _cpu()
        answer = work()
        seconds.append(_cpu() - start)
    print(json.dumps({"cpu": min(seconds), "answer": answer}))


def _cpu() -> float:
    """The CPU seconds of this process and of those it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


if __name__ == "__main__":
    main()
