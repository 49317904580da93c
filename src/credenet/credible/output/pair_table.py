"""The table of pairs of a credible set, as text and report show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from credenet._text import table
from credenet.credible.output import wording
from credenet.structures.pairs import DRAWN_NOTE, HEADERS, OVER_ALL, joined_pairs, nothing_joined, pair_rows

if TYPE_CHECKING:
    from credenet.credible.credible_set import CredibleSet

_SHOWN = 20  # pairs of a summary


class PairTable(NamedTuple):
    """How pairs are joined in the networks and, where it is known, in all networks; most probable first.

    ``among`` says which networks the numbers are about, ``note`` how directions were told, and
    ``nothing`` is said where there are no rows.
    """

    among: str
    headers: Sequence[str]
    rows: list[list[str]]
    nothing: str
    note: str


def pair_table(credible: CredibleSet) -> PairTable:
    credible.share_told()
    edges = credible._findings.all_networks.edges
    kind = "Probabilities among" if credible.has_probabilities else "Shares, which are not probabilities, of"
    among = f"{kind} {wording.among(credible)}"
    note = DRAWN_NOTE if credible.draws_directions else ""
    pairs = credible.pair_probabilities()
    nothing = f"{nothing_joined(pairs)} in {wording.among(credible)}"
    if edges is None:
        return PairTable(among, HEADERS, pair_rows(pairs), nothing, note)
    over_all = joined_pairs(edges, credible.variables)
    return PairTable(among, (*HEADERS, OVER_ALL), pair_rows(pairs, over_all), nothing, note)


def pair_text(credible: CredibleSet) -> str:
    """The first rows as text."""
    shown = pair_table(credible)
    if not shown.rows:
        return f"{shown.nothing}."
    more = f", the first {_SHOWN} of {len(shown.rows):,} pairs" if len(shown.rows) > _SHOWN else ""
    last = "; the last column is over all networks" if OVER_ALL in shown.headers else ""
    lines = [f"{shown.among}{more}{last}", table(shown.headers, shown.rows[:_SHOWN]), shown.note]
    return "\n".join(filter(None, lines))
