"""Work of every kind, in daemon threads that never end, while the process ends.

As a program it takes a number and names of `WORKS`. It begins them, waits until each has reported its progress so many
times, or has ended, and exits with `EXIT_CODE`.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from functools import cache, partial

from credenet.methods import ILP, S2, Exact
from credenet.types import Progress

import credenet
from credenet import BayesianNetwork, CredibleSet, Dataset, FamilyTable
from credenet._run.progress import OnProgress

EXIT_CODE = 7


@cache
def network() -> BayesianNetwork:
    return credenet.random.network(credenet.random.dag(20, max_parents=4, seed=1), seed=1)


@cache
def rows(number: int) -> Dataset:
    return network().sample(number, seed=number)


@cache
def few() -> Dataset:
    return rows(1000).select(network().variables[:10])


@cache
def families() -> FamilyTable:
    return credenet.score_families(rows(1000), max_parents=3, slack=6.0)


@cache
def credible() -> CredibleSet:
    return credenet.credible_networks(few(), bayes_factor=100)


def _learn_table(method: ILP | str, tell: OnProgress) -> object:
    return credenet.learn(families(), method=method, on_progress=tell)


def _tell_and_block(tell: OnProgress, progress: Progress) -> None:
    tell(progress)
    threading.Event().wait()


Work = Callable[[OnProgress], object]
WORKS: dict[str, Work] = {
    **{name: partial(_learn_table, name) for name in ("dp", "astar", "bfbnb", "awa_star", "order_search", "tabu")},
    "ilp": partial(_learn_table, ILP(subset_variables=0)),
    "auto": lambda tell: credenet.learn(rows(1000), on_progress=tell),
    "pc": lambda tell: credenet.learn(rows(100_000), method="pc", on_progress=tell),
    "mmhc": lambda tell: credenet.learn(rows(100_000), method="mmhc", on_progress=tell),
    "k_trees": lambda tell: credenet.learn(few(), method=S2(10**6), tree_width=3, on_progress=tell),
    "width_dp": lambda tell: credenet.learn(few(), method=Exact("dp"), tree_width=3, on_progress=tell),
    "width_milp": lambda tell: credenet.learn(rows(1000), method=Exact("milp"), tree_width=3, on_progress=tell),
    "score_families": lambda tell: credenet.score_families(rows(100_000), max_parents=5, on_progress=tell),
    "credible": lambda tell: credenet.credible_networks(families(), slack=6.0, on_progress=tell),
    "posterior": lambda tell: credenet.posterior(rows(1000), on_progress=tell),
    "chains": lambda tell: credenet.posterior(rows(1000), method="mcmc", time_limit=100, on_progress=tell),
    "bootstrap": lambda tell: credenet.bootstrap(rows(1000), n_samples=1000, on_progress=tell),
    "effects": lambda tell: credenet.effects(credible(), data=few(), n_draws=10**5, on_progress=tell),
    "sampling": lambda tell: network().sample(10**7, seed=3),
    "blocked": lambda tell: credenet.score_families(rows(100_000), on_progress=partial(_tell_and_block, tell)),
}


def begin(work: Work, n_reports: int) -> threading.Event:
    """Does the work again and again, in a daemon thread; the event is set at a report of progress, or when it ends."""
    is_reached = threading.Event()
    reports: list[Progress] = []

    def tell(progress: Progress) -> None:
        reports.append(progress)
        if len(reports) >= n_reports:
            is_reached.set()

    def repeat() -> None:
        while True:
            work(tell)
            is_reached.set()

    threading.Thread(target=repeat, daemon=True).start()
    return is_reached


def exited(*names: str, n_reports: int = 1, seconds: float = 60.0) -> subprocess.CompletedProcess[str]:
    """A process that ends during some works; from its exit to its end it may take so many seconds."""
    words = [sys.executable, __file__, str(n_reports), *names]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        output, errors = process.communicate(timeout=seconds)
        return subprocess.CompletedProcess(words, process.returncode, output, errors)


def main(n_reports: str, *names: str) -> None:
    for event in [begin(WORKS[name], int(n_reports)) for name in names]:
        event.wait()
    print("exits", flush=True)
    sys.exit(EXIT_CODE)


if __name__ == "__main__":
    main(*sys.argv[1:])
