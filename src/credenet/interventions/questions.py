"""The effects that a call asks for: pairs of variables, the states that x is set to, and the baseline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from credenet._arguments import list_values, show_value
from credenet._run.progress import OnProgress
from credenet.data.states import Label, StateLabels, find_state, list_labels
from credenet.errors import ArgumentError

States = StateLabels
Adjust = Literal["optimal", "parents"]
"""The adjustment sets of a network: those whose estimates vary least, or the parents of x."""
Setting = str | Iterable[str] | Mapping[str, Label | Iterable[Label]] | None
"""What is set, or looked at: one variable, several, or with the states of interest; None for every variable."""
Against = Label | Mapping[str, Label] | None
"""The state that those which x is set to are compared with: of the one x, or of several; None for a default."""

_DENIALS = ("no", "false", "0", "absent", "none", "never", "negative")


class EffectOptions(TypedDict, total=False):
    """Keywords of `credenet.effects` that sets of networks pass on to it."""

    against: Against
    adjust: Adjust
    ess: float
    level: float
    n_draws: int
    mass: float
    seed: int
    time_limit: float | None
    n_threads: int | None
    on_progress: OnProgress | None


@dataclass(frozen=True, slots=True)
class Questions:
    """The variables to set and the variables to observe, each with the states to report."""

    settings: StateLabels
    targets: StateLabels
    baselines: Mapping[str, Label]
    """For each variable that is set the state that others are compared with; none for one with a single state."""

    @classmethod
    def from_arguments(cls, x: Setting, y: Setting, against: Against, states: States) -> Questions:
        """The questions, checked; all variables for None."""
        settings, targets = _states_of("x", x, states), _states_of("y", y, states)
        if len(targets) == 1 and set(settings) == set(targets):
            (name,) = targets
            raise ArgumentError(f"x and y must differ, both are {name!r}: do({name}) sets it")
        return cls(settings, targets, _baselines(against, settings, states))

    def targets_of(self, x: str) -> tuple[str, ...]:
        return tuple(name for name in self.targets if name != x)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        return tuple((x, y) for x in self.settings for y in self.targets_of(x))

    def comparisons(self, x: str) -> list[tuple[Label, Label]]:
        """The states that x is set to, each with the one that it is compared with."""
        against = self.baselines.get(x)
        return [] if against is None else [(do, against) for do in self.settings[x] if do != against]


def denial_or_first(labels: Sequence[Label]) -> Label:
    """The label that says no, such as "no" or "0"; else the first.

    Examples
    --------
    >>> denial_or_first(["yes", "no"]), denial_or_first(["high", "low", "normal"])
    ('no', 'high')
    """
    return next((label for label in labels if str(label).lower() in _DENIALS), labels[0])


def _baselines(against: Against, settings: States, states: States) -> dict[str, Label]:
    if isinstance(against, Label):
        if len(settings) != 1:
            raise ArgumentError(f"against must be a mapping where several variables are set, got {against!r}")
        against = dict.fromkeys(settings, against)
    if against is not None and not isinstance(against, Mapping):
        raise ArgumentError(f"against must be a state, or a mapping of variables to states, got {show_value(against)}")
    given: dict[str, Label] = {}
    for name, value in ({} if against is None else against).items():
        if name not in settings:
            raise ArgumentError(f"against names {show_value(name)}, which is not set; x must name it, too")
        given[name] = label = check_label(name, value, states[name])
        if settings[name] == (label,):
            raise ArgumentError(f"against must be another state of {name!r} than {label!r}, which it is set to")
    defaults = {name: _default_baseline(asked, states[name]) for name, asked in settings.items()}
    chosen = {**defaults, **given}
    return {name: label for name, label in chosen.items() if label is not None}


def _default_baseline(asked: tuple[Label, ...], labels: tuple[Label, ...]) -> Label | None:
    """The state that means no, or else the first; if only that one is asked for, the next other state."""
    usual = denial_or_first(labels)
    return next((label for label in (usual, *labels) if asked != (label,)), None) if len(labels) > 1 else None


def _states_of(argument: str, value: Setting, states: States) -> dict[str, tuple[Label, ...]]:
    if value is None:
        return dict(states)
    if not isinstance(value, Mapping):
        return {name: states[name] for name in _names(argument, value, states)}
    names = _names(argument, list(value), states)
    return {name: _labels(argument, name, value[name], states[name]) for name in names}


def _names(argument: str, value: str | Iterable[str], states: States) -> tuple[str, ...]:
    names = [value] if isinstance(value, str) else list_values(argument, value, "variables")
    if not names:
        raise ArgumentError(f"{argument} must name a variable, got {show_value(value)}; None stands for all")
    for name in names:
        if not isinstance(name, str) or name not in states:
            raise ArgumentError(f"{argument} names {show_value(name)}, but there is no such variable")
    return tuple(dict.fromkeys(names))


def _labels(argument: str, name: str, value: Label | Iterable[Label], labels: Sequence[Label]) -> tuple[Label, ...]:
    several = isinstance(value, Iterable) and not isinstance(value, str)
    wanted = list_values(f"the states of {name!r} in {argument}", value, "labels") if several else [value]
    if not wanted:
        raise ArgumentError(f"{argument} must have a state for {name!r}, got none")
    return tuple(dict.fromkeys(check_label(name, label, labels) for label in wanted))


def check_label(name: str, value: object, labels: Sequence[Label]) -> Label:
    """The label of a state, which may be given as a value or a text that is equal to it."""
    place = find_state(value, labels)
    if place is None:
        raise ArgumentError(f"variable {name!r} has no state {show_value(value)}; it has {list_labels(labels)}")
    return labels[place]
