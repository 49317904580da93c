"""What Eggeling and others (2019) say of the priors on real data, each as a difference on the same subsamples."""

from __future__ import annotations

import math
from collections import Counter

from ..frame import NOT_MEASURED, Table, table_text
from ..store import Cell, Store
from .claims import SUBSTANTIAL, Claim, claim_row
from .figure7 import MAX_PARENTS, best_cells, figure7_jobs
from .grid import PRIORS, REALISTIC, SCORES
from .means import panel_name

CLAIMS = (
    *(
        Claim("a prior reduces errors at small sample sizes", ("bdeu", prior), ("bdeu", "uniform"), -1)
        for prior in ("edge", "fair", "data")
    ),
    *(
        Claim("Fair is slightly better than the other modular priors", ("bdeu", "fair"), ("bdeu", prior), -1)
        for prior in ("edge", "data")
    ),
    Claim("dramatically for fNML", ("fnml", "fair"), ("fnml", "uniform"), -1),
    Claim("moderately for qNML", ("qnml", "fair"), ("qnml", "uniform"), -1),
    Claim("imperceptibly for BIC", ("bic", "fair"), ("bic", "uniform"), 0),
    *(
        Claim("never substantially worse", (score, "fair"), (score, "uniform"), -1, kind="never the opposite")
        for score in SCORES
    ),
)


def small_subsamples(store: Store) -> list[Cell]:
    """The partial distance of each score and prior on each subsample of the smaller half of the sizes, as a cell of its
    own, in the place of an SHD."""
    priors = {PRIORS[prior]: prior for prior in REALISTIC}
    found: list[Cell] = []
    for cell in best_cells(store):
        sizes = sorted({rows for _, rows, _, _ in cell["distances"]})
        small = set(sizes[: max(len(sizes) // 2, 1)])
        found += [
            {
                "network": cell["data"],
                "max_parents": cell["max_parents"],
                "score": cell["score"],
                "prior": priors[name],
                "rows": rows,
                "repetition": repetition,
                "shd": distance,
                "made": cell["made"],
            }
            for name, rows, repetition, distance in cell["distances"]
            if rows in small
        ]
    return found


def judged(store: Store) -> list[tuple[Claim, list[str], str]]:
    """Each claim with its row and what was found; that is NOT_MEASURED without cells of both."""
    cells = small_subsamples(store)
    every: list[tuple[str, int | None]] = [*MAX_PARENTS.items()]
    rows = []
    for claim in CLAIMS:
        row, found = claim_row(claim, cells, every, math.inf)
        words, beside, _, of_all, _, *texts = row
        rows.append((claim, [words, beside, of_all, found or NOT_MEASURED, *texts], found or NOT_MEASURED))
    return rows


def real_text(store: Store) -> str:
    counted = Counter(found for _, _, found in judged(store))
    columns = ("the paper says", "compared", "all data", "found", *map(panel_name, MAX_PARENTS.items()))
    behind = [
        [cell for cell in best_cells(store) if cell["score"] in (claim.first[0], claim.second[0])] for claim in CLAIMS
    ]
    return "\n".join(
        [
            "The partial Hamming distance of the first less that of the second on the same subsamples, over the "
            "smaller half of the sizes (each data set and size counts the same), its standard error, and its share of "
            "the second's mean; the words as for the statements on sampled data. An effect that the paper denies "
            f"contradicts it if it is clear and above {SUBSTANTIAL:.0%}; that a prior is never substantially worse is "
            "contradicted by one data set where it is clearly worse by more than that. The shares tell what "
            "'dramatically', 'moderately' and 'slightly' are here.\n",
            table_text(columns, [row for _, row, _ in judged(store)], behind),
            f"Statements by what was found: {', '.join(f'{word}: {n}' for word, n in counted.items())}.\n",
        ]
    )


def real_aims(store: Store) -> list[str]:
    """The statements that our cells contradict, do not show, or cannot judge yet."""
    return [
        f"The paper says of real data, {' against '.join(_name(each) for each in (claim.first, claim.second))}: "
        f"{claim.words}. Found: {found}."
        for claim, _, found in judged(store)
        if found != "holds"
    ]


def _name(candidate: tuple[str, str]) -> str:
    return f"{SCORES[candidate[0]]} {PRIORS[candidate[1]]}"


TABLES = (
    Table(
        "priors_real_claims",
        "What the paper says of real data, tested",
        figure7_jobs,
        real_text,
        cells="priors_figure7",
        aims=real_aims,
    ),
)
