"""One row for each paper: what it claims, what the stored cells say of it, and one ratio."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import fmean, geometric_mean, median
from typing import NamedTuple

from . import rai
from .credible.runs import CAP, FACTORS, PUBLISHED, is_close
from .priors.claims import found_of_claims
from .priors.grid import CELLS as PRIORS_CELLS
from .priors.grid import FEW_ROWS
from .priors.means import chosen, mean_of
from .store import Store
from .treewidth import table1
from .treewidth.runs import DATA_SETS
from .treewidth.runs import PUBLISHED as TREEWIDTH
from .tutorial.gobnilp import timed


class Summary(NamedTuple):
    """What a paper claims, what was found, and a ratio in words."""

    claim: str
    found: str = ""
    ratio: str = ""


def priors(folder: Path) -> Summary:
    claim = (
        "Sparse structure priors (Fair, Edge, Data) and SSP find better networks than a uniform one from few rows: "
        "dramatically with fNML, moderately with qNML, not with BIC."
    )
    store = Store(folder / f"{PRIORS_CELLS}.json")
    counted = Counter(found for _, found in found_of_claims(store))
    fair, unif = (
        mean_of(chosen(store.cells.values(), score="bdeu", prior=prior, rows_at_most=FEW_ROWS))
        for prior in ("fair", "uniform")
    )
    if fair is None or unif is None:
        return Summary(claim)
    words = ", ".join(f"{word} {n}" for word, n in counted.items())
    return Summary(
        claim,
        f"Of {counted.total()} statements: {words}.",
        f"SHD with Fair / with Unif, BDeu, up to {FEW_ROWS} rows: {fair.value / unif.value:.2f}",
    )


def tutorial(folder: Path) -> Summary:
    claim = "GOBNILP 1.4 finds and proves the best network of up to 441 variables with limited numbers of parents."
    some = timed(Store(folder / "tutorial_gobnilp.json"))
    proven = [(paper, seconds) for _, paper, seconds in some if seconds is not None]
    if not proven:
        return Summary(claim)
    ratio = geometric_mean(paper / seconds for paper, seconds in proven)
    return Summary(
        claim,
        f"Branch and cut proves {len(proven)} of the {len(some)} rows that were run on like data.",
        f"published / our seconds, geometric mean: {ratio:,.0f}",
    )


def credible(folder: Path) -> Summary:
    claim = "All networks within a Bayes factor of the best can be listed, for up to 57 variables by BIC."
    store = Store(folder / "credible_table1.json")
    same, ratios, n = 0, [], 0
    for data, paper in PUBLISHED["table1"].items():
        for factor in FACTORS:
            cells = store.select(data=data, factor=factor)
            if paper[str(factor)] is not None and cells:
                seconds, networks, _ = paper[str(factor)]
                cell = cells[0]
                is_same = cell["networks"] >= CAP if networks == CAP else is_close(cell["networks"], networks)
                n, same = n + 1, same + is_same
                ratios += [seconds / cell["cpu"]] if is_same else []
    if not ratios:
        return Summary(claim)
    return Summary(
        claim,
        f"{same} of {n} numbers of networks agree within 1 %, or are past the {CAP:,} at which the paper's program "
        "ends; its numbers of classes are too large.",
        f"published / our seconds, geometric mean: {geometric_mean(ratios):,.0f}",
    )


def natori(folder: Path) -> Summary:
    claim = (
        "RAI with Bayes factors learns 1,041 variables, faster than with other tests but CMI; its SHD falls to 0 on "
        "small networks."
    )
    store = Store(folder / "rai.json")
    shown = []
    for algorithm in ("rai", "rai published"):
        both = [
            pair
            for network in PUBLISHED_RAI
            for pair in rai.numbers(rai.pairs(store, "shd", "shd", network, [algorithm]))
        ]
        if both:
            mean, paper = (fmean(values) for values in zip(*both, strict=True))
            shown.append(f"{algorithm} {mean:.1f} (published {paper:.1f}, {len(both)} cells)")
    times = [
        pair
        for network in PUBLISHED_RAI
        for pair in rai.numbers(rai.pairs(store, "seconds", "wall", network, list(rai.ALGORITHMS)))
    ]
    if not shown or not times:
        return Summary(claim)
    ratio = geometric_mean(paper / mean for mean, paper in times)
    return Summary(
        claim,
        f"Mean SHD over networks, rows and tests: {'; '.join(shown)}.",
        f"published / our seconds, geometric mean: {ratio:,.0f}",
    )


PUBLISHED_RAI = tuple(rai.PUBLISHED["shd"])


def treewidth(folder: Path) -> Summary:
    claim = (
        "Search guided by informative scores (S2+) finds the best networks of tree-width 4 among approximate methods."
    )
    store = Store(folder / "treewidth_table1.json")
    gains = {}
    for data in DATA_SETS:
        found = table1.medians(store, data, "auto")
        if found is not None:
            paper = table1.best_of_paper(TREEWIDTH["table1"][data])
            gains[data] = (float(f"{found[1]:.3e}") - paper) / abs(paper)
    if not gains:
        return Summary(claim)
    better = [data for data, gain in gains.items() if gain > 0]
    return Summary(
        claim,
        f"The median of auto is above the best published score of an approximate method on {len(better)} of "
        f"{len(gains)} data sets.",
        f"score gained, as a share of the published one: median {median(gains.values()):.1%}, most "
        f"{max(gains.values()):.1%}",
    )


SUMMARIES: dict[str, Callable[[Path], Summary]] = {
    "priors": priors,
    "tutorial": tutorial,
    "credible": credible,
    "rai": natori,
    "treewidth": treewidth,
}
