"""Markov equivalence classes of credible networks, in product form."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from credenet.credibility.choices import check_listing, dag_of, score_of
from credenet.credibility.class_products import ClassProduct
from credenet.credibility.classes import EquivalenceClass
from credenet.credibility.limit import factor_of
from credenet.errors import ArgumentError
from credenet.families import FamilyTable
from credenet.results import Provenance, Statistics, Status
from credenet.text import count
from credenet.tolerance import tolerance

if TYPE_CHECKING:
    from credenet.graphs import PDAG


class PairProbabilities(NamedTuple):
    """How two variables are joined: with a direction that a class agrees on, without one, or not at all."""

    forward: float
    backward: float
    undirected: float
    absent: float


class CredibleClasses:
    """The Markov equivalence classes that hold a credible network, in the order of their best networks.

    A sequence of `EquivalenceClass`, each made when it is asked for.

    Attributes
    ----------
    n_networks
        The number of credible networks in all classes.
    is_whole
        Whether it is known that all networks of each class are credible: score and prior are the same for equivalent
        networks, and neither knowledge nor a limit leaves some of them out.
    optimum, slack, complete, complete_slack, status
        As those of a `CredibleSet`.

    Examples
    --------
    >>> import credenet
    >>> classes = credenet.credible_classes(credenet.datasets.asia(), score="bic", bayes_factor=3)
    >>> classes[0].members == classes[0].size
    True
    >>> sum(one.members for one in classes) == classes.n_networks
    True
    """

    def __init__(
        self,
        *,
        families: FamilyTable,
        product: ClassProduct,
        n_networks: int,
        weight: float,
        is_whole: bool,
        optimum: float | None,
        slack: float,
        complete_slack: float | None,
        status: Status,
        complete: bool,
        statistics: Statistics,
        provenance: Provenance,
    ) -> None:
        self._families = families
        self._product = product
        self._weight = weight
        self.is_whole = is_whole
        self.n_networks = n_networks
        self.optimum = optimum
        self.slack = slack
        self.complete_slack = complete_slack
        self.status: Status = status
        self.complete = complete
        self.statistics = statistics
        self.provenance = provenance

    @property
    def variables(self) -> tuple[str, ...]:
        """The names, in the order of the data."""
        return self._families.variables

    @property
    def n_classes(self) -> int:
        """The number of classes, exact however large."""
        return self._product.n_classes

    def __len__(self) -> int:
        if self.n_classes > sys.maxsize:
            raise OverflowError(f"{self.n_classes} classes are too many for len(); use n_classes")
        return self.n_classes

    def __bool__(self) -> bool:
        return self.n_classes > 0

    def __iter__(self) -> Iterator[EquivalenceClass]:
        return self._from(0)

    def _from(self, rank: int) -> Iterator[EquivalenceClass]:
        for choice, members, weight in self._product.ranked(rank):
            dag, score = dag_of(self._families, choice), score_of(self._families, choice)
            yield EquivalenceClass(dag, score, members, weight / self._weight)

    @overload
    def __getitem__(self, rank: int) -> EquivalenceClass: ...
    @overload
    def __getitem__(self, rank: slice) -> list[EquivalenceClass]: ...
    def __getitem__(self, rank: int | slice) -> EquivalenceClass | list[EquivalenceClass]:
        if isinstance(rank, slice):
            ranks = range(self.n_classes)[rank]
            if not ranks:
                return []
            low, high = min(ranks), max(ranks)
            listed = list(islice(self._from(low), high - low + 1))
            return [listed[at - low] for at in ranks]
        place = rank + self.n_classes if rank < 0 else rank
        if not 0 <= place < self.n_classes:
            raise IndexError(f"there are {count(self.n_classes, 'class')}, rank {rank} is not among them")
        return next(self._from(place))

    def first(self, k: int) -> CredibleClasses:
        """The k best classes and those that score the same as the last of them."""
        if k < 1:
            raise ArgumentError(f"k must be at least 1, got {k}")
        best = self._product.best
        within = best.first(k)
        if within is best:
            return self
        assert self.optimum is not None
        most = min(within.most + round(tolerance(self.optimum) / best.tick), best.most)
        product = ClassProduct(self._product.classes, best.fixed, best.tick, most)
        networks = product.networks()
        return CredibleClasses(
            families=self._families,
            product=product,
            n_networks=networks.n_networks,
            weight=networks.weight,
            is_whole=self.is_whole,
            optimum=self.optimum,
            slack=most * best.tick,
            complete_slack=None if self.complete_slack is None else min(self.complete_slack, most * best.tick),
            status=self.status,
            complete=self.complete,
            statistics=self.statistics,
            provenance=self.provenance,
        )

    def pair_probabilities(self) -> dict[tuple[str, str], PairProbabilities]:
        """How two variables are joined in the classes, for each pair that is joined in one of them.

        The pairs are in the order of the variables, the first of two first. Where all networks of each class are
        credible, nothing needs to be listed but the classes of the parts; otherwise the classes are gone through.
        """
        if not self:
            return {}
        sums = _PairSums(len(self.variables))
        if self.is_whole:
            self._add_parts(sums)
        else:
            check_listing(self.n_classes, "classes", "pair_probabilities")
            for one in self:
                sums.add(one.cpdag, one.probability, None)
        return sums.result(self.variables)

    def _add_parts(self, sums: _PairSums) -> None:
        """A class's directions are told by each part for itself, as no edge between parts can be reversed."""
        best = self._product.best
        base = next(best.ranked())[0][0]
        left = set(range(len(self.variables)))
        for each, others in zip(self._product.classes, self._product.others(), strict=True):
            members = set(each.part.members.tolist())
            left -= members
            for row, networks in enumerate(each.networks):
                inside = best.most - networks.ticks
                share = float((networks.weights * others.weight_within(inside)).sum()) / self._weight
                choice = base.copy()
                choice[each.part.members] = each.part.families(slice(row, row + 1))[0]
                sums.add(dag_of(self._families, choice).cpdag(), share, members)
        sums.add(dag_of(self._families, base).cpdag(), 1.0, left)

    def __repr__(self) -> str:
        if self.optimum is None:
            return f"<CredibleClasses, {self.status.replace('_', ' ')}>"
        at_least = "" if self.complete else " (at least)"
        number = f"{self.n_classes:,} class" if self.n_classes == 1 else f"{self.n_classes:,} classes"
        return (
            f"<CredibleClasses {number}{at_least} of {count(self.n_networks, 'network')}, "
            f"within a Bayes factor of {factor_of(self.slack):.6g}>"
        )


class _PairSums:
    """Weights of edges of CPDAGs, by their ends."""

    def __init__(self, n_variables: int) -> None:
        self._sums: NDArray[np.float64] = np.zeros((2, n_variables, n_variables))

    def add(self, cpdag: PDAG, share: float, children: set[int] | None) -> None:
        """Adds the edges into some variables, or all."""
        tails, heads, first, second = cpdag.edge_arrays()
        for kind, start, end in ((0, tails, heads), (1, first, second)):
            for a, b in zip(start.tolist(), end.tolist(), strict=True):
                if children is None or b in children:
                    self._sums[kind, a, b] += share

    def result(self, names: tuple[str, ...]) -> dict[tuple[str, str], PairProbabilities]:
        directed, undirected = self._sums
        undirected = undirected + undirected.T
        pairs: dict[tuple[str, str], PairProbabilities] = {}
        for a, b in zip(*np.nonzero(np.triu(directed + directed.T + undirected, 1)), strict=True):
            forward, backward, both = (
                min(float(share), 1.0) for share in (directed[a, b], directed[b, a], undirected[a, b])
            )
            absent = max(1.0 - forward - backward - both, 0.0)
            pairs[names[a], names[b]] = PairProbabilities(forward, backward, both, absent)
        return pairs
