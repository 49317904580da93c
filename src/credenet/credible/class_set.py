"""Markov equivalence classes of credible networks, in product form."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from credenet import _later
from credenet._text import count, name_lines, probability, table
from credenet.credible.classes import EquivalenceClass
from credenet.credible.listing import CredibleListing
from credenet.credible.output import wording
from credenet.credible.output.files import class_frames, class_schema
from credenet.credible.ranked import RankedSequence
from credenet.credible.result import CredibleResult, Findings, Ties
from credenet.structures.listing_limit import check_listing
from credenet.structures.pairs import Pairs, PairSums, json_pairs
from credenet.structures.products.class_products import ClassProduct
from credenet.structures.products.deviations import Deviations
from credenet.structures.products.network_products import dag_of, score_of

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

    from credenet.data.dataset import Dataset

_SHOWN = 10  # Classes that a summary shows.
_QUICK_PAIRS = 300_000  # Variables of all CPDAGs together that a second or two suffices for.
_OTHERWISE = 8  # Variables that take as long as the constant work for a CPDAG.
_BLOCK = 1 << 14  # Classes whose CPDAGs are computed together.


class CredibleClasses(CredibleResult, RankedSequence[EquivalenceClass]):
    """The Markov equivalence classes that hold a credible network, in the order of their best networks.

    It is a sequence of `EquivalenceClass`; each item is made when it is asked for.

    Attributes
    ----------
    n_networks
        The number of credible networks in all classes.
    is_whole
        Whether it is known that all networks of each class are credible: score and prior are the same for equivalent
        networks, and neither knowledge nor a limit leaves some of them out.

    Examples
    --------
    >>> import credenet
    >>> classes = credenet.credible_classes(credenet.datasets.asia(), score="bic", bayes_factor=3)
    >>> classes[0].members == classes[0].size
    True
    >>> sum(one.members for one in classes) == classes.n_networks
    True
    """

    _one, _what = "class", "classes"
    _shows_pairs = False

    def __init__(
        self, findings: Findings, product: ClassProduct, *, n_networks: int, weight: float, is_whole: bool
    ) -> None:
        super().__init__(findings, product.best, weight)
        self._class_product = product
        self.n_networks = n_networks
        self.is_whole = is_whole

    def __reduce__(self) -> tuple[Any, ...]:
        parts = self._findings, self._class_product, self.n_networks, self._weight, self.is_whole
        return classes_of_parts, parts

    @classmethod
    def from_product(cls, findings: Findings, product: ClassProduct, *, is_whole: bool) -> CredibleClasses:
        """The classes of a product, which holds all their networks."""
        networks = product.networks() if product.n_classes else Deviations.none()
        n_networks = networks.n_networks if product.n_classes else 0
        return cls(findings, product, n_networks=n_networks, weight=networks.weight, is_whole=is_whole)

    @property
    def n_classes(self) -> int:
        """The number of classes, exact however large."""
        return self._class_product.n_classes

    @property
    def _number(self) -> int:
        return self.n_classes

    def _items_from(self, rank: int) -> Iterator[EquivalenceClass]:
        for choice, members, weight in self._class_product.classes_from(rank):
            dag, score = dag_of(self._families, choice), score_of(self._families, choice, self.provenance.prior)
            yield EquivalenceClass(dag, score, members, weight / self._weight, self._rules)

    def _least_covering(self, weight: float) -> int:
        return self._class_product.networks().least_covering(weight)

    def _weight_within(self, most: int) -> float:
        return float(self._class_product.networks().weight_within(np.array([most]))[0])

    def _up_to(self, most: int, findings: Findings) -> CredibleClasses:
        best = self._product
        product = ClassProduct(self._class_product.classes, best.fixed, best.tick, most)
        return CredibleClasses.from_product(findings, product, is_whole=self.is_whole)

    def _with_findings(self, findings: Findings) -> CredibleClasses:
        return CredibleClasses(
            findings, self._class_product, n_networks=self.n_networks, weight=self._weight, is_whole=self.is_whole
        )

    @property
    def listing(self) -> CredibleListing[CredibleClasses]:
        """How far the classes were listed: the limit, what is missing and why, ties, the first k."""
        return CredibleListing(self)

    def plot(self, to: str | Path | None = None, *, k: int = 4) -> list[Axes]:
        """The CPDAGs of the k best classes, side by side; needs the plot extra."""
        return _later.drawing_credible_plots.plot_classes(self, to, k)

    def _ties(self) -> Ties:
        if not self:
            return Ties(0, 0)
        tied = self._restrict(0)
        return Ties(tied.n_networks, tied.n_classes)

    @property
    def has_quick_pairs(self) -> bool:
        """Whether `pair_probabilities` takes at most a second or two."""
        several = sum(self._product.sizes) if self.is_whole else self.n_classes
        return several * (len(self.variables) + _OTHERWISE) <= _QUICK_PAIRS

    def pair_probabilities(self) -> Pairs:
        """How two variables are joined in the classes, for each pair that is joined in one of them.

        A direction counts where all networks of a class that obey the knowledge have it. The pairs are in the order of
        the variables, the first of two first. Where all networks of each class are credible, nothing needs to be listed
        but the classes of the components; otherwise the classes are gone through.
        """
        if not self:
            return {}
        sums = PairSums(self._families, self._rules)
        if self.is_whole:
            self._add_components(sums)
        else:
            check_listing(self.n_classes, "classes", "pair_probabilities")
            for choices, _ in self._product.blocks_from():
                weights = np.array([self._class_product.class_of(choice).weight for choice in choices])
                sums.add(choices, weights / self._weight)
        return sums.pairs()

    def _add_components(self, sums: PairSums) -> None:
        """Adds the edges into the variables of each component; edges between components cannot be reversed."""
        best = self._product
        base = next(best.blocks_from())[0][:1]
        left = np.ones(len(self.variables), dtype=np.uint8)
        for each, others in zip(self._class_product.classes, self._class_product.others(), strict=True):
            members = each.best.is_member(len(self.variables))
            left -= members
            shares = each.class_weights(others, best.most) / self._weight
            for first in range(0, len(each.best), _BLOCK):
                rows = slice(first, first + _BLOCK)
                sums.add(each.best.choices(base[0], rows), shares[rows], members)
        sums.add(base, np.ones(1), left)

    @property
    def among(self) -> str:
        """A phrase that names the networks which the probabilities refer to."""
        return wording.write_among(self) or "no networks"

    def __repr__(self) -> str:
        if self.optimum is None:
            variables = count(len(self.variables), "variable")
            return f"<CredibleClasses of {variables}, no class listed: {wording.ending(self)}>"
        number = wording.how_many(self, self.n_classes, "class", "classes")
        networks = count(self.n_networks, "network")
        return f"<CredibleClasses {number} of {networks}, {wording.write_limit_briefly(self)}>"

    def summary(self, data: Dataset | None = None, *, shell: bool = False) -> str:
        """A report: how many classes there are, how sure that is, and the best of them; see `CredibleSet.summary`."""
        is_found = self.optimum is not None
        named = wording.flag if shell else wording.argument
        rows = [
            *self._first_rows(data, named),
            ("classes", wording.how_many(self, self.n_classes) if is_found else "none listed"),
            *([("networks", wording.how_many(self, self.n_networks))] if is_found else []),
            *self._rows(data, named),
        ]
        if not is_found:
            return name_lines(rows) + self._unproven(
                None if self.listing.incumbent is None else self.listing.incumbent.dag
            )
        best = [
            [str(rank), f"{one.score:.6f}", probability(one.probability), f"{one.members:,}", f"{one.size:,}"]
            for rank, one in enumerate(self[:_SHOWN])
        ]
        share = "probability" if self.has_probabilities else "share of what was found"
        listed = table(["rank", "score", share, "members", "size"], best)
        kind = "Probabilities" if self.has_probabilities else "Shares, which are not probabilities,"
        more = f", the first {_SHOWN} of {self.n_classes:,} classes" if self.n_classes > _SHOWN else ""
        return f"{name_lines(rows)}\n\n{kind} among {wording.write_among(self)}{more}\n{listed}"

    def __str__(self) -> str:
        return self.summary()

    def _numbers(self) -> dict[str, Any]:
        pairs = self.pair_probabilities() if self.has_quick_pairs else None
        joined = None if pairs is None else json_pairs(pairs)
        return {
            "networks": self.n_networks,
            "classes": self.n_classes,
            "pair_probabilities": joined if self.has_probabilities else None,
            "pair_shares_found": None if self.has_probabilities else joined,
        }

    def _schema(self) -> dict[str, Any]:
        return class_schema(self)

    def _frames(self, limit: int | None) -> Iterator[pl.DataFrame]:
        return class_frames(self, limit)


def classes_of_parts(
    findings: Findings, product: ClassProduct, n_networks: int, weight: float, is_whole: bool
) -> CredibleClasses:
    """The classes made of parts that come from a copy or a file."""
    return CredibleClasses(findings, product, n_networks=n_networks, weight=weight, is_whole=is_whole)
