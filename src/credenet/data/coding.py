"""Turns the distinct labels of a column into its states.

All decisions use the few distinct labels of a column, never its rows: which labels mean missing, which are numbers, how
the states are ordered, and whether the column must be discretised first. Text files and data frames both arrive as
`RawColumn`s.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from credenet._arguments import instance, mapping, one_of, show_value, whole_number
from credenet._text import count, several
from credenet.data.column_errors import (
    MOST_STATES,
    check_no_stray_label,
    fractional_numbers,
    is_fraction,
    maybe_weights,
    no_values,
    not_numbers,
    too_many_states,
)
from credenet.data.discretize import OTHERS, Discretization, Method, interval_labels, method_for
from credenet.data.labels import Decimal, find_missing, is_integer, is_number
from credenet.data.merging import Groups, check_groups, merge_column_states, unknown_states
from credenet.data.problems import all_problems, join_errors
from credenet.data.raw_columns import RawColumn, choose_columns, write_plain_numbers
from credenet.data.remarks.cuts import remark_on_whole_numbers, write_methods
from credenet.data.remarks.gap_codes import remarks_on_far_numbers
from credenet.data.remarks.missing import explain_no_complete_row, note_on_dropped_rows, remarks_on_gap_states
from credenet.data.row_weights import are_like_weights, table_weights
from credenet.data.states import Label, StateLabels, check_labels, parse_labels, parse_like, texts
from credenet.errors import ArgumentError, DataError, Problem

MAX_STATES = 1024


Missing = Literal["error", "drop", "state", "keep"]
States = Literal["declared", "observed"]


@dataclass(frozen=True, slots=True)
class CodingOptions:
    """The options of how a table becomes a `Dataset`; see `credenet.read`."""

    columns: tuple[str, ...] | None = None
    drop: tuple[str, ...] = ()
    discretize: Method | Mapping[str, Method] | None = None
    decimal: Decimal | None = None
    missing: Missing = "error"
    na_values: frozenset[str] = frozenset()
    weights: str | None = None
    states: States = "declared"
    max_states: int = MAX_STATES
    known: StateLabels = field(default_factory=dict)  # Given states of columns, which may then have no values.
    merge_states: Mapping[str, Groups] | None = None

    @classmethod
    def from_arguments(
        cls,
        *,
        columns: Iterable[str] | None,
        drop: str | Iterable[str],
        discretize: Method | Mapping[str, Method] | None,
        decimal: Decimal | None,
        missing: Missing,
        na_values: str | Iterable[object],
        weights: str | None,
        states: States | Mapping[str, Sequence[Label]],
        max_states: int,
        merge_states: Mapping[str, Groups] | None = None,
    ) -> CodingOptions:
        """The options from the arguments of a user."""
        return cls(
            columns=None if columns is None else _list_texts("columns", columns),
            drop=_list_texts("drop", drop),
            discretize=discretize,
            decimal=decimal,
            missing=missing,
            na_values=frozenset(_list_texts("na_values", na_values)),
            weights=weights,
            states=states if isinstance(states, str) else "declared",
            max_states=max_states,
            known=check_states(states),
            merge_states=None if merge_states is None else _check_merges(merge_states),
        )

    def __post_init__(self) -> None:
        for name, kind in (("missing", Missing), ("states", States)):
            one_of(name, getattr(self, name), get_args(kind))
        if self.weights is not None:
            instance("weights", self.weights, str, "the name of a column")
        whole_number("max_states", self.max_states, least=1, most=MOST_STATES - 1)
        if not isinstance(self.decimal, str | None) or self.decimal not in (None, *get_args(Decimal)):
            raise ArgumentError(f"decimal must be '.' or ',', got {show_value(self.decimal)}")
        if self.columns is not None and self.drop:
            raise ArgumentError("columns and drop cannot both be given: the first already says what is left out")
        if self.columns is not None and len(set(self.columns)) < len(self.columns):
            raise ArgumentError(f"columns names a column twice: {several(list(map(repr, self.columns)))}")


def check_states(states: Any) -> dict[str, tuple[Label, ...]]:
    """The states by variable if the argument ``states`` has such; else nothing."""
    if isinstance(states, str):
        return {}
    given = mapping("states", states, "lists of labels")
    found = {str(name): check_labels(f"the states of {name!r}", given[name]) for name in given}
    for name, labels in found.items():
        if not labels or len(set(labels)) < len(labels):
            raise ArgumentError(f"the states of {name!r} must be one or more different labels")
    return found


def _check_merges(merges: object) -> dict[str, Groups]:
    given = mapping("merge_states", merges, "groups of states, by the name of the column")
    return {str(name): check_groups(f"merge_states[{str(name)!r}]", groups) for name, groups in given.items()}


def _list_texts(argument: str, values: str | Iterable[object]) -> tuple[str, ...]:
    """The names or labels of an argument, one or several, as text."""
    if isinstance(values, str):
        return (values,)
    if not isinstance(values, Iterable):
        raise ArgumentError(f"{argument} must be a list, got {show_value(values)}")
    return tuple(map(str, values))


@dataclass(frozen=True, slots=True)
class CodedColumn:
    """The states of a column and the code of each raw label, -1 for a missing one."""

    states: tuple[Label, ...]
    code_of_label: NDArray[np.int64]
    n_missing: int
    cuts: tuple[float, ...] | None = field(default=None)
    n_gaps: int = 0  # Missing cells that became the last state.


class CodedTable(NamedTuple):
    """The parts of a `Dataset`; ``notes`` say what was left out, ``kept`` has the kept rows if some were dropped."""

    states: dict[str, tuple[Label, ...]]
    codes: NDArray[Any]
    weights: NDArray[np.float64] | None
    cuts: dict[str, tuple[float, ...]]
    notes: tuple[str, ...]
    kept: NDArray[np.int64] | None = None


def code_table(columns: Sequence[RawColumn], options: CodingOptions, earlier: Sequence[str] = ()) -> CodedTable:
    """A table in codes, with missing cells and weights treated by the options; its notes follow ``earlier``."""
    notes = [*earlier, *notes_on_row_names(columns)]
    columns = [column for column in columns if not column.holds_row_names]
    taken = take_columns(columns, options)
    weights = table_weights(columns, options)
    n_rows = sum(taken[0].counts)
    coded, remarks = code_columns(taken, options)
    notes += remarks

    most = max(len(column.states) for column in coded.values())
    dtype = code_type(most)
    codes = np.empty((n_rows, len(taken)), dtype=dtype, order="F")
    for at, raw in enumerate(taken):
        code_of_label = coded[raw.name].code_of_label
        code_of_label = np.where(code_of_label < 0, np.iinfo(dtype).max, code_of_label).astype(dtype)
        raw.write(code_of_label, codes[:, at])
    gaps = {name: (column.n_gaps, len(column.states) - 1) for name, column in coded.items() if column.n_gaps}
    notes += remarks_on_gap_states(codes, list(coded), gaps)
    kept = None
    if options.missing == "drop" and any(column.n_missing for column in coded.values()):
        complete = (codes != np.iinfo(dtype).max).all(axis=1)
        if not complete.any():
            raise explain_no_complete_row(codes, list(coded))
        notes.append(note_on_dropped_rows(n_rows, int(np.count_nonzero(complete)), _n_missing(coded)))
        kept = np.flatnonzero(complete)
        codes = np.asfortranarray(codes[complete])
        weights = None if weights is None else weights[complete]
        if options.states == "observed":
            codes, coded = _drop_unobserved(codes, coded)
    codes.flags.writeable = False
    return CodedTable(
        {name: column.states for name, column in coded.items()},
        codes,
        weights,
        {name: column.cuts for name, column in coded.items() if column.cuts is not None},
        tuple(notes),
        kept,
    )


def code_columns(columns: Sequence[RawColumn], options: CodingOptions) -> tuple[dict[str, CodedColumn], list[str]]:
    """The states of all columns and the codes of their labels, from the labels and their counts; and notes.

    An error lists all problems of the columns.
    """

    def attempt(arguments: dict[str, Any]) -> object:
        now = options_of(arguments)
        chosen = None if now.columns is None else set(now.columns)
        others = {*now.drop, now.weights}
        left = [column for column in columns if column.name not in others and (not chosen or column.name in chosen)]
        return _code_columns(left, now) if left else None

    try:
        return _code_columns(columns, options)
    except DataError as error:
        raise all_problems(error, arguments_of(options), attempt) from None


def arguments_of(options: CodingOptions) -> dict[str, Any]:
    """The options as arguments of `credenet.read`."""
    return {each.name: getattr(options, each.name) for each in fields(options)}


def options_of(arguments: Mapping[str, Any]) -> CodingOptions:
    """The options among arguments of `credenet.read`."""
    values = {each.name: arguments[each.name] for each in fields(CodingOptions)}
    columns = values["columns"]
    lists = {"columns": None if columns is None else tuple(columns), "drop": tuple(values["drop"])}
    return CodingOptions(**{**values, **lists, "na_values": frozenset(values["na_values"])})


def _code_columns(columns: Sequence[RawColumn], options: CodingOptions) -> tuple[dict[str, CodedColumn], list[str]]:
    if sum(columns[0].counts) == 0:
        raise DataError("there are no rows")
    columns = write_plain_numbers(columns, options.decimal, options.na_values)
    _check_fractions(columns, options)
    coded: dict[str, CodedColumn] = {}
    errors = []
    for column in columns:
        try:
            coded[column.name] = code_column(column, options)
            _check_values(column.name, coded[column.name], options)
        except DataError as error:
            errors.append(error)
    if errors:
        raise join_errors(errors, arguments_of(options))
    if options.missing == "error":
        _check_complete(columns, coded, options)
    if options.missing == "state":
        coded = {name: _add_missing_state(column) for name, column in coded.items()}
    for name, coded_column in coded.items():
        if not coded_column.states and name in options.known:
            coded[name] = replace(coded_column, states=options.known[name])
        elif not coded_column.states:
            raise no_values(name)
    remarks = remark_on_whole_numbers(columns, coded, options.discretize)
    notes = [*_notes_on_numbered_rows(columns, coded, options), *remarks, *remarks_on_far_numbers(columns, coded)]
    for name, groups in (options.merge_states or {}).items():
        coded[name], unknown = _merge_column(name, coded[name], groups)
        notes += unknown
    return coded, notes


def _merge_column(name: str, column: CodedColumn, groups: Groups) -> tuple[CodedColumn, list[str]]:
    """A column with some states merged, and a note on labels that it does not have."""
    if column.cuts is not None:
        raise DataError(f"column {name!r} was cut into intervals, which are not merged; choose other cuts")
    merged = merge_column_states(name, texts(column.states), groups)
    codes = np.append(merged.code_of, -1)[column.code_of_label]  # Index -1 reads the last entry.
    notes = [unknown_states(name, texts(column.states), merged.unknown)] if merged.unknown else []
    states = parse_like(merged.states, column.states)
    return replace(column, states=states, code_of_label=codes), notes


def notes_on_row_names(columns: Sequence[RawColumn]) -> list[str]:
    return [
        f"{'the first column' if not column.name else f'column {column.name!r}'} holds row names and is left out"
        for column in columns
        if column.holds_row_names
    ]


def _n_missing(coded: Mapping[str, CodedColumn]) -> dict[str, int]:
    return {name: column.n_missing for name, column in coded.items()}


def _check_complete(columns: Sequence[RawColumn], coded: Mapping[str, CodedColumn], options: CodingOptions) -> None:
    """Refuses missing cells; the message shows labels that are unusual for a missing cell."""
    gaps, problems = [], []
    for column in columns:
        n_missing = coded[column.name].n_missing
        if n_missing:
            labels = _missing_labels(column, options)
            written = several([repr(label) for label in sorted(labels - {"", "?", "NA"})])
            gaps.append(f"{column.name!r} ({n_missing}{', written ' if written else ''}{written})")
            spelled = several([repr(label) for label in sorted(labels)])
            what = f"{count(n_missing, 'missing cell')}{', written ' if spelled else ''}{spelled}"
            first = [column.line(at) for at, label in enumerate(column.labels) if label is None or label in labels]
            problems.append(Problem.from_arguments(column.name, what, {"missing": "drop"}, lines=first))
    if gaps:
        raise DataError(
            f"cells are missing in {several(gaps)}; pass missing='drop' to leave out their rows "
            "(or missing='state' only if being missing is itself informative)",
            problems=problems,
        )


def _check_values(name: str, column: CodedColumn, options: CodingOptions) -> None:
    if not column.states and options.missing in ("drop", "keep") and name not in options.known:
        raise no_values(name)


def take_columns(columns: Sequence[RawColumn], options: CodingOptions) -> list[RawColumn]:
    """The columns that become variables."""
    taken = choose_columns(columns, options.columns, options.drop)
    if options.weights is not None:  # A column of weights is no variable, even if it is asked for.
        taken = [column for column in taken if column.name != options.weights]
    if not taken:
        raise DataError("there are no variables")
    for name in options.merge_states or ():
        if all(column.name != name for column in taken):
            raise DataError(f"merge_states names the column {name!r}, which is not among the variables")
    if isinstance(options.discretize, Mapping):
        names = {column.name for column in taken}
        unknown = sorted(set(options.discretize) - names - {OTHERS})
        if unknown:
            raise DataError(f"discretize names columns that do not exist: {several(unknown)}")
        if OTHERS in options.discretize and OTHERS in names and len(names) > 1:
            raise DataError(f"{OTHERS!r} in discretize may mean a column or all others; rename the column {OTHERS!r}")
    return taken


def _missing_labels(column: RawColumn, options: CodingOptions) -> set[str]:
    """The labels that stand for missing cells. A declared state may be "NA", unless ``na_values`` has it."""
    missing = find_missing(column.labels, options.na_values)
    return missing if column.declared is None else missing - (set(column.declared) - options.na_values)


def _notes_on_numbered_rows(
    columns: Sequence[RawColumn], coded: Mapping[str, CodedColumn], options: CodingOptions
) -> list[str]:
    """Notes on columns that number the rows and were discretised only because other columns had to be."""
    notes = []
    for column in columns:
        if coded[column.name].cuts in (None, column.cuts) or method_for(column.name, options.discretize)[1]:
            continue
        numbers = sorted(int(label) for label in column.labels if label is not None and is_integer(label))
        n_rows = sum(column.counts)
        if len(numbers) == n_rows > 2 and numbers[-1] - numbers[0] == n_rows - 1:
            notes.append(
                f"column {column.name!r} numbers the rows and was cut into intervals; "
                f"leave it out with drop=[{column.name!r}]"
            )
    return notes


def _check_fractions(columns: Sequence[RawColumn], options: CodingOptions) -> None:
    """Refuses columns of fractional numbers for which no discretisation was chosen, all in one message."""
    refused = []
    for column in columns:
        if column.declared is None and method_for(column.name, options.discretize)[0] is None:
            missing = _missing_labels(column, options)
            labels = [label for label in column.labels if label is not None and label not in missing]
            fraction = next((label for label in labels if not is_integer(label) and is_fraction(label)), None)
            if fraction is not None and all(map(is_number, labels)):
                refused.append((column, fraction))
    likely = (
        None if options.weights is not None else next((each for each, _ in refused if _is_weight(each, options)), None)
    )
    errors = [] if likely is None else [maybe_weights(likely)]
    refused = [each for each in refused if each[0] is not likely]
    if refused:
        errors.append(fractional_numbers(refused, write_methods(options.discretize, {OTHERS: "frequency:3"})))
    if errors:
        raise join_errors(errors, arguments_of(options))


def _is_weight(column: RawColumn, options: CodingOptions) -> bool:
    missing = _missing_labels(column, options)
    numbers = [(label, rows) for label, rows in zip(column.labels, column.counts, strict=True) if label not in missing]
    known = {label: rows for label, rows in numbers if label is not None}
    return len(known) == len(column.labels) and are_like_weights(column.name, list(known), list(known.values()))


def _add_missing_state(column: CodedColumn) -> CodedColumn:
    if not column.n_missing:
        return column
    label = "missing"
    while label in column.states:
        label += "_"
    codes = np.where(column.code_of_label < 0, len(column.states), column.code_of_label)
    return CodedColumn((*texts(column.states), label), codes, 0, column.cuts, column.n_missing)


def _drop_unobserved(codes: NDArray[Any], coded: dict[str, CodedColumn]) -> tuple[NDArray[Any], dict[str, CodedColumn]]:
    """Drops the states whose only rows were dropped."""
    result = {}
    for at, (name, column) in enumerate(coded.items()):
        used, where = np.unique(codes[:, at], return_inverse=True)
        codes[:, at] = where.reshape(-1)
        states = tuple(column.states[code] for code in used)
        result[name] = CodedColumn(states, column.code_of_label, 0, column.cuts)
    return codes, result


def code_type(n_states: int) -> np.dtype[np.uint8] | np.dtype[np.uint16]:
    """The smallest type of codes for ``n_states`` states; its largest value stands for missing cells."""
    return np.dtype(np.uint8) if n_states <= 255 else np.dtype(np.uint16)


def code_column(raw: RawColumn, options: CodingOptions) -> CodedColumn:
    """The states of a column and the code of each of its labels."""
    missing = _missing_labels(raw, options)
    present = [at for at, label in enumerate(raw.labels) if label is not None and label not in missing]
    n_missing = sum(raw.counts) - sum(raw.counts[at] for at in present)
    labels = [str(raw.labels[at]) for at in present]
    codes = np.full(len(raw.labels), -1, dtype=np.int64)
    cuts = None

    method, by_name = method_for(raw.name, options.discretize)
    numeric = bool(labels) and (raw.declared is None or by_name) and all(map(is_number, labels))
    if by_name and not numeric:
        offender = next((at for at in present if not is_number(str(raw.labels[at]))), None)
        what = "no values" if offender is None else f"{raw.labels[offender]!r}{raw.place(offender)}"
        raise not_numbers(raw, present, what)

    states: tuple[str, ...]
    if numeric and (by_name or (method is not None and _needs_cutting(labels, options.max_states))):
        assert method is not None
        numbers = np.array([float(label) for label in labels]) + 0.0  # Adding 0.0 turns -0 into 0.
        if not np.isfinite(numbers).all():
            raise DataError(
                f"column {raw.name!r} has numbers too large to discretise; leave it out with drop=[{raw.name!r}]",
                problems=[Problem.from_arguments(raw.name, "numbers too large to discretise", {"drop": [raw.name]})],
            )
        cuts = _cut_points(method, numbers, np.array([raw.counts[at] for at in present], dtype=np.int64))
        states = interval_labels(cuts)
        codes[present] = np.searchsorted(np.asarray(cuts, dtype=np.float64), numbers, side="left")
    elif raw.declared is not None:
        states = tuple(state for state in raw.declared if state not in options.na_values)
        cuts = raw.cuts
        index = {state: code for code, state in enumerate(states)}
        for at, label in zip(present, labels, strict=True):
            if label not in index:
                raise DataError(
                    f"column {raw.name!r} has the value {label!r}{raw.place(at)}, which is none of its states",
                    problems=[
                        Problem.from_arguments(
                            raw.name, f"the value {label!r}, none of its states", {}, lines=[raw.line(at)]
                        )
                    ],
                )
        codes[present] = [index[label] for label in labels]
    else:
        if numeric:
            labels = _integral(labels)
        else:
            check_no_stray_label(raw, labels, present)
        order = sorted(set(labels), key=(lambda label: (int(label), label)) if numeric else None)
        states = tuple(order)
        index = {state: code for code, state in enumerate(states)}
        codes[present] = [index[label] for label in labels]

    if len(states) > options.max_states:
        raise too_many_states(raw, len(states), numeric and cuts is None)
    if options.states == "observed":
        states, codes = _keep_observed(states, codes)
    return CodedColumn(states if cuts is not None else parse_labels(states, raw.kind), codes, n_missing, cuts)


def check_readable(name: str, labels: list[str]) -> None:
    """Refuses labels of a column that would not be read back unchanged."""
    column = RawColumn(name, [*labels], [1] * len(labels), write=lambda codes, out: None)
    code_column(write_plain_numbers([column], None, frozenset())[0], CodingOptions(max_states=MOST_STATES - 1))


def _needs_cutting(labels: Sequence[str], max_states: int) -> bool:
    return len(labels) > max_states or any(not float(label).is_integer() for label in labels)


def _cut_points(method: Discretization, numbers: NDArray[np.float64], counts: NDArray[np.int64]) -> tuple[float, ...]:
    values, where = np.unique(numbers, return_inverse=True)
    totals = np.bincount(where, weights=counts).astype(np.int64)
    return method.cut_points(values, totals)


def _integral(labels: list[str]) -> list[str]:
    """The labels of a column of whole numbers as integers, so that 1 and 1.0 are one state."""
    return [label if is_integer(label) else str(int(float(label))) for label in labels]


def _keep_observed(states: tuple[str, ...], codes: NDArray[np.int64]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    used = sorted(set(codes[codes >= 0].tolist()))
    renumbered = np.full(len(states) + 1, -1, dtype=np.int64)  # Index -1 reads the last entry.
    renumbered[used] = range(len(used))
    return tuple(states[code] for code in used), renumbered[codes]
