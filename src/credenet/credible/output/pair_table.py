"""The table of pairs of a credible set, with the probabilities over all networks if these are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credenet.structures.pair_table import PairTable, pair_table
from credenet.structures.pairs import DRAWN_NOTE

if TYPE_CHECKING:
    from credenet.credible.credible_set import CredibleSet


def credible_pairs(credible: CredibleSet) -> PairTable:
    """The table of pairs of the credible networks and, if known, of all networks."""
    note = DRAWN_NOTE if credible._draws_directions else ""
    credible.share_told()
    return pair_table(credible, note, credible._findings.all_networks.edges)
