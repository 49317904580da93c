"""Whether intersection-validation, which knows no true network, ranks scores and priors as the true SHD does.

Rows are sampled from a known network. Intersection-validation ranks the candidates on subsamples of these rows; the
true SHD ranks them on samples of the same sizes, which are cells of Figures 2 to 5.
"""

from __future__ import annotations

import time
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from ..frame import NOT_MEASURED, Table, number, save_figure, table_text
from ..parts import BOUNDED, COMMON, NETWORK_FILES, TESTED
from ..sources import measures
from ..store import Cell, Job, Scale, Store
from .grid import CELLS, GRIDS, NETWORKS, PRIORS, REALISTIC, SCORES, Grid, jobs, sample, seed_of
from .means import Mean, by_rows, chosen
from .validated import mean_distances, validated

ALL_ROWS = 2000
QUICK_ROWS, PAPER_ROWS = (50, 200), (50, 100, 200, 500)
GUESSES = {"child": 80.0, "insurance": 600.0, "water": 600.0, "alarm": 2500.0}  # Seconds of a validation.


def name_of(score: str, prior: str) -> str:
    return f"{SCORES[score]} {PRIORS[prior]}"


CANDIDATES = {name_of(score, prior): {"score": score, "prior": prior} for score in SCORES for prior in REALISTIC}


@measures(also=NETWORK_FILES, without=(*COMMON, *BOUNDED, *TESTED))
def of_sample(network: str, max_parents: int, repetition: int, sizes: str, repetitions: int, seconds: float) -> Cell:
    """Partial Hamming distances of all candidates on subsamples of a sample."""
    start = time.perf_counter()
    found = validated(
        sample(network, ALL_ROWS, repetition),
        CANDIDATES,
        fractions=[int(size) / ALL_ROWS for size in sizes.split()],
        repetitions=repetitions,
        seed=repetition,
        seconds=seconds,
        max_parents=max_parents,
    )
    seed = seed_of(ALL_ROWS, repetition)
    return {"rows": ALL_ROWS, "seed": seed, **found, "wall": round(time.perf_counter() - start, 1)}


def networks_store(store: Store) -> Store:
    """The cells of Figures 2 to 5, in the file beside."""
    return Store(store.path.with_name(f"{CELLS}.json"))


def ranking_jobs(scale: Scale) -> list[Job]:
    """Validation on samples of the networks, and the true distances, which are cells of Figures 2 to 5."""
    is_paper = scale == "paper"
    sizes, networks = (PAPER_ROWS, NETWORKS) if is_paper else (QUICK_ROWS, ("child",))
    limits = {network: GRIDS[scale].max_parents[network] for network in networks}
    wanted = {"sizes": " ".join(map(str, sizes)), "repetitions": 10}
    return [
        *jobs(Grid(limits, sizes, 10, GRIDS[scale].seconds), SCORES, REALISTIC),
        *(
            Job(
                of_sample,
                {"network": network, "max_parents": limit, "repetition": repetition, **wanted},
                {"seconds": GRIDS[scale].seconds},
                seconds=GUESSES[network],
                value=20.0 / repetition,
            )
            for repetition in range(1, 4 if is_paper else 2)
            for network, limit in limits.items()
        ),
    ]


def both_distances(store: Store) -> dict[tuple[str, int, int], tuple[list[float], list[float]]]:
    """The mean SHD and the mean partial distance of all candidates by network, sample and number of rows."""
    known = networks_store(store).cells.values()
    found = {}
    for cell in store.cells.values():
        partial = mean_distances(cell)
        panel = {"network": cell["network"], "max_parents": cell["max_parents"]}
        true = {name: by_rows(chosen(known, **panel, **options)) for name, options in CANDIDATES.items()}
        for rows in next(iter(partial.values())):
            if all(rows in true[name] for name in CANDIDATES):
                shd = [true[name][rows].value for name in CANDIDATES]
                found[cell["network"], cell["repetition"], rows] = (
                    shd,
                    [partial[name][rows].value for name in CANDIDATES],
                )
    return found


def spearman(first: list[float], second: list[float]) -> float | None:
    """The correlation of the ranks; None if all of one list are equal."""
    if len(set(first)) == 1 or len(set(second)) == 1:
        return None
    return float(np.corrcoef(average_ranks(first), average_ranks(second))[0, 1])


def average_ranks(values: list[float]) -> NDArray[np.float64]:
    """Ranks from 1, equal values with the mean of theirs."""
    array = np.array(values)
    return np.array([(array < value).sum() + ((array == value).sum() + 1) / 2 for value in values])


def correlations(store: Store) -> dict[str, Mean | None]:
    """For each network the mean correlation over the samples, each the mean over its sizes; None without cells."""
    by_sample: dict[str, dict[int, list[float]]] = {network: {} for network in NETWORKS}
    for (network, repetition, _), (shd, partial) in both_distances(store).items():
        found = spearman(shd, partial)
        if found is not None:
            by_sample[network].setdefault(repetition, []).append(found)
    return {network: Mean.of([fmean(some) for some in samples.values()]) for network, samples in by_sample.items()}


def judge_correlation(mean: Mean | None) -> str:
    """Whether validation ranks as the true SHD does, as far as the samples tell."""
    if mean is None:
        return NOT_MEASURED
    if mean.error is None:
        return "one sample"
    return {1: "holds", 0: "no clear correlation", -1: "contradicted"}[mean.side]


def ranking_aims(store: Store) -> list[str]:
    """The networks on which validation does not rank as the true SHD does, or on which that is not known."""
    found = {network: judge_correlation(mean) for network, mean in correlations(store).items()}
    words = [f"{network}: {word}" for network, word in found.items() if word != "holds"]
    return [f"Intersection-validation is to rank as the true SHD does: {'; '.join(words)}."] if words else []


def network_rows(store: Store) -> list[list[str]]:
    """A row for each network: the number of samples, the mean correlation, and what that says."""
    rows = []
    for network, mean in correlations(store).items():
        value = "" if mean is None else f"{mean.value:.2f}"
        error = "" if mean is None or mean.error is None else f" ± {mean.error:.2f}"
        rows.append([network, str(0 if mean is None else mean.n), f"{value}{error}", judge_correlation(mean)])
    return rows


def ranking_text(store: Store) -> str:
    rows, behind = [], []
    everything = both_distances(store)
    names = list(CANDIDATES)
    for (network, repetition, size), (shd, partial) in everything.items():
        best = names[int(np.argmin(shd))], names[int(np.argmin(partial))]
        lost = shd[int(np.argmin(partial))] - min(shd)
        found = number(spearman(shd, partial), 2)
        rows.append([network, str(repetition), f"{size:,}", str(len(names)), found, *best, f"{lost:.1f}"])
        true = networks_store(store).select(network=network, rows=size)
        behind.append([*store.select(network=network, repetition=repetition), *true])
    agreed = [
        f"{cell['network']} {cell['repetition']}: {cell['pairs']} pairs, {cell['agreed_edges']} of them edges"
        for cell in store.cells.values()
    ]
    columns = ("network", "sample", "rows", "candidates", "Spearman", "best by SHD", "best by validation", "SHD lost")
    return "\n".join(
        [
            f"Four scores with five priors each, ranked by the partial Hamming distance on subsamples of {ALL_ROWS:,} "
            "rows, which needs no true network, and by the true SHD on samples of the same sizes. The paper takes it "
            "from earlier work that the first approximates the second, and gives no number. The last column says how "
            "much larger the SHD of the candidate that validation puts first is than the smallest.\n",
            table_text(columns, rows, behind),
            "The mean over the samples of a network, each the mean over its sizes, and its standard error. That "
            "validation approximates the SHD holds if the mean exceeds two standard errors.\n",
            table_text(
                ("network", "samples", "Spearman", "found"),
                network_rows(store),
                [store.select(network=network) for network in NETWORKS],
            ),
            f"Agreed: {'; '.join(dict.fromkeys(agreed))}. The correlation is over all candidates, of which some "
            "hardly differ, so that their order is chance.\n",
        ]
    )


def draw_ranking(store: Store, folder: Path) -> list[Path]:
    """The two distances of all candidates, a panel for each network and number of rows."""
    from matplotlib.figure import Figure

    everything = {key: pair for key, pair in both_distances(store).items() if key[1] == 1}
    if not everything:
        return []
    figure = Figure(figsize=(3.6 * len(everything), 3.4), layout="constrained")
    every = figure.subplots(1, len(everything), squeeze=False)[0]
    for axes, ((network, _, rows), pair) in zip(every, everything.items(), strict=True):
        for score, shown in SCORES.items():
            at = [place for place, options in enumerate(CANDIDATES.values()) if options["score"] == score]
            axes.scatter([pair[0][place] for place in at], [pair[1][place] for place in at], s=16, label=shown)
        axes.set_title(f"{network}, {rows:,} rows", fontsize=10)
        axes.set_xlabel("SHD")
        axes.set_ylabel("partial Hamming distance")
        axes.legend(fontsize=7)
    return [save_figure(figure, folder / "priors_ranking.svg")]


TABLES = (
    Table(
        "priors_ranking",
        "Section 5.6: intersection-validation beside the true SHD",
        ranking_jobs,
        ranking_text,
        draw_ranking,
        aims=ranking_aims,
    ),
)
