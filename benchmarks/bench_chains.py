"""Markov chains over networks: time until they agree, and how far they are from exact sums or from other chains.

``small``: shared data sets of at most 20 variables, ten seconds each, against the exact posterior over the same
families. ``large``: rows drawn from networks, two seeds each. Names of data restrict a run; rows measured before are
kept.
"""

from __future__ import annotations

import sys
import time

import credenet
from measure import DATA, Report, Timing

MOST_SUMMED = 20
SMALL_LIMIT = 10.0
LARGE = ("child", "insurance", "alarm", "hepar2", "andes")
LARGE_LIMIT = 60.0
ROWS = 1000


def drawn(data: credenet.Dataset, seconds: float, seed: int) -> tuple[credenet.StructurePosterior, Timing]:
    wall, cpu = time.perf_counter(), time.process_time()
    found = credenet.posterior(data, method="mcmc", time_limit=seconds, seed=seed)
    return found, Timing(time.perf_counter() - wall, time.process_time() - cpu)


def difference(one: credenet.StructurePosterior, other: credenet.StructurePosterior) -> float:
    """The largest difference of an edge probability."""
    shares, others = one.edge_probabilities(), other.edge_probabilities()
    return max((abs(shares.get(edge, 0.0) - others.get(edge, 0.0)) for edge in {*shares, *others}), default=0.0)


def told(found: credenet.StructurePosterior) -> str:
    rhat = max((chains.largest_rhat for chains in found.chains), default=1.0)
    return f"{found.status}, largest R-hat {rhat:.4f}"


def small(report: Report, names: list[str]) -> None:
    for path in sorted((DATA / "datasets").iterdir()):
        name = path.name.partition(".")[0]
        if names and name not in names:
            continue
        data = credenet.read(path, discretize="frequency:3", missing="drop")
        if data.n_variables > MOST_SUMMED:
            continue
        exact = credenet.posterior(data, method="exact")
        found, timing = drawn(data, SMALL_LIMIT, 1)
        error = difference(found, exact)
        task = f"{name}, {data.n_variables} variables, {len(data):,} rows"
        facts = {"status": found.status, "error": error, "complete": found.provenance.complete}
        report.add(task, "credenet", timing, note=f"{told(found)}, largest error {error:.4f}", facts=facts)


def large(report: Report, names: list[str]) -> None:
    for name in LARGE:
        if names and name not in names:
            continue
        data = credenet.load(DATA / "networks" / f"{name}.bif.gz").sample(ROWS, seed=1)
        found, timing = drawn(data, LARGE_LIMIT, 1)
        between = difference(found, drawn(data, LARGE_LIMIT, 2)[0])
        facts = {"status": found.status, "families": len(found._families), "difference_of_seeds": between}
        note = f"{told(found)}, seeds differ by {between:.4f}"
        report.add(f"{name}, {data.n_variables} variables, {ROWS:,} rows", "credenet", timing, note=note, facts=facts)


def main() -> None:
    report = Report("chains", "How long do chains over networks take to agree, and how exact are they?", keep=True)
    parts = {"small": small, "large": large}
    wanted = [part for part in parts if part in sys.argv[1:]] or list(parts)
    for part in wanted:
        parts[part](report, [name for name in sys.argv[1:] if name not in parts])


if __name__ == "__main__":
    main()
