"""Checks of arguments: a message names the argument, what was wrong and what would be right."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

from credenet._peers import choice_advice, plain_name
from credenet.errors import ArgumentError, CredenetError

_LONGEST = 60  # Characters of a value that a message shows.
_MOST_BYTES = 2.0**60


def show_value(value: object) -> str:
    """A value as text for a message: a short value itself, a long one by its type."""
    if value is None or isinstance(value, str | bytes | Real | tuple | list | dict | slice | os.PathLike):
        text = repr(value)
        if len(text) <= _LONGEST and "\n" not in text:
            return text
    kind = type(value).__name__
    return f"{'an' if kind[0].lower() in 'aeiou' else 'a'} {kind}"


def whole_number(
    argument: str,
    value: Any,
    *,
    least: int = 0,
    most: int | None = None,
    error: type[CredenetError] = ArgumentError,
) -> int:
    """A whole number within bounds, as Python's own.

    Examples
    --------
    >>> whole_number("max_parents", -1)
    Traceback (most recent call last):
    credenet.errors.ArgumentError: max_parents must be at least 0, got -1
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise error(f"{argument} must be a whole number, got {show_value(value)}")
    result: int = value.__index__()
    if result < least:
        raise error(f"{argument} must be at least {least}, got {show_value(result)}")
    if most is not None and result > most:
        raise error(f"{argument} must be at most {most}, got {show_value(result)}")
    return result


def real_number(
    argument: str,
    value: Any,
    *,
    least: float = -math.inf,
    above: float = -math.inf,
    most: float = math.inf,
    below: float = math.inf,
    infinite: bool = False,
) -> float:
    """A number within bounds, of which ``above`` and ``below`` are not allowed themselves; finite unless told.

    Examples
    --------
    >>> real_number("damping", 2, least=0, below=1)
    Traceback (most recent call last):
    credenet.errors.ArgumentError: damping must be a number of at least 0 and below 1, got 2
    """
    try:
        result = math.nan if isinstance(value, bool) or not isinstance(value, Real) else float(value)
    except OverflowError:  # The integer is beyond the range of doubles.
        result = math.inf if int(value) > 0 else -math.inf
    is_below = result < below or (infinite and result == math.inf)
    if not (least <= result <= most and above < result and is_below):
        wanted = real_bounds(least=least, above=above, most=most, below=below)
        raise ArgumentError(f"{argument} must be {wanted}, got {show_value(value)}")
    return result


def real_bounds(
    *,
    least: float = -math.inf,
    above: float = -math.inf,
    most: float = math.inf,
    below: float = math.inf,
    infinite: bool = False,
) -> str:
    """The bounds of `real_number` in words."""
    bounds = [
        f"{words} {bound:g}"
        for words, bound in (("of at least", least), ("above", above), ("at most", most), ("below", below))
        if math.isfinite(bound)
    ]
    if bounds == ["above 0"]:
        return "a positive number"
    return f"a number {' and '.join(bounds)}" if bounds else "a finite number"


LEAST_PRIOR_WEIGHT = 1e-100
MOST_PRIOR_WEIGHT = 1e100


def prior_weight(argument: str, value: Any) -> float:
    """An equivalent sample size or a pseudo-count; its shares and multiples for the cells of a table are doubles."""
    return real_number(argument, value, least=LEAST_PRIOR_WEIGHT, most=MOST_PRIOR_WEIGHT)


def choice(argument: str, value: Any, names: Iterable[str], *, also: str = "") -> str:
    """The name that a text means; case, hyphens and underscores do not matter.

    Examples
    --------
    >>> choice("method", "Hill-Climb", ["auto", "hill_climb"])
    'hill_climb'
    """
    known = list(names)
    for name in known:
        if same_name(name, value):
            return name
    advice = choice_advice(argument, value, known)
    raise ArgumentError(f"{argument} must be {also}one of {', '.join(known)}, got {show_value(value)}{advice}")


def one_of(argument: str, value: Any, choices: Sequence[object]) -> None:
    """Refuses a value that is not exactly one of the texts."""
    if not isinstance(value, str) or value not in choices:
        names = list(map(str, choices))
        wanted = " or ".join(names) if len(names) == 2 else f"one of {', '.join(names)}"
        raise ArgumentError(f"{argument} must be {wanted}, got {show_value(value)}")


def same_name(name: str, value: object) -> bool:
    """Whether a value is a name, but for case, hyphens, underscores and blanks."""
    return isinstance(value, str) and plain_name(value) == plain_name(name)


def instance(argument: str, value: Any, kinds: type | tuple[type, ...], wanted: str) -> None:
    """Refuses a value of another type; ``wanted`` says which type is right and how to make one."""
    if not isinstance(value, kinds):
        raise ArgumentError(f"{argument} must be {wanted}, got {show_value(value)}")


def flag(argument: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise ArgumentError(f"{argument} must be True or False, got {show_value(value)}")
    return value


def list_values(argument: str, value: Any, of: str, *, error: type[CredenetError] = ArgumentError) -> list[Any]:
    """Several things, as a list; a text is one thing, unless letters are wanted."""
    if (isinstance(value, str | bytes) and of != "labels") or not isinstance(value, Iterable):
        raise error(f"{argument} must be a list of {of}, got {show_value(value)}")
    return list(value)


def mapping(argument: str, value: Any, of: str, *, error: type[CredenetError] = ArgumentError) -> dict[str, Any]:
    """A mapping by names as a dict; refuses other values."""
    if not isinstance(value, Mapping):
        raise error(f"{argument} must map names to {of}, got {show_value(value)}")
    return dict(value)


def name_list(argument: str, value: Any, *, error: type[CredenetError] = ArgumentError) -> list[str]:
    """Names, as a list; a single text is none."""
    names = list_values(argument, value, "names", error=error)
    for name in names:
        if not isinstance(name, str):
            raise error(f"{argument} must be a list of names, but has {show_value(name)}")
    return names


def file_path(value: Any, argument: str = "path") -> Path:
    """The path of a file."""
    if not isinstance(value, str | os.PathLike) or isinstance(os.fspath(value), bytes):
        raise ArgumentError(f"{argument} must be the path of a file, got {show_value(value)}")
    return Path(value)


def seconds_limit(value: Any, argument: str = "time_limit") -> float | None:
    """A time limit: a positive number of seconds, which may be infinite, or None."""
    return None if value is None else real_number(argument, value, above=0, infinite=True)


def bytes_limit(value: Any) -> float | None:
    """A memory limit: a positive number of bytes or None; what is beyond any machine is cut to a number that fits."""
    return None if value is None else min(real_number("memory_limit", value, above=0, infinite=True), _MOST_BYTES)


def check_callback(value: Any, argument: str = "on_progress") -> None:
    """Refuses what cannot be called."""
    if value is not None and not callable(value):
        raise ArgumentError(f"{argument} must be a function that takes a Progress, got {show_value(value)}")
