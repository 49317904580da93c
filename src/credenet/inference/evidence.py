"""Evidence: known states (hard evidence) and likelihoods of states (soft evidence)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credenet._arguments import show_value
from credenet._copies import copy_fields
from credenet._text import listing
from credenet.data.states import Label, StateLabels, find_state, list_labels
from credenet.errors import ArgumentError, NetworkError

Likelihood = Mapping[Any, float] | Sequence[float] | NDArray[np.float64]  # The keys of a mapping are labels.
EvidenceLike = Mapping[str, Label | Likelihood] | Iterable[tuple[str, Label | Likelihood]]
States = StateLabels


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence as arrays over all variables.

    Attributes
    ----------
    given
        For each variable with evidence its state, or the likelihood of each of its states.
    observed, weighted
        1 for each variable with a known state, and for each with likelihoods.
    states
        The known state of each variable; 0 if there is none.
    likelihoods
        The likelihoods of the states of all variables, one variable after another; used for weighted variables only.
    """

    given: Mapping[str, Label | dict[Label, float]]
    observed: NDArray[np.uint8]
    weighted: NDArray[np.uint8]
    states: NDArray[np.int32]
    likelihoods: NDArray[np.float64]

    def __reduce__(self) -> tuple[Any, ...]:
        return copy_fields(self)

    def summary(self) -> str:
        """The evidence as the end of a one-line summary; empty if there is none."""
        known = [f"{name}={value}" if isinstance(value, Label) else name for name, value in self.given.items()]
        return f", given {listing(known)}" if known else ""

    def with_states(self, known: Mapping[int, int]) -> Evidence:
        """This evidence with more known states, all by index; likelihoods of the same variables still apply."""
        observed, states = self.observed.copy(), self.states.copy()
        for variable, state in known.items():
            observed[variable], states[variable] = 1, state
        return replace(self, observed=observed, states=states)


def check_evidence(
    evidence: EvidenceLike | None, states: States, fixed: Mapping[str, Label] = MappingProxyType({})
) -> Evidence:
    """The evidence in the form the core takes; an error names the variable that is wrong.

    It must not contradict the states that variables were set to by an intervention.
    """
    given = _collect(evidence, states)
    for name, value in given.items():
        likelihood = {value: 1.0} if isinstance(value, Label) else value
        if name in fixed and not likelihood.get(fixed[name]):
            raise NetworkError(f"the evidence contradicts do({name}={fixed[name]}): it says {name}={value}")
    index = {name: at for at, name in enumerate(states)}
    starts = np.cumsum([0, *(len(labels) for labels in states.values())])
    observed, weighted = np.zeros(len(states), dtype=np.uint8), np.zeros(len(states), dtype=np.uint8)
    codes = np.zeros(len(states), dtype=np.int32)
    likelihoods = np.ones(int(starts[-1]))
    for name, value in given.items():
        at = index[name]
        if isinstance(value, Label):
            observed[at] = 1
            codes[at] = states[name].index(value)
        else:
            weighted[at] = 1
            likelihoods[starts[at] : starts[at + 1]] = list(value.values())
    return Evidence(given, observed, weighted, codes, likelihoods)


def impossible(evidence: Evidence) -> NetworkError:
    """The error for evidence of probability 0."""
    shown = listing([f"{name}={value}" for name, value in evidence.given.items()]) or "no evidence"
    return NetworkError(f"the evidence has probability 0: {shown}")


def _collect(evidence: EvidenceLike | None, states: States) -> dict[str, Label | dict[Label, float]]:
    if evidence is None:
        return {}
    given: dict[str, Label | dict[Label, float]] = {}
    for name, value in _pairs(evidence):
        if name not in states:
            raise NetworkError(f"the evidence names {name!r}, but there is no such variable")
        checked = _likelihood(name, value, states[name]) if _is_likelihood(value) else _state(name, value, states[name])
        if name in given and given[name] != checked:
            raise NetworkError(f"the evidence contradicts itself: {name!r} is both {given[name]!r} and {checked!r}")
        given[name] = checked
    return given


def _pairs(evidence: Any) -> list[tuple[str, Label | Likelihood]]:
    wanted = "evidence must map variables to states or likelihoods, such as {'lung': 'yes'}"
    if isinstance(evidence, Mapping):
        pairs = list(evidence.items())
    elif isinstance(evidence, Iterable) and not isinstance(evidence, str | bytes):
        pairs = list(evidence)
    else:
        raise ArgumentError(f"{wanted}, got {show_value(evidence)}")
    for pair in pairs:
        if not isinstance(pair, tuple | list) or len(pair) != 2 or not isinstance(pair[0], str):
            raise ArgumentError(f"{wanted}, but has {show_value(pair)}")
    return pairs


def _is_likelihood(value: object) -> bool:
    return isinstance(value, Mapping | Sequence | np.ndarray) and not isinstance(value, str | bytes)


def _state(name: str, state: object, labels: Sequence[Label]) -> Label:
    """The label of a state, which may be given as a value or a text that is equal to it."""
    if not isinstance(state, str | int | float | np.bool_ | np.integer | np.floating):
        raise NetworkError(
            f"the evidence of {name!r} must be a state or a likelihood for each state, got {show_value(state)}"
        )
    place = find_state(state, labels)
    if place is None:
        raise NetworkError(f"variable {name!r} has no state {show_value(state)}; it has {list_labels(labels)}")
    return labels[place]


def _likelihood(name: str, value: object, labels: Sequence[Label]) -> dict[Label, float]:
    if isinstance(value, Mapping):
        by_label = {_state(name, label, labels): likelihood for label, likelihood in value.items()}
        if len(by_label) < len(value):
            raise NetworkError(f"the evidence of {name!r} names a state twice: {', '.join(map(repr, value))}")
        numbers = [by_label.get(label, 0.0) for label in labels]
    else:
        assert isinstance(value, Sequence | np.ndarray)
        numbers = list(value)
        if len(numbers) != len(labels):
            raise NetworkError(f"{name!r} has {len(labels)} states, but its evidence has {len(numbers)} likelihoods")
    try:
        array = np.array(numbers, dtype=np.float64)
    except (TypeError, ValueError):
        raise NetworkError(f"the likelihoods of {name!r} must be numbers, got {numbers!r}") from None
    if not np.isfinite(array).all() or (array < 0).any():
        raise NetworkError(f"the likelihoods of {name!r} must be finite and not negative, got {array.tolist()}")
    if not array.any():
        raise NetworkError(f"the likelihoods of {name!r} are all 0; at least one must be positive")
    return dict(zip(labels, array.tolist(), strict=True))
