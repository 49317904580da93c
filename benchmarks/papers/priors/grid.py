"""Optimal networks for all scores and priors from samples of known networks: the cells of Figures 2 to 5.

The families of a data set are scored once, with the uniform prior, and the other priors are added. That is right for a
prior that weighs no larger parent set more than a smaller one: a set that was pruned for a better subset stays worse
than it. It holds for all priors here, Fair for at most half of the variables included; Utop has families of its own.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

import credenet
from credenet import BayesianNetwork, Dataset, FamilyTable, Knowledge
from credenet.families.structure_priors import log_factors
from credenet.priors import SSP, InDegree
from credenet.settings.priors import PRIORS as KINDS
from credenet.settings.priors import Prior
from measure import DATA

from ..parts import BOUNDED, COMMON, NETWORK_FILES, TESTED
from ..sources import measures
from ..store import Cell, Job, Scale

NETWORKS = ("child", "insurance", "water", "alarm")
SCORES = {"bdeu": "BDeu", "bic": "BIC", "fnml": "fNML", "qnml": "qNML"}
PRIORS = {
    "uniform": "Unif",
    "edge": "Edge",
    "fair": "Fair",
    "data": "Data",
    "ssp": "SSP",
    "utop": "Utop",
    "utop+": "Utop+",
}
REALISTIC = ("uniform", "edge", "fair", "data", "ssp")  # Priors that do not know the true network.
ROWS = (50, 100, 200, 500, 1000, 2000, 5000, 10_000)
FEW_ROWS = 200  # Rows up to which a sample is called small.
CELLS = "priors_networks"  # The name of the file of the cells.
# Seconds for 1,000 rows and at most 5 parents.
GUESSES = {"child": 1.0, "insurance": 5.0, "water": 5.0, "alarm": 20.0}


@dataclass(frozen=True, slots=True)
class Grid:
    """The data sets of a scale."""

    max_parents: dict[str, int]  # The largest number of parents by network.
    rows: tuple[int, ...]
    repetitions: int
    seconds: float  # The time limit of one search.


GRIDS: dict[Scale, Grid] = {
    "quick": Grid({"child": 5, "insurance": 4, "water": 4, "alarm": 4}, (50, 200, 1000), 3, 60.0),
    "paper": Grid(dict.fromkeys(NETWORKS, 5), ROWS, 10, 3600.0),
}


def jobs(grid: Grid, scores: Iterable[str], priors: Iterable[str], networks: Iterable[str] | None = None) -> list[Job]:
    """All data sets with all scores and priors; those of one table of families one after the other."""
    priors, scores = list(priors), list(scores)
    return [
        Job(
            learned,
            {
                "network": network,
                "max_parents": grid.max_parents[network],
                "rows": rows,
                "repetition": repetition,
                "score": score,
                "prior": prior,
            },
            {"seconds": grid.seconds},
            seconds=GUESSES[network] * max(rows / 1000, 1.0),
            value=(3.0 if score == "bdeu" or prior in ("uniform", "fair") else 1.0) / repetition,
            batch=f"{network} {grid.max_parents[network]} {rows} {repetition} {score}",
            cells=CELLS,
        )
        for network in (grid.max_parents if networks is None else networks)
        for repetition in range(1, grid.repetitions + 1)
        for rows in grid.rows
        for score in scores
        for prior in priors
    ]


@measures(also=NETWORK_FILES, without=(*COMMON, *BOUNDED, *TESTED))
def learned(network: str, max_parents: int, rows: int, repetition: int, score: str, prior: str, seconds: float) -> Cell:
    """One optimal network, and its distances from the true one."""
    truth, data = true_network(network), sample(network, rows, repetition)
    start = time.perf_counter()
    if prior == "utop":
        families = families_of_utop(data, truth, score)
    else:
        families = with_prior(families_of(network, max_parents, rows, repetition, score), prior_of(prior, truth))
    scored = time.perf_counter()
    ssp = SSP() if prior == "ssp" else None
    result = credenet.learn(families, prior=ssp, time_limit=seconds, n_threads=1)
    passed = {"scoring_seconds": round(scored - start, 3), "seconds": round(time.perf_counter() - scored, 3)}
    found = {"status": result.status, "complete": families.made.complete, "seed": seed_of(rows, repetition), **passed}
    limit = {"limit": seconds} if result.status == "time_limit" else {}
    return {**(distances(truth, result.dag) if result.has_network else {}), **found, **limit}


def distances(truth: BayesianNetwork, dag: credenet.DAG) -> Cell:
    """The structural Hamming distance of the CPDAGs and its parts, and the structural intervention distance: the middle
    of its smallest and largest value over the class that was learned."""
    compared = credenet.compare(truth.dag, dag.cpdag(), n_threads=1)
    sid = compared.sid
    return {
        "shd": compared.shd,
        "extra": compared.extra,
        "missing": compared.missing,
        "misdirected": compared.misdirected,
        "sid": sum(sid) / 2 if isinstance(sid, tuple) else sid,
        "edges": dag.n_edges,
        "in_degree": max(len(dag.parents(name)) for name in dag.variables),
    }


@functools.lru_cache(maxsize=4)
def true_network(name: str) -> BayesianNetwork:
    return credenet.load(DATA / "networks" / f"{name}.bif.gz")


def seed_of(rows: int, repetition: int) -> int:
    """The seed of a sample, which differs by size, so that samples of different sizes share no rows."""
    return 1_000_000 * repetition + rows


@functools.lru_cache(maxsize=1)
def sample(network: str, rows: int, repetition: int) -> Dataset:
    return true_network(network).sample(rows, seed=seed_of(rows, repetition))


@functools.lru_cache(maxsize=1)
def families_of(network: str, max_parents: int, rows: int, repetition: int, score: str) -> FamilyTable:
    data = sample(network, rows, repetition)
    return credenet.score_families(data, score=score, max_parents=max_parents, n_threads=1)


def families_of_utop(data: Dataset, truth: BayesianNetwork, score: str) -> FamilyTable:
    """Families of just as many parents as the true network has; none for a variable that is constant in the data."""
    exact = in_degrees(truth)
    exact.update(dict.fromkeys((name for name in data.variables if is_constant(data, name)), 0))
    prior, most = InDegree(exact, exact=True), Knowledge(max_parents=exact)
    return credenet.score_families(data, score=score, prior=prior, knowledge=most, n_threads=1)


def in_degrees(truth: BayesianNetwork) -> dict[str, int]:
    return {name: len(truth.dag.parents(name)) for name in truth.variables}


def is_constant(data: Dataset, name: str) -> bool:
    column = np.asarray(data.codes)[:, data.variables.index(name)]
    return bool((column == column[0]).all())


def prior_of(prior: str, truth: BayesianNetwork) -> Prior:
    """Utop+ knows the true in-degrees; the others are priors of the library."""
    return InDegree(in_degrees(truth)) if prior == "utop+" else KINDS.get(prior)


def with_prior(families: FamilyTable, prior: Prior) -> FamilyTable:
    """Families of the uniform prior with another one, which must not favour larger parent sets."""
    if not prior.is_modular:
        return families
    flat, made = families.flat(), families.made
    assert made.n_rows is not None
    largest = int(flat.sizes.max(initial=0))
    scores = flat.scores + log_factors(prior, families.variables, made.n_rows, largest)[flat.children, flat.sizes]
    possible = np.isfinite(scores)
    counts = np.bincount(flat.children[possible], minlength=len(families.variables))
    parents = flat.parents[np.repeat(possible, flat.sizes)]
    return FamilyTable.from_flat(
        families.variables,
        counts,
        scores[possible],
        flat.sizes[possible],
        parents,
        made=replace(made, prior=str(prior)),
    )
