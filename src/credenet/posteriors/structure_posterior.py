"""The posterior over all networks that the options allow, with the probabilities that follow from it."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credenet import _later
from credenet._advised import Advised
from credenet._arguments import real_number, whole_number
from credenet._json import AsJson
from credenet._run.progress import N_SEEDS, read_seed, thread_count
from credenet.data.sources import as_dataset
from credenet.data.states import Label
from credenet.errors import GraphError
from credenet.families.few_rows import few_rows_remarks
from credenet.families.scoring.child_rules import isolation_remark
from credenet.families.table import FamilyTable
from credenet.graphs import DAG
from credenet.knowledge.equivalence import ClassRules
from credenet.learners.results import Provenance, Statistics
from credenet.networks.divergence import Estimate
from credenet.posteriors import blankets, output, wording
from credenet.posteriors.coverage import leaves_out_families
from credenet.posteriors.findings import KNOWN_TO, PosteriorFindings
from credenet.posteriors.parts import SummedPosterior, rows_of, sums_together, weights_together
from credenet.posteriors.sampling.stretches import ERRORS
from credenet.settings.scores import BDeu, Smoothing, smoothing_from
from credenet.structures.drawn_networks import DrawnNetworks
from credenet.structures.edges import most_probable_first
from credenet.structures.pairs import DRAWN, Pairs, PairSums, pairs_of_networks
from credenet.structures.prediction import predict_proba
from credenet.structures.products.network_products import dag_of
from credenet.structures.weighted_networks import WeightedNetworks, check_predicate, check_variable

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

    from credenet.data.sources import DataLike
    from credenet.posteriors.sampling.chains import ChainResult

_MOST_DRAWN = 10_000_000  # Networks of one sample at most, as they are held in memory.
_QUICK_PATHS = 18  # Variables up to which the probabilities of paths take a second or two.


class StructurePosterior(Advised, AsJson, WeightedNetworks):
    """Probabilities of edges, parent sets and paths, over all networks.

    A network's probability is proportional to exp(score), prior included. With up to 20 variables, or 26 on request,
    all networks are summed, and every probability is exact up to rounding. With more, each component of the scored
    families is summed if it is small; otherwise Markov chains draw its networks.

    Examples
    --------
    >>> import credenet
    >>> posterior = credenet.posterior(credenet.datasets.asia(1000, seed=1))
    >>> posterior.is_exact
    True
    >>> f"{posterior.edge_probabilities()['smoke', 'lung']:.2f}"
    '0.51'
    """

    def __init__(self, findings: PosteriorFindings) -> None:
        self._findings = findings

    def __reduce__(self) -> tuple[Any, ...]:
        return StructurePosterior, (self._findings,)

    @property
    def _families(self) -> FamilyTable:
        return self._findings.families

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables, in the order of the data."""
        return self._families.variables

    @property
    def status(self) -> str:
        """``complete``: all networks were summed. ``converged`` or ``not_converged``: Markov chains agree or do not.

        Otherwise the limit that ended the work, or ``infeasible`` if no network obeys the knowledge. A limit that ended
        the scoring is also the status if networks were summed: the sum then covers the networks of the scored families.
        """
        return self._findings.status

    @property
    def is_exact(self) -> bool:
        """Whether all networks were summed, so that nothing was sampled and no family was left out."""
        return self.status == "complete" and not self._findings.chains and not self.leaves_out_families

    @property
    def leaves_out_families(self) -> bool:
        """Whether some families are known to be missing, which were not scored or pruned as negligible."""
        return leaves_out_families(self._families.made)

    @property
    def has_probabilities(self) -> bool:
        """Whether the probabilities are exact, or come from chains that were long enough to tell their errors.

        Some errors may be large: see `edge_errors` and `unsettled_edges`.
        """
        return self._findings.edges is not None and not any(math.isnan(chains.largest_rhat) for chains in self.chains)

    @property
    def log_evidence(self) -> float | None:
        """The log of the sum of exp(score) over all networks; None if not all were summed.

        For a score that is a log marginal likelihood and a prior that adds up to 1 over the networks, it is the log
        probability of the data. The uniform prior adds 0 to every score: subtract the log of the number of networks.
        """
        return self._findings.log_evidence

    @property
    def consistency(self) -> float | None:
        """The largest difference from 1 of the sum of a variable's parent set probabilities: rounding of the sums.

        It does not show the rounding of the scores themselves. None if networks were sampled.
        """
        return self._findings.consistency

    @property
    def chains(self) -> tuple[ChainResult, ...]:
        """The results of Markov chains with their diagnostics, one entry for each sampled component."""
        return self._findings.chains

    @property
    def statistics(self) -> Statistics:
        """Time and work of the call."""
        return self._findings.statistics

    @property
    def provenance(self) -> Provenance:
        """The options and the data of the call."""
        return self._findings.provenance

    @cached_property
    def _probabilities(self) -> NDArray[np.float64]:
        """The probability of every family of the table."""
        flat = self._families.flat()
        found = np.ones(len(flat.scores))  # A variable of no part has a single family.
        for part in self._findings.parts:
            found[rows_of(flat, part.members)] = part.family_probabilities()
        return np.clip(found, 0.0, 1.0)

    def _check(self) -> None:
        if self._findings.edges is None:
            raise GraphError(f"there is no posterior: {wording.ending(self.status)}")

    def parent_set_probabilities(self) -> dict[str, dict[tuple[str, ...], float]]:
        """For each variable its parent sets with their probabilities, most probable first.

        Sets less probable than 1e-12 are left out.
        """
        self._check()
        names, flat = self.variables, self._families.flat()
        return {
            name: {
                tuple(names[p] for p in flat.parents_of(row)): share for row, share in self._most_probable_first(place)
            }
            for place, name in enumerate(names)
        }

    def _most_probable_first(self, place: int) -> list[tuple[int, float]]:
        starts = self._families.flat().starts
        rows = np.arange(starts[place], starts[place + 1])
        shares = self._probabilities[rows]
        order = np.argsort(-shares, kind="stable")
        return [(row, share) for row, share in zip(rows[order].tolist(), shares[order].tolist(), strict=True) if share]

    def edge_probabilities(self) -> dict[tuple[str, str], float]:
        """For each edge (parent, child) its probability, most probable first."""
        self._check()
        assert self._findings.edges is not None
        return self._name_pairs(self._findings.edges.T)

    def edge_errors(self) -> dict[tuple[str, str], float]:
        """For each edge (parent, child) the standard error of its probability, in the order of `edge_probabilities`.

        It is 0 where networks were summed. Chains that disagree about an edge make its error large; it is infinite if
        they were too short to tell.
        """
        errors = self._findings.errors
        if errors is None:
            return dict.fromkeys(self.edge_probabilities(), 0.0)
        place = {name: at for at, name in enumerate(self.variables)}
        return {(a, b): float(errors.edges[place[b], place[a]]) for a, b in self.edge_probabilities()}

    def joined_error(self, a: str, b: str) -> float:
        """The standard error of the probability that two variables are joined in either direction; see `edge_errors`.

        It may be small where the direction is not known.
        """
        self._check()
        errors = self._findings.errors
        places = [check_variable(name, self.variables) for name in (a, b)]
        return 0.0 if errors is None else float(errors.joined[places[0], places[1]])

    def unsettled_edges(self, within: float = KNOWN_TO) -> list[tuple[str, str]]:
        """The edges whose probability is not known to within a number: three standard errors are more than it.

        Examples
        --------
        >>> import credenet
        >>> credenet.posterior(credenet.datasets.asia(1000, seed=1)).unsettled_edges()
        []
        """
        real_number("within", within, above=0)
        return [edge for edge, error in self.edge_errors().items() if not ERRORS * error <= within]

    def pair_probabilities(self) -> Pairs:
        """How two variables are joined, for each pair that a network joins; see `CredibleSet.pair_probabilities`.

        The probability that two variables are joined is as exact as the probabilities of edges. The probability that
        data and knowledge determine the direction is estimated from 10,000 sampled networks.

        Examples
        --------
        >>> import credenet
        >>> posterior = credenet.posterior(credenet.datasets.asia(1000, seed=1))
        >>> pair = posterior.pair_probabilities()["smoke", "lung"]
        >>> round(pair.joined, 2), round(pair.forward, 2), round(pair.undetermined, 2)
        (0.99, 0.06, 0.85)
        """
        return self._pairs

    @cached_property
    def _pairs(self) -> Pairs:
        made, drawn = self.provenance, self._drawn_networks
        rules = ClassRules.from_knowledge(self.variables, made.knowledge, made.prior)
        sums = PairSums(self._families, rules)
        sums.add(drawn.choices, drawn.shares)
        return pairs_of_networks(sums.pairs(), self.edge_probabilities(), self.variables, rules)

    def _name_pairs(self, shares: NDArray[np.float64]) -> dict[tuple[str, str], float]:
        """The positive entries of a matrix by the names of row and column, the largest first."""
        names = self.variables
        pairs = zip(*np.nonzero(shares > 0), strict=True)
        return most_probable_first(names, {(names[a], names[b]): float(shares[a, b]) for a, b in pairs})

    def path_probabilities(self) -> dict[tuple[str, str], float]:
        """For each (ancestor, descendant) the probability of a directed path, most probable first.

        Equivalent networks count separately, also where data cannot tell the direction of the path. It is exact if all
        variables were summed together. Otherwise it comes from the networks that chains visited, or from 10,000
        sampled networks.
        """
        self._check()
        return self._name_pairs(self._paths)

    @cached_property
    def _paths(self) -> NDArray[np.float64]:
        n = len(self.variables)
        if self._summed_together and not self._findings.by_orders:
            paths = np.zeros((n, n))
            for share, part in self._summed_together:
                members = part.members
                status, found = part.sums.paths(thread_count(None), None)
                if status != "complete":
                    raise KeyboardInterrupt
                paths[np.ix_(members, members)] += share * found.reshape(len(members), len(members))
            return np.clip(paths, 0.0, 1.0)
        return self._drawn_networks.paths()

    @cached_property
    def _drawn_networks(self) -> DrawnNetworks:
        return DrawnNetworks.from_choices(self._families, self._choices(DRAWN, 0), self.provenance.prior)

    def _choices(self, n_networks: int, seed: int) -> NDArray[np.int64]:
        """For each sampled network (row) the family of each variable."""
        self._check()
        starts = self._families.flat().starts
        choices = np.tile(starts[:-1], (n_networks, 1))  # A variable of no part has a single family.
        for number, part in enumerate(self._findings.parts):
            choices[:, part.members] = part.draw(n_networks, (seed + number) % N_SEEDS)
        return choices

    def sample(self, n_networks: int, *, seed: int | None = 0) -> list[DAG]:
        """Networks sampled by their probabilities, with replacement.

        If all networks were summed, each draw is independent. Otherwise the draws are random ones of the networks that
        the chains visited. A second call with the same seed, by default 0, repeats the draws; None draws a fresh seed.
        """
        number, seed = whole_number("n_networks", n_networks, most=_MOST_DRAWN), read_seed(seed)
        return [dag_of(self._families, choice) for choice in self._choices(number, seed)]

    def probability(
        self, predicate: Callable[[DAG], bool], *, n_networks: int = DRAWN, seed: int | None = 0
    ) -> Estimate:
        """The probability of any property of a network, estimated from sampled networks, with its standard error.

        Examples
        --------
        >>> import credenet
        >>> posterior = credenet.posterior(credenet.datasets.asia(1000, seed=1))
        >>> posterior.probability(lambda dag: len(dag.edges) >= 6).value > 0.5
        True
        """
        check_predicate(predicate)
        drawn = DrawnNetworks.from_choices(
            self._families,
            self._choices(whole_number("n_networks", n_networks, least=1, most=_MOST_DRAWN), read_seed(seed)),
            self.provenance.prior,
        )
        share = math.fsum(each.probability for each in drawn.networks() if predicate(each.dag))
        return Estimate(share, math.sqrt(max(share * (1 - share), 0.0) / n_networks))

    def markov_blanket_probabilities(self, variable: str) -> dict[tuple[str, ...], float]:
        """The Markov blankets of a variable, most probable first.

        Up to 11 variables that were summed together, the result is exact, without blankets below 1e-9. Otherwise it
        comes from 10,000 sampled networks, so that a share s has the standard error sqrt(s (1 - s)) / 100.
        """
        place, (own, several) = self._place(variable), weights_together(self._findings.parts)
        if own is None or len(own) > blankets.MOST_FOR_BLANKETS:
            rounded = [(members, round(s * DRAWN) / DRAWN) for members, s in self._drawn_networks.blankets(place)]
        elif place not in own:
            rounded = [((), 1.0)]
        else:
            sums = blankets.blanket_probabilities(several, len(own), self._findings.by_orders, own.index(place))
            rounded = [(tuple(own[at] for at in members), share) for members, share in sums.items()]
        ordered = sorted(rounded, key=lambda item: (-item[1], item[0]))
        return {tuple(self.variables[at] for at in members): share for members, share in ordered}

    def markov_blanket_members(self, variable: str) -> dict[str, float]:
        """For each other variable the probability that it is in the Markov blanket, most probable first.

        Up to 18 variables that were summed together, the result is exact. Otherwise it comes from 10,000 sampled
        networks, so that a share s has the standard error sqrt(s (1 - s)) / 100. The error is larger for networks that
        Markov chains visited, as these depend on each other.

        Examples
        --------
        >>> import credenet
        >>> posterior = credenet.posterior(credenet.datasets.asia(1000, seed=1))
        >>> round(posterior.markov_blanket_members("bronc")["either"], 3)
        0.915
        """
        place, (own, several) = self._place(variable), weights_together(self._findings.parts)
        shares = np.zeros(len(self.variables))
        if own is None:
            for members, share in self._drawn_networks.blankets(place):
                shares[list(members)] += share
        elif place in own:
            by_orders = self._findings.by_orders
            shares[own] = blankets.member_probabilities(several, len(own), by_orders, own.index(place))
        order = np.argsort(-shares, kind="stable").tolist()
        return {self.variables[at]: min(float(shares[at]), 1.0) for at in order if at != place}

    def _place(self, variable: str) -> int:
        self._check()
        return check_variable(variable, self.variables)

    @property
    def _summed_together(self) -> tuple[tuple[float, SummedPosterior], ...]:
        """The sums of all variables that can have edges, with their shares, if they were summed together."""
        return sums_together(self._findings.parts)

    @property
    def among(self) -> str:
        """A phrase that names the networks which the probabilities refer to."""
        return "the networks of the scored families" if self.leaves_out_families else "all networks"

    def share_told(self) -> float | None:
        """The share of the posterior that these networks hold: 1, or None if families were left out."""
        return None if self.leaves_out_families else 1.0

    @property
    def has_quick_paths(self) -> bool:
        """Whether `path_probabilities` takes at most a second or two."""
        return bool(self.chains) or self._findings.by_orders or len(self.variables) <= _QUICK_PATHS

    def parent_blocks(self) -> None:
        """None, as the networks of a posterior can only be sampled."""

    def predict_proba(
        self,
        rows: DataLike,
        target: str,
        *,
        data: DataLike,
        smoothing: Smoothing | str | None = BDeu(1.0),
        n_networks: int = 1000,
        seed: int | None = 0,
        n_threads: int | None = None,
    ) -> NDArray[np.float64]:
        """P(target | the other cells of the row), averaged over sampled networks; see `CredibleSet`.

        Parameters
        ----------
        rows
            The rows to predict for; a column of the target is ignored. Cells may be missing, but then inference runs
            in each network.
        data
            The data that the tables of the networks are fitted to.
        smoothing
            As for `credenet.fit`.
        n_networks, seed
            The number of sampled networks and the seed.
        """
        number, seed = whole_number("n_networks", n_networks, least=1, most=_MOST_DRAWN), read_seed(seed)
        drawn = DrawnNetworks.from_choices(self._families, self._choices(number, seed), self.provenance.prior)
        return predict_proba(drawn, rows, target, data, smoothing_from(smoothing), n_threads)

    def predict(
        self,
        rows: DataLike,
        target: str,
        *,
        data: DataLike,
        smoothing: Smoothing | str | None = BDeu(1.0),
        n_networks: int = 1000,
        seed: int | None = 0,
        n_threads: int | None = None,
    ) -> list[Label]:
        """The most probable state of the target for each row, the first of equals; see `predict_proba`."""
        fitted_to = as_dataset(data)
        probabilities = self.predict_proba(
            rows, target, data=fitted_to, smoothing=smoothing, n_networks=n_networks, seed=seed, n_threads=n_threads
        )
        labels = fitted_to.states[target]
        return [labels[best] for best in probabilities.argmax(axis=1).tolist()]

    @property
    def isolated(self) -> tuple[str, ...]:
        """Variables with one observed state, which have no edges by rule (``isolate_constant``)."""
        return self._families.made.isolated

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences that a user should know before relying on the posterior."""
        made = self._families.made
        isolation = (isolation_remark(self.isolated),) if self.isolated else ()
        return (*isolation, *few_rows_remarks(made.score, self.provenance.prior_name, made.n_rows))

    def __repr__(self) -> str:
        return f"<StructurePosterior of {len(self.variables)} variables, {self.status}>"

    def summary(self) -> str:
        """A report: how the posterior was computed, how sure it is, and how the pairs of variables are joined."""
        return wording.summary(self)

    def __str__(self) -> str:
        return self.summary()

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values. Probabilities are null if the Markov chains were too short to tell their errors.

        ``edge_errors`` has the standard error of each probability.
        """
        return output.as_json(self)

    def to_polars(self) -> pl.DataFrame:
        """A polars frame with a row for each pair, most probable first, as `pair_probabilities` has them.

        The columns are ``a``, ``b``, ``joined``, ``forward`` (a -> b), ``backward`` and ``undetermined``. If the Markov
        chains were too short to tell errors, the names of the columns of shares end in ``_found``. Where networks were
        sampled, ``joined_error`` is the standard error of ``joined``.
        """
        return output.as_frame(self)

    def save(self, path: str | Path) -> None:
        """Writes the posterior as ``.json``, which `load` reads, or the pairs as ``.csv`` or ``.parquet``."""
        _later.io_result_files.save_result(self, path, "probabilities")

    @classmethod
    def load(cls, path: str | Path) -> StructurePosterior:
        """The posterior in a ``.json`` file that `save` wrote; loading repeats the sums over networks."""
        return _later.io_results_files.load_result(path, cls)

    def report(self, path: str | Path, *, command: str | None = None) -> None:
        """Writes a page of HTML that opens anywhere: summary, probabilities, drawings, chains, and what was run.

        ``command`` is the command to show on the page.
        """
        _later.drawing_reports_posterior.write_report(self, path, command=command)

    def plot_traces(self, to: str | Path | Axes | None = None) -> Axes:
        """The score of the network over the moves of each chain, to see whether the chains agree."""
        return _later.drawing_posterior_plots.plot_traces(self, to)

    def plot_rhat(self, to: str | Path | Axes | None = None) -> Axes:
        """Split R-hat of every edge against its probability."""
        return _later.drawing_posterior_plots.plot_rhat(self, to)
