"""All credible networks in product form, with the probabilities that follow from them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credenet import _later
from credenet._arguments import flag, whole_number
from credenet._run.progress import read_seed
from credenet._text import count, listing, name_lines
from credenet.credible.class_set import CredibleClasses
from credenet.credible.diagram import QUICKLY_LISTED, CredibleDiagram
from credenet.credible.listing import NetworkListing
from credenet.credible.output import wording
from credenet.credible.output.files import frames, schema
from credenet.credible.output.pair_table import credible_pairs
from credenet.credible.provenance import treats_classes_alike
from credenet.credible.ranked import RankedSequence
from credenet.credible.result import CredibleResult, Findings, Ties
from credenet.data.sources import as_dataset
from credenet.data.states import Label
from credenet.errors import GraphError
from credenet.families.tolerance import tolerance
from credenet.graphs import DAG
from credenet.settings.scores import BDeu, Smoothing, smoothing_from
from credenet.structures.listing_limit import MOST_LISTED, check_listing
from credenet.structures.network_averages import NetworkAverages, edges_of_parent_sets
from credenet.structures.pairs import DRAWN, Pairs, PairSums, json_pairs, pairs_of_networks
from credenet.structures.prediction import predict_proba
from credenet.structures.products.class_products import classes_of_components
from credenet.structures.products.network_diagrams import DiagramProduct, list_components
from credenet.structures.products.network_products import NetworkProduct
from credenet.structures.weighted_choices import ParentBlock
from credenet.structures.weighted_networks import WeightedNetworks, check_predicate, check_variable

if TYPE_CHECKING:
    import polars as pl

    from credenet.data.dataset import Dataset
    from credenet.data.sources import DataLike
    from credenet.families.table import FamilyTable
    from credenet.learners.verification import Verification


def network_averages(credible: CredibleSet) -> NetworkAverages:
    """The averages over the networks, which are families of a table in product form."""
    return credible._averages


class CredibleSet(CredibleResult, RankedSequence[DAG], WeightedNetworks):
    """Every network within a slack of the best, each once, best first.

    The set is kept as a product of independent components (variables with their networks). It can be counted, weighed
    and sampled even if it is far too large to be listed. The probability of a network is that among the credible ones,
    proportional to exp(score).

    Examples
    --------
    >>> import credenet
    >>> credible = credenet.credible_networks(credenet.datasets.asia(), score="bic", bayes_factor=3)
    >>> credible.complete
    True
    >>> credible.edge_probabilities()["either", "xray"] > 0.5
    True
    """

    _one, _what = "credible network", "networks"
    _shows_pairs = True

    def __init__(self, findings: Findings, product: NetworkProduct | DiagramProduct) -> None:
        super().__init__(findings, product, product.weight if product.most >= 0 else 1.0)
        self._averages = NetworkAverages(findings.families, product, findings.provenance.prior)

    def __reduce__(self) -> tuple[Any, ...]:
        return CredibleSet, (self._findings, self._product)

    @property
    def n_networks(self) -> int:
        """The number of networks, exact however large."""
        return self._product.n_networks

    @property
    def _number(self) -> int:
        return self.n_networks

    def _items_from(self, rank: int) -> Iterator[DAG]:
        return (network.dag for network in self.listing.networks(rank))

    @property
    def listing(self) -> NetworkListing:
        """The networks in their order: the limit, ties, ranks and scores, the first k, those with a property."""
        return NetworkListing(self)

    @cached_property
    def diagram(self) -> CredibleDiagram:
        """The size of the product of independent components in which the networks are kept."""
        return CredibleDiagram.of(self._product)

    @cached_property
    def classes(self) -> CredibleClasses:
        """The Markov equivalence classes of the networks, in the order of their best members.

        The networks of each independent component are visited one by one, but not their product. More than 10,000,000
        networks of a component are an error.
        """
        check_listing(self.diagram.largest_component, "networks of each component", "classes")
        product = list_components(self._product)
        is_whole = (
            treats_classes_alike(self.provenance) and not self._is_filtered and self.listing.complete_slack is not None
        )
        return CredibleClasses(
            self._findings,
            classes_of_components(product.components, product, self._families),
            n_networks=self.n_networks,
            weight=self._weight,
            is_whole=is_whole,
        )

    @property
    def best(self) -> DAG:
        """The best network; the first one if several have the best score."""
        return self[0]

    def parent_set_probabilities(self) -> dict[str, dict[tuple[str, ...], float]]:
        """For each variable its parent sets in credible networks with their probabilities, most probable first."""
        if not self:
            return {name: {} for name in self.variables}
        return self._averages.parent_set_probabilities()

    def edge_probabilities(self) -> dict[tuple[str, str], float]:
        """For each edge (parent, child) of a credible network its probability, most probable first."""
        return edges_of_parent_sets(self.variables, self.parent_set_probabilities())

    def pair_probabilities(self) -> Pairs:
        """How two variables are joined, for each pair that is joined in a credible network.

        ``forward`` and ``backward`` are directions that all networks of a class that obey the knowledge share. An edge
        on which they disagree is ``undetermined``: data cannot tell its direction. The pairs are in the order of the
        variables. If there are too many networks to list, the directions are those of 10,000 sampled networks.
        """
        return self._drawn_pairs if self._draws_directions else self.classes.pair_probabilities()

    @property
    def _draws_directions(self) -> bool:
        """Whether directions come from sampled networks, as there are too many to list."""
        return not (self.diagram.has_quick_classes and self.classes.has_quick_pairs)

    @cached_property
    def _drawn_pairs(self) -> Pairs:
        sums = PairSums(self._families, self._rules)
        choices = self._product.draw(DRAWN, np.random.default_rng(0))
        sums.add(np.ascontiguousarray(choices), np.full(len(choices), 1 / len(choices)))
        return pairs_of_networks(sums.pairs(), self.edge_probabilities(), self.variables, self._rules)

    def _ties(self) -> Ties:
        if not self:
            return Ties(0, 0)
        assert self.optimum is not None
        number = self._product.n_within(round(tolerance(self.optimum) / self._product.tick))
        if number == 0:  # The networks with the best score lack the property that the set was filtered by.
            return Ties(0, 0)
        tied = self._restrict(0)
        return Ties(number, tied.classes.n_classes if tied.diagram.has_quick_classes else None)

    def path_probabilities(self) -> dict[tuple[str, str], float]:
        """For each (ancestor, descendant) the probability of a directed path, most probable first; lists networks.

        Equivalent networks count separately, also where data cannot tell the direction of the path.
        """
        return self._averages.path_probabilities() if self else {}

    def markov_blanket_probabilities(self, variable: str) -> dict[tuple[str, ...], float]:
        """The Markov blankets of a variable (parents, children and their parents), most probable first.

        Examples
        --------
        >>> import credenet
        >>> credible = credenet.credible_networks(credenet.datasets.asia(), score="bic", bayes_factor=3)
        >>> next(iter(credible.markov_blanket_probabilities("xray")))
        ('either',)
        """
        place = check_variable(variable, self.variables)
        return self._averages.blanket_probabilities(place) if self else {}

    def probability(self, predicate: Callable[[DAG], bool]) -> float:
        """The probability of any property of a network; all networks are visited one by one.

        Examples
        --------
        >>> import credenet
        >>> credible = credenet.credible_networks(credenet.datasets.asia(), score="bic", bayes_factor=3)
        >>> round(credible.probability(lambda dag: "tub" in dag.ancestors("dysp")), 6)
        1.0
        """
        check_predicate(predicate)
        check_listing(self.n_networks, "networks", "probability")
        return math.fsum(network.probability for network in self.listing.networks() if predicate(network.dag))

    @property
    def among(self) -> str:
        """A phrase that names the networks which the probabilities refer to."""
        return wording.write_among(self) or "no networks"

    @property
    def has_quick_paths(self) -> bool:
        """Whether `path_probabilities` and `parent_blocks` take at most a second or two."""
        return self.n_networks <= QUICKLY_LISTED

    def parent_blocks(self) -> Iterator[ParentBlock] | None:
        """All networks in the form of the core; None if they are too many to visit quickly."""
        if not self.has_quick_paths:
            return None
        return self._averages.parent_blocks() if self else iter(())

    def predict_proba(
        self,
        rows: DataLike,
        target: str,
        *,
        data: DataLike,
        smoothing: Smoothing | str | None = BDeu(1.0),
        n_threads: int | None = None,
    ) -> NDArray[np.float64]:
        """P(target | the other cells of the row), averaged over the networks: one column per state of the target.

        Parameters
        ----------
        rows
            The rows to predict for; a column of the target is ignored. Cells may be missing, but then inference runs
            in each network.
        data
            The data that the tables of the networks are fitted to.
        smoothing
            As for `credenet.fit`.

        Examples
        --------
        >>> import credenet
        >>> data = credenet.datasets.asia()
        >>> credible = credenet.credible_networks(data, score="bic", bayes_factor=3)
        >>> credible.predict_proba(data.take(slice(2)), "xray", data=data).shape
        (2, 2)
        """
        return predict_proba(self._averages, rows, target, data, smoothing_from(smoothing), n_threads)

    def predict(
        self,
        rows: DataLike,
        target: str,
        *,
        data: DataLike,
        smoothing: Smoothing | str | None = BDeu(1.0),
        n_threads: int | None = None,
    ) -> list[Label]:
        """The most probable state of the target for each row, the first of equals; see `predict_proba`."""
        fitted_to = as_dataset(data)
        probabilities = self.predict_proba(rows, target, data=fitted_to, smoothing=smoothing, n_threads=n_threads)
        labels = fitted_to.states[target]
        return [labels[best] for best in probabilities.argmax(axis=1).tolist()]

    def verify(self, data: DataLike | FamilyTable) -> Verification:
        """Checks the optimum, the scores and number of the networks and the rules they obey, all computed again.

        Parameters
        ----------
        data
            The data or the families that the set was made from.
        """
        from credenet.credible.verification import verify

        return verify(self, data)

    def sample(self, n_networks: int, *, seed: int | None = 0) -> list[DAG]:
        """Networks sampled by their probabilities, with replacement."""
        number, seed = whole_number("n_networks", n_networks, most=MOST_LISTED), read_seed(seed)
        if not self:
            raise GraphError("there are no networks to draw from")
        return self._averages.draw(number, np.random.default_rng(seed))

    def _least_covering(self, weight: float) -> int:
        return self._product.least_covering(weight)

    def _weight_within(self, most: int) -> float:
        return self._product.weight_within(most)

    def _up_to(self, most: int, findings: Findings) -> CredibleSet:
        return CredibleSet(findings, self._product.up_to(most))

    def _with_findings(self, findings: Findings) -> CredibleSet:
        return CredibleSet(findings, self._product)

    def __repr__(self) -> str:
        variables = count(len(self.variables), "variable")
        if self.optimum is None:
            return f"<CredibleSet of {variables}, no network listed: {wording.ending(self)}>"
        number = wording.how_many(self, self.n_networks, "network", "networks")
        return f"<CredibleSet {number} of {variables}, {wording.write_limit_briefly(self)}>"

    def summary(self, data: Dataset | None = None, *, shell: bool = False) -> str:
        """A report: the number of networks, how sure it is, and how the pairs of variables are joined.

        Parameters
        ----------
        data
            The data, for a set of families or from a file: the share of the posterior that the set holds and
            probabilities over all networks are told where that takes no more than a few seconds, or was asked for
            before.
        shell
            Whether advice names flags of the command line, not arguments.
        """
        summary = name_lines(self._summary_rows(data, shell=shell))
        if self.optimum is None or not self.has_probabilities:
            return summary + self._unproven(self.listing.best_found)
        return f"{summary}\n\n{credible_pairs(self).text()}"

    def _summary_rows(
        self, data: Dataset | None = None, *, shell: bool = False, has_table: bool = True
    ) -> list[tuple[str, str]]:
        """The named lines of the summary; ``has_table`` says that the table of pairs is shown with them."""
        named = wording.flag if shell else wording.argument
        rows = self._first_rows(data, named, has_table=has_table)
        number = "none listed" if self.optimum is None else wording.how_many(self, self.n_networks)
        rows.append(("networks", number))
        if self.optimum is not None and self.diagram.has_quick_classes:
            rows.append(("classes", wording.how_many(self, self.classes.n_classes)))
        if len(self._product.sizes) > 1:
            sizes = [f"{size:,}" for size in self._product.sizes]
            rows.append(("made of", f"{listing(sizes)} networks of independent components, {self._say_combinations()}"))
        return [*rows, *self._rows(data, named)]

    def _say_combinations(self) -> str:
        """Which combinations of the networks of components are in the set."""
        every = math.prod(self._product.sizes) == self.n_networks
        return "combined in every way" if every else "combined as far as the limit allows"

    def __str__(self) -> str:
        return self.summary()

    def _repr_html_(self) -> str:
        return _later.drawing_reports_credible.fragment(self)

    def _schema(self) -> dict[str, Any]:
        return schema(self)

    def _frames(self, limit: int | None) -> Iterator[pl.DataFrame]:
        return frames(self, limit)

    def explore(self, *, data: Dataset | None = None) -> Any:
        """The explorer in a notebook: linked views of the networks, their edges and classes.

        Needs the notebook extra. On the command line, ``credenet explore`` opens the same in a browser.

        Parameters
        ----------
        data
            The data the set was made from, for probabilities given evidence and for effects.
        """
        return _later.explorer_widget.explorer_widget(self, data)

    def report(
        self, path: str | Path, *, data: Dataset | None = None, command: str | None = None, explorer: bool = True
    ) -> None:
        """Writes a page of HTML that opens anywhere: an explorer, summary, probabilities, drawings, and what was run.

        Parameters
        ----------
        data
            The data the set was made from, for the share of the posterior that it holds; the share is left out if
            there are too many variables.
        command
            The command to show on the page.
        explorer
            Whether the page begins with the explorer of ``credenet explore``, without inference and relearning. It
            takes about 600 kB and needs JavaScript; the rest of the page does not. With more than 150 variables it
            needs the explore extra, and is left out without it.
        """
        _later.drawing_reports_credible.write_report(
            self, path, data=data, command=command, explorer=flag("explorer", explorer)
        )

    def _numbers(self) -> dict[str, Any]:
        return {
            "networks": self.n_networks,
            "classes": self.classes.n_classes if self.diagram.has_listed_classes else None,
            **self._shares(),
        }

    def _shares(self) -> dict[str, Any]:
        """The shares of edges and pairs; they are called probabilities if they are known to be such."""
        edges = [[a, b, share] for (a, b), share in self.edge_probabilities().items()]
        joined = json_pairs(self.pair_probabilities()) if self else []
        is_known = self.has_probabilities
        return {
            "edge_probabilities": edges if is_known else None,
            "pair_probabilities": joined if is_known else None,
            "edge_shares_found": None if is_known else edges,
            "pair_shares_found": None if is_known else joined,
            "directions_drawn": DRAWN if self and self._draws_directions else None,
        }
