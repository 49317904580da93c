"""A number for every variable: one for all, or by name with ``"*"`` for the variables that are not named.

A variable that is itself named ``*`` cannot have such a limit: it is an error that says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from credenet._arguments import whole_number
from credenet.errors import CredenetError

Limits = int | tuple[tuple[str, int], ...]
OTHERS = "*"
"""Stands for the variables that are not named."""
LimitsLike = int | Mapping[str, int] | Iterable[tuple[str, int]]


def check_limits(argument: str, limits: LimitsLike, error: type[CredenetError]) -> Limits:
    """The limits in a form that can be hashed: a number, or pairs ordered by name."""
    if isinstance(limits, Mapping):
        pairs = list(limits.items())
    elif isinstance(limits, Iterable):
        pairs = list(limits)
    else:
        return whole_number(argument, limits, error=error)
    named: dict[str, int] = {}
    for pair in pairs:
        if not isinstance(pair, tuple | list) or len(pair) != 2 or not isinstance(pair[0], str):
            raise error(f"{argument} must be a number or a number by variable, but has {pair!r}")
        name, limit = pair
        if not name:
            raise error(f"{argument} must be by the names of variables, but has an empty one")
        if name in named:
            raise error(f"{argument} names {name!r} twice")
        named[name] = whole_number(f"{argument} of {name!r}", limit, error=error)
    return tuple(sorted(named.items()))


def check_wildcard(argument: str, names: Iterable[str], variables: Iterable[str], error: type[CredenetError]) -> None:
    """Raises an error if ``"*"`` among names could mean a variable, or those that are not named."""
    if OTHERS in names and OTHERS in variables:
        raise error(
            f"{argument} has '{OTHERS}', which stands for the variables that are not named, but a variable has this "
            "name; rename the variable"
        )


def limit_of(limits: Limits | None, variable: str) -> int | None:
    """The limit of one variable, or None if it has none."""
    if limits is None or isinstance(limits, int):
        return limits
    named = dict(limits)
    return named.get(variable, named.get(OTHERS))


def limits_by_variable(limits: Limits | None, variables: Iterable[str]) -> list[int | None]:
    """The limit of each variable."""
    if limits is None or isinstance(limits, int):
        return [limits for _ in variables]
    named = dict(limits)
    return [named.get(variable, named.get(OTHERS)) for variable in variables]


def names_with_limits(limits: Limits | None) -> tuple[str, ...]:
    """The names that have limits, among them perhaps ``"*"``."""
    return () if limits is None or isinstance(limits, int) else tuple(name for name, _ in limits)


def smaller_limits(first: Limits | None, second: Limits | None) -> Limits | None:
    """For every variable the smaller of two limits."""
    if first is None or second is None:
        return second if first is None else first
    if isinstance(first, int) and isinstance(second, int):
        return min(first, second)
    merged = {}
    for name in {OTHERS, *names_with_limits(first), *names_with_limits(second)}:
        given = [limit for limit in (limit_of(first, name), limit_of(second, name)) if limit is not None]
        if given:
            merged[name] = min(given)
    return tuple(sorted(merged.items()))
