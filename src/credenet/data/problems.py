"""Finds all problems of a table at once: cures the known ones and codes the table again until no error is left.

This module combines the arguments of `credenet.read` that cure problems. The coding of a table decides what is wrong,
and each error carries its problems.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from credenet.data.discretize import OTHERS, map_by_column
from credenet.errors import DataError, FormatError, Problem

_MOST_ROUNDS = 12  # Rounds of cures at most; each shows the problems that earlier cures uncovered.


def cure_arguments(arguments: Mapping[str, Any], problems: Sequence[Problem]) -> dict[str, Any]:
    """The arguments of `credenet.read` with the cures of some problems added."""
    result = dict(arguments)
    for problem in problems:
        for name, value in problem.arguments.items():
            if name == "drop":
                _leave_out(result, value)
            elif name == "na_values":
                result[name] = [*sorted(each for each in result[name] if each not in value), *value]
            elif name == "discretize":
                methods = {**map_by_column(value), **map_by_column(result[name])}
                result[name] = methods[OTHERS] if set(methods) == {OTHERS} else methods
            else:
                result[name] = value
    return result


def _leave_out(arguments: dict[str, Any], names: Sequence[str]) -> None:
    if arguments["columns"] is not None:
        arguments["columns"] = [name for name in arguments["columns"] if name not in names]
    else:
        given = arguments["drop"]
        earlier = [given] if isinstance(given, str) else list(given)
        arguments["drop"] = [*earlier, *(name for name in names if name not in earlier)]
    for argument in ("discretize", "merge_states"):
        if isinstance(arguments[argument], Mapping):
            arguments[argument] = {key: one for key, one in arguments[argument].items() if key not in names} or None


def cures_of(problems: Sequence[Problem], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that cure some problems and differ from the given ones."""
    with_cures = cure_arguments(arguments, problems)
    return {name: value for name, value in with_cures.items() if value != arguments.get(name)}


def all_problems(
    error: DataError | FormatError, arguments: Mapping[str, Any], attempt: Callable[[dict[str, Any]], object]
) -> DataError | FormatError:
    """An error with all problems of a table; the given error if there are no others.

    ``attempt`` codes the table with other arguments. A problem that no argument cures ends the search.
    """
    errors, problems, now = [error], list(error.problems), cure_arguments(arguments, error.problems)
    for _ in range(_MOST_ROUNDS):
        if not errors[-1].problems or not all(problem.arguments for problem in errors[-1].problems):
            break
        try:
            attempt(now)
            break
        except (DataError, FormatError) as further:
            new = [problem for problem in further.problems if problem not in problems]
            if not new:
                break
            errors.append(further)
            problems += new
            now = cure_arguments(now, new)
    if len(errors) == 1:
        return error
    return DataError.listing(
        [text for each in errors for text in messages_of(each)], problems, cures_of(problems, arguments)
    )


def join_errors(errors: Sequence[DataError], arguments: Mapping[str, Any]) -> DataError:
    """One error with the problems of several."""
    if len(errors) == 1:
        return errors[0]
    problems = [problem for each in errors for problem in each.problems]
    return DataError.listing(
        [text for each in errors for text in each.messages], problems, cures_of(problems, arguments)
    )


def messages_of(error: DataError | FormatError) -> tuple[str, ...]:
    """The texts of an error, one for each kind of problem."""
    if isinstance(error, DataError):
        return error.messages
    return (error.message if error.line is None else f"line {error.line}: {error.message}",)
