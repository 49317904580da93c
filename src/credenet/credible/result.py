"""The common part of the results of credible networks and of credible classes."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Self

from credenet._advised import Advised
from credenet._json import json_text
from credenet._run.status import Status
from credenet._text import duration, listing
from credenet.credible.covered_mass import AllNetworks, sum_all, why_not_unasked
from credenet.credible.growth.phases import run_with_phases
from credenet.credible.limit import evidence_level, factor_of
from credenet.credible.output import wording
from credenet.data.sources import as_dataset
from credenet.errors import ArgumentError
from credenet.families.table import FamilyTable
from credenet.families.tolerance import tolerance
from credenet.graphs import DAG, PDAG
from credenet.graphs.arguments import as_dag
from credenet.graphs.edge_lines import edge_lines
from credenet.knowledge.equivalence import ClassRules
from credenet.learners.results import Provenance, Statistics

if TYPE_CHECKING:
    from credenet._run.progress import OnProgress
    from credenet.credible.listing import CredibleListing
    from credenet.data.dataset import Dataset
    from credenet.data.sources import DataLike
    from credenet.graphs.arguments import GraphLike
    from credenet.structures.products.network_diagrams import DiagramProduct
    from credenet.structures.products.network_products import NetworkProduct

Stage = Literal["scoring", "optimum", "enumeration", "sum"]
"""The work that a limit can end: scoring the families, proving the best score, listing the networks, and, if a share of
the posterior was asked for, summing over all networks."""

_SHOWN = 20  # Edges that a summary shows.


class Incumbent(NamedTuple):
    """The best network that was found before the best score was proven.

    No network made of the scored families scores above the bound.

    Examples
    --------
    >>> import credenet
    >>> credible = credenet.credible_networks(credenet.datasets.asia(), score="bic", bayes_factor=3)
    >>> credible.listing.incumbent is None
    True
    """

    dag: DAG
    score: float
    bound: float


class Ties(NamedTuple):
    """The numbers of networks with the best score and of their classes; None for classes too many to count.

    Examples
    --------
    >>> import credenet
    >>> ties = credenet.credible_networks(credenet.datasets.asia(), score="bic", bayes_factor=3).listing.ties
    >>> ties.networks >= ties.classes
    True
    """

    networks: int
    classes: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The families of credible networks and the facts about the set; see `CredibleResult`.

    Attributes
    ----------
    needed_bytes
        The bytes that the search for the best score needs, if the memory limit is less.
    mass
        The share of the posterior that was asked for, if one was.
    least_networks
        A lower bound on the networks that hold this share, if they are too many.
    all_networks
        Sums over all networks, credible or not.
    """

    families: FamilyTable
    optimum: float | None
    slack: float
    complete_slack: float | None
    status: Status
    complete: bool
    statistics: Statistics
    provenance: Provenance
    ended_in: Stage | None = None
    incumbent: Incumbent | None = None
    needed_bytes: int | None = None
    is_filtered: bool = False
    mass: float | None = None
    least_networks: int | None = None
    all_networks: AllNetworks = field(default_factory=AllNetworks)


class CredibleResult(Advised, ABC):
    """The common part of sets of credible networks and sets of their classes."""

    _shows_pairs: ClassVar[bool]
    """Whether the summary has a table of pairs."""

    def __init__(self, findings: Findings, product: NetworkProduct | DiagramProduct, weight: float) -> None:
        self._findings = findings
        self._product = product  # The networks, or the best network of each class.
        self._weight = weight  # The sum of exp(score - optimum).

    @property
    def _log_mass(self) -> float:
        """The log of the sum of exp(score); of two incomplete sets, the one with the larger sum covers more."""
        return -math.inf if self.optimum is None else self.optimum + math.log(self._weight)

    @property
    def _families(self) -> FamilyTable:
        return self._findings.families

    @cached_property
    def _rules(self) -> ClassRules:
        """The rules that the networks of a class must obey."""
        made = self.provenance
        return ClassRules.from_knowledge(self.variables, made.knowledge, made.prior)

    def class_of(self, dag: GraphLike) -> PDAG:
        """The Markov equivalence class of a network, given the knowledge that the networks obey.

        An edge is directed if all networks of the class that obey the knowledge agree on its direction; data cannot
        tell the direction of the others.

        Examples
        --------
        >>> import credenet
        >>> rules = credenet.Knowledge(tiers=[["smoke"]])
        >>> credible = credenet.credible_networks(credenet.datasets.asia(1000, seed=1), score="bic", knowledge=rules)
        >>> ("smoke", "lung") in credible.best.cpdag().directed
        False
        >>> ("smoke", "lung") in credible.class_of(credible.best).directed
        True
        """
        return self._rules.direct(as_dag(dag, "dag"))

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables, in the order of the data."""
        return self._families.variables

    @property
    def isolated(self) -> tuple[str, ...]:
        """Variables with one observed state, which have no edges by rule (``isolate_constant``)."""
        return self._families.made.isolated

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences that a user should know before relying on the set."""
        return tuple(wording.remarks(self, wording.argument))

    @property
    def optimum(self) -> float | None:
        """The score of the best networks; None if no network exists or a limit came first."""
        return self._findings.optimum

    @property
    def complete(self) -> bool:
        """Whether no credible network is missing.

        If some may be missing, the status and `listing.ended_in` say why, or the family table has no known slack: the
        set is then relative to this table.
        """
        return self._findings.complete

    @property
    def status(self) -> Status:
        """``complete``, ``infeasible`` if no network obeys the knowledge, or the limit that ended the search."""
        return self._findings.status

    @property
    def has_probabilities(self) -> bool:
        """Whether shares of the networks listed are probabilities.

        The probabilities are among all networks within `listing.complete_slack`, or among those of a table if only that
        is known. Otherwise networks of any probability may be missing, and shares refer to the networks found.
        """
        return self.listing.complete_slack is not None and self.provenance.complete is not False

    @abstractmethod
    def _least_covering(self, weight: float) -> int:
        """The smallest deviation in ticks within which the sum of exp(score - optimum) reaches ``weight``."""

    @abstractmethod
    def _weight_within(self, most: int) -> float:
        """The sum of exp(score - optimum) of the networks that deviate by at most ``most`` ticks."""

    @abstractmethod
    def _up_to(self, most: int, findings: Findings) -> Self:
        """The items that deviate by at most ``most`` ticks, with these findings."""

    def _restrict(self, ticks: int) -> Self:
        """The items that deviate by at most ``ticks``, up to rounding."""
        assert self.optimum is not None
        product, findings = self._product, self._findings
        most = min(ticks + round(tolerance(self.optimum) / product.tick), product.most)
        slack = most * product.tick
        complete_slack = None if self.listing.complete_slack is None else min(self.listing.complete_slack, slack)
        return self._up_to(most, replace(findings, slack=slack, complete_slack=complete_slack, mass=None))

    @property
    @abstractmethod
    def listing(self) -> CredibleListing[Any]:
        """The extent of the listing: its limit, what is missing and why, and the first items."""

    @abstractmethod
    def _ties(self) -> Ties:
        """The number of networks with the best score, up to rounding, and of their classes."""

    def _first(self, k: int) -> Self:
        within = self._product.first(k)
        return self if within is self._product else self._restrict(within.most)

    @property
    def statistics(self) -> Statistics:
        """Time, memory and work of the search."""
        return self._findings.statistics

    @property
    def provenance(self) -> Provenance:
        """The options and the data of the search."""
        return self._findings.provenance

    def covered_mass(
        self,
        data: DataLike | None = None,
        *,
        time_limit: float | None = None,
        memory_limit: float | None = None,
        n_threads: int | None = None,
        on_progress: OnProgress | None = None,
    ) -> float | None:
        """The share of the posterior over all networks that the set holds, from 0 to 1; None if the sum was stopped.

        All networks are those that the options of the set allow. Their sum takes 3^n steps and is possible for up to 26
        variables with more than one state. It is made once for a set and all sets derived from it.

        Parameters
        ----------
        data
            The data that the set was made from. They are needed if the set was made from a family table, was read from
            a file, or had its sum stopped, as families that no credible network needs count, too. Without them, such a
            set only knows the result of an earlier call.
        time_limit
            Seconds, after which there is no share; Ctrl-C and a callback that returns False do the same.

        Examples
        --------
        >>> import credenet
        >>> data = credenet.datasets.asia(1000, seed=1)
        >>> share = credenet.credible_networks(data, bayes_factor=20).covered_mass()
        >>> f"{share:.2f}"
        '0.25'
        """
        known = self._findings.all_networks
        if self.optimum is None:
            return 0.0 if self.complete else None
        if data is None and known.log_total is None and known.ended is None:
            data = known.data
        if data is not None and (known.digest is None or known.digest != as_dataset(data).digest()):
            run = run_with_phases(time_limit, memory_limit, n_threads, on_progress)
            sum_all(known, self.provenance, as_dataset(data), run)
            if known.ended is not None:
                return None
        return self._known_share

    def forget_data(self) -> None:
        """Drops the data that the set was made from, so that sums over all networks are made only on request."""
        self._findings.all_networks.data = None

    @property
    def _known_share(self) -> float | None:
        """The share of the posterior if the sum over all networks is known; 0 for an empty set."""
        total = self._findings.all_networks.log_total
        if total is not None and self._product.n_networks == 0:
            return 0.0
        return None if total is None else min(math.exp(self._log_mass - total), 1.0)

    def _why_unasked(self, data: Dataset, memory: float | None = None) -> str | None:
        """The reason why the covered mass is computed only on request."""
        try:
            return why_not_unasked(self.provenance, data, memory)
        except ArgumentError as error:
            return str(error)

    def share_told(self, data: DataLike | None = None) -> float | None:
        """The covered mass if it is known already or takes at most a few seconds; else None.

        By default the data are those that the set was made from, if they are in memory.
        """
        if self.optimum is None:
            return None
        known = self._findings.all_networks
        if data is None and self.status != "stopped":
            data = known.data
        if data is None or known.ended is not None:
            return self._known_share
        data = as_dataset(data)
        return self.covered_mass(data) if known.log_total is not None or self._why_unasked(data) is None else None

    @property
    def _is_relative(self) -> bool:
        """Whether the table may lack families that networks need."""
        return not self._families.made.complete or self._families.made.slack is None

    @property
    def _is_filtered(self) -> bool:
        """Whether the set was filtered by a property."""
        return self._findings.is_filtered

    def _first_rows(self, data: Dataset | None, named: wording.Name, *, has_table: bool = True) -> wording.Rows:
        """A row with a warning if the networks hold less than half of the posterior."""
        self.share_told(data)
        warning = wording.warning(self, named, has_table=has_table)
        return [] if warning is None else [("posterior", warning)]

    def _rows(self, data: Dataset | None, named: wording.Name) -> wording.Rows:
        """The lines of a summary that do not depend on the kind of items."""
        rows: wording.Rows = []
        if self.optimum is not None:
            share = self.share_told(data)
            unknown = "" if share is not None else wording.unknown_share(self, named, data)
            rows.append(("within", wording.write_limit(self)))
            if not self._is_filtered:
                rows.append(("best", wording.tie(self)))
            rows.append(("left out", wording.say_left_out(self, share, unknown)))
        rows += [("complete", wording.completeness(self)), *wording.explanation(self, named)]
        if self.optimum is not None:
            of = f", of {wording.scope(self)}" if self._is_relative else ""
            score = self.provenance.judged_by or "score and prior as in the table"
            rows.append(("best score", f"{self.optimum:.6f} ({score}){of}"))
        if self.provenance.knowledge is not None:
            rows.append(("knowledge", "; ".join(self.provenance.knowledge.consequences(self.variables))))
        rows.append(("time", duration(self.statistics.seconds)))
        if self.isolated:
            rows.append(("isolated", f"by rule: {listing(self.isolated)}"))
        rows += [("remark", remark) for remark in wording.remarks(self, named)]
        return rows

    def _unproven(self, best: DAG | None) -> str:
        """Lines with the edges of the best network so far, for a set without a proven optimum."""
        if best is None:
            return ""
        edges = edge_lines(best, self.class_of(best))
        if not edges:
            return "\n\nThe best network found so far has no edges; how sure that is is not known."
        more = "" if len(edges) <= _SHOWN else f", the first {_SHOWN} of {len(edges):,}"
        title = f"Edges of the best network found so far{more}; how sure they are is not known"
        return "\n".join([f"\n\n{title}", *(f"  {line}" for line in edges[:_SHOWN])])

    def to_dict(self, data: Dataset | None = None, *, shell: bool = False) -> dict[str, Any]:
        """The facts about the set as JSON values, without its networks or classes.

        Unknown probabilities are null (`has_probabilities`); ``shares_among`` says which networks the probabilities, or
        the shares in their place, refer to. ``posterior_edge_probabilities`` are those over all networks, if known.

        Parameters
        ----------
        data
            The data, for a set of families or from a file: the share of the posterior that the set holds
            (``covered_mass``) is told where it takes no more than a few seconds or is known already. Else it is null,
            and ``covered_mass_reason`` says why.
        shell
            Whether advice names flags of the command line, not arguments.
        """
        named = wording.flag if shell else wording.argument
        share = self.share_told(data)
        unknown = wording.unknown_share(self, named, data) if share is None else ""
        is_found = self.optimum is not None
        return {
            **self._facts(named, data),
            "bayes_factor": self.listing.bayes_factor if math.isfinite(self.listing.bayes_factor) else None,
            "evidence": self._evidence(),
            "ties": self.listing.ties._asdict() if is_found and not self._is_filtered else None,
            **self._numbers(),
            "posterior_edge_probabilities": self._posterior_edges(),
            "left_out": wording.say_left_out(self, share, unknown) if is_found else None,
            "incumbent": self._incumbent_values(),
            "explanation": dict(wording.explanation(self, named)),
            "families": self.statistics.evaluated,
            "largest_scored": None if self.provenance.complete else self._families.made.max_parents,
            "isolated": list(self.isolated),
            "remarks": wording.remarks(self, named),
            "seconds": self.statistics.seconds,
        }

    def _facts(self, named: wording.Name = wording.argument, data: Dataset | None = None) -> dict[str, Any]:
        """The facts that a file of networks or classes records."""
        share = self.share_told(data)
        return {
            "variables": list(self.variables),
            "optimum": self.optimum,
            "slack": self.listing.slack,
            "complete_slack": self.listing.complete_slack,
            "complete": self.complete,
            "status": self.status,
            "ended_in": self.listing.ended_in,
            "scope": wording.scope(self),
            "mass": self.listing.mass,
            "covered_mass": share,
            "covered_mass_reason": wording.unknown_share(self, named, data) if share is None else None,
            "shares_among": wording.write_among(self),
            "provenance": self.provenance.to_dict(),
        }

    def _evidence(self) -> str | None:
        """The level of evidence against each single network outside the set; None if some may be better."""
        score = self.provenance.score
        if not self.has_probabilities or (score is not None and not score.has_bayes_factor):
            return None
        assert self.listing.complete_slack is not None
        return evidence_level(factor_of(self.listing.complete_slack))

    def _posterior_edges(self) -> list[list[str | float]] | None:
        """The probabilities of edges over all networks; None if not known."""
        edges = self._findings.all_networks.edges
        return None if edges is None else [[a, b, share] for (a, b), share in edges.items()]

    def _incumbent_values(self) -> dict[str, Any] | None:
        if self.listing.incumbent is None:
            return None
        dag, score, bound = self.listing.incumbent
        return {"score": score, "bound": bound, "edges": [list(edge) for edge in dag.edges]}

    @abstractmethod
    def _numbers(self) -> dict[str, Any]:
        """The numbers of networks and classes, and probabilities."""

    def to_json(self, data: Dataset | None = None) -> str:
        """The values of `to_dict` as one JSON object."""
        return json_text(self.to_dict(data))
