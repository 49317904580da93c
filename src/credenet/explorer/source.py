"""The source of an exploration (data, a family table, a network or a credible set) and learning from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import credenet
from credenet.credible.output import wording
from credenet.data.dataset import Dataset
from credenet.data.states import texts
from credenet.errors import KnowledgeError
from credenet.explorer.answer import ExplorerAnswer
from credenet.knowledge.knowledge import Knowledge
from credenet.networks.bayesian import BayesianNetwork

if TYPE_CHECKING:
    from credenet._run.progress import OnProgress
    from credenet.credible.credible_set import CredibleSet
    from credenet.families.table import FamilyTable

_FIRST_LOOK = {"method": "hill_climb", "time_limit": 3.0}
_FIRST_PARENTS = 3
_MANY = 60  # Variables from which on learning without a time limit ends after a while.
_SECONDS_FOR_MANY = 60.0


@dataclass(frozen=True, slots=True)
class OpenedSource:
    """The opened source.

    Attributes
    ----------
    name
        Of the file, for the title.
    opened
        The data, the families or the network; for a credible set the data that it was made from, if they are known.
    reading
        The Python expression that reads it.
    options
        Keywords of `credible_networks`, without knowledge.
    shell
        Whether advice names flags of the command line, not arguments.
    """

    name: str
    opened: Dataset | FamilyTable | BayesianNetwork | None
    reading: str
    options: Mapping[str, Any] = field(default_factory=dict)
    shell: bool = False

    @property
    def data(self) -> Dataset | None:
        return self.opened if isinstance(self.opened, Dataset) else None

    @property
    def network(self) -> BayesianNetwork | None:
        return self.opened if isinstance(self.opened, BayesianNetwork) else None

    def states_of(self, variables: tuple[str, ...]) -> list[list[str]]:
        """The states of each variable; empty if only families are known."""
        known = self.opened.states if isinstance(self.opened, Dataset | BayesianNetwork) else {}
        return [list(texts(known.get(name, ()))) for name in variables]

    def learn(self, knowledge: Knowledge, show: Callable[[ExplorerAnswer], None], on_progress: OnProgress) -> None:
        """Learns the credible networks, or the best available substitute; each answer is shown at once."""
        assert self.opened is not None
        assert not isinstance(self.opened, BayesianNetwork)
        first = self._first_look(knowledge, on_progress)
        if first is not None:
            show(first)
        options = dict(self.options)
        if len(self.opened.variables) > _MANY:
            options.setdefault("time_limit", _SECONDS_FOR_MANY)
        credible = credenet.credible_networks(self.opened, knowledge=knowledge, on_progress=on_progress, **options)
        answer = self.answer_of(credible, knowledge)
        if first is not None and (answer is None or (answer.kind == "best" and first.score > answer.score)):
            answer = replace(first, notices=(_describe_end(credible),), summary=_summary(credible, self))
        if answer is None:
            answer = ExplorerAnswer("none", credible.variables, knowledge, notices=(_describe_end(credible),))
        show(answer)

    def answer_of(self, credible: CredibleSet, knowledge: Knowledge) -> ExplorerAnswer | None:
        """The answer of a credible set: the networks, else the best network so far; None without either."""
        prior = credible.provenance.prior
        answer = ExplorerAnswer("credible", credible.variables, knowledge, credible=credible, prior=prior)
        answer = replace(answer, summary=_summary(credible, self))
        if credible.optimum is not None and credible:
            missing = [] if credible.complete else [("warning", _incomplete(credible))]
            return answer.with_notices(missing + _little(credible, self))
        if credible.listing.incumbent is not None:
            dag, score, _ = credible.listing.incumbent
            return replace(answer, kind="best", best=dag, score=score, notices=(_describe_end(credible),))
        return None

    def first_look(self) -> dict[str, Any]:
        """Keywords of `learn` for a network in a moment."""
        given = ("score", "ess", "prior", "states", "memory_limit", "n_threads")
        limit = self.options.get("max_parents")
        most = _FIRST_PARENTS if limit is None else min(limit, _FIRST_PARENTS)
        return {**_FIRST_LOOK, "max_parents": most} | {
            name: self.options[name] for name in given if name in self.options
        }

    def _first_look(self, knowledge: Knowledge, on_progress: OnProgress) -> ExplorerAnswer | None:
        """A network in a moment; None if there are no data, or for rules that only slower methods honour."""
        if self.data is None:
            return None
        options = self.first_look()
        try:
            result = credenet.learn(self.data, knowledge=knowledge, on_progress=on_progress, **options)
        except KnowledgeError:
            knowledge.allowed(self.data.variables)  # A contradiction raises an error now.
            return None
        most = options["max_parents"]
        text = f"A first look by hill climbing, with at most {most} parents. The credible networks are being listed."
        score = -math.inf if result.score is None else result.score
        prior, notices = result.provenance.prior, (("info", text),)
        return ExplorerAnswer(
            "best", result.dag.variables, knowledge, best=result.dag, score=score, prior=prior, notices=notices
        )


def _summary(credible: CredibleSet, source: OpenedSource) -> tuple[tuple[str, str], ...]:
    return tuple(credible.listing.summary_rows(source.data, shell=source.shell, has_table=False))


def _little(credible: CredibleSet, source: OpenedSource) -> list[tuple[str, str]]:
    """A notice if the networks hold less than half of the posterior."""
    text = wording.warning(credible, wording.flag if source.shell else wording.argument, has_table=False)
    return [] if text is None else [("warning", f"{text[0].upper()}{text[1:]}.")]


def _incomplete(credible: CredibleSet) -> str:
    """A notice on what a set lacks, and on the meaning of its shares."""
    rows = dict(credible.listing.summary_rows())
    if credible.listing.ended_in == "enumeration" and credible.status == "memory_limit":
        return f"Too many networks to list: {rows.get('known', rows['complete'])}."
    return f"Not all credible networks are known: {rows['complete'].removeprefix('no: ')}."


def _describe_end(credible: CredibleSet) -> tuple[str, str]:
    if credible.status == "infeasible":
        return "error", "No network obeys these rules. Undo, or remove a rule."
    if credible.status == "stopped":
        return "warning", "Cancelled before the credible networks were found. Shown is the best network found so far."
    rows = dict(credible.listing.summary_rows())
    reason = rows["complete"].removeprefix("no: ")
    return "warning", f"The credible networks are not known: {reason}. Shown is the best network found so far."
