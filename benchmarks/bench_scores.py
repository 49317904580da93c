"""Scoring every family of alarm with at most 3 parents, against pyAgrum and pgmpy; then those that can matter."""

from __future__ import annotations

import logging
import math
import resource
import tempfile
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

import credenet
from measure import DATA, Report, Timing, best_of

SLACK_CASES = (
    *("adult", "nltcs", "letter", "msnbc", "parkinsons", "autos", "sponge", "hailfinder500"),
    *("flag", "horse", "wdbc", "bands", "sensors"),
)
RANDOM_CASES = {  # Each case has a kind, variables and rows.
    "45 independent variables": ("independent", 45, 267),
    "60 independent variables": ("independent", 60, 100),
    "network of 45 variables": ("network", 45, 267),
}
UNLIMITED_CASES = (*RANDOM_CASES, "sensors")
SAMPLE = 2000
LARGEST_UNLIMITED = 26  # Variables for BDeu; above, only as many parents are listed as fit into the time.
TIME_LIMIT = 55.0


def main() -> None:
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    report = Report("scores", "How long does scoring families take?", "pyagrum", "pgmpy")
    data = credenet.read(DATA / "datasets" / "alarm1000.csv.gz")
    # This knowledge switches pruning off, so all families are scored.
    everything = credenet.Knowledge(no_immoralities=True)
    for name in ("bdeu", "bic"):
        ours = best_of(
            lambda name=name: credenet.score_families(  # type: ignore[misc]
                data, score=name, max_parents=3, knowledge=everything, n_threads=1
            ),
            3,
        )
        report.add(f"alarm, {name}, 288,859 families", "credenet", ours, note="with the sorted table")
        peers(report, data, name, ours)
    for score in ("bic", "bdeu"):
        for case in SLACK_CASES:
            # A process of its own, so that the peak of memory is that of this case.
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                timing, note = pool.submit(within_limits, case, score).result()
            report.add(f"{case}, {score}, slack ln 150", "credenet", timing, note=note)
    for case in UNLIMITED_CASES:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            timing, note = pool.submit(without_limit, case).result()
        report.add(f"{case}, bic, all families", "credenet", timing, note=note)
    report.save()


def without_limit(case: str) -> tuple[Timing, str]:
    """All families of optimal networks by BIC, with as many parents as can matter."""
    families: list[credenet.FamilyTable] = []
    timing = best_of(lambda: families.append(credenet.score_families(_unlimited(case), score="bic")), 1)
    return timing, _outcome(families[0])


def _unlimited(case: str) -> credenet.Dataset:
    """A data set, or binary variables: independent ones, or those of a random network."""
    if case not in RANDOM_CASES:
        return credenet.read(next((DATA / "datasets").glob(f"{case}.csv*")))
    kind, n_variables, n_rows = RANDOM_CASES[case]
    if kind == "network":
        dag = credenet.random.dag(n_variables, n_edges=2 * n_variables, seed=1)
        return credenet.random.network(dag, n_states=2, seed=1).sample(n_rows, seed=1)
    codes = np.random.default_rng(n_variables).integers(0, 2, size=(n_rows, n_variables))
    return credenet.Dataset({f"v{at}": ("0", "1") for at in range(n_variables)}, codes)


def within_limits(case: str, score: str) -> tuple[Timing, str]:
    """All families within the slack, as far as they fit in 4 GB (and, for BDeu and many variables, in the time)."""
    table = credenet.read(next((DATA / "datasets").glob(f"{case}.csv*")))
    families: list[credenet.FamilyTable] = []
    hard = score == "bdeu" and table.n_variables > LARGEST_UNLIMITED
    timing = best_of(
        lambda: families.append(
            credenet.score_families(
                table,
                score=score,
                slack=math.log(150),
                states="observed",
                time_limit=TIME_LIMIT if hard else None,
                memory_limit=4e9,
            )
        ),
        1,
    )
    return timing, _outcome(families[0])


def _outcome(families: credenet.FamilyTable) -> str:
    made = families.made
    limit = "complete" if made.complete else f"{made.status}, at most {made.max_parents} parents"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return f"{made.evaluated:,} evaluated, {len(families):,} kept, {limit}, {peak:.2f} GB"


def peers(report: Report, data: credenet.Dataset, name: str, ours: Timing) -> None:
    """Each peer scores a random sample of the families through its public call; the time is scaled to all of them."""
    import pyagrum
    from pgmpy.structure_score import BIC, BDeu

    rng = np.random.default_rng(1)
    task = f"alarm, {name}, 288,859 families"
    names = list(data.variables)
    families = []
    for _ in range(SAMPLE):
        child, *parents = (names[k] for k in rng.permutation(len(names))[:4])
        families.append((child, parents))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "alarm.csv"
        named = {column: f"v{column}" for column in names}  # PyAgrum wants names that are not numbers.
        data.to_polars().rename(named).write_csv(path)
        learner = pyagrum.BNLearner(str(path))
        learner.setNumberOfThreads(1)
        if name == "bdeu":
            learner.useScoreBDeu()
        else:
            learner.useScoreBIC()
            learner.useNoPrior()
        asked = [(named[child], [named[parent] for parent in parents]) for child, parents in families]
        timing = best_of(lambda: [learner.score(child, parents) for child, parents in asked], 3)
    report.add(task, "pyagrum", scaled(timing, SAMPLE), ours=ours, note="scaled from 2,000 with 3 parents")
    frame = data.to_polars().to_pandas()
    scorer = (BDeu if name == "bdeu" else BIC)(frame)
    timing = best_of(lambda: [scorer.local_score(child, tuple(parents)) for child, parents in families[:100]], 1)
    report.add(task, "pgmpy", scaled(timing, 100), ours=ours, note="scaled from 100 with 3 parents")


def scaled(timing: Timing, count: int) -> Timing:
    """The time for all families from that for some."""
    return Timing(timing.wall * 288_859 / count, timing.cpu * 288_859 / count)


if __name__ == "__main__":
    main()
