"""The candidates of a validation: ways to learn, each a name and options of `learn`, checked before any learning."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeVar

from credenet._arguments import mapping, seconds_limit, show_value
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError, CredenetError, DataError, GraphError, KnowledgeError, NetworkError
from credenet.families.scoring.graph_score import score as score_graph
from credenet.graphs import DAG
from credenet.learners.learning import learn
from credenet.learners.problem import LearningProblem
from credenet.settings.choices import ChoiceKind, Settings
from credenet.settings.methods import METHODS, Method
from credenet.settings.priors import PRIORS, Uniform
from credenet.settings.scores import SCORES

S = TypeVar("S", bound=Settings)

Options = Mapping[str, Any]
"""Keyword arguments of `learn`."""

_OF_THE_CALL = {"data", "memory_limit", "n_threads", "seed", "on_progress"}
_OPTIONS = [
    name
    for name, parameter in inspect.signature(learn).parameters.items()
    if name not in _OF_THE_CALL and parameter.kind is not parameter.VAR_KEYWORD
]
_ERRORS = (ArgumentError, DataError, GraphError, KnowledgeError, NetworkError)
_OF_SCORES = ("score", "ess", "prior", "max_parents")
_LISTED = {"method": "methods", "score": "scores", "prior": "priors"}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to learn."""

    name: str
    method: Method
    options: Options
    time_limit: float | None
    "Seconds for one learning."

    @classmethod
    def from_options(cls, name: str, options: Options, time_limit: float | None) -> Candidate:
        """The candidate with options of `learn`; a time limit among them replaces the common one."""
        options = dict(options)
        method = METHODS.get(options.pop("method", "auto"))
        own = seconds_limit(options.pop("time_limit", time_limit), f"candidates[{name!r}]: time_limit")
        return cls(name, method, options, own)

    def check(self, data: Dataset) -> None:
        """Raises an error for options that `learn` would refuse, and for names that the data do not have."""
        problem = LearningProblem.from_arguments(data, self.method, **self.options)
        if problem.knowledge is not None:
            problem.knowledge.allowed(data.variables)
        if problem.score is not None:  # Scoring the empty graph checks all that the score and the prior need.
            prior = Uniform() if problem.prior is None else problem.prior.modular_part()
            score_graph(data, DAG(data.variables), score=problem.score, prior=prior, states=problem.scored_states)

    def name_error(self, error: CredenetError) -> CredenetError:
        """The error with the name of the candidate in front."""
        kind = next((kind for kind in _ERRORS if isinstance(error, kind)), CredenetError)
        return kind(f"candidate {self.name!r}: {error}")


def candidates_of(
    named: Mapping[str, Options] | None,
    listed: Mapping[str, Any],
    common: Options,
    time_limit: float | None,
) -> list[Candidate]:
    """The named candidates, or all combinations of methods, scores and priors, with the common options."""
    _check_names("options", common)
    for option, instead in _LISTED.items():
        if option in common:
            raise ArgumentError(f"give {instead}={show_value(common[option])}, not {option}")
    if named is not None:
        given = [_LISTED[kind] for kind, values in listed.items() if values is not None]
        if given:
            raise ArgumentError(f"give candidates or {given[0]}, not both")
        own = {str(name): _own_options(name, options) for name, options in _check_candidates(named).items()}
    else:
        own = _combinations(listed)
    if len(own) < 2:
        raise ArgumentError(
            f"at least two candidates are needed, got {len(own)}; give several methods, scores or priors, or candidates"
        )
    _check_used(own, common)
    return [
        Candidate.from_options(name, {**_fitting(common, options), **options}, time_limit)
        for name, options in own.items()
    ]


def check_candidates(candidates: Iterable[Candidate], data: Dataset) -> None:
    """Raises an error for the first candidate that could not learn from the data."""
    for candidate in candidates:
        try:
            candidate.check(data)
        except CredenetError as error:
            raise candidate.name_error(error) from None


def _check_candidates(named: Mapping[str, Options]) -> dict[str, Any]:
    return mapping("candidates", named, 'options of learn, such as {"sparse": {"prior": "fair"}}')


def _own_options(name: str, options: Any) -> dict[str, Any]:
    own = mapping(f"candidates[{name!r}]", options, "values: they are options of learn")
    _check_names(f"candidates[{name!r}]", own)
    try:
        return {**own, "method": METHODS.get(own.get("method", "auto"))}
    except ArgumentError as error:
        raise ArgumentError(f"candidate {name!r}: {error}") from None


def _check_names(argument: str, options: Options) -> None:
    for name in options:
        if name in _OF_THE_CALL:
            raise ArgumentError(f"{argument}: {name} holds for all candidates; give it to the call itself")
        if name not in _OPTIONS:
            raise ArgumentError(f"{argument}: learn has no option {show_value(name)}; it has {', '.join(_OPTIONS)}")


def _combinations(listed: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """All combinations by name; methods that use no score come once. A name tells what differs."""
    methods = _several("methods", METHODS, listed["method"])
    scores = _several("scores", SCORES, listed["score"])
    priors = _several("priors", PRIORS, listed["prior"])
    found: dict[str, dict[str, Any]] = {}
    for method in methods:
        is_scored = method is None or method.takes_score
        for score, prior in product(scores, priors) if is_scored else [(None, None)]:
            options = {"method": method, "score": score, "prior": prior}
            given = {kind: value for kind, value in options.items() if value is not None}
            among = {"method": methods, "score": scores, "prior": priors}
            differing = [str(value) for kind, value in given.items() if len(among[kind]) > 1]
            found[" ".join(differing) or "the only one"] = given
    return found


def _several(argument: str, kind: ChoiceKind[S], values: Any) -> list[S] | list[None]:
    """One or several choices, each once; None alone if nothing is given."""
    if values is None:
        return [None]
    several = [values] if isinstance(values, str | Settings) or not isinstance(values, Iterable) else list(values)
    if not several:
        raise ArgumentError(f"{argument} must have at least one entry, got {show_value(values)}")
    try:
        chosen = [kind.get(value) for value in several]
    except ArgumentError as error:
        raise ArgumentError(f"{argument}: {error}") from None
    names = [str(each) for each in chosen]
    for name in names:
        if names.count(name) > 1:
            raise ArgumentError(f"{argument} has {name} twice; candidates={{name: options}} gives own names")
    return chosen


def _fitting(common: Options, own: Options) -> dict[str, Any]:
    """The common options that the method of a candidate uses."""
    method = METHODS.get(own.get("method", "auto"))
    unused = [] if method.takes_score else list(_OF_SCORES)
    if not method.joins_constant:
        unused.append("isolate_constant")
    if not method.uses_test:
        unused.append("test")
    return {name: value for name, value in common.items() if name not in unused}


def _check_used(own: Mapping[str, Options], common: Options) -> None:
    """Refuses a common option that no candidate uses."""
    for name, value in common.items():
        if value is not None and all(name not in _fitting(common, options) for options in own.values()):
            raise ArgumentError(f"no candidate uses {name}")
