"""The table of joined pairs of variables that text and reports show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from credenet._text import table
from credenet.structures.edges import Edge
from credenet.structures.pairs import HEADERS, OVER_ALL, join_pairs, pair_rows, say_nothing_joined
from credenet.structures.weighted_networks import WeightedNetworks

_SHOWN = 20  # Pairs that a summary shows.


class PairTable(NamedTuple):
    """The joined pairs of some networks and, if known, of all networks; most probable first.

    ``among`` names the networks that the numbers refer to, ``note`` says how directions were computed, and ``nothing``
    is the text of a table without rows.
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
    """The table of networks; given ``over_all``, it has a column with probabilities over all networks."""
    kind = "Probabilities among" if networks.has_probabilities else "Shares, which are not probabilities, of"
    pairs = networks.pair_probabilities()
    nothing = f"{say_nothing_joined(pairs)} in {networks.among}"
    headers = HEADERS if over_all is None else (*HEADERS, OVER_ALL)
    joined = None if over_all is None else join_pairs(over_all, networks.variables)
    return PairTable(f"{kind} {networks.among}", headers, pair_rows(pairs, joined), nothing, note)
