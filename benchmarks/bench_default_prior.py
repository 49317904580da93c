"""Which structure prior predicts unseen rows best, and finds in few rows what it finds in many, with the default score?

``python benchmarks/bench_default_prior.py [TABLE…]`` measures, tables named only or all, and keeps what it has;
``--tables`` prints the tables of reports/default_prior.md. Every prior is tried with BDeu (ess 1) and at most four
parents. For each table and number of rows, ten splits: so many rows to learn from, up to 5,000 of the others to
predict. Tables of the network are fitted with BDeu smoothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import credenet
from credenet import Dataset
from credenet.families.structure_priors import log_factors
from credenet.scores import BDeu
from credenet.settings.priors import PRIORS as KINDS
from measure import DATA, N_THREADS, Report, best_of
from papers.priors.grid import with_prior
from papers.priors.means import Mean
from papers.priors.validated import mean_distances, validated

PRIORS = ("uniform", "edge", "fair", "data")
VALIDATED = (*PRIORS, "fact")
ROWS = (50, 100, 200, 500, 1000, 5000)
SPLITS = 10
HELD_OUT = 5000  # Rows that are predicted at most.
LEAST_HELD_OUT = 200
MAX_PARENTS = 4
REPETITIONS = 4  # Subsamples of each size.
SECONDS = 60.0  # Seconds for one search.
NAME = "default_prior"


@dataclass(frozen=True, slots=True)
class Table:
    """A shared table, or what is known of it."""

    file: str
    is_real: bool

    def read(self) -> Dataset:
        return credenet.read(DATA / "datasets" / self.file, missing="drop")


TABLES = {
    "adult": Table("adult.csv.gz", True),
    "breast-cancer": Table("breast-cancer.csv", True),
    "car": Table("car.csv.gz", True),
    "letter": Table("letter.csv.gz", True),
    "msnbc": Table("msnbc.csv.gz", True),
    "nltcs": Table("nltcs.train.data.gz", True),
    "nursery": Table("nursery.csv.gz", True),
    "tic-tac-toe": Table("tic-tac-toe.csv", True),
    "asia": Table("asia_10000.dat.gz", False),
    "child": Table("child-5000.dat.gz", False),
    "sachs": Table("sachs-5000.dat.gz", False),
}


def main() -> None:
    named = [name for name in sys.argv[1:] if not name.startswith("--")]
    report = Report(NAME, "Which structure prior should be the default?", keep=True)
    if "--tables" not in sys.argv:
        for name in named or TABLES:
            measure(report, name)
    print(tables(report.rows))


def measure(report: Report, name: str) -> None:
    """The rows of one table that the report lacks."""
    data = TABLES[name].read()
    for n_rows in ROWS:
        for split in range(SPLITS):
            task = f"{name}, {n_rows} rows, split {split}"
            if len(data) - n_rows >= LEAST_HELD_OUT and not report.has(task, "held out"):
                found: list[dict[str, Any]] = []
                timing = best_of(partial(_keep, found, held_out, data, n_rows, split), 1)
                facts = {"table": name, "rows": n_rows, "split": split, "priors": found[0]}
                report.add(task, "held out", timing, facts=facts)
    sizes = [n_rows for n_rows in ROWS if n_rows <= len(data) / 2]
    if sizes and not report.has(name, "validation"):
        cells: list[dict[str, Any]] = []
        timing = best_of(partial(_keep, cells, validation, data, sizes), 1)
        report.add(name, "validation", timing, facts={"table": name, **cells[0]})


def _keep(found: list[dict[str, Any]], work: Callable[..., dict[str, Any]], *arguments: Any) -> None:
    found.append(work(*arguments))


def held_out(data: Dataset, n_rows: int, split: int) -> dict[str, dict[str, float | int | str]]:
    """For each prior the mean log-likelihood of a row that was not learned from, in nats, and the number of edges."""
    order = np.random.default_rng([n_rows, split]).permutation(len(data))
    learned_from = data.take(np.sort(order[:n_rows]))
    others = data.take(np.sort(order[n_rows : n_rows + HELD_OUT]))
    uniform = credenet.score_families(learned_from, max_parents=MAX_PARENTS, n_threads=N_THREADS)
    return {prior: predicted(families_of(uniform, prior, learned_from), learned_from, others) for prior in PRIORS}


def families_of(uniform: credenet.FamilyTable, prior: str, data: Dataset) -> credenet.FamilyTable:
    """The families of a prior; those of the uniform one hold them all unless it favours larger sets of parents."""
    chosen = KINDS.get(prior)
    if np.any(np.diff(log_factors(chosen, data.variables, len(data), MAX_PARENTS)) > 0):
        return credenet.score_families(data, prior=chosen, max_parents=MAX_PARENTS, n_threads=N_THREADS)
    return with_prior(uniform, chosen)


def predicted(families: credenet.FamilyTable, learned_from: Dataset, others: Dataset) -> dict[str, float | int | str]:
    result = credenet.learn(families, time_limit=SECONDS, n_threads=N_THREADS)
    network = credenet.fit(learned_from, result.dag, smoothing=BDeu(1.0))
    return {
        "nats": network.log_likelihood(others) / len(others),
        "edges": result.dag.n_edges,
        "status": result.status,
    }


def validation(data: Dataset, sizes: list[int]) -> dict[str, Any]:
    """The distances of an intersection validation of the priors."""
    return validated(
        data,
        {prior: {"prior": prior} for prior in VALIDATED},
        fractions=[n_rows / len(data) for n_rows in reversed(sizes)],
        repetitions=REPETITIONS,
        seed=1,
        seconds=SECONDS,
        max_parents=MAX_PARENTS,
    )


def gains(rows: list[dict[str, Any]], name: str, n_rows: int) -> dict[str, Mean]:
    """For each prior but the uniform one, how many nats a row it predicts better than that, over the splits."""
    splits = [row["priors"] for row in rows if row.get("table") == name and row.get("rows") == n_rows]
    found = {
        prior: Mean.of([split[prior]["nats"] - split["uniform"]["nats"] for split in splits]) for prior in PRIORS[1:]
    }
    return {prior: mean for prior, mean in found.items() if mean is not None}


def tables(rows: list[dict[str, Any]]) -> str:
    """Held-out gains and partial Hamming distances as Markdown."""
    head = "| table | rows | " + " | ".join(PRIORS[1:]) + " | edges, uniform | edges, fair |"
    lines = ["Held-out nats a row, less those of the uniform prior", "", head, "|---|---|" + "---|" * (len(PRIORS) + 1)]
    for name in TABLES:
        for n_rows in ROWS:
            found = gains(rows, name, n_rows)
            if found:
                means = " | ".join(_nats(found[prior]) for prior in PRIORS[1:])
                edges = " | ".join(f"{edge_mean(rows, name, n_rows, prior):.1f}" for prior in ("uniform", "fair"))
                lines.append(f"| {name} | {n_rows:,} | {means} | {edges} |")
    lines += ["", *wins(rows), "", "Partial Hamming distance, mean over the sizes and by number of rows", ""]
    lines += [
        "| table | agreed edges | rows | " + " | ".join(VALIDATED) + " |",
        "|---|---|---|" + "---|" * len(VALIDATED),
    ]
    for row in rows:
        if row["who"] == "validation":
            means_by_prior = mean_distances(row)
            for n_rows in next(iter(means_by_prior.values())):
                several = " | ".join(f"{means_by_prior[prior][n_rows].value:.1f}" for prior in VALIDATED)
                lines.append(f"| {row['table']} | {row['agreed_edges']} | {n_rows:,} | {several} |")
    return "\n".join(lines)


def wins(rows: list[dict[str, Any]]) -> list[str]:
    """On how many tables each prior predicts clearly better or worse than the uniform one, by number of rows."""
    lines = ["| rows | tables | " + " | ".join(f"{prior}: better, worse" for prior in PRIORS[1:]) + " |"]
    lines.append("|---|---|" + "---|" * (len(PRIORS) - 1))
    for n_rows in ROWS:
        sides = {name: side_of(gains(rows, name, n_rows)) for name in TABLES if gains(rows, name, n_rows)}
        several = " | ".join(
            f"{sum(each[prior] > 0 for each in sides.values())}, {sum(each[prior] < 0 for each in sides.values())}"
            for prior in PRIORS[1:]
        )
        lines.append(f"| {n_rows:,} | {len(sides)} | {several} |")
    return lines


def side_of(found: Mapping[str, Mean]) -> dict[str, int]:
    return {prior: mean.side for prior, mean in found.items()}


def edge_mean(rows: list[dict[str, Any]], name: str, n_rows: int, prior: str) -> float:
    splits = [row["priors"] for row in rows if row.get("table") == name and row.get("rows") == n_rows]
    return float(np.mean([split[prior]["edges"] for split in splits]))


def _nats(mean: Mean) -> str:
    return f"{mean.value:+.3f} ± {mean.error or 0:.3f}"


if __name__ == "__main__":
    main()
