"""Scoring every family of alarm (1,000 rows) with at most 3 parents, against pyAgrum and pgmpy on one thread."""

from __future__ import annotations

import logging
import math
import tempfile
import warnings
from pathlib import Path

import numpy as np

import credenet
from measure import DATA, Report, Timing, best_of

SLACK_CASES = ("adult", "nltcs", "letter", "msnbc", "parkinsons", "autos", "sponge", "hailfinder500", "flag", "horse")
SAMPLE = 2000


def main() -> None:
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    report = Report("scores", "How long does scoring families take?", "pyagrum", "pgmpy")
    data = credenet.read(DATA / "datasets" / "alarm1000.csv.gz")
    everything = credenet.Knowledge(no_immoralities=True)  # switches pruning off: all families are scored
    for name in ("bdeu", "bic"):
        ours = best_of(
            lambda name=name: credenet.score_families(  # type: ignore[misc]
                data, score=name, max_parents=3, knowledge=everything, n_threads=1
            ),
            3,
        )
        report.add(f"alarm, {name}, 288,859 families", "credenet", ours, note="with the sorted table")
        peers(report, data, name, ours)
    for case in SLACK_CASES:
        path = next((DATA / "datasets").glob(f"{case}.csv*"))
        table = credenet.read(path)
        families: list[credenet.FamilyTable] = []
        timing = best_of(
            lambda table=table, families=families: families.append(  # type: ignore[misc]
                credenet.score_families(table, score="bic", slack=math.log(150), states="observed")
            ),
            1,
        )
        made = families[0].made
        note = f"{made.evaluated:,} evaluated, {len(families[0]):,} kept, complete: {made.complete}"
        report.add(f"{case}, BIC, slack ln 150, no limit", "credenet", timing, note=note)
    report.save()


def peers(report: Report, data: credenet.Dataset, name: str, ours: Timing) -> None:
    """Each peer scores a random sample of the families through its public call; the time is scaled to all of them."""
    import pyagrum
    from pgmpy.structure_score import BIC, BDeu

    rng = np.random.default_rng(1)
    n = data.n_variables
    families = []
    for _ in range(SAMPLE):
        child, *parents = rng.permutation(n)[:4].tolist()
        families.append((child, parents))
    scale = 288_859 / SAMPLE
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "alarm.csv"
        data.to_frame().write_csv(path)
        learner = pyagrum.BNLearner(str(path))
        learner.setNumberOfThreads(1)
        if name == "bdeu":
            learner.useScoreBDeu()
        else:
            learner.useScoreBIC()
            learner.useNoPrior()
        timing = best_of(lambda: [learner.score(c, p) for c, p in families], 3)
    scaled = Timing(timing.wall * scale, timing.cpu * scale)
    report.add(
        f"alarm, {name}, 288,859 families", "pyagrum", scaled, ours=ours, note="scaled from 2,000 with 3 parents"
    )
    frame = data.to_frame().to_pandas()
    scorer = (BDeu if name == "bdeu" else BIC)(frame)
    some = families[:100]
    timing = best_of(
        lambda: [scorer.local_score(frame.columns[c], [frame.columns[p] for p in ps]) for c, ps in some], 1
    )
    scaled = Timing(timing.wall * 288_859 / 100, timing.cpu * 288_859 / 100)
    report.add(task, "pgmpy", scaled, ours=ours, note="scaled from 100 with 3 parents")


if __name__ == "__main__":
    main()
