"""Tables 3 and 4 of Natori, Uto and Ueno (2017): run time and SHD of RAI, MMHC and PC with four tests."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence
from statistics import fmean, geometric_mean

import numpy as np

import credenet
from credenet import DAG, BayesianNetwork, Dataset
from credenet.methods import MMHC, PC, RAI
from credenet.tests import BayesFactor
from measure import DATA

from .frame import NOT_MEASURED, Number, Table, beside, published, table_text
from .parts import BOUNDED, COMMON, NETWORK_FILES, SCORED
from .sources import measures
from .store import Cell, Job, Scale, Store

PUBLISHED = published("rai")
ROWS = {
    "cancer": (10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000),
    "sachs": (10_000, 20_000, 50_000, 100_000, 200_000),
    "alarm": (10_000, 20_000, 50_000, 200_000, 500_000, 1_000_000, 2_000_000, 10_000_000),
    "win95pts": (10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000),
    "andes": (10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000),
    "munin": (10_000, 20_000, 50_000, 100_000, 200_000),
    "munin two states": (10_000, 20_000, 50_000, 100_000, 200_000),
}
LARGE = ("munin", "munin two states")
LIMITS: dict[Scale, float] = {"quick": 20.0, "paper": 21_600.0}  # Seconds of a run: the paper has six hours.
REPETITIONS: dict[Scale, int] = {"quick": 1, "paper": 10}
ALGORITHMS: dict[str, RAI | MMHC | PC] = {
    "rai": RAI(),
    "rai published": RAI(variant="published"),
    "mmhc": MMHC(),
    "pc": PC(),
}
TESTS: dict[str, str | BayesFactor] = {
    "natori": "bayes_factor",
    "steck": BayesFactor(ess=1.0),
    "g2": "g2",
    "cmi": "cmi",
}
# Networks that are learned as fast as they are sampled, so that a sample serves several runs.
QUICK_SAMPLES = ("cancer", "sachs", "alarm", "win95pts")
GUESSES = {  # Seconds of a run on 10,000 rows.
    "cancer": 0.01,
    "sachs": 0.1,
    "alarm": 1.0,
    "win95pts": 5.0,
    "andes": 20.0,
    "munin": 500.0,
    "munin two states": 100.0,
}
WORSE = 1.1  # How many times the published SHD counts as above it.
Comparison = Callable[[float, float], str]


@functools.lru_cache(maxsize=1)
def truth_of(network: str) -> BayesianNetwork:
    plain = network.removesuffix(" two states")
    loaded = credenet.load(DATA / "networks" / f"{plain}.bif.gz")
    assert isinstance(loaded, BayesianNetwork)
    return loaded if network == plain else with_two_states(loaded.dag)


def with_two_states(dag: DAG) -> BayesianNetwork:
    """A graph with two states of each variable and random tables: uniform numbers, scaled to add up to one, as the
    Bayes Net Toolbox, which the paper used, makes them by default."""
    generator = np.random.default_rng(1)
    tables = {}
    for name in dag.variables:
        drawn = generator.random((*(2 for _ in dag.parents(name)), 2))
        tables[name] = drawn / drawn.sum(axis=-1, keepdims=True)
    return BayesianNetwork({name: ["a", "b"] for name in dag.variables}, dag, tables)


@functools.cache
def warm_up() -> None:
    """Loads everything that is loaded on first use, so that it is not measured."""
    credenet.learn(credenet.datasets.asia(100), method="pc", test="g2")


@functools.lru_cache(maxsize=1)
def sampled(network: str, rows: int, repetition: int) -> Dataset:
    return truth_of(network).sample(rows, seed=repetition)


@measures(also=NETWORK_FILES, without=(*COMMON, *BOUNDED, *SCORED))
def learned(network: str, rows: int, algorithm: str, test: str, repetition: int, limit: float, n_threads: int) -> Cell:
    """Seconds, and the SHD of the class that was found."""
    warm_up()
    data = sampled(network, rows, repetition)
    wall, cpu = time.perf_counter(), time.process_time()
    result = credenet.learn(data, method=ALGORITHMS[algorithm], test=TESTS[test], time_limit=limit, n_threads=n_threads)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    if result.status == "time_limit":
        return {"over_time": True, "limit": limit, "wall": wall, "cpu": cpu}
    found = credenet.compare(truth_of(network), result.graph)
    tests = list(result.statistics.tests.values())
    return {"wall": wall, "cpu": cpu, "shd": found.shd, "extra": found.extra, "missing": found.missing, "tests": tests}


def jobs(scale: Scale) -> list[Job]:
    """Smaller samples and first repetitions come first: they are worth as much as others and take less time."""
    limit, is_paper = LIMITS[scale], scale == "paper"
    return [
        Job(
            learned,
            {"network": network, "rows": rows, "algorithm": algorithm, "test": test, "repetition": repetition},
            {"limit": limit, "n_threads": 1},
            seconds=GUESSES[network] * rows / 10_000,
            value=4.0 / repetition,
            batch=f"{network} {rows} {repetition} {algorithm}" if network in QUICK_SAMPLES else "",
            series=f"{network} {algorithm} {test}",
            is_needed=functools.partial(is_needed, (network, algorithm, test), rows, limit),
        )
        for network, all_rows in ROWS.items()
        for rows in all_rows
        if is_paper or rows <= (10_000 if network in LARGE else 50_000)
        for repetition in range(1, REPETITIONS[scale] + 1)
        for algorithm in ALGORITHMS
        for test in TESTS
    ]


def is_needed(what: tuple[str, str, str], rows: int, limit: float, store: Store) -> bool:
    """What is over time with some rows is neither repeated nor tried with more."""
    return not any(
        (entry.asked["network"], entry.asked["algorithm"], entry.asked["test"]) == what
        and entry.found["limit"] >= limit
        and entry.asked["rows"] <= rows
        and not entry.made.is_stale
        for entry in store.stopped
    )


def over_time(store: Store, network: str, rows: int, algorithm: str, test: str) -> list[float]:
    """The limits, in seconds, that were passed with these rows or fewer."""
    cells = store.select(network=network, algorithm=algorithm, test=test, over_time=True)
    return [cell["limit"] for cell in cells if cell["rows"] <= rows]


def theirs(table: str, network: str, rows: int, algorithm: str, test: str) -> float | str:
    """A number of the paper, its limit if that was exceeded, or None without a number."""
    row = PUBLISHED[table].get(network.removesuffix(" two states"), {}).get(str(rows))
    if row is None:
        return ""
    found: float | None = row[PUBLISHED["columns"].index(f"{algorithm.removesuffix(' published')} {test}")]
    return "over 6 h" if found is None else found


def ours(store: Store, field: str, network: str, rows: int, algorithm: str, test: str) -> float | str:
    """The mean of the repetitions, the limit if it was passed, or nothing."""
    limits = over_time(store, network, rows, algorithm, test)
    if limits:
        return f"over {max(limits):.0f} s"
    cells = store.select(network=network, rows=rows, algorithm=algorithm, test=test)
    return fmean(cell[field] for cell in cells) if cells else ""


def pairs(
    store: Store, table: str, field: str, network: str, algorithms: Sequence[str]
) -> list[tuple[float | str, float | str]]:
    """Ours and theirs of a network, where there is either."""
    return [
        (ours(store, field, network, rows, algorithm, test), theirs(table, network, rows, algorithm, test))
        for rows in ROWS[network]
        for algorithm in algorithms
        for test in TESTS
    ]


def numbers(some: Sequence[tuple[float | str, float | str]]) -> list[tuple[float, float]]:
    return [(a, b) for a, b in some if not isinstance(a, str) and not isinstance(b, str)]


def overview(store: Store, table: str, field: str, told: Callable[[list[tuple[float, float]]], str]) -> str:
    """A row for each network and a column for each algorithm."""
    rows, behind = [], []
    for network in ROWS:
        found = [numbers(pairs(store, table, field, network, [algorithm])) for algorithm in ALGORITHMS]
        if any(found):
            rows.append([network, *(told(some) if some else "" for some in found)])
            behind.append(store.select(network=network))
    return table_text(["network", *ALGORITHMS], rows, behind)


def by_rows(store: Store, table: str, field: str, digits: str, compare: Comparison) -> str:
    """For each network all cells: ours, and in brackets the published number and how ours compares."""

    def shown(network: str, rows: int, algorithm: str, test: str) -> str:
        mean = ours(store, field, network, rows, algorithm, test)
        paper = theirs(table, network, rows, algorithm, test)
        text = mean if isinstance(mean, str) else format(mean, digits)
        if paper == "":
            return text
        if not text:
            return f"{NOT_MEASURED} ({paper})"
        if isinstance(mean, str) or isinstance(paper, str):
            return f"{text} ({paper})"
        return f"{text} ({paper}, {compare(mean, paper)})"

    parts = []
    for network, all_rows in ROWS.items():
        lines, behind = [], []
        for rows in all_rows:
            repetitions = len({cell["repetition"] for cell in store.select(network=network, rows=rows)})
            for algorithm in ALGORITHMS:
                texts = [shown(network, rows, algorithm, test) for test in TESTS]
                if any(texts):
                    lines.append([f"{rows:,}", str(repetitions), algorithm, *texts])
                    behind.append(store.select(network=network, rows=rows, algorithm=algorithm))
        if lines:
            cells = table_text(["rows", "repetitions", "algorithm", *TESTS], lines, behind)
            parts.append(f"<details><summary>{network}</summary>\n\n{cells}\n</details>\n")
    return "\n".join(parts)


def table3_text(store: Store) -> str:
    def told(some: list[tuple[float, float]]) -> str:
        return f"{geometric_mean(paper / mean for mean, paper in some):,.0f} ({len(some)} cells)"

    return "\n".join(
        [
            "How many times as long the paper's programs took, by the geometric mean over rows and tests. Theirs are "
            "MATLAB (MMHC: Java) on a 2.7 GHz Xeon of 12 cores, means of ten runs of at most six hours; ours are wall "
            "seconds on a machine that was not idle, on one thread where the settings say so and else on two. Much of "
            "the ratio is the language and the way of counting. "
            "rai is our default, rai published the paper's algorithm.\n",
            overview(store, "seconds", "wall", told),
            "By rows and test (natori and steck are Bayes factors): our seconds, and in brackets the published ones "
            "and how many times as long those are. What is over time with some rows is not tried with more.\n",
            by_rows(store, "seconds", "wall", ".3g", lambda mean, paper: f"{paper / mean:.3g}x"),
        ]
    )


def table4_text(store: Store) -> str:
    def told(some: list[tuple[float, float]]) -> str:
        return f"{fmean(mean for mean, _ in some):.1f} ({fmean(paper for _, paper in some):.1f}, {len(some)} cells)"

    return "\n".join(
        [
            "SHD of the classes, the mean over rows and tests, and in brackets the published mean over the same cells. "
            "The samples are others, and ours have fewer repetitions than the paper's ten. munin two states is the "
            "graph with two states and random tables, which is probably what the paper had; the published SHDs can be "
            "held against it, hardly against munin with its 21 states. The paper prints rows of alarm as 20,000 and "
            "50,000 where its Table 3 has 200,000 and 500,000; they are kept as printed.\n",
            overview(store, "shd", "shd", told),
            "By rows and test: our SHD, and in brackets the published one and the difference (negative: ours is "
            "better).\n",
            by_rows(store, "shd", "shd", ".1f", lambda mean, paper: f"{mean - paper:+.1f}"),
        ]
    )


def printed_numbers(table: str, field: str, digits: str) -> Callable[[Store], list[Number]]:
    """All numbers of a table of the paper; ours are those of its own algorithm."""

    def listed(store: Store) -> list[Number]:
        found = []
        for network, by_size in PUBLISHED[table].items():
            for rows, values in by_size.items():
                for column, value in zip(PUBLISHED["columns"], values, strict=True):
                    algorithm, test = column.split()
                    chosen = "rai published" if algorithm == "rai" else algorithm
                    mean = ours(store, field, network, int(rows), chosen, test)
                    shown = mean if isinstance(mean, str) else format(mean, digits)
                    where = f"{network}, {int(rows):,} rows, {column}, {table}"
                    found += [] if value is None else [beside(where, f"{value:,}", shown)]
        return found

    return listed


def time_aims(store: Store) -> list[str]:
    """Where a run is over time though the paper's was not, or the mean of all is slower."""
    late, slower = [], []
    for network in PUBLISHED["seconds"]:
        for algorithm in ALGORITHMS:
            for test in TESTS:
                some = [
                    (rows, ours(store, "wall", network, rows, algorithm, test), paper)
                    for rows in ROWS[network]
                    if isinstance(paper := theirs("seconds", network, rows, algorithm, test), float)
                ]
                over = [f"{rows:,} rows: {mean}" for rows, mean, _ in some if isinstance(mean, str) and mean]
                both = numbers([(mean, paper) for _, mean, paper in some])
                what = f"{algorithm} with {test} on {network}"
                late += [f"{what} ({', '.join(over)})"] if over else []
                slower += [what] if both and geometric_mean(mean / paper for mean, paper in both) > 1 else []
    return [
        *([f"Over time, where the paper's runs were not: {'; '.join(late)}."] if late else []),
        *([f"Slower than the paper's runs: {'; '.join(slower)}."] if slower else []),
    ]


def shd_aims(store: Store) -> list[str]:
    """Where our mean SHD over the rows that both have is above the paper's, and where repetitions are missing."""
    worse = []
    for network in ROWS:
        for algorithm in ALGORITHMS:
            for test in TESTS:
                some = [
                    (
                        ours(store, "shd", network, rows, algorithm, test),
                        theirs("shd", network, rows, algorithm, test),
                    )
                    for rows in ROWS[network]
                ]
                both = numbers(some)
                if both:
                    mean, paper = fmean(one for one, _ in both), fmean(one for _, one in both)
                    what = f"{algorithm} with {test} on {network}: {mean:.1f} (published {paper:.1f})"
                    worse += [what] if mean > max(WORSE * paper, paper + 1) else []
    few = [
        f"{network} {repetitions}"
        for network in ROWS
        if 0 < (repetitions := len({cell["repetition"] for cell in store.select(network=network)})) < 10
    ]
    return [
        *([f"Mean SHD above the published one, by more than a tenth and by one: {'; '.join(worse)}."] if worse else []),
        *([f"Fewer repetitions than the paper's ten: {', '.join(few)}."] if few else []),
    ]


TABLES = (
    Table(
        "rai_table3",
        "Table 3: run time of RAI, MMHC and PC with four tests",
        jobs,
        table3_text,
        cells="rai",
        numbers=printed_numbers("seconds", "wall", ".3g"),
        aims=time_aims,
    ),
    Table(
        "rai_table4",
        "Table 4: SHD of RAI, MMHC and PC with four tests",
        jobs,
        table4_text,
        cells="rai",
        numbers=printed_numbers("shd", "shd", ".1f"),
        aims=shd_aims,
    ),
)
