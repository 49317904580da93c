"""Limits of time and memory on wide, tall and dense tables.

A call with a time limit takes at most a tenth and half a second more, and one with a memory limit at most a tenth more
than what was resident before. Time is that of one thread, as the machine may have other work.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

import credenet
from attacks import ROOT
from attacks.campaign import Campaign, Case
from credenet import CredenetError, Dataset
from credenet.settings.methods import METHODS

MEGABYTE = 1 << 20
LONGEST = 60.0  # Seconds for the data and the call, whose limit is 3 at most.
UNCOUNTED = 24 * MEGABYTE  # Modules that are loaded, buffers of the allocator.


def attack(case: Case) -> None:
    table = case.draw(st.sampled_from(sorted(TABLES)))
    call = case.draw(st.sampled_from(sorted(CALLS)))
    limits: dict[str, float] = {"time_limit": case.draw(st.sampled_from([0.2, 1.0, 3.0]))}
    if case.draw(st.booleans()):
        limits["memory_limit"] = case.draw(st.sampled_from([50, 150, 500])) * MEGABYTE
    used = measure(table, call, limits)
    allowed = 1.1 * limits["time_limit"] + 0.5
    assert used["seconds"] <= allowed, f"{used['seconds']:.2f} s of CPU time, {allowed:.2f} s allowed: {used['ended']}"
    most = 1.1 * limits.get("memory_limit", np.inf) + UNCOUNTED
    megabytes = used["bytes"] / MEGABYTE
    assert used["bytes"] <= most, f"{megabytes:.0f} MB, {most / MEGABYTE:.0f} MB allowed: {used['ended']}"


def wide() -> Dataset:
    """Ten rows of 5,000 columns."""
    return _binary(np.random.default_rng(1).integers(0, 2, (10, 5000)))


def wider() -> Dataset:
    """200 rows of 1,000 columns, neighbours of which agree mostly."""
    rng = np.random.default_rng(2)
    codes = np.cumsum(rng.random((200, 1000)) < 0.1, axis=1) % 2
    return _binary(codes)


def tall() -> Dataset:
    """A million rows of 12 columns."""
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 4, (1_000_000, 12))
    codes[:, 1::2] = np.where(rng.random((1_000_000, 6)) < 0.7, codes[:, ::2], codes[:, 1::2])
    return Dataset({f"v{at}": list("0123") for at in range(12)}, codes)


def dense() -> Dataset:
    """5,000 rows of 40 columns, each of which depends on many others."""
    rng = np.random.default_rng(4)
    hidden = rng.integers(0, 2, (5000, 6))
    codes = (hidden @ rng.integers(0, 2, (6, 40)) + (rng.random((5000, 40)) < 0.15)) % 2
    return _binary(codes)


def _binary(codes: Any) -> Dataset:
    return Dataset({f"v{at}": ["0", "1"] for at in range(codes.shape[1])}, codes.astype(np.uint8))


def _learner(method: str) -> Callable[..., Any]:
    width: dict[str, Any] = {"tree_width": 3} if METHODS.get(method).needs_tree_width else {}
    return lambda data, **limits: credenet.learn(data, method=method, **width, **limits)


def _of_families(data: Dataset, **limits: Any) -> Any:
    return credenet.score_families(data, slack=3.0, **limits)


def _best_first(data: Dataset, **limits: Any) -> Any:
    return credenet.score_families(data, search="best_first", max_families=10**6, **limits)


def _validation(data: Dataset, **limits: Any) -> Any:
    return credenet.validate(data, methods=["hill_climb", "pc"], **limits)


TABLES: dict[str, Callable[[], Dataset]] = {"wide": wide, "wider": wider, "tall": tall, "dense": dense}
CALLS: dict[str, Callable[..., Any]] = {
    **{f"learn {method}": _learner(method) for method in METHODS.names},
    "score_families": _of_families,
    "score_families best_first": _best_first,
    "credible_networks": credenet.credible_networks,
    "credible_classes": credenet.credible_classes,
    "k_best": lambda data, **limits: credenet.k_best(data, 100, **limits),
    "posterior": credenet.posterior,
    "posterior mcmc": lambda data, **limits: credenet.posterior(data, method="mcmc", **limits),
    "intersection_validation": _validation,
    "bootstrap": lambda data, **limits: credenet.bootstrap(data, n_samples=100, method="hill_climb", **limits),
}


def measure(table: str, call: str, limits: dict[str, float]) -> dict[str, Any]:
    """Seconds of CPU time and bytes beyond those at the start that a call takes in a process of its own."""
    program = f"from attacks.limits import run; run({table!r}, {call!r}, {limits!r})"
    words = [sys.executable, "-c", program]
    try:
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        raise AssertionError(f"{call} on the {table} table still runs after {LONGEST:.0f} s") from None
    assert done.returncode == 0, f"exit code {done.returncode}: {done.stderr[-3000:]}"
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def run(table: str, call: str, limits: dict[str, float]) -> None:
    """Prints what a call in this process takes."""
    data = TABLES[table]()
    warnings.simplefilter("ignore")
    credenet.learn(credenet.datasets.asia(50), n_threads=1)  # The call loads modules that are loaded on first use.
    Path("/proc/self/clear_refs").write_text("5")  # This resets the peak of resident memory.
    before, start = _status("VmRSS"), time.process_time()
    try:
        ended = repr(CALLS[call](data, n_threads=1, **limits))
    except CredenetError as error:
        ended = f"{type(error).__name__}: {error}"
    seconds = time.process_time() - start
    print(json.dumps({"seconds": seconds, "bytes": _status("VmHWM") - before, "ended": ended[:300]}))


def _status(key: str) -> int:
    """A number of bytes in the status of this process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * int(next(line.split()[1] for line in lines if line.startswith(key)))


CAMPAIGN = Campaign(attack, case_seconds=250.0)
