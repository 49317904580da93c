"""A process that ends during work ends at once, with its exit code and without a word."""

from __future__ import annotations

import subprocess
import sys

import pytest

from endings import EXIT_CODE, exited

MOST_SECONDS = 5.0  # Usually a tenth is enough; every piece of work takes far longer than this.

WORKS = [
    ("dp", "astar", "bfbnb", "awa_star"),
    ("ilp", "order_search", "tabu", "auto"),
    ("k_trees", "width_dp", "width_milp", "score_families"),
    ("pc", "mmhc", "credible", "posterior"),
    ("bootstrap", "chains", "effects", "sampling"),
    ("blocked",),
]


@pytest.mark.parametrize("names", WORKS, ids=" ".join)
def test_work_in_daemon_threads(names: tuple[str, ...]) -> None:
    done = exited(*names, seconds=MOST_SECONDS)
    assert (done.returncode, done.stderr) == (EXIT_CODE, "")


LATE = """
import atexit

@atexit.register
def learn():
    found = credenet.bootstrap(data, n_samples=4, n_threads=2)
    print(credenet.learn(data).status, found.n_samples)

import credenet
data = credenet.textbook.asia().sample(200, seed=1)
"""


def test_work_after_the_end_has_begun() -> None:
    """What was registered before the package was imported runs after the package has prepared for the end."""
    done = subprocess.run([sys.executable, "-c", LATE], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "optimal 4\n", "")
