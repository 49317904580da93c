"""The table of score pruning under other conventions, for the two data sets whose files are those of the paper."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import polars as pl

import credenet
from credenet import Dataset

from ..frame import Table, table_text
from ..parts import BOUNDED, COMMON, TESTED
from ..sources import measures
from ..store import Cell, Job, Scale, Store
from .runs import PUBLISHED, READING, data_of

FILES = {"car": "datasets/car.csv.gz", "nursery": "datasets/nursery.csv.gz"}
CODINGS = {
    "all": "all states",
    "median": "two states, above the median",
    "mean": "two states, above the mean",
}
SCORES = {"bdeu(ess=0.1)": 0.1, "bdeu(ess=1)": 1.0, "bdeu(ess=10)": 10.0, "bic": 0.0}
RULES = {
    "subsets": "no subset scores as much",
    "neighbours": "no subset of one parent less scores as much",
    "grown": "as the first, and a subset of one parent less is kept",
    "wide": "as the first, or prior weight of a parent state above 0.8349",
    "base2": "as the first, penalty with logs to base 2",
    "twice": "as the first, twice the penalty",
}
ALL = 1e9  # Slack, in nats, with which no family is pruned.
LARGEST_PRUNED_WEIGHT = 0.8349  # Prior weight of a parent state up to which a bound of the slides on BDeu holds.
COLUMNS = ("data", "states", "score", "kept if", "largest sets, published", "ours", "cache", "ours", "space", "ours")


@measures(also=READING, without=(*COMMON, *BOUNDED, *TESTED))
def pruned(data: str, coding: str, score: str, rule: str) -> Cell:
    """The sizes of the lists that a rule leaves of all families."""
    rows = code_states(data_of(FILES[data]), coding)
    names, sizes = rows.variables, rows.n_states.tolist()
    scores = score_all(rows, score, {"base2": math.log(2), "twice": 0.5}.get(rule, 1.0))
    counts, largest = [], []
    for child, _ in enumerate(names):
        others = [at for at in range(len(names)) if at != child]
        best: dict[tuple[int, ...], float] = {}
        kept: set[tuple[int, ...]] = set()
        for size in range(len(names)):
            for parents in combinations(others, size):
                value = scores[child, parents]
                below = [parents[:at] + parents[at + 1 :] for at in range(size)]
                most = max((best[each] for each in below), default=-math.inf)
                weight = SCORES[score] / math.prod(sizes[at] for at in parents)
                is_kept = value > most
                if rule == "neighbours":
                    is_kept = all(value > scores[child, each] for each in below)
                elif rule == "grown":
                    is_kept = is_kept and (not below or any(each in kept for each in below))
                elif rule == "wide":
                    is_kept = is_kept or weight > LARGEST_PRUNED_WEIGHT
                if is_kept:
                    kept.add(parents)
                best[parents] = max(value, most)
        counts.append(len(kept))
        largest.append(max(map(len, kept)))
    return {
        "families": sum(counts),
        "mean_largest": round(float(np.mean(largest)), 4),
        "largest": max(largest),
        "log2_space": round(float(np.log2(counts).sum()), 4),
        "counts": counts,
    }


def code_states(rows: Dataset, coding: str) -> Dataset:
    """The rows with all states, or with two for each variable, in the order of the labels."""
    if coding == "all":
        return rows
    columns = {}
    for at, name in enumerate(rows.variables):
        codes = rows.codes[:, at].astype(float)
        cut = float(np.median(codes) if coding == "median" else codes.mean())
        above = codes > cut
        columns[name] = np.where(codes >= cut if above.all() or not above.any() else above, "1", "0")
    return Dataset.from_frame(pl.DataFrame(columns))


def score_all(rows: Dataset, score: str, penalty_divisor: float) -> dict[tuple[int, tuple[int, ...]], float]:
    """The scores of all families; of BIC with a penalty that is divided."""
    families = credenet.score_families(rows, score=score, slack=ALL, n_threads=1)
    likelihoods = None
    if score == "bic" and penalty_divisor != 1:
        likelihoods = credenet.score_families(rows, score="log_likelihood", slack=ALL, n_threads=1).flat()
    flat = families.flat()
    found = {}
    for at, (child, value) in enumerate(zip(flat.children.tolist(), flat.scores.tolist(), strict=True)):
        found[child, tuple(sorted(flat.parents_of(at)))] = value
    if likelihoods is not None:
        for at, (child, value) in enumerate(
            zip(likelihoods.children.tolist(), likelihoods.scores.tolist(), strict=True)
        ):
            key = child, tuple(sorted(likelihoods.parents_of(at)))
            found[key] = value + (found[key] - value) / penalty_divisor
    return found


def conventions_jobs(scale: Scale) -> list[Job]:
    jobs = []
    for data in FILES:
        for coding in CODINGS:
            for score in SCORES:
                for rule in RULES:
                    is_bic = score == "bic"
                    if rule in (("wide",) if is_bic else ("base2", "twice")):
                        continue
                    asked = {"data": data, "coding": coding, "score": score, "rule": rule}
                    jobs.append(Job(pruned, asked, seconds=1.0, value=3.0))
    return jobs


def conventions_text(store: Store) -> str:
    rows, behind = [], []
    n_fits = n_cells = 0
    for data in FILES:
        for coding, words in CODINGS.items():
            for score in SCORES:
                for rule, meaning in RULES.items():
                    for cell in store.select(data=data, coding=coding, score=score, rule=rule):
                        paper = PUBLISHED["pruning"][data][score]
                        n = len(cell["counts"])
                        cache = math.log2(cell["families"] / (1 if score == "bic" else n))
                        sets = f"{cell['mean_largest']:.1f}({cell['largest']})"
                        ours = [sets, f"{cache:.1f}", f"{cell['log2_space']:.1f}"]
                        digits = 0 if score == "bic" else 1
                        is_near = f"{cell['log2_space']:.{digits}f}" == f"{paper[2]:.{digits}f}"
                        n_cells += 1
                        n_fits += sets == paper[0] and f"{cache:.1f}" == f"{paper[1]:.1f}" and is_near
                        published = [paper[0], f"2^{paper[1]:g}", f"2^{paper[2]:g}"]
                        pairs = [published[0], ours[0], published[1], f"2^{ours[1]}", published[2], f"2^{ours[2]}"]
                        rows.append([data, words, score, meaning, *pairs])
                        behind.append([cell])
    return "\n".join(
        [
            f"{n_fits} of {n_cells} rows have the published numbers. No convention gives those of a data set for "
            "all four scores, so the difference is neither the coding alone nor the rule alone. What the "
            "published numbers tell of the rule: with BDeu and 10 the space of breast, 2^33.2, is that of ten "
            "sets for each of ten variables (none and every single parent), and that of wdbc, 2^375.1, is nearly "
            "that of all sets of at most three parents, 31 log2 4,526 = 376.5. So sets whose prior weight for a "
            "parent state, 10 over the number of parent states, is above 0.8349 seem to be kept, although a "
            "subset scores more. The rule that keeps them is in the table. It raises the numbers with 10, where "
            "the published ones are larger than ours, and beyond them; with 0.1 and 1, where the published ones "
            "are smaller, it changes nothing. Also tried once, without a fit: the order of states in the original "
            "description and by first occurrence, cuts at or above the median, prior weights for each cell or "
            "parent state, logs to base 10, AIC, ties kept, and samples of 100 to 800 rows of car.\n",
            table_text(COLUMNS, rows, behind),
        ]
    )


TABLES = (
    Table(
        "tutorial_conventions",
        "Score pruning of car and nursery under other conventions",
        conventions_jobs,
        conventions_text,
    ),
)
