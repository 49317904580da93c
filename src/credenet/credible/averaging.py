"""What credible networks say together: probabilities of families, edges, paths and Markov blankets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.credible.engine.deviations import Deviations
from credenet.credible.engine.network_diagrams import DiagramProduct, with_lists
from credenet.credible.engine.network_products import Choices, NetworkProduct
from credenet.credible.ranked import check_listing
from credenet.families.table import FamilyTable
from credenet.structures.edges import Edge, most_probable_first

Product = NetworkProduct | DiagramProduct


def weighted(product: Product, variables: Iterable[int], who: str) -> Iterator[tuple[Choices, NDArray[np.float64]]]:
    """Blocks of networks with probabilities, in which the families of some variables are all that may be looked at.

    Only the components that hold these variables are gone through; of the others it matters how much they weigh.
    """
    check_listing(max(product.sizes, default=0), "networks of each component", who)
    product = with_lists(product)
    looked_at = set(variables)
    own = [each for each in product.components if looked_at.intersection(each.members.tolist())]
    rest = Deviations.none()
    for each in product.components:
        if not looked_at.intersection(each.members.tolist()):
            rest = rest.combined(Deviations.of(each.ticks, product.tick), product.most)
    several = NetworkProduct(own, product.fixed, product.tick, product.most)
    check_listing(several.n_networks, "networks", who)
    for choices, ticks in several.ranked():
        yield choices, np.exp(-ticks * product.tick) * rest.weight_within(product.most - ticks) / product.weight


def parent_set_probabilities(families: FamilyTable, product: Product) -> dict[str, dict[tuple[str, ...], float]]:
    names, flat = families.variables, families.flat()
    shares = product.family_probabilities(len(flat.scores))
    result: dict[str, dict[tuple[str, ...], float]] = {}
    for place, name in enumerate(names):
        rows = np.arange(flat.starts[place], flat.starts[place + 1])
        rows = rows[shares[rows] > 0]
        rows = rows[np.argsort(-shares[rows], kind="stable")]
        result[name] = {
            tuple(names[p] for p in flat.parents[flat.offsets[row] : flat.offsets[row + 1]].tolist()): float(
                shares[row]
            )
            for row in rows.tolist()
        }
    return result


def edge_probabilities(
    names: tuple[str, ...], parent_sets: dict[str, dict[tuple[str, ...], float]]
) -> dict[Edge, float]:
    sums: dict[Edge, list[float]] = {}
    for child, sets in parent_sets.items():
        for parents, share in sets.items():
            for parent in parents:
                sums.setdefault((parent, child), []).append(share)
    return most_probable_first(names, {edge: math.fsum(shares) for edge, shares in sums.items()})


def path_probabilities(families: FamilyTable, product: Product) -> dict[Edge, float]:
    names = families.variables
    check_listing(product.n_networks, "networks", "path_probabilities")
    sums = _core.PathSums(len(names))
    for choices, ticks in product.ranked():
        sums.add(families.flat().lists, choices, np.exp(-ticks * product.tick) / product.weight)
    shares = sums.sums().reshape(len(names), len(names))
    pairs = zip(*np.nonzero(shares), strict=True)
    return most_probable_first(names, {(names[a], names[b]): float(shares[b, a]) for b, a in pairs})


def parent_blocks(families: FamilyTable, product: Product) -> Iterator[tuple[NDArray[np.uint64], NDArray[np.float64]]]:
    """All networks in blocks: the parents of each variable as bits, in words of 64, and probabilities."""
    check_listing(product.n_networks, "networks", "effects")
    flat = families.flat()
    bits = np.zeros((len(flat.scores), (len(families.variables) + 63) // 64), dtype=np.uint64)
    rows = np.repeat(np.arange(len(flat.scores)), np.diff(flat.offsets))
    ones = np.uint64(1) << (flat.parents % 64).astype(np.uint64)
    np.bitwise_or.at(bits, (rows, flat.parents // 64), ones)
    for choices, ticks in product.ranked():
        yield bits[choices].reshape(-1), np.exp(-ticks * product.tick) / product.weight


def family_around(families: FamilyTable, variable: int) -> list[int]:
    """The variable and those that may be its children."""
    flat = families.flat()
    rows = np.searchsorted(flat.offsets, np.flatnonzero(flat.parents == variable), side="right") - 1
    return [variable, *np.unique(flat.children[rows]).tolist()]


def blanket_probabilities(families: FamilyTable, product: Product, variable: int) -> dict[tuple[str, ...], float]:
    names = families.variables
    sums: dict[tuple[int, ...], float] = {}
    around = family_around(families, variable)
    for choices, shares in weighted(product, around, "markov_blanket_probabilities"):
        for members, share in _core.markov_blankets(families.flat().lists, choices, shares, variable):
            blanket = tuple(members)
            sums[blanket] = sums.get(blanket, 0.0) + share
    ordered = sorted(sums.items(), key=lambda item: (-item[1], item[0]))
    return {tuple(names[at] for at in members): min(share, 1.0) for members, share in ordered}
