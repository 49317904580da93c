"""All networks within a Bayes factor of the best, beside the numbers and times of Liao and others (AAAI 2019).

Theirs are search times of GOBNILP on 2.2 GHz Intel E7-4850V3 processors, of one thread, with a cap of 150,000 networks
(Tables 1 and 2). Ours are CPU seconds of one thread after scoring; both leave the scoring out. Their numbers at a
factor of 150 include networks up to 1.4e-4 past the limit; those of alarm, insurance and hailfinder may be from other
samples. A search that takes longer than ``--seconds`` (120) ends with a lower count.

The k best networks and classes (BDeu) stand beside KBest and KBestEC (Table 2), ours with the scoring; of networks that
score the same as the last all are listed, and so there may be more than k.

Names of data sets after the program choose some of them; ``--missing`` goes on where a run was stopped. Rows are saved
one by one, and the others are kept.
"""

from __future__ import annotations

import argparse
import time
import warnings
from dataclasses import dataclass

import credenet
from measure import DATA, Report, Timing

MEMORY_LIMIT = 8e9
MOST_CLASSES = 2_000_000  # networks that are gone through to count their classes


@dataclass(frozen=True, slots=True)
class Case:
    """A data set and what was published of it: seconds and networks for each factor."""

    data: str
    score: str
    max_parents: int | None = None
    factors: tuple[int, ...] = (3, 20, 150)
    published: dict[int, tuple[float, int]] | None = None


def bic(data: str, *published: tuple[float, int], max_parents: int | None = None) -> Case:
    return Case(data, "bic", max_parents, published=dict(zip((3, 20, 150), published, strict=False)))


def bdeu(data: str, *published: tuple[float, int]) -> Case:
    return Case(data, "bdeu", None, (20,), dict(zip((20,), published, strict=False)))


CASES = (
    bic("tic-tac-toe", (1.9, 192), (2.0, 192), (3.3, 544)),
    bic("wine", (4.1, 308), (24.9, 3_449), (143.7, 26_197)),
    bic("adult", (17.5, 324), (45.1, 1_140), (55.7, 2_281)),
    bic("nltcs", (53.8, 240), (201.7, 1_200), (1_005.1, 4_606)),
    bic("msnbc", (3_483.0, 24), (7_146.9, 960), (8_821.4, 1_938)),
    bic("letter"),
    bic("hepatitis", (7.1, 580), (513.3, 87_169), (1_452.8, 150_000)),
    bic("parkinsons", (30.7, 1_088), (3_165.9, 150_000), (4_534.3, 150_000)),
    bic("sensors"),
    bic("autos", (95.0, 560), (2_382.8, 50_374), (6_666.9, 150_000)),
    bic("horse", (18.8, 1_643), (1_358.8, 150_000), (1_962.5, 150_000)),
    bic("flag", (16.1, 773), (4_051.9, 150_000), (5_560.9, 150_000)),
    bic("mildew1000", (1.2, 1_026), (1.2, 1_026), (2.1, 2_052)),
    bic("alarm", (6.3, 1_508), (684.2, 123_352), (2_258.4, 150_000), max_parents=4),
    bic("alarm1000", max_parents=4),
    bic("insurance1000", max_parents=5),
    bic("barley1000", (0.8, 182), (0.8, 364), (1.3, 1_274)),
    bic("sponge", (16.8, 1_102), (1_301.0, 146_097), (1_254.4, 150_000), max_parents=3),
    bic("bands", (100.9, 7_092), (2_032.6, 150_000), (16_974.8, 150_000)),
    bic("wdbc", (396.1, 398), (10_144.2, 28_424), (45_938.2, 150_000)),
    bic("hailfinder500", (286.1, 150_000), (314.1, 150_000), (217.3, 150_000), max_parents=4),
    bdeu("tic-tac-toe", (0.6, 152)),
    bdeu("wine", (35.9, 8_734)),
    bdeu("adult", (9.3, 792)),
    bdeu("nltcs", (125.5, 652)),
    bdeu("msnbc", (4_018.9, 24)),
    bdeu("letter", (56_344.8, 20)),
    bdeu("hepatitis", (441.4, 28_024)),
    bdeu("parkinsons", (1_515.9, 150_000)),
    bdeu("autos"),
    Case("insurance1000", "bdeu", 3),
    Case("alarm1000", "bdeu", 3),
    Case("hailfinder500", "bdeu", 3),
    Case("horse", "bdeu", 3),
    Case("flag", "bdeu", 3),
    Case("bands", "bdeu", 3),
    Case("wdbc", "bdeu", 3),
    Case("sponge", "bdeu", 3),
)


@dataclass(frozen=True, slots=True)
class Best:
    """A data set, the published seconds for its k best networks, and seconds and networks for its k best classes."""

    data: str
    networks: dict[int, float]
    classes: dict[int, tuple[float, int]]


BEST = (
    Best("tic-tac-toe", {10: 0.2, 100: 2.8, 1000: 70.7}, {10: (0.5, 67), 100: (6.0, 673), 1000: (78.5, 7_604)}),
    Best("wine", {10: 3.4, 100: 85.0, 1000: 3_420.4}, {10: (12.0, 60), 100: (168.4, 448), 1000: (3_064.4, 4_142)}),
    Best("adult", {10: 3.3, 100: 73.6, 1000: 2_122.8}, {10: (633.5, 68), 100: (63_328.9, 1_340)}),
    Best("nltcs", {10: 11.8, 100: 406.6, 1000: 13_224.6}, {10: (47_338.4, 552)}),
    Best("msnbc", {}, {}),
    Best("letter", {10: 26.0, 100: 909.8, 1000: 41_503.9}, {10: (18_788.0, 200)}),
    Best("hepatitis", {10: 351.2, 100: 13_560.3}, {10: (872.3, 89), 100: (20_244.7, 842)}),
    Best("parkinsons", {10: 3_908.2}, {}),
)


def main() -> None:
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--missing", action="store_true", help="only rows that are not there yet")
    parser.add_argument("data", nargs="*")
    wanted = parser.parse_args()
    report = Report("credible", "How long does it take to list all networks within a Bayes factor?", keep=True)

    credenet.credible_networks(credenet.datasets.asia(100))  # what is loaded on first use is not measured

    def is_wanted(data: str, task: str) -> bool:
        return (not wanted.data or data in wanted.data) and not (wanted.missing and report.has(task, "credenet"))

    for case in CASES:
        for factor in case.factors:
            task = f"{case.data}, {case.score.upper()}, factor {factor}"
            if is_wanted(case.data, task):
                run(report, task, case, factor, wanted.seconds)
    for best in BEST:
        for k in (10, 100, 1_000):
            for what in ("networks", "classes"):
                task = f"{best.data}, BDEU, {k:,} best {what}"
                if is_wanted(best.data, task):
                    run_best(report, task, best, k, what, wanted.seconds)


def data_of(name: str) -> credenet.Dataset:
    return credenet.read(next((DATA / "datasets").glob(f"{name}.csv*")))


def run_best(report: Report, task: str, best: Best, k: int, what: str, seconds: float) -> None:
    data = data_of(best.data)
    limits = {"time_limit": seconds, "memory_limit": MEMORY_LIMIT, "n_threads": 1}
    wall, cpu = time.perf_counter(), time.process_time()
    search = credenet.k_best if what == "networks" else credenet.k_best_classes
    found = search(data, k, states="observed", **limits)  # type: ignore[arg-type]
    ours = Timing(time.perf_counter() - wall, time.process_time() - cpu)
    published: tuple[float | None, int | None] = (best.networks.get(k), None)
    if what == "classes":
        published = best.classes.get(k, (None, None))
    n_classes = found.n_classes if isinstance(found, credenet.CredibleClasses) else None
    facts = {
        "k": k,
        "networks": found.n_networks,
        "classes": n_classes,
        "complete": found.complete,
        "published_networks": published[1],
        "published_seconds": published[0],
        "times_faster": None if published[0] is None else published[0] / ours.cpu,
    }
    note = f"{found.n_networks:,} networks" + ("" if n_classes is None else f" in {n_classes:,} classes")
    if published[0] is not None:
        counted = "" if published[1] is None else f"{published[1]:,} networks "
        note += f"; published {counted}in {published[0]:,} s, {published[0] / ours.cpu:.0f} times as long"
    report.add(task, "credenet", ours, note=note, facts=facts)


def run(report: Report, task: str, case: Case, factor: int, seconds: float) -> None:
    families = credenet.score_families(
        data_of(case.data),
        score=case.score,
        bayes_factor=factor,
        states="observed",
        max_parents=case.max_parents,
        memory_limit=MEMORY_LIMIT,
    )
    wall, cpu = time.perf_counter(), time.process_time()
    found = credenet.credible_networks(
        families, bayes_factor=factor, time_limit=seconds, memory_limit=MEMORY_LIMIT, n_threads=1
    )
    ours = Timing(time.perf_counter() - wall, time.process_time() - cpu)
    n_classes = found.n_classes if found.n_networks <= MOST_CLASSES else None
    published = (case.published or {}).get(factor)
    facts = {
        "families": len(families),
        "networks": found.n_networks,
        "classes": n_classes,
        "complete": found.complete,
        "published_networks": None if published is None else published[1],
        "published_seconds": None if published is None else published[0],
        "times_faster": None if published is None else published[0] / ours.cpu,
    }
    limit = "" if case.max_parents is None else f", at most {case.max_parents} parents"
    note = f"{len(families):,} families{limit}, {'' if found.complete else 'at least '}{found.n_networks:,} networks"
    if n_classes is not None:
        note += f", {n_classes:,} classes"
    if not found.complete:
        note += f" ({found.status})"
    if published is not None:
        note += f"; published {published[1]:,} in {published[0]:,} s, {published[0] / ours.cpu:.0f} times as long"
    report.add(task, "credenet", ours, note=note, facts=facts)


if __name__ == "__main__":
    main()
