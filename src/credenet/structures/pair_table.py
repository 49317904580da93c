"""The table of how pairs of variables are joined, as text and reports show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from credenet._text import table
from credenet.structures.edges import Edge
from credenet.structures.pairs import HEADERS, OVER_ALL, joined_pairs, nothing_joined, pair_rows
from credenet.structures.weighted_networks import WeightedNetworks

_SHOWN = 20  # Pairs of a summary.


class PairTable(NamedTuple):
    """How pairs are joined in the networks and, where it is known, in all networks; most probable first.

    ``among`` says which networks the numbers are about, ``note`` how directions were told, and ``nothing`` is said
    where there are no rows.
    """

    among: str
    headers: Sequence[str]
    rows: list[list[str]]
    nothing: str
    note: str

    def text(self) -> str:
        """The first rows as text."""
        if not self.rows:
            return f"{self.nothing}."
        more = f", the first {_SHOWN} of {len(self.rows):,} pairs" if len(self.rows) > _SHOWN else ""
        last = "; the last column is over all networks" if OVER_ALL in self.headers else ""
        lines = [f"{self.among}{more}{last}", table(self.headers, self.rows[:_SHOWN]), self.note]
        return "\n".join(filter(None, lines))


def pair_table(networks: WeightedNetworks, note: str, over_all: Mapping[Edge, float] | None = None) -> PairTable:
    """The table of networks; with the probabilities of edges over all networks, these are a further column."""
    kind = "Probabilities among" if networks.has_probabilities else "Shares, which are not probabilities, of"
    pairs = networks.pair_probabilities()
    nothing = f"{nothing_joined(pairs)} in {networks.among}"
    headers = HEADERS if over_all is None else (*HEADERS, OVER_ALL)
    joined = None if over_all is None else joined_pairs(over_all, networks.variables)
    return PairTable(f"{kind} {networks.among}", headers, pair_rows(pairs, joined), nothing, note)
