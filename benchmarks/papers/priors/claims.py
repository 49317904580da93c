"""What Eggeling and others (2019) say of the priors, each as a difference on the same data sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from ..frame import Scale, Table, table_text
from ..store import Cell, Store
from .grid import CELLS, FEW_ROWS, GRIDS, PRIORS, SCORES, jobs
from .means import Mean, chosen, difference, mean_of, panel_name, panels

Kind = Literal["always", "can", "never the opposite"]

Candidate = tuple[str, str]
"""A score and a prior."""

SUBSTANTIAL = 0.1  # share of the second's mean
COLUMNS = ("claim", "network", "data sets", "first", "second", "measure", "second's mean", "difference", "", "found")


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


def run_claims(store: Store, scale: Scale) -> None:
    store.run(jobs(GRIDS[scale], SCORES, PRIORS))


def claim_rows(claim: Claim, cells: list[Cell]) -> Iterator[list[str]]:
    """A row for all networks together and one for each of them."""
    first, second = (
        chosen(cells, score=score, prior=prior, rows_at_most=FEW_ROWS) for score, prior in (claim.first, claim.second)
    )
    every = panels(first)
    named: list[tuple[str, list[Cell], list[Cell]]] = [("all", first, second)] if len(every) > 1 else []
    for network, limit in every:
        panel = {"network": network, "max_parents": limit}
        named.append((panel_name((network, limit)), chosen(first, **panel), chosen(second, **panel)))
    for name, ours, others in named:
        found, base = difference(ours, others, claim.measure), mean_of(others, claim.measure)
        if found is None or base is None:
            continue
        share = f"{found.value / base.value:+.0%}" if base.value else ""
        shown = [f"{SCORES[score]} {PRIORS[prior]}" for score, prior in (claim.first, claim.second)]
        numbers = [f"{base.value:.1f}", found.written(sign=True), share]
        measure = {"extra": "spurious"}.get(claim.measure, claim.measure)
        yield [claim.words, name, str(found.n), *shown, measure, *numbers, verdict(claim, found, base.value)]


def verdict(claim: Claim, found: Mean, base: float) -> str:
    """What a difference says of the claim: it is clearly on one side, or on neither."""
    if claim.kind == "never the opposite":
        is_large = abs(found.value) > SUBSTANTIAL * abs(base)
        return "contradicted" if found.side == -claim.expected and is_large else "holds"
    if found.side == claim.expected:
        return "holds"
    if claim.kind == "can":
        return "not here"
    return "no clear difference" if found.side == 0 else "contradicted"


def claims_text(store: Store) -> str:
    cells = list(store.cells.values())
    rows = [row for claim in CLAIMS for row in claim_rows(claim, cells)]
    of_all = [row for row in rows if row[1] == "all"]
    held = [row[-1] == "holds" for row in of_all]
    ending = f"Of the {len(held)} statements on all networks together, {sum(held)} hold.\n" if held else ""
    return "\n".join(
        [
            f"What the paper says of small samples, tested on those of up to {FEW_ROWS} rows: the mean of the first "
            "less the second over the same data sets, its standard error, and its share of the second's mean. A "
            "difference is clear if it exceeds two standard errors, a rough guide with few data sets. The words "
            "'dramatically' and 'moderately' have no threshold; the shares tell. A benefit that the paper denies "
            f"contradicts it if it is clear and above {SUBSTANTIAL:.0%}.\n",
            table_text(COLUMNS, rows),
            ending,
        ]
    )


TABLES = (Table("priors_claims", "What the paper says of the priors, tested", run_claims, claims_text, cells=CELLS),)
