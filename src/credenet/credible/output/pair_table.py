"""How credible networks join pairs of variables, as a table that people read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from credenet._text import probability
from credenet.credible.averaging import Edge

if TYPE_CHECKING:
    from credenet.credible.credible_set import CredibleSet


class PairTable(NamedTuple):
    """The pairs that are joined, most probable first, as far as asked for; how many there are, and a remark."""

    headers: tuple[str, ...]
    rows: list[list[str]]
    n_pairs: int
    note: str


def pair_table(credible: CredibleSet, most: int) -> PairTable:
    """How the equivalence classes join pairs, or the networks where the classes cannot be told in a moment."""
    pairs = credible.quick_pair_probabilities()
    if pairs is not None:
        shares = {
            pair: (forward + backward + both, forward, backward, both)
            for pair, (forward, backward, both, _) in pairs.items()
        }
        return _table(("joined", "→", "←", "undetermined"), shares, most, "")
    note = (
        "There are too many networks to tell at once which directions their equivalence classes leave undetermined; "
        "arrows count networks, among which are equivalent ones."
    )
    return _table(("joined", "→ in networks", "← in networks"), _of_networks(credible), most, note)


def _of_networks(credible: CredibleSet) -> dict[Edge, tuple[float, ...]]:
    edges, place = credible.edge_probabilities(), {name: at for at, name in enumerate(credible.variables)}
    pairs = sorted({(min(edge, key=place.__getitem__), max(edge, key=place.__getitem__)) for edge in edges})
    directed = {(a, b): (edges.get((a, b), 0.0), edges.get((b, a), 0.0)) for a, b in pairs}
    return {pair: (min(sum(shares), 1.0), *shares) for pair, shares in directed.items()}


def _table(headers: tuple[str, ...], shares: Mapping[Edge, Sequence[float]], most: int, note: str) -> PairTable:
    ordered = sorted(shares.items(), key=lambda item: -item[1][0])
    rows = [[a, b, *map(probability, several)] for (a, b), several in ordered[:most]]
    return PairTable(("variable", "with", *headers), rows, len(ordered), note)
