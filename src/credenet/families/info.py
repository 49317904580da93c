"""How a table of families was made, which a learner must know before it relies on the table."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, NamedTuple, get_args

from credenet.errors import ArgumentError
from credenet.settings.choices import ChoiceKind
from credenet.settings.priors import PRIORS
from credenet.settings.scores import SCORES

States = Literal["declared", "observed"]

_TEXTS = ("score", "prior", "status", "data_digest", "version")
_COUNTS = ("max_parents", "evaluated")


class UnscoredSets(NamedTuple):
    """What is known of a variable's parent sets that were neither scored nor ruled out.

    Examples
    --------
    >>> import credenet
    >>> made = credenet.score_families(credenet.datasets.asia(), score="bic").made
    >>> made.complete, made.unscored  # No set was left out, so there is nothing to tell.
    (True, None)
    """

    gain: float  # Nats by which such a set can exceed the best of its subsets.
    bound: float  # The largest score that such a set can have.


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyTableInfo:
    """How a `FamilyTable` was made; None stands for what is not known.

    Parameters
    ----------
    score, prior
        The score and prior of the families, as text; other spellings of a choice become the usual one.
    slack
        Nats: no family of a network within the slack of the best was pruned. Infinite if nothing was pruned.
    max_parents
        The largest number of parents that was tried; None also if there was no limit.
    knowledge
        The knowledge that the families obey, as JSON values.
    complete
        Whether every family was scored or ruled out.
    isolated
        The variables that have only the empty set because one state of theirs occurs.
    duplicates
        Groups of variables with equal columns.
    n_rows
        The rows of data, or their total weight.
    states
        Whether the score counted all declared states or only those that occur.
    evaluated
        The number of families scored.
    status
        How the scoring ended.
    unscored
        Used if the scoring ended early. For each variable with parent sets neither scored nor ruled out: the largest
        amount by which such a set can exceed the best of its subsets in the table, and its largest possible score.
        None if these are not known.
    unproven_bounds
        Whether families were pruned by bounds that are checked numerically only.
    data_digest, version
        The fingerprint of the data (`Dataset.digest`), and the version of this library that scored them.

    Examples
    --------
    >>> import credenet
    >>> made = credenet.score_families(credenet.datasets.asia(), score="bic", max_parents=3).made
    >>> made.score, made.max_parents, made.complete
    ('bic', 3, True)
    """

    score: str | None = None
    prior: str | None = None
    slack: float | None = None
    max_parents: int | None = None
    knowledge: Mapping[str, Any] | None = None
    complete: bool | None = None
    isolated: tuple[str, ...] = ()
    duplicates: tuple[tuple[str, ...], ...] = ()
    n_rows: float | None = None
    states: States | None = None
    evaluated: int | None = None
    status: str | None = None
    unscored: Mapping[str, UnscoredSets] | None = None
    unproven_bounds: bool | None = None
    data_digest: str | None = None
    version: str | None = None

    def __post_init__(self) -> None:
        for name in _TEXTS:
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise ArgumentError(f"{name} must be text or None, got {value!r}")
        kinds: dict[str, ChoiceKind[Any]] = {"score": SCORES, "prior": PRIORS}
        for name, kind in kinds.items():  # Older files may spell a choice differently.
            known = kind.parse(getattr(self, name))
            if known is not None:
                object.__setattr__(self, name, str(known))
        for name in _COUNTS:
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
                raise ArgumentError(f"{name} must be a whole number of at least 0 or None, got {value!r}")
        if self.slack is not None and not (_is_number(self.slack) and self.slack >= 0):
            raise ArgumentError(f"slack must be at least 0 or None, got {self.slack!r}")
        if self.n_rows is not None and not (_is_number(self.n_rows) and 0 <= self.n_rows < math.inf):
            raise ArgumentError(f"n_rows must be a finite number of at least 0 or None, got {self.n_rows!r}")
        for name in ("complete", "unproven_bounds"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, bool):
                raise ArgumentError(f"{name} must be True, False or None, got {value!r}")
        if self.states is not None and not (isinstance(self.states, str) and self.states in get_args(States)):
            raise ArgumentError(f"states must be 'declared', 'observed' or None, got {self.states!r}")
        for name in ("slack", "n_rows"):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else float(value))
        object.__setattr__(self, "isolated", _names("isolated", self.isolated))
        if not isinstance(self.duplicates, list | tuple):
            raise ArgumentError(f"duplicates must be groups of names, got {self.duplicates!r}")
        object.__setattr__(self, "duplicates", tuple(_names("duplicates", group) for group in self.duplicates))
        if self.unscored is not None:
            object.__setattr__(self, "unscored", _read_unscored(self.unscored))
        if self.knowledge is not None:
            object.__setattr__(self, "knowledge", _as_json(self.knowledge))

    def to_dict(self) -> dict[str, Any]:
        """The known fields as JSON values."""
        known = {field.name: getattr(self, field.name) for field in fields(self)}
        if self.slack == math.inf:
            known["slack"] = "inf"
        return {name: value for name, value in known.items() if value is not None and value != ()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> FamilyTableInfo:
        """The inverse of `to_dict`; unknown keys are ignored."""
        known = {field.name: values[field.name] for field in fields(cls) if field.name in values}
        if known.get("slack") == "inf":
            known["slack"] = math.inf
        return cls(**known)


def select_info(made: FamilyTableInfo, names: tuple[str, ...], variables: tuple[str, ...]) -> FamilyTableInfo:
    """The info of the table of the variables ``names`` only."""
    chosen = set(names)
    groups = (tuple(name for name in group if name in chosen) for group in made.duplicates)
    unscored = made.unscored
    return replace(
        made,
        isolated=tuple(name for name in made.isolated if name in chosen),
        duplicates=tuple(group for group in groups if len(group) > 1),
        evaluated=made.evaluated if len(names) == len(variables) else None,
        data_digest=made.data_digest if names == variables else None,
        unscored=None if unscored is None else {name: unscored[name] for name in names if name in unscored},
    )


def merge_info(first: FamilyTableInfo, second: FamilyTableInfo, *, same_variables: bool) -> FamilyTableInfo:
    """The info of two tables merged: what holds for both."""
    for name in ("score", "prior", "states", *(("data_digest",) if same_variables else ())):
        ours, theirs = getattr(first, name), getattr(second, name)
        if ours is not None and theirs is not None and ours != theirs:
            raise ArgumentError(f"tables of different {name} cannot be merged: {ours} and {theirs}")
    equal = {
        field.name: getattr(first, field.name)
        for field in fields(first)
        if getattr(first, field.name) == getattr(second, field.name)
    }
    limits = [limit for limit in (first.max_parents, second.max_parents) if limit is not None]
    either = (first.complete, second.complete)
    if not same_variables or False in either:
        complete: bool | None = False
    else:
        complete = None if None in either else True
    return FamilyTableInfo(
        **{
            **equal,
            "slack": None if first.slack is None or second.slack is None else min(first.slack, second.slack),
            "max_parents": min(limits, default=None),
            "complete": complete,
            "unscored": equal.get("unscored") if same_variables else None,
            "unproven_bounds": _either(first.unproven_bounds, second.unproven_bounds),
            "isolated": tuple(dict.fromkeys(first.isolated + second.isolated)),
            "duplicates": tuple(dict.fromkeys(first.duplicates + second.duplicates)),
            "evaluated": None
            if first.evaluated is None or second.evaluated is None
            else first.evaluated + second.evaluated,
        }
    )


def _either(first: bool | None, second: bool | None) -> bool | None:
    if first or second:
        return True
    return None if first is None or second is None else False


def _is_number(value: object) -> bool:
    if isinstance(value, int):
        return not isinstance(value, bool) and abs(value) < 1 << 1023
    return isinstance(value, float)


def _names(field: str, names: object) -> tuple[str, ...]:
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise ArgumentError(f"{field} must be made of variable names, got {names!r}")
    return tuple(names)


def _read_unscored(values: object) -> dict[str, UnscoredSets]:
    """The gain and bound by variable; raises unless all are finite and gains are at least 0."""
    if not isinstance(values, Mapping):
        raise ArgumentError(f"unscored must be pairs of numbers by variable, got {values!r}")
    for name, pair in values.items():
        if (
            not isinstance(name, str)
            or not isinstance(pair, list | tuple)
            or len(pair) != 2
            or not all(_is_number(value) and math.isfinite(value) for value in pair)
            or pair[0] < 0
        ):
            raise ArgumentError(f"unscored must be a gain of at least 0 and a bound by variable, got {pair!r}")
    return {name: UnscoredSets(float(gain), float(bound)) for name, (gain, bound) in values.items()}


def _as_json(knowledge: object) -> Mapping[str, Any]:
    """A copy of JSON values, so that writing it and reading it back gives an equal value."""
    if not isinstance(knowledge, Mapping):
        raise ArgumentError(f"knowledge must be a dictionary of JSON values, got {knowledge!r}")
    try:
        copy: Mapping[str, Any] = json.loads(json.dumps(dict(knowledge), allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise ArgumentError(f"knowledge must hold JSON values only ({error})") from None
    return copy
