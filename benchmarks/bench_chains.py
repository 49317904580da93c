"""Markov chains over networks: time until they agree, and how far they are from exact sums or from other chains.

``small``: shared data sets of at most 20 variables, ten seconds on two cores each, against the exact posterior over the
same families. ``large``: rows drawn from networks, two seeds each. A run ends after the CPU seconds that two cores have
in its time, however busy the machine is. Names of data restrict a run; rows measured before are kept.
"""

from __future__ import annotations

import sys
import time
from typing import Any, NamedTuple

import credenet
from measure import DATA, Report, Timing

MOST_SUMMED = 20
SMALL_LIMIT = 10.0
LARGE_LIMIT = 20.0
METHOD = credenet.methods.MCMC(max_error=0.0017)  # Three standard errors are 0.005.
KNOWN_TO = (0.01, 0.05)
ROWS = 1000
MOST_VARIABLES = 500
CORES = 2
PATIENCE = 5  # Factor by which a run may take longer on a busy machine.


class Large(NamedTuple):
    """A network, how its families are scored, and what Gibby needs (CPU seconds, and for which moves)."""

    name: str
    prior: str = "uniform"
    max_parents: int | None = None
    gibby: tuple[float, str] | None = None


LARGE = (
    Large("child", max_parents=4, gibby=(1.05, "11.3 million moves, 4 parents")),
    Large("insurance", max_parents=4),
    Large("alarm", max_parents=4, gibby=(8.9, "4 parents")),
    Large("hepar2", max_parents=3),
    Large("win95pts", max_parents=3),
    Large("hailfinder", max_parents=3),
    Large("andes", max_parents=3),
    Large("pigs", prior="fair", max_parents=3),
    Large("munin", prior="fair", max_parents=2),
)


def drawn(
    data: credenet.Dataset, seconds: float, seed: int, **options: Any
) -> tuple[credenet.StructurePosterior, Timing]:
    wall, cpu = time.perf_counter(), time.process_time()
    found = credenet.posterior(
        data,
        method=METHOD,
        time_limit=PATIENCE * seconds,
        seed=seed,
        on_progress=lambda progress: time.process_time() - cpu < CORES * seconds,
        **options,
    )
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
    for one in LARGE:
        if names and one.name not in names:
            continue
        data = credenet.load(DATA / "networks" / f"{one.name}.bif.gz").sample(ROWS, seed=1)
        data = data.select(data.variables[:MOST_VARIABLES])
        options: dict[str, Any] = {"prior": one.prior, "max_parents": one.max_parents}
        found, timing = drawn(data, LARGE_LIMIT, 1, **options)
        between = difference(found, drawn(data, LARGE_LIMIT, 2, **options)[0])
        moves = sum(chains.moves for chains in found.chains)
        facts = {
            "status": found.status,
            "families": len(found._families),
            "complete": found.provenance.complete,
            "moves": moves,
            "difference_of_seeds": between,
            "edges": len(found.edge_errors()),
            **{f"unknown_to_{within}": len(found.unsettled_edges(within)) for within in KNOWN_TO},
        }
        unknown = ", ".join(f"{facts[f'unknown_to_{within}']:,} not to {within}" for within in KNOWN_TO)
        note = f"{told(found)}, seeds differ by {between:.4f}, of {facts['edges']:,} edges {unknown}, {moves:,} moves"
        if one.gibby is not None:
            seconds, what = one.gibby
            facts["cpu_over_gibby"] = timing.cpu / seconds
            note += f"; {timing.cpu / seconds:.1f} times the CPU time of Gibby ({what}; its error is not known)"
        report.add(
            f"{one.name}, {data.n_variables} variables, {ROWS:,} rows", "credenet", timing, note=note, facts=facts
        )


def main() -> None:
    report = Report("chains", "How long do chains over networks take to agree, and how exact are they?", keep=True)
    parts = {"small": small, "large": large}
    wanted = [part for part in parts if part in sys.argv[1:]] or list(parts)
    for part in wanted:
        parts[part](report, [name for name in sys.argv[1:] if name not in parts])


if __name__ == "__main__":
    main()
