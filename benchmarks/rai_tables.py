"""The tables of Natori, Uto and Ueno (2017) again: run time and SHD of RAI, MMHC and PC with four tests.

``python -m benchmarks.rai_tables`` samples the networks (seeds 1, 2, …), learns, and writes every cell at once to
``results/rai_tables.json``, so that a run that is cut short goes on where it ended; then the tables, beside the
published numbers, to ``reports/rai_tables.md``. ``--help`` tells how to run a part.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # for measure, where this is run as a module

import numpy as np

import credenet
from credenet import DAG, MMHC, PC, RAI, BayesFactor, BayesianNetwork, Dataset
from measure import DATA, RESULTS, machine, versions

ROWS = {
    "cancer": (10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000),
    "sachs": (10_000, 20_000, 50_000, 100_000, 200_000),
    "alarm": (10_000, 20_000, 50_000, 200_000, 500_000, 1_000_000, 2_000_000),
    "win95pts": (10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000),
    "andes": (10_000, 20_000, 50_000, 100_000, 200_000, 500_000),
    "munin": (10_000, 20_000, 50_000, 100_000, 200_000),
}
TWO_STATES = ("munin",)  # in the paper, as it says and its numbers bear out
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
PUBLISHED = json.loads((Path(__file__).parent / "published_rai.json").read_text())
STORE = RESULTS / "rai_tables.json"


def with_two_states(dag: DAG) -> BayesianNetwork:
    """A graph with two states of each variable and random tables: uniform numbers, scaled to add up to one, as the
    Bayes Net Toolbox, which the paper used, makes them by default."""
    generator = np.random.default_rng(1)
    tables = {}
    for name in dag.variables:
        drawn = generator.random((*(2 for _ in dag.parents(name)), 2))
        tables[name] = drawn / drawn.sum(axis=-1, keepdims=True)
    return BayesianNetwork({name: ["a", "b"] for name in dag.variables}, dag, tables)


def published(table: str, name: str, rows: int, algorithm: str, test: str) -> float | str | None:
    """A number of the paper, None for over time, or nothing where it has none."""
    row = PUBLISHED[table].get(name.removesuffix(" two states"), {}).get(str(rows))
    column = f"{algorithm.removesuffix(' published')} {test}"
    return "" if row is None else row[PUBLISHED["columns"].index(column)]


class Store:
    """Cells by name, written whenever one is added."""

    def __init__(self) -> None:
        self.cells: dict[str, dict[str, Any]] = {}
        if STORE.exists():
            self.cells = json.loads(STORE.read_text())["cells"]

    def add(self, key: str, cell: dict[str, Any]) -> None:
        self.cells[key] = cell
        head = {"machine": machine(), "versions": versions("credenet")}
        STORE.write_text(json.dumps({**head, "cells": self.cells}, indent=1) + "\n")


def key_of(name: str, rows: int, algorithm: str, test: str, repetition: int) -> str:
    return f"{name}, {rows} rows, {algorithm}, {test}, {repetition}"


def measure(truth: BayesianNetwork, data: Dataset, algorithm: str, test: str, limit: float) -> dict[str, Any]:
    wall, cpu = time.perf_counter(), time.process_time()
    result = credenet.learn(data, method=ALGORITHMS[algorithm], test=TESTS[test], time_limit=limit)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    if result.status == "time_limit":
        return {"over_time": True, "wall": wall, "cpu": cpu}
    found = credenet.compare(truth, result.graph)
    return {
        "wall": wall,
        "cpu": cpu,
        "shd": found.shd,
        "extra": found.extra,
        "missing": found.missing,
        "tests": list(result.statistics.tests.values()),
    }


def run(arguments: argparse.Namespace) -> None:
    store = Store()
    for network in arguments.networks:
        loaded = credenet.load(DATA / "networks" / f"{network}.bif.gz")
        truths = {network: loaded}
        if network in TWO_STATES:
            truths[f"{network} two states"] = with_two_states(loaded.dag)
        too_slow: set[tuple[str, str, str]] = set()
        for rows in (n for n in ROWS[network] if n <= arguments.most_rows):
            for repetition in range(1, arguments.repetitions + 1):
                for name, truth in truths.items():
                    data = None
                    for algorithm in arguments.algorithms:
                        for test in arguments.tests:
                            key = key_of(name, rows, algorithm, test, repetition)
                            cell = store.cells.get(key)
                            if cell is None and (name, algorithm, test) in too_slow:
                                cell = {"over_time": True, "not_run": True}
                                store.add(key, cell)
                            elif cell is None:
                                data = data or truth.sample(rows, seed=repetition)
                                cell = measure(truth, data, algorithm, test, arguments.limit)
                                store.add(key, cell)
                                shown = {field: cell[field] for field in ("wall", "shd", "tests") if field in cell}
                                print(key, shown, flush=True)
                            if cell.get("over_time"):
                                too_slow.add((name, algorithm, test))
    write_tables(store, arguments.repetitions)


def cell_text(store: Store, name: str, rows: int, algorithm: str, test: str, field: str, repetitions: int) -> str:
    found = [store.cells.get(key_of(name, rows, algorithm, test, r)) for r in range(1, repetitions + 1)]
    cells = [cell for cell in found if cell is not None]
    if not cells:
        return ""
    if any(cell.get("over_time") for cell in cells):
        return "OT"
    if field == "tests":
        longest = max(len(cell["tests"]) for cell in cells)
        orders = [np.mean([(*cell["tests"], *[0] * longest)[order] for cell in cells]) for order in range(longest)]
        return " ".join(f"{number:.0f}" for number in orders)
    mean = float(np.mean([cell[field] for cell in cells]))
    return f"{mean:.3g}" if field == "wall" else f"{mean:.1f}"


def write_tables(store: Store, repetitions: int) -> None:
    """The tables as text: ours, and in brackets what the paper has."""
    lines = ["# RAI, MMHC and PC with four tests", "", "Ours, and in brackets the published number; OT: over time.", ""]
    for title, field, table in (
        ("Seconds (Table 3)", "wall", "seconds"),
        ("SHD of classes (Table 4)", "shd", "shd"),
        ("Tests by order", "tests", ""),
    ):
        for name in dict.fromkeys(key.partition(",")[0] for key in store.cells):
            columns = [(algorithm, test) for algorithm in ALGORITHMS for test in TESTS]
            lines += [f"## {title}: {name}", "", "| rows | " + " | ".join(" ".join(pair) for pair in columns) + " |"]
            lines.append("|---" * (len(columns) + 1) + "|")
            for rows in ROWS[name.removesuffix(" two states")]:
                texts = []
                for algorithm, test in columns:
                    ours = cell_text(store, name, rows, algorithm, test, field, repetitions)
                    theirs = published(table, name, rows, algorithm, test) if table else ""
                    texts.append(ours if theirs == "" else f"{ours} ({'OT' if theirs is None else theirs})")
                if any(texts):
                    lines.append(f"| {rows:,} | " + " | ".join(texts) + " |")
            lines.append("")
    (RESULTS.parent / "reports" / "rai_tables.md").write_text("\n".join(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", nargs="+", choices=list(ROWS), default=list(ROWS))
    parser.add_argument("--algorithms", nargs="+", choices=list(ALGORITHMS), default=list(ALGORITHMS))
    parser.add_argument("--tests", nargs="+", choices=list(TESTS), default=list(TESTS))
    parser.add_argument("--most-rows", type=int, default=2_000_000)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--limit", type=float, default=600.0, help="seconds of a cell")
    run(parser.parse_args())


if __name__ == "__main__":
    main()
