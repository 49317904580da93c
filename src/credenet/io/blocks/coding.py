"""Coding of rows that are not in memory: first the labels of all rows, then the states, then the codes.

The states are decided by the same rules as those of a table in memory (`credenet.data.coding`). A column whose states
are known beforehand, by declaration or by cut points, needs no first pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credenet.data.coding import (
    CodedColumn,
    CodingOptions,
    code_column,
    code_columns,
    code_type,
)
from credenet.data.discretize import Cuts, interval_labels, method_for
from credenet.data.labels import find_missing, is_number
from credenet.data.raw_columns import RawColumn, write_plain_numbers
from credenet.data.remarks.missing import GapCounts
from credenet.data.row_weights import column_weights
from credenet.data.states import Label, LabelKind, StateLabels, label_kind, texts
from credenet.errors import DataError
from credenet.io.blocks.journal import Place
from credenet.io.blocks.sources import Batch, RowSource
from credenet.io.blocks.spill import Spill
from credenet.io.tables.polars_columns import code_counts

MOST_LABELS = 1 << 20  # Distinct labels of one column at most, as all are kept in memory.

Watch = Callable[[int], None]
"""Told after each batch how many units of work are done; may raise an error to stop."""


@dataclass(frozen=True, slots=True)
class Coder:
    """The states of a variable and the codes of its labels; -1 is a missing cell.

    ``code_of`` is None for a column whose labels are coded as they come, as its states were known beforehand.
    """

    name: str
    states: tuple[Label, ...]
    n_missing: int
    cuts: tuple[float, ...] | None
    code_of: Mapping[str | None, int] | None
    n_coded: int  # The number of states without the one for missing cells.
    renumbered: tuple[int, ...] | None = None  # The final code of each state if some states were dropped.

    def codes(self, raw: RawColumn, options: CodingOptions) -> NDArray[np.int64]:
        """The code of each label of a batch, where a missing cell has the number of states."""
        if self.code_of is None:
            declared = texts(self.states) if self.cuts is None else raw.declared
            codes = code_batch(replace(raw, declared=declared), options).code_of_label
        else:
            try:
                codes = np.array([self.code_of[label] for label in raw.labels], dtype=np.int64)
            except KeyError as error:
                raise DataError(f"column {self.name!r} has the new value {error}; was the file changed?") from None
        codes = np.where(codes < 0, self.n_coded, codes)
        return codes if self.renumbered is None else np.array([*self.renumbered, len(self.states)])[codes]


@dataclass(frozen=True, slots=True)
class Coding:
    """The coding of all columns; ``n_rows`` is the number of rows of the source, if it is known."""

    coders: tuple[Coder, ...]
    notes: tuple[str, ...]
    n_rows: int | None
    options: CodingOptions

    @property
    def states(self) -> dict[str, tuple[Label, ...]]:
        return {coder.name: coder.states for coder in self.coders}

    @property
    def cuts(self) -> dict[str, tuple[float, ...]]:
        return {coder.name: coder.cuts for coder in self.coders if coder.cuts is not None}

    @property
    def keeps_missing(self) -> list[bool]:
        """For each variable whether it has missing cells in the result."""
        keeps = self.options.missing == "keep"
        return [keeps and coder.n_missing > 0 for coder in self.coders]

    def to_json(self) -> dict[str, Any]:
        return {
            "coders": [
                {
                    "name": coder.name,
                    "states": coder.states,
                    "n_missing": coder.n_missing,
                    "cuts": coder.cuts,
                    "labels": None if coder.code_of is None else list(coder.code_of.items()),
                    "n_coded": coder.n_coded,
                    "renumbered": coder.renumbered,
                }
                for coder in self.coders
            ],
            "notes": self.notes,
            "n_rows": self.n_rows,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any], options: CodingOptions) -> Coding:
        coders = tuple(
            Coder(
                each["name"],
                tuple(each["states"]),
                each["n_missing"],
                None if each["cuts"] is None else tuple(each["cuts"]),
                None if each["labels"] is None else dict(map(tuple, each["labels"])),
                each["n_coded"],
                None if each["renumbered"] is None else tuple(each["renumbered"]),
            )
            for each in value["coders"]
        )
        return cls(coders, tuple(value["notes"]), value["n_rows"], options)


@dataclass(frozen=True, slots=True)
class CodedBatch:
    """The codes of the rows of a batch that are kept; rows with missing cells may be left out."""

    codes: NDArray[Any]
    weights: NDArray[np.float64] | None
    place: Place
    n_read: int
    has_missing: bool


def code_batch(raw: RawColumn, options: CodingOptions) -> CodedColumn:
    """The codes of the labels of a column whose states are known beforehand."""
    method, by_name = method_for(raw.name, options.discretize)
    missing = find_missing(raw.labels, options.na_values)
    if by_name and isinstance(method, Cuts) and all(label is None or label in missing for label in raw.labels):
        return CodedColumn(interval_labels(method.points), np.full(len(raw.labels), -1), sum(raw.counts), method.points)
    plain = write_plain_numbers([raw], options.decimal, options.na_values)[0]
    return code_column(plain, replace(options, states="declared"))


def find_known_states(
    name: str, declared: StateLabels, options: CodingOptions
) -> tuple[tuple[Label, ...], tuple[float, ...] | None] | None:
    """The states and cut points of a column, if they do not depend on its rows."""
    method, by_name = method_for(name, options.discretize)
    if by_name:
        return (interval_labels(method.points), method.points) if isinstance(method, Cuts) else None
    if name not in declared or name in (options.merge_states or ()):
        return None
    return tuple(state for state in declared[name] if str(state) not in options.na_values), None


def read_declared_coding(
    names: Sequence[str],
    declared: StateLabels,
    notes: Sequence[str],
    source: RowSource,
    options: CodingOptions,
) -> Coding | None:
    """The coding without a first pass, if no state and no remark depends on the rows."""
    if options.states != "declared" or options.missing != "error":
        return None
    coders = []
    for name in names:
        known = find_known_states(name, declared, options)
        if known is None or not known[0]:
            return None
        coders.append(Coder(name, known[0], 0, known[1], None, len(known[0])))
    return Coding(tuple(coders), tuple(notes), source.n_rows, options)


def first_pass(
    source: RowSource,
    names: Sequence[str],
    declared: StateLabels,
    notes: Sequence[str],
    options: CodingOptions,
    watch: Watch,
    spill: Spill | None = None,
) -> Coding:
    """The coding, from the labels of all rows, which are kept for a second pass if there is a place for them."""
    tallies = [_Tally(name, declared, options, len(source.paths) == 1) for name in names]
    n_rows = 0
    for batch in source.batches(None, names):
        n_rows += batch.n_rows
        for tally, raw in zip(tallies, batch.columns, strict=True):
            with in_file(batch):
                tally.add(raw)
        if spill is not None:
            spill.keep(batch, [tally.numbers(raw) for tally, raw in zip(tallies, batch.columns, strict=True)])
        watch(batch.done)
    raws = [tally.column() for tally in tallies]
    if spill is not None:
        spill.end(raws)
    coded, remarks = code_columns(raws, options)
    coders = [tally.coder(raw, coded[raw.name]) for tally, raw in zip(tallies, raws, strict=True)]
    coding = Coding(tuple(coders), (*notes, *remarks), n_rows, options)
    gaps = {name: column.n_gaps for name, column in coded.items() if column.n_gaps}
    if gaps:
        found = _remarks_on_gap_states(coding, gaps, source if spill is None else spill, watch)
        coding = replace(coding, notes=(*coding.notes, *found))
    drops = options.missing == "drop" and any(coder.n_missing for coder in coders)
    has_late = any(coder.code_of is None for coder in coders)
    if options.states == "observed" and (drops or has_late):
        return _drop_unobserved(coding, source if spill is None else spill, watch)
    return coding


def _remarks_on_gap_states(coding: Coding, gaps: Mapping[str, int], source: RowSource, watch: Watch) -> list[str]:
    """Remarks on missing cells that became states; they need the codes of all rows."""
    places = [(at, len(coder.states) - 1) for at, coder in enumerate(coding.coders) if coder.name in gaps]
    counts = GapCounts(gaps)
    for batch in code_batches(coding, source, None, watch):
        counts.add([batch.codes[:, at] == code for at, code in places])
    return counts.remarks(len(coding.coders))


class in_file:  # noqa: N801
    """Puts the name of the file before the message of a `DataError`."""

    def __init__(self, batch: Batch) -> None:
        self._path = batch.path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, DataError):
            raise FileDataError.name_file(self._path, error) from None


class FileDataError(DataError):
    """A `DataError` whose message names the file."""


class _Tally:
    """The distinct labels of a column with their counts and lines; only the missing cells, if the states are known."""

    def __init__(self, name: str, declared: StateLabels, options: CodingOptions, has_lines: bool) -> None:
        self._name = name
        self._options = options
        self._has_lines = has_lines
        self._declared = texts(declared[name]) if name in declared else None
        self._kinds: set[LabelKind] = {label_kind(declared[name])} if name in declared else set()
        known = find_known_states(name, {}, options)
        self._cuts = None if known is None else known[1]
        self._index: dict[str | None, int] = {}
        self._counts: list[int] = []
        self._lines: list[int] | None = None

    def add(self, raw: RawColumn) -> None:
        if self._cuts is not None:
            self._add_cut(raw)
            return
        if self._declared is None and any(label is not None for label in raw.labels):
            self._kinds.add(raw.kind)
        if raw.lines is not None and self._has_lines and self._lines is None:
            self._lines = []
        for at, (label, number) in enumerate(zip(raw.labels, raw.counts, strict=True)):
            place = self._index.setdefault(label, len(self._index))
            if place < len(self._counts):
                self._counts[place] += number
                continue
            self._counts.append(number)
            if self._lines is not None and raw.lines is not None:
                self._lines.append(raw.lines[at])
        if len(self._index) > MOST_LABELS:
            raise DataError(
                f"column {self._name!r} has more than {MOST_LABELS:,} distinct values; leave it out with "
                f"drop=[{self._name!r}], or cut it at points that you choose: discretize={{{self._name!r}: 'cuts:A,B'}}"
            )

    def numbers(self, raw: RawColumn) -> NDArray[np.int64]:
        """The numbers of the labels of a batch, in order of first appearance."""
        return np.array([self._index[label] for label in raw.labels], dtype=np.int64)

    def _add_cut(self, raw: RawColumn) -> None:
        """Counts states instead of labels: one label for each interval, and None for missing cells."""
        coded = code_batch(raw, self._options)
        numbers = np.bincount(coded.code_of_label + 1, weights=raw.counts, minlength=len(coded.states) + 1)
        self._counts = (numbers + (self._counts or 0)).astype(np.int64).tolist()

    def column(self) -> RawColumn:
        """The column with the labels of all rows; for a column that is cut, numbers between the cut points."""
        if self._cuts is None:
            labels, counts = list(self._index), self._counts
        else:
            labels, counts = [None, *map(repr, self._stand_ins(self._cuts))], self._counts
            kept = [at for at, number in enumerate(counts) if number]
            labels, counts = [labels[at] for at in kept], [counts[at] for at in kept]
        kind = next(iter(self._kinds)) if len(self._kinds) == 1 else "text"
        return RawColumn(self._name, labels, counts, _no_rows, self._declared, self._lines, kind=kind)

    def _stand_ins(self, cuts: Sequence[float]) -> list[float]:
        """A number inside each interval that is no label for a missing cell."""
        missing = {float(value) for value in self._options.na_values if is_number(value)}
        numbers = [*cuts, math.nextafter(cuts[-1], math.inf)] if cuts else [0.0]
        for at in range(len(numbers)):
            while numbers[at] in missing:
                numbers[at] = math.nextafter(numbers[at], math.inf if at == len(cuts) else -math.inf)
        return numbers

    def coder(self, raw: RawColumn, coded: CodedColumn) -> Coder:
        """The coder of the column, whose labels were coded all together."""
        if self._cuts is None:
            code_of = dict(zip(raw.labels, coded.code_of_label.tolist(), strict=True))
            return Coder(self._name, coded.states, coded.n_missing, coded.cuts, code_of, len(coded.states))
        states: tuple[Label, ...] = interval_labels(self._cuts)
        n_missing = coded.n_missing
        if self._options.missing == "state" and self._counts[0]:
            states = (*states, coded.states[-1])
        return Coder(self._name, states, n_missing, self._cuts, None, len(self._cuts) + 1)


def _no_rows(codes: NDArray[Any], out: NDArray[Any]) -> None:
    raise AssertionError("the rows are not in memory")


def code_batches(coding: Coding, source: RowSource, place: Place | None, watch: Watch) -> Iterator[CodedBatch]:
    """The rows of a source in codes, from a place on."""
    options = coding.options
    names = [coder.name for coder in coding.coders]
    wanted = names if options.weights is None else [*names, options.weights]
    dtype = code_type(max(len(coder.states) for coder in coding.coders))
    missing_codes = np.array([len(coder.states) for coder in coding.coders], dtype=np.int64)
    for batch in source.batches(place, wanted):
        codes = np.empty((batch.n_rows, len(names)), dtype=dtype, order="F")
        complete: NDArray[np.bool_] | None = None
        weights = None
        with in_file(batch):
            for at, (coder, raw) in enumerate(zip(coding.coders, batch.columns, strict=False)):
                code_of_label = coder.codes(raw, options)
                raw.write(code_of_label.astype(dtype), codes[:, at])
                if (code_of_label == missing_codes[at]).any():
                    known = codes[:, at] != missing_codes[at]
                    complete = known if complete is None else complete & known
            if options.weights is not None:
                weights = column_weights(batch.columns[-1], options)
        has_missing = complete is not None
        if complete is not None and options.missing == "drop":
            codes = np.asfortranarray(codes[complete])
            weights = None if weights is None else weights[complete]
        yield CodedBatch(codes, weights, batch.place, batch.n_rows, has_missing)
        watch(batch.done)


def _drop_unobserved(coding: Coding, source: RowSource, watch: Watch) -> Coding:
    """The coding without the states that no row has which is kept."""
    counts = [np.zeros(len(coder.states) + 1, dtype=np.int64) for coder in coding.coders]
    for batch in code_batches(coding, source, None, watch):
        for at, numbers in enumerate(counts):
            numbers += code_counts(batch.codes[:, at], len(numbers))
    coders = []
    for coder, numbers in zip(coding.coders, counts, strict=True):
        used = np.flatnonzero(numbers[:-1])
        renumbered = np.full(len(coder.states), len(used), dtype=np.int64)
        renumbered[used] = np.arange(len(used))
        states = tuple(coder.states[code] for code in used)
        coders.append(replace(coder, states=states, renumbered=tuple(renumbered.tolist())))
    return replace(coding, coders=tuple(coders))
