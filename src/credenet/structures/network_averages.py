"""Averages over networks in product form: probabilities of families, edges, paths and Markov blankets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.families.table import FamilyTable
from credenet.graphs import DAG
from credenet.settings.priors import Prior
from credenet.structures.edges import Edge, most_probable_first
from credenet.structures.listing_limit import check_listing
from credenet.structures.products.deviations import Deviations
from credenet.structures.products.network_diagrams import DiagramProduct, list_components
from credenet.structures.products.network_products import Choices, NetworkProduct, dag_of, score_of
from credenet.structures.weighted_choices import ParentBlock, WeightedNetwork

ParentSets = dict[str, dict[tuple[str, ...], float]]
"""For each variable its parent sets with their probabilities, most probable first."""


@dataclass(frozen=True, slots=True)
class NetworkAverages:
    """Networks of the families of a table as a product over components, each with its probability.

    Probabilities of families and edges are computed without listing the product.
    """

    families: FamilyTable
    product: NetworkProduct | DiagramProduct
    prior: Prior | None = None
    """A prior on whole networks, which adds a penalty to their scores."""

    @property
    def n_networks(self) -> int:
        return self.product.n_networks

    def networks(self, start: int = 0) -> Iterator[WeightedNetwork]:
        """The networks from rank ``start`` on, best first."""
        for choices, shares in self._blocks_from(start):
            for choice, share in zip(choices, shares.tolist(), strict=True):
                yield WeightedNetwork(dag_of(self.families, choice), score_of(self.families, choice, self.prior), share)

    def _blocks_from(self, start: int = 0) -> Iterator[tuple[Choices, NDArray[np.float64]]]:
        """All networks from rank ``start`` on, in blocks with their probabilities."""
        for choices, ticks in self.product.blocks_from(start):
            yield choices, np.exp(-ticks * self.product.tick) / self.product.weight

    def blocks_around(self, variables: Iterable[int], who: str) -> Iterator[tuple[Choices, NDArray[np.float64]]]:
        """Blocks of networks with probabilities, in which only the families of ``variables`` are meaningful.

        Only the components that hold these variables are listed; the others contribute their weight.
        """
        check_listing(max(self.product.sizes, default=0), "networks of each component", who)
        product = list_components(self.product)
        looked_at = set(variables)
        own = [each for each in product.components if looked_at.intersection(each.members.tolist())]
        rest = Deviations.none()
        for each in product.components:
            if not looked_at.intersection(each.members.tolist()):
                rest = rest.combine(Deviations.from_ticks(each.ticks, product.tick), product.most)
        several = NetworkProduct(own, product.fixed, product.tick, product.most)
        check_listing(several.n_networks, "networks", who)
        for choices, ticks in several.blocks_from():
            yield choices, np.exp(-ticks * product.tick) * rest.weight_within(product.most - ticks) / product.weight

    def draw(self, n_networks: int, random: np.random.Generator) -> list[DAG]:
        """Networks sampled by their probabilities, with replacement."""
        return [dag_of(self.families, choice) for choice in self.product.draw(n_networks, random)]

    def parent_set_probabilities(self) -> ParentSets:
        names, flat = self.families.variables, self.families.flat()
        shares = self.product.family_probabilities(len(flat.scores))
        result: ParentSets = {}
        for place, name in enumerate(names):
            rows = np.arange(flat.starts[place], flat.starts[place + 1])
            rows = rows[shares[rows] > 0]
            rows = rows[np.argsort(-shares[rows], kind="stable")]
            result[name] = {tuple(names[p] for p in flat.parents_of(row)): float(shares[row]) for row in rows.tolist()}
        return result

    def path_probabilities(self) -> dict[Edge, float]:
        """For each (ancestor, descendant) the probability of a directed path; lists the networks."""
        names = self.families.variables
        check_listing(self.n_networks, "networks", "path_probabilities")
        sums = _core.PathSums(len(names))
        for choices, shares in self._blocks_from():
            sums.add(self.families.flat().lists, choices, shares)
        matrix = sums.sums().reshape(len(names), len(names))
        pairs = zip(*np.nonzero(matrix), strict=True)
        return most_probable_first(names, {(names[a], names[b]): float(matrix[b, a]) for b, a in pairs})

    def parent_blocks(self) -> Iterator[ParentBlock]:
        """All networks in blocks: the parents of each variable as bits in 64-bit words, and probabilities."""
        check_listing(self.n_networks, "networks", "effects")
        flat = self.families.flat()
        bits = np.zeros((len(flat.scores), (len(self.families.variables) + 63) // 64), dtype=np.uint64)
        rows = np.repeat(np.arange(len(flat.scores)), np.diff(flat.offsets))
        ones = np.uint64(1) << (flat.parents % 64).astype(np.uint64)
        np.bitwise_or.at(bits, (rows, flat.parents // 64), ones)
        for choices, shares in self._blocks_from():
            yield bits[choices].reshape(-1), shares

    def blanket_probabilities(self, variable: int) -> dict[tuple[str, ...], float]:
        """The Markov blankets of a variable with their probabilities, most probable first."""
        names = self.families.variables
        sums: dict[tuple[int, ...], float] = {}
        around = family_around(self.families, variable)
        for choices, shares in self.blocks_around(around, "markov_blanket_probabilities"):
            for members, share in _core.markov_blankets(self.families.flat().lists, choices, shares, variable):
                blanket = tuple(members)
                sums[blanket] = sums.get(blanket, 0.0) + share
        ordered = sorted(sums.items(), key=lambda item: (-item[1], item[0]))
        return {tuple(names[at] for at in members): min(share, 1.0) for members, share in ordered}


def edges_of_parent_sets(names: tuple[str, ...], parent_sets: ParentSets) -> dict[Edge, float]:
    """The probability of each edge, from those of parent sets."""
    sums: dict[Edge, list[float]] = {}
    for child, sets in parent_sets.items():
        for parents, share in sets.items():
            for parent in parents:
                sums.setdefault((parent, child), []).append(share)
    return most_probable_first(names, {edge: math.fsum(shares) for edge, shares in sums.items()})


def family_around(families: FamilyTable, variable: int) -> list[int]:
    """The variable and its candidate children."""
    flat = families.flat()
    rows = np.searchsorted(flat.offsets, np.flatnonzero(flat.parents == variable), side="right") - 1
    return [variable, *np.unique(flat.children[rows]).tolist()]
