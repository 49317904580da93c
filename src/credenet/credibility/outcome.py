"""What a search for credible networks came to, whether they are kept one by one or as classes."""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from credenet.credibility.limit import evidence_level, factor_of
from credenet.data_arguments import as_dataset
from credenet.families import FamilyTable
from credenet.results import Provenance, Statistics, Status

if TYPE_CHECKING:
    from credenet.data import Dataset
    from credenet.data_arguments import DataLike
    from credenet.progress import OnProgress


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The families of credible networks, and what is known of all these networks; see `CredibleResult`."""

    families: FamilyTable
    optimum: float | None
    slack: float
    complete_slack: float | None
    status: Status
    complete: bool
    statistics: Statistics
    provenance: Provenance


class CredibleResult(ABC):
    """What sets of credible networks and of their classes have in common."""

    def __init__(self, outcome: Outcome, weight: float) -> None:
        self._outcome = outcome
        self._weight = weight  # the sum of exp(score - optimum)
        self._covered: tuple[str, float] | None = None  # digest of the data, and the share

    @property
    def _log_mass(self) -> float:
        """The logarithm of the sum of exp(score); of two sets that are not complete the larger says more."""
        return -math.inf if self.optimum is None else self.optimum + math.log(self._weight)

    @property
    def _families(self) -> FamilyTable:
        return self._outcome.families

    @property
    def variables(self) -> tuple[str, ...]:
        """The names, in the order of the data."""
        return self._families.variables

    @property
    def isolated(self) -> tuple[str, ...]:
        """Variables with one state, which have no edges."""
        return self._families.made.isolated

    @property
    def optimum(self) -> float | None:
        """The score of the best networks; None if there is none or it was not found in time."""
        return self._outcome.optimum

    @property
    def slack(self) -> float:
        """How much lower than the best a network may score, in nats."""
        return self._outcome.slack

    @property
    def bayes_factor(self) -> float:
        """How many times as probable as a credible network the best is at most."""
        return factor_of(self.slack)

    @property
    def complete(self) -> bool:
        """Whether no credible network is missing; if not, the count is a lower bound.

        The status says why, or the table of families was not made with a known slack: the set is then relative to this
        table.
        """
        return self._outcome.complete

    @property
    def complete_slack(self) -> float | None:
        """All networks of the table within this slack are there.

        It is smaller than `slack` where there are too many networks, and None where any may be missing, mostly as the
        search was stopped.
        """
        return self._outcome.complete_slack

    @property
    def status(self) -> Status:
        """``complete``, ``infeasible`` if no network obeys the knowledge, or the limit that ended the search."""
        return self._outcome.status

    @property
    def statistics(self) -> Statistics:
        """What the search took."""
        return self._outcome.statistics

    @property
    def provenance(self) -> Provenance:
        """What was asked for, and of which data."""
        return self._outcome.provenance

    def covered_mass(
        self,
        data: DataLike,
        *,
        memory_limit: float | None = None,
        n_threads: int | None = None,
        on_progress: OnProgress | None = None,
    ) -> float:
        """The share of the posterior over all networks that these have, from 0 to 1.

        All networks are those that the options of the set allow. Their sum takes 3^n steps; it is made for up to 20
        variables that have more than one state.

        Parameters
        ----------
        data
            The data that the set was made from: families that no credible network needs count, too.

        Examples
        --------
        >>> import credenet
        >>> data = credenet.datasets.asia(1000, seed=1)
        >>> round(credenet.credible_networks(data, bayes_factor=20).covered_mass(data), 2)
        0.25
        """
        from credenet.credibility.covered_mass import log_total
        from credenet.learners.context import Context

        if self.optimum is None:
            return 0.0
        data = as_dataset(data)
        digest = data.digest()
        if self._covered is None or self._covered[0] != digest:
            context = Context.of(None, memory_limit, n_threads, on_progress)
            total = log_total(self.provenance, data, self.isolated, context)
            self._covered = digest, min(math.exp(self.optimum + math.log(self._weight) - total), 1.0)
        return self._covered[1]

    def covers_quickly(self) -> bool:
        """Whether the covered mass can be told in a second or two."""
        from credenet.credibility.covered_mass import is_quick

        return self.optimum is not None and is_quick(self.provenance, len(self.variables) - len(self.isolated))

    def quick_covered_mass(self, data: DataLike | None) -> float | None:
        """The covered mass where it is known already or takes a second or two; else None."""
        if data is None or self.optimum is None:
            return None
        rows = as_dataset(data)
        is_known = self._covered is not None and self._covered[0] == rows.digest()
        return self.covered_mass(rows) if is_known or self.covers_quickly() else None

    def _limit(self) -> str:
        if self.bayes_factor < 1e6:
            return f"a Bayes factor of {self.bayes_factor:.6g}"
        return f"{self.slack:.6g} nats"

    def _rows(self, data: Dataset | None) -> list[tuple[str, str]]:
        """The lines of a summary that do not depend on what is listed."""
        assert self.optimum is not None
        share = self.quick_covered_mass(data)
        rows = [("within", f"{self._limit()} of the best")]
        rows += [] if share is None else [("share", f"{share:.4f} of the posterior over all networks")]
        rows += [
            ("evidence", self._evidence()),
            ("complete", self._completeness()),
            ("best score", f"{self.optimum:.6f} ({self.provenance.score_name or 'as in the table'})"),
            ("seconds", f"{self.statistics.seconds:.2g}"),
        ]
        if self.isolated:
            rows.append(("isolated", ", ".join(self.isolated)))
        return rows

    @property
    def _is_relative(self) -> bool:
        """Whether families that networks need may be missing from the table."""
        return not self._families.made.complete or self._families.made.slack is None

    def _completeness(self) -> str:
        if self.complete:
            return "yes"
        if self.status == "complete":
            return "relative to this table of families"
        reason = f"no: {self.status.replace('_', ' ')}"
        if self._is_relative:
            return f"{reason}; not all families were scored"
        if self.complete_slack is None:
            return reason
        return f"{reason}; complete within a factor of {factor_of(self.complete_slack):.6g}"

    def _evidence(self) -> str:
        """What can be said of networks that are not in the set."""
        if self.complete_slack is None:
            return "none, as any may be missing"
        others = "every other network of this table" if self._is_relative else "every other network"
        return f"{evidence_level(factor_of(self.complete_slack))} against {others}"

    def to_dict(self, data: Dataset | None = None) -> dict[str, Any]:
        """What is known of the set as a whole, as JSON values; what is in it is left out.

        Parameters
        ----------
        data
            The data the set was made from, for the share of the posterior that it stands for where that takes no more
            than a second or two, or was asked for before.
        """
        return {
            "optimum": self.optimum,
            "slack": self.slack,
            "complete_slack": self.complete_slack,
            "bayes_factor": self.bayes_factor if math.isfinite(self.bayes_factor) else None,
            "evidence": evidence_level(self.bayes_factor),
            **self._numbers(),
            "covered_mass": self.quick_covered_mass(data),
            "complete": self.complete,
            "status": self.status,
            "variables": list(self.variables),
            "isolated": list(self.isolated),
            "seconds": self.statistics.seconds,
            "provenance": self.provenance.to_dict(),
        }

    @abstractmethod
    def _numbers(self) -> dict[str, Any]:
        """The numbers of networks and classes, and probabilities."""

    def to_json(self, data: Dataset | None = None) -> str:
        """The same as one JSON object."""
        return json.dumps(self.to_dict(data), ensure_ascii=False, allow_nan=False)
