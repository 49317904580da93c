"""What Eggeling and others (2019) say of the priors, each as a difference on the same data sets."""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple

from ..frame import Table, table_text
from ..store import Cell, Job, Scale, Store
from .grid import CELLS, FEW_ROWS, GRIDS, PRIORS, SCORES, jobs
from .means import Mean, chosen, difference, mean_of, panel_name, panels

Kind = Literal["always", "can", "never the opposite"]

Candidate = tuple[str, str]
"""A score and a prior."""

SUBSTANTIAL = 0.1  # Share of the second mean that counts as substantial.


class Claim(NamedTuple):
    """A statement that a measure of the first is smaller (-1), larger (1) or about the same (0) as of the second."""

    words: str
    first: Candidate
    second: Candidate
    expected: int
    measure: str = "shd"
    kind: Kind = "always"


CLAIMS = (
    *(
        Claim("a sparse prior beats Unif for BDeu", ("bdeu", prior), ("bdeu", "uniform"), -1)
        for prior in ("edge", "fair", "data")
    ),
    Claim("SSP is between: better than Unif", ("bdeu", "ssp"), ("bdeu", "uniform"), -1),
    Claim("SSP is between: worse than Fair", ("bdeu", "ssp"), ("bdeu", "fair"), 1),
    Claim("dramatically for fNML", ("fnml", "fair"), ("fnml", "uniform"), -1),
    Claim("moderately for qNML", ("qnml", "fair"), ("qnml", "uniform"), -1),
    Claim("no visible effect for BIC", ("bic", "fair"), ("bic", "uniform"), 0),
    Claim("Fair reduces spurious edges", ("bdeu", "fair"), ("bdeu", "uniform"), -1, "extra"),
    Claim("Fair increases missing edges", ("bdeu", "fair"), ("bdeu", "uniform"), 1, "missing"),
    Claim("Fair reduces wrong directions", ("bdeu", "fair"), ("bdeu", "uniform"), -1, "misdirected"),
    Claim("Utop can harm: worse than Unif", ("bdeu", "utop"), ("bdeu", "uniform"), 1, kind="can"),
    Claim("Utop can harm: worse than Fair", ("bdeu", "utop"), ("bdeu", "fair"), 1, kind="can"),
    Claim("Utop+ is never much better than Fair", ("bdeu", "utop+"), ("bdeu", "fair"), 1, kind="never the opposite"),
    Claim("BIC directs more edges wrongly than BDeu with Fair", ("bic", "uniform"), ("bdeu", "fair"), 1, "misdirected"),
    Claim("no benefit for SID", ("bdeu", "fair"), ("bdeu", "uniform"), 1, "sid", kind="never the opposite"),
)


def claims_jobs(scale: Scale) -> list[Job]:
    return jobs(GRIDS[scale], SCORES, PRIORS)


def main_panels(cells: list[Cell]) -> list[tuple[str, int | None]]:
    """For each network the limit on the number of parents that most cells have."""
    many = Counter((cell["network"], cell["max_parents"]) for cell in cells)
    best: dict[str, tuple[str, int | None]] = {}
    for panel in panels(cells):
        network = panel[0]
        best[network] = max(best.get(network, panel), panel, key=lambda one: (many[one], one[1]))
    return list(best.values())


def claim_row(
    claim: Claim, cells: list[Cell], every: list[tuple[str, int | None]], rows_at_most: float = FEW_ROWS
) -> tuple[list[str], str]:
    """What was found on all networks together and on each of them, and what that says of the claim."""
    by_panel = {
        panel: tuple(
            chosen(cells, score=score, prior=prior, rows_at_most=rows_at_most, network=panel[0], max_parents=panel[1])
            for score, prior in (claim.first, claim.second)
        )
        for panel in every
    }
    pooled = tuple([cell for pair in by_panel.values() for cell in pair[place]] for place in (0, 1))
    of_all, words = compared(claim, *pooled)
    parts = [compared(claim, *pair) for pair in by_panel.values()]
    found = overall(claim, words, [word for _, word in parts])
    beside = " against ".join(f"{SCORES[score]} {PRIORS[prior]}" for score, prior in (claim.first, claim.second))
    measure = {"extra": "spurious", "shd": "SHD", "sid": "SID"}.get(claim.measure, claim.measure)
    texts = [f"{text}, {word}" if text else "" for text, word in parts]
    return [claim.words, beside, measure, of_all, found, *texts], found


def cells_of(claim: Claim, cells: list[Cell], every: list[tuple[str, int | None]]) -> list[Cell]:
    """What a claim is judged by."""
    few = [cell for cell in cells if (cell["network"], cell["max_parents"]) in every and cell["rows"] <= FEW_ROWS]
    return [cell for cell in few if (cell["score"], cell["prior"]) in (claim.first, claim.second)]


def compared(claim: Claim, ours: list[Cell], others: list[Cell]) -> tuple[str, str]:
    """The mean difference with its share, and the verdict; nothing without data."""
    found, base = difference(ours, others, claim.measure), mean_of(others, claim.measure)
    if found is None or base is None:
        return "", ""
    share = f" ({found.value / base.value:+.0%})" if base.value else ""
    return f"{found.written(sign=True)}{share}", verdict(claim, found, base.value)


def verdict(claim: Claim, found: Mean, base: float) -> str:
    """What a difference says of the claim: it is clearly on one side, or on neither."""
    if found.error is None:
        return "too few data sets"
    is_large = abs(found.value) > SUBSTANTIAL * abs(base)
    if claim.kind == "never the opposite":
        return "contradicted" if found.side == -claim.expected and is_large else "holds"
    if claim.expected == 0 and found.side != 0:
        return "contradicted" if is_large else "clear but small"
    if found.side == claim.expected:
        return "holds"
    if claim.kind == "can":
        return "not here"
    return "no clear difference" if found.side == 0 else "contradicted"


def overall(claim: Claim, of_all: str, of_each: list[str]) -> str:
    """What can happen needs one network, what never happens has no exception, the rest is judged on all together."""
    if claim.kind == "can" and "holds" in of_each:
        return "holds"
    if claim.kind == "never the opposite" and "contradicted" in of_each:
        return "contradicted"
    return of_all


def claims_text(store: Store) -> str:
    cells = list(store.cells.values())
    every = main_panels(cells)
    judged = [claim_row(claim, cells, every) for claim in CLAIMS]
    counted = ", ".join(f"{word}: {n}" for word, n in Counter(word for _, word in judged if word).items())
    columns = ("the paper says", "compared", "measure", "all networks", "found", *map(panel_name, every))
    return "\n".join(
        [
            f"What the paper says of small samples, tested on those of up to {FEW_ROWS} rows: the mean of the first "
            "less the second over the same data sets (each network and size counts the same), its standard error, and "
            "its share of the second's mean. A difference is clear if it exceeds two standard errors, a rough guide "
            "with few data sets. The words 'dramatically' and 'moderately' have no threshold; the shares tell. What "
            "can happen must happen on one network at least. An effect that the paper denies contradicts it if it is "
            f"clear and above {SUBSTANTIAL:.0%}, a limit of ours; one that it never saw, if that is so on any "
            "network.\n",
            table_text(columns, [row for row, _ in judged], [cells_of(claim, cells, every) for claim in CLAIMS]),
            f"Statements by what was found: {counted}.\n",
        ]
    )


def found_of_claims(store: Store) -> list[tuple[Claim, str]]:
    """Each claim and what was found of it on all networks together; claims without data are left out."""
    cells = list(store.cells.values())
    every = main_panels(cells)
    judged = [(claim, claim_row(claim, cells, every)[1]) for claim in CLAIMS]
    return [(claim, found) for claim, found in judged if found]


def claims_aims(store: Store) -> list[str]:
    """The statements that our cells contradict or do not show."""
    return [
        f"The paper says: {claim.words}. Found: {found}, on samples of up to {FEW_ROWS} rows."
        for claim, found in found_of_claims(store)
        if found != "holds"
    ]


TABLES = (
    Table(
        "priors_claims",
        "What the paper says of the priors, tested",
        claims_jobs,
        claims_text,
        cells=CELLS,
        aims=claims_aims,
    ),
)
