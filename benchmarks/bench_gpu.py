"""Counting on a graphics processor against one core and all cores, in the same run, with equal answers.

python benchmarks/bench_gpu.py [NETWORKS] reads alarm.bif.gz, munin.bif.gz and diabetes.bif.gz from a folder.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import credenet
from credenet.placement.gpu import cupy
from measure import DATA, RESULTS

N_CORES = os.cpu_count() or 1


def timed(work: Callable[[], Any], repeats: int = 1) -> tuple[float, Any]:
    """The shortest wall time of several runs, and the last answer."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        answer = work()
        times.append(time.perf_counter() - start)
    return min(times), answer


def families(data: credenet.Dataset, device: str, n_threads: int) -> Any:
    with credenet.placed(data, device=device) as rows:
        return credenet.score_families(rows, max_parents=3, n_threads=n_threads)


def graph(data: credenet.Dataset, method: str, device: str, n_threads: int) -> Any:
    return credenet.learn(data, method=method, device=device, n_threads=n_threads).graph


def main(networks: Path) -> None:
    cp = cupy()
    name = cp.cuda.runtime.getDeviceProperties(0)["name"].decode()
    rows: list[dict[str, Any]] = []

    def compare(task: str, work: Callable[[str, int], Any], cores: tuple[int, ...], repeats: int) -> None:
        work("cuda", N_CORES)  # The first call compiles the kernels.
        seconds, answer = timed(lambda: work("cuda", N_CORES), repeats)
        row: dict[str, Any] = {"task": task, "gpu": round(seconds, 3)}
        for n in cores:
            there, expected = timed(lambda n=n: work("cpu", n))  # type: ignore[misc]
            row[f"{n} cores"] = round(there, 3)
            row[f"ratio to {n} cores"] = round(there / seconds, 1)
            row["equal"] = row.get("equal", True) and answer == expected
        rows.append(row)
        print(json.dumps(row), flush=True)

    def sampled(network: str, n: int) -> credenet.Dataset:
        return credenet.load(networks / f"{network}.bif.gz").sample(n, seed=1)

    alarm = sampled("alarm", 10_000_000)
    compare("alarm 10 M rows, all families of at most 3 parents", lambda d, n: families(alarm, d, n), (N_CORES,), 3)
    small = alarm.take(slice(1_000_000))
    compare("alarm 1 M rows, all families of at most 3 parents", lambda d, n: families(small, d, n), (N_CORES, 1), 3)
    for network, n in (("munin", 200_000), ("diabetes", 200_000)):
        data = sampled(network, n)
        for method in ("pc", "rai"):
            task = f"{network} {n:,} rows, {method}"
            compare(task, lambda d, k, data=data, method=method: graph(data, method, d, k), (N_CORES,), 1)  # type: ignore[misc]
    found = {"machine": {"gpu": name, "cores": N_CORES, "python": platform.python_version()}, "rows": rows}
    (RESULTS / "gpu.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA / "networks")
