"""Remarks on a table before learning from it, each with advice; one line for each kind."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from credenet._text import count, one_line, several
from credenet.data.labels import is_integer
from credenet.data.remarks.gap_codes import may_stand_for_gap, remarks_on_gap_words
from credenet.data.remarks.states import (
    look_alikes,
    misspelt_states,
    remark_on_look_alikes,
    remark_on_misspelt_states,
    remarks_on_rare_states,
)

IDENTIFIED_ROWS = 10  # Rows below which distinct values do not suggest an identifier.
_MANY_NUMBERS = 30  # Whole numbers as states of one column above which a remark advises cutting.
_ROWS_PER_STATE = 5
_LEAST_WORDS = 4  # Words on average from which on labels count as free text.
_SHOWN_CUTS = 3
_LONGEST = 1500  # Characters of a remark.

_DAY = r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2}))"
_DATE = re.compile(rf"{_DAY}([T ]\d{{1,2}}:\d{{2}}(:\d{{2}}([.,]\d+)?)?( ?[APap][Mm])?(Z|[+-]\d{{2}}:?\d{{2}})?)?")
_UNIT = re.compile(r"-?([$€£¥] ?[0-9][0-9.,]*|[0-9][0-9.,]* ?([$€£¥%]|kg|g|mg|cm|mm|ms|s|h|EUR|USD|GBP|CHF))")
_NAMED_AS_CODE = re.compile(r"(.*[\W_])?(id|nr|no|code|key|plz|zip|serial)|.*[a-z](ID|Id|Nr|No)", re.ASCII)


@dataclass(slots=True)
class _RemarkedColumns:
    """The columns of each kind that calls for a remark."""

    dates: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    identifiers: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    numbered: list[str] = field(default_factory=list)  # Whole numbers that are names, by the name of the column.
    many_states: list[str] = field(default_factory=list)
    units: list[str] = field(default_factory=list)  # Numbers with a sign of money, percent or another unit.
    gaps: dict[str, list[str]] = field(default_factory=dict)  # Columns by a label that may mean a missing cell.

    @property
    def to_leave_out(self) -> list[str]:
        """The columns that say nothing of other rows as they are."""
        return [*self.identifiers, *self.dates, *self.texts]


def columns_to_leave_out(
    observed: Mapping[str, Mapping[str, int]], n_known: Mapping[str, int], cut: Mapping[str, object]
) -> list[str]:
    """The identifiers, dates and free texts among the columns, as remarks name them."""
    left_out = set(_sort(observed, n_known, cut).to_leave_out)
    return [name for name in observed if name in left_out]


def _sort(
    observed: Mapping[str, Mapping[str, int]], n_known: Mapping[str, int], cut: Mapping[str, object]
) -> _RemarkedColumns:
    kinds = _RemarkedColumns()
    for name, labels in observed.items():
        if name not in cut:
            _sort_in(kinds, name, list(labels), n_known[name])
    return kinds


def table_remarks(
    n_rows: int,
    observed: Mapping[str, Mapping[str, int]],
    n_known: Mapping[str, int],
    *,
    constant: Sequence[str],
    duplicates: Sequence[Sequence[str]],
    cut: Mapping[str, object],
    is_weighted: bool = False,
) -> list[str]:
    """Remarks on the columns, from their observed labels with numbers of rows and their numbers of known cells.

    ``cut`` has the discretised columns. If rows have weights, their numbers do not show which states are rare.
    """
    kinds = _sort(observed, n_known, cut)
    # Columns that should be left out get no further remarks.
    reported = set(kinds.to_leave_out)
    alike = look_alikes(observed)
    misspelt = misspelt_states(
        {name: labels for name, labels in observed.items() if name not in {*cut, *reported, *alike}}
    )
    counted = (
        []
        if is_weighted
        else [
            name
            for name in observed
            if name not in {*reported, *kinds.numbered, *kinds.numbers, *kinds.many_states, *kinds.units}
        ]
    )
    remarks = [
        _leave_out(kinds.identifiers, "a different value in nearly every row, as identifiers have"),
        _leave_out(kinds.dates, "dates, each a state of its own", "or make an age, a duration or a month of them"),
        _leave_out(kinds.texts, "free text"),
        _leave_out(
            kinds.numbered,
            f"more than {_MANY_NUMBERS} whole numbers as states, which are codes, going by the column's name",
            "or group those that belong together",
        ),
        _numbers(kinds.numbers, others_are_cut=bool(cut)),
        _leave_out(
            kinds.units,
            "numbers with a unit such as $ or %, each a state of its own",
            "or take the unit away, so that numbers can be cut",
        ),
        _leave_out(kinds.many_states, f"fewer than {_ROWS_PER_STATE} rows for each state", "or group rare states"),
        _leave_out(
            constant,
            f"one state in all rows, so that data say nothing of {'its' if len(constant) == 1 else 'their'} edges",
        ),
        _equal([group for group in duplicates if not set(group) & reported]),
        *remarks_on_gap_words(kinds.gaps),
        remark_on_look_alikes({name: groups for name, groups in alike.items() if name not in reported}),
        remark_on_misspelt_states(misspelt),
        *remarks_on_rare_states(
            {name: _without_gaps(observed[name]) for name in counted if name not in alike and name not in misspelt}, cut
        ),
        _few_rows(n_rows, [len(labels) for name, labels in observed.items() if name not in reported]),
    ]
    return [one_line(remark, _LONGEST) for remark in remarks if remark]


def _sort_in(kinds: _RemarkedColumns, name: str, labels: Sequence[str], n_known: int) -> None:
    n_states = len(labels)
    for label in labels:
        if may_stand_for_gap(label, labels):
            kinds.gaps.setdefault(label, []).append(name)
    if n_states >= 3 and all(map(_DATE.fullmatch, labels)):
        kinds.dates.append(name)
    elif n_states >= IDENTIFIED_ROWS and 2 * n_states > n_known and _n_words(labels) >= _LEAST_WORDS * n_states:
        kinds.texts.append(name)
    elif n_states >= IDENTIFIED_ROWS and all(map(_UNIT.fullmatch, labels)):
        kinds.units.append(name)
    elif n_known >= IDENTIFIED_ROWS and 10 * n_states >= 9 * n_known:
        kinds.identifiers.append(name)
    elif n_states > _MANY_NUMBERS and all(map(is_integer, labels)):
        (kinds.numbered if is_named_as_code(name) else kinds.numbers).append(name)
    elif n_states >= IDENTIFIED_ROWS and n_known < _ROWS_PER_STATE * n_states:
        kinds.many_states.append(name)


def is_named_as_code(name: str) -> bool:
    """Whether the name of a column says that its numbers are names of persons, places or things.

    Examples
    --------
    >>> is_named_as_code("operator_id"), is_named_as_code("PatientID"), is_named_as_code("period")
    (True, True, False)
    """
    return _NAMED_AS_CODE.fullmatch(name) is not None or _NAMED_AS_CODE.fullmatch(name.casefold()) is not None


def _without_gaps(counts: Mapping[str, int]) -> dict[str, int]:
    """The states that do not stand for missing cells, which are not to be merged with others."""
    return {label: number for label, number in counts.items() if not may_stand_for_gap(label, list(counts))}


def _n_words(labels: Sequence[str]) -> int:
    return sum(len(label.split()) for label in labels)


def _columns(names: Sequence[str], verb: str) -> str:
    shown = several(list(map(repr, names)))
    return f"column {shown} {'has' if verb == 'have' else verb}" if len(names) == 1 else f"columns {shown} {verb}"


def _drop(names: Sequence[str], most: int = 6) -> str:
    """The argument that leaves columns out; with an ellipsis if there are too many to list."""
    shown = ", ".join([*map(repr, names[:most]), *(["..."] if len(names) > most else [])])
    return f"drop=[{shown}]"


def _leave_out(names: Sequence[str], what: str, otherwise: str = "") -> str:
    if not names:
        return ""
    it = "it" if len(names) == 1 else "them"
    return f"{_columns(names, 'have')} {what}; leave {it} out with {_drop(names)}{' ' if otherwise else ''}{otherwise}"


def _numbers(names: Sequence[str], *, others_are_cut: bool) -> str:
    if not names:
        return ""
    methods = ", ".join(f"{name!r}: 'frequency:5'" for name in names[:_SHOWN_CUTS])
    likewise = " and likewise for the others" if len(names) > _SHOWN_CUTS else ""
    what = f"more than {_MANY_NUMBERS} whole numbers as states, whose order is not used"
    besides = ", besides the methods given" if others_are_cut else ""
    return f"{_columns(names, 'have')} {what}; group them with discretize={{{methods}}}{likewise}{besides}"


def _equal(groups: Sequence[Sequence[str]]) -> str:
    if not groups:
        return ""
    shown = several([" = ".join(map(repr, group)) for group in groups], most=4)
    spare = [name for group in groups for name in group[1:]]
    return f"columns are equal but for the names of their states: {shown}; leave out all but one with {_drop(spare)}"


def _few_rows(n_rows: int, n_states: Sequence[int]) -> str:
    if 2 * n_rows >= sum(n_states):
        return ""
    return (
        f"{count(n_rows, 'row')} are few for {count(len(n_states), 'variable')} with {sum(n_states):,} states in all, "
        "so that edges may be found by chance; use fewer columns, or learn with score='bic' or max_parents=2"
    )
