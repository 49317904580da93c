"""Which effects are asked for: pairs of variables, and the states that a variable is set to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from credenet._arguments import listed, shown
from credenet._run.progress import OnProgress
from credenet.errors import ArgumentError

States = Mapping[str, tuple[str, ...]]
Adjust = Literal["optimal", "parents"]
"""The adjustment sets of a network: those whose estimates vary least, or the parents of x."""
Setting = str | Iterable[str] | Mapping[str, str | Iterable[str]] | None
"""What is set: one variable, several, or with the states that it is set to; None for every variable."""


class EffectOptions(TypedDict, total=False):
    """Keywords of `credenet.effects` that sets of networks pass on to it."""

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
    """The variables that are set, each with the states to be told of; and those that are looked at."""

    settings: Mapping[str, tuple[str, ...]]
    targets: tuple[str, ...]

    @classmethod
    def of(cls, x: Setting, y: str | Iterable[str] | None, states: States) -> Questions:
        """The questions, checked; all variables for None."""
        settings = _settings(x, states)
        targets = tuple(states) if y is None else _names("y", y, states)
        if len(targets) == 1 and set(settings) == set(targets):
            raise ArgumentError(f"x and y must differ, both are {targets[0]!r}: do({targets[0]}) sets it")
        return cls(settings, targets)

    def targets_of(self, x: str) -> tuple[str, ...]:
        return tuple(name for name in self.targets if name != x)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        return tuple((x, y) for x in self.settings for y in self.targets_of(x))


def _settings(x: Setting, states: States) -> dict[str, tuple[str, ...]]:
    if x is None:
        return dict(states)
    if not isinstance(x, Mapping):
        return {name: states[name] for name in _names("x", x, states)}
    return {name: _labels(name, x[name], states[name]) for name in _names("x", list(x), states)}


def _names(argument: str, value: str | Iterable[str], states: States) -> tuple[str, ...]:
    names = [value] if isinstance(value, str) else listed(argument, value, "variables")
    if not names:
        raise ArgumentError(f"{argument} must name a variable, got {shown(value)}; None stands for all")
    for name in names:
        if not isinstance(name, str) or name not in states:
            raise ArgumentError(f"{argument} names {shown(name)}, but there is no such variable")
    return tuple(dict.fromkeys(names))


def _labels(name: str, value: str | Iterable[str], labels: Sequence[str]) -> tuple[str, ...]:
    wanted = [value] if isinstance(value, str) else listed(f"the states of {name!r} in x", value, "labels")
    for label in wanted:
        if label not in labels:
            raise ArgumentError(f"variable {name!r} has no state {shown(label)}; it has {', '.join(labels)}")
    if not wanted:
        raise ArgumentError(f"x must have a state for {name!r}, got none")
    return tuple(dict.fromkeys(wanted))
