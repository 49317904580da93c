"""Many sparse variables: branch and cut and `auto` on one thread, beside what GOBNILP took for the same problem.

GOBNILP has no package that installs without a commercial or hand-built solver, so it is not run: its times are in the
notes of the rows. "Measured" are CPU seconds for the same score file elsewhere; "published" are those of the
tutorial of Cussens, Malone and Yuan (GOBNILP 1.4, 2.5 GHz), whose data were other samples of the same networks.

Where `auto` takes more than two seconds, the other exact methods get half of its time, or two seconds less where that
is shorter: those that end in it are named.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import credenet
from credenet.errors import ArgumentError
from credenet.methods import DP, ILP, AStar, Auto
from credenet.settings.methods import Method
from measure import DATA, Report, Timing, best_of

TIME_LIMIT = 120.0
MEMORY_LIMIT = 8e9

# Data, score, the most parents, and CPU seconds of GOBNILP where they were measured.
DATA_SETS = (
    ("autos.csv", "bic", None, 13.9),
    ("insurance1000.csv.gz", "bic", None, 0.31),
    ("insurance1000.csv.gz", "bdeu", 3, 0.74),
    ("water1000.csv.gz", "bic", 3, None),
    ("water1000.csv.gz", "bdeu", 3, 0.29),
    ("mildew1000.csv.gz", "bic", 3, None),
    ("barley1000.csv.gz", "bic", 3, None),
    ("alarm1000.csv.gz", "bic", 4, 1.05),
    ("alarm1000.csv.gz", "bdeu", 3, 6.8),
    ("hailfinder500.csv.gz", "bic", 3, None),
    ("hailfinder500.csv.gz", "bdeu", 3, 1.00),
    ("carpo100.csv", "bic", 4, None),
    ("carpo100.csv", "bdeu", 3, None),
    ("sponge.csv", "bic", 3, None),
    ("horse.csv", "bic", 4, None),
    ("flag.csv", "bic", 4, None),
    ("letter.csv.gz", "bic", None, None),
    ("kr-vs-kp.csv.gz", "bic", None, None),
    ("wdbc.csv.gz", "bdeu", 3, None),
)
SCORE_FILES = (
    *("alarm_100_1_3.scores", "child-5000.jkl", "insurance-5000.jkl", "water-5000.jkl", "alarm-5000.jkl.gz"),
    *("hailfinder-5000.jkl.gz", "pathfinder-5000.jkl.gz", "munin1-5000.jkl.gz", "pigs-5000.jkl.gz"),
    "munin-5000.jkl.gz",
)
# Network, the most parents, and the published seconds for 100, 1,000 and 10,000 rows.
NETWORKS = (
    ("insurance", 3, (1, 2, 8)),
    ("water", 3, (7, 6, 7)),
    ("mildew", 3, (1, 1, 1)),
    ("alarm", 3, (1, 4, 71)),
    ("hailfinder", 3, (1, 8, 33)),
    ("diabetes", 2, (104, 7446)),
    ("pigs", 2, (4, 33)),
)
FREE_SECONDS = 2.0  # Seconds that auto may lose.


@dataclass(frozen=True, slots=True)
class Case:
    """Families to search, and what is known of a peer."""

    name: str
    families: credenet.FamilyTable
    peer: str = ""


def main() -> None:
    warnings.simplefilter("ignore")
    report = Report("branch_and_cut", "How long does the proof take for many sparse variables?", "highspy")
    for case in cases():
        add(report, case, "ilp", *run(case, ILP(), TIME_LIMIT))
        result, timing = run(case, Auto(), TIME_LIMIT)
        add(report, case, "auto", result, timing)
        for method in faster(case, result, timing):
            report.add(
                case.name, method, None, note="ends in less than half of the time of auto, and two seconds before it"
            )
    report.save()


def cases() -> Iterator[Case]:
    for file, score, max_parents, measured in DATA_SETS:
        data = credenet.read(DATA / "datasets" / file)
        families = credenet.score_families(data, score=score, max_parents=max_parents, states="observed")
        limit = "" if max_parents is None else f" <= {max_parents}"
        peer = "" if measured is None else f"GOBNILP {measured} s (measured)"
        yield Case(f"{file.partition('.')[0]} {score.upper()}{limit}", families, peer)
    for network, max_parents, published in NETWORKS:
        model = credenet.load(DATA / "networks" / f"{network}.bif.gz")
        for at, seconds in enumerate(published):
            rows = 100 * 10**at
            families = credenet.score_families(model.sample(rows, seed=1), max_parents=max_parents, states="observed")
            yield Case(f"{network} {rows} rows BDEU <= {max_parents}", families, f"GOBNILP {seconds} s (published)")
    for file in SCORE_FILES:
        yield Case(file.removesuffix(".gz"), credenet.load_families(DATA / "scores" / file))


def run(case: Case, method: Method, time_limit: float) -> tuple[credenet.LearnResult, Timing]:
    results: list[credenet.LearnResult] = []
    timing = best_of(
        lambda: results.append(
            credenet.learn(case.families, method=method, time_limit=time_limit, memory_limit=MEMORY_LIMIT, n_threads=1)
        ),
        1,
    )
    return results[0], timing


def add(report: Report, case: Case, who: str, result: credenet.LearnResult, timing: Timing) -> None:
    statistics = result.statistics
    gap = "" if not result.gap else f", gap {result.gap:.4f}"
    note = (
        f"{len(case.families.variables)} variables, {len(case.families):,} families, {result.status}, "
        f"{result.score:.6f}{gap}"
    )
    if who == "ilp":
        note += f", {statistics.expanded:,} nodes, {statistics.generated:,} cuts"
    reason = result.provenance.reason
    report.add(case.name, who, timing, note="; ".join(part for part in (note, reason, case.peer) if part))


def faster(case: Case, result: credenet.LearnResult, timing: Timing) -> list[str]:
    """The other exact methods that prove the same in half of the time, and by more than is free."""
    if timing.wall <= FREE_SECONDS or result.status != "optimal":
        return []
    found = []
    for method in (ILP(), DP(), AStar()):
        try:
            other, _ = run(case, method, min(timing.wall / 2, timing.wall - FREE_SECONDS))
        except ArgumentError:  # The method refuses too many variables.
            continue
        if other.status == "optimal":
            found.append(method.short_name)
    return found


if __name__ == "__main__":
    main()
