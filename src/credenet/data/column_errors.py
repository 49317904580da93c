"""Errors of columns that cannot be coded, each with its cure."""

from __future__ import annotations

import math
from collections.abc import Sequence

from credenet._text import several
from credenet.data.labels import is_integer, is_number
from credenet.data.raw_columns import MANY_NUMBERS, RawColumn
from credenet.errors import DataError, Problem

MOST_STATES = 65535  # States that 16-bit codes can number; the largest code stands for a missing cell.


def no_values(name: str) -> DataError:
    return DataError(
        f"column {name!r} has no values at all; leave it out with drop=[{name!r}], "
        f"or name its states in Python, such as states={{{name!r}: ['no', 'yes']}} or states=network.states",
        problems=[Problem.from_arguments(name, "no values at all", {"drop": [name]})],
    )


def too_many_states(raw: RawColumn, n_states: int, can_be_cut: bool) -> DataError:
    """The error for a column with too many states, with its cures."""
    identifier = ", one for each row, as identifiers have" if n_states == sum(raw.counts) else ""
    ways = [f"leave it out with drop=[{raw.name!r}]"]
    if can_be_cut:
        ways.append("discretise it with discretize='frequency:3'")
    if n_states < MOST_STATES and not identifier:
        ways.append(f"pass max_states={n_states}")
    what = f"{n_states} states{identifier}"
    cut = {"discretize": {raw.name: "frequency:3"}}
    return DataError(
        # The text has no comma after --drop NAME, as a comma would continue the list of names.
        f"column {raw.name!r} has {what}; {' or '.join(ways)}",
        problems=[
            Problem.from_arguments(raw.name, what, cut if can_be_cut and not identifier else {"drop": [raw.name]})
        ],
    )


def fractional_numbers(refused: Sequence[tuple[RawColumn, str]], methods: str) -> DataError:
    """The error for columns of fractional numbers, each with one of them, for which no discretisation was chosen."""
    column, fraction = refused[0]
    names = several([repr(column.name) for column, _ in refused])
    hold, them = (f"column {names} holds", "it") if len(refused) == 1 else (f"columns {names} hold", "them")
    place = column.place(column.labels.index(fraction))
    return DataError(
        f"{hold} fractional numbers ({fraction}{place}); discretise {them}, for instance with {methods}",
        problems=[
            Problem.from_arguments(
                column.name,
                f"fractional numbers, such as {fraction}",
                {"discretize": "frequency:3"},
                lines=[column.line(column.labels.index(fraction))],
            )
            for column, fraction in refused
        ],
    )


def maybe_weights(raw: RawColumn) -> DataError:
    """The error for a column of fractional numbers around 1 that is named as weights of rows are."""
    what = "fractional numbers around 1, as weights of rows are"
    return DataError(
        f"column {raw.name!r} holds {what}; pass weights={raw.name!r} to count each row by its weight, "
        f"or leave it out with drop=[{raw.name!r}]",
        problems=[Problem.from_arguments(raw.name, what, {"weights": raw.name})],
    )


def not_numbers(raw: RawColumn, present: Sequence[int], what: str) -> DataError:
    """The error for a column that should be cut but has labels that are no numbers."""
    others = [at for at in present if not is_number(str(raw.labels[at]))]
    labels = [str(raw.labels[at]) for at in others]
    is_odd = labels and len(labels) < len(present)
    advice = f"; if {_it(labels)} a missing cell, pass na_values={labels!r}" if is_odd else ""
    text = f"cannot be discretised: it is not made of numbers (it has {what})"
    cure = {"na_values": labels} if is_odd else {}
    return DataError(
        f"column {raw.name!r} {text}{advice}",
        problems=[Problem.from_arguments(raw.name, text, cure, lines=[raw.line(at) for at in others])],
    )


def _it(labels: Sequence[str]) -> str:
    return "it stands for" if len(labels) == 1 else "these stand for"


def check_no_stray_label(raw: RawColumn, labels: Sequence[str], present: Sequence[int]) -> None:
    """Refuses a column of fractional numbers with a few other labels, which may be typing errors."""
    n_fractions = sum(not is_integer(label) and is_fraction(label) for label in labels)
    if n_fractions > MANY_NUMBERS and 2 * n_fractions > len(labels):
        others = [(at, label) for at, label in zip(present, labels, strict=True) if not is_number(label)]
        shown = several([f"{label!r}{raw.place(at)}" for at, label in others])
        which = "which is not a number" if len(others) == 1 else "which are not numbers"
        names = [label for _, label in others]
        text = f"fractional numbers and {shown}, {which}"
        raise DataError(
            f"column {raw.name!r} holds {text}; if {_it(names)} a missing cell, pass na_values={names!r}",
            problems=[
                Problem.from_arguments(raw.name, text, {"na_values": names}, lines=[raw.line(at) for at, _ in others])
            ],
        )


def is_fraction(label: str) -> bool:
    return is_number(label) and not (math.isfinite(float(label)) and float(label).is_integer())
