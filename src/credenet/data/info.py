"""A summary of a table."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credenet import _later
from credenet._copies import copy_fields
from credenet._json import AsJson
from credenet._text import byte_count, count, listing, table
from credenet.data.dataset import Dataset
from credenet.data.remarks.tables import table_remarks
from credenet.data.states import Label, StateLabels, text_keys, texts


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetInfo(AsJson):
    """A summary of a table: its states, their counts, missing cells, and remarks.

    Examples
    --------
    >>> import credenet
    >>> info = credenet.datasets.asia(100).info()
    >>> info.n_rows, info.counts["smoke"]
    (100, {'yes': 50, 'no': 50})
    """

    variables: tuple[str, ...]
    n_rows: int
    states: StateLabels
    counts: Mapping[str, Mapping[Label, int]]  # Rows in each state.
    missing: Mapping[str, int]
    constant: tuple[str, ...]  # Columns of which at most one state occurs.
    duplicates: tuple[tuple[str, ...], ...]  # Groups of columns, not constant, that are equal up to names of states.
    total_weight: float | None
    bytes: int
    remarks: tuple[str, ...]  # Unusual facts about the table, each with advice.

    def __reduce__(self) -> tuple[Any, ...]:
        return copy_fields(self)

    @classmethod
    def of(cls, data: Dataset, notes: tuple[str, ...] = ()) -> DatasetInfo:
        """The summary of some data; ``notes`` are the remarks made while they were read."""
        counts = dict(zip(data.variables, data._state_counts(), strict=True))
        constant = tuple(name for name, numbers in counts.items() if np.count_nonzero(numbers) <= 1)
        duplicates = _duplicates(data, counts)
        remarks = table_remarks(
            data.n_rows,
            {
                name: {str(data.states[name][code]): int(numbers[code]) for code in np.flatnonzero(numbers)}
                for name, numbers in counts.items()
            },
            {name: int(numbers.sum()) for name, numbers in counts.items()},
            constant=constant,
            duplicates=duplicates,
            cut=data.cuts,
            is_weighted=data._is_weighted,
        )
        return cls(
            variables=data.variables,
            n_rows=data.n_rows,
            states=data.states,
            counts=MappingProxyType({name: _by_state(data.states[name], counts[name]) for name in data.variables}),
            missing=MappingProxyType(data.missing),
            constant=constant,
            duplicates=duplicates,
            total_weight=None if not data._is_weighted else data.total_weight,
            bytes=data._n_bytes(),
            remarks=(*notes, *remarks),
        )

    def __str__(self) -> str:
        weight = "" if self.total_weight is None else f", total weight {self.total_weight:g}"
        head = f"{count(self.n_rows, 'row')}, {count(len(self.variables), 'variable')}{weight}"
        rows = []
        for name, labels in self.states.items():
            unobserved = list(self.counts[name].values()).count(0)
            notes = [
                *(["constant"] if name in self.constant else []),
                *([f"{unobserved} never observed"] if unobserved else []),
            ]
            missing = str(self.missing[name]) if name in self.missing else ""
            counted = [f"{label} ({number:,})" for label, number in self.counts[name].items()]
            rows.append([name, str(len(labels)), listing(counted), missing, ", ".join(notes)])
        lines = [f"{head}, {byte_count(self.bytes)} in memory"]
        lines.append(table(["variable", "states", "labels (rows)", "missing", "remarks"], rows))
        lines.extend(f"remark: {remark}" for remark in self.remarks)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return _later.drawing_data.info_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values."""
        return {
            "variables": list(self.variables),
            "rows": self.n_rows,
            "states": {name: list(texts(labels)) for name, labels in self.states.items()},
            "missing": {name: self.missing.get(name, 0) for name in self.variables},
            "counts": {name: text_keys(numbers) for name, numbers in self.counts.items()},
            "constant": list(self.constant),
            "duplicates": [list(group) for group in self.duplicates],
            "total_weight": self.total_weight,
            "bytes": self.bytes,
            "remarks": list(self.remarks),
        }


def _by_state(labels: tuple[Label, ...], counts: NDArray[Any]) -> Mapping[Label, int]:
    return dict(zip(labels, counts.tolist(), strict=True))


def _duplicates(data: Dataset, counts: Mapping[str, NDArray[Any]]) -> tuple[tuple[str, ...], ...]:
    groups: dict[bytes, list[str]] = {}
    alike: dict[tuple[int, ...], list[str]] = {}
    for name, occurring in counts.items():
        if np.count_nonzero(occurring) > 1:
            alike.setdefault(tuple(sorted(c for c in occurring.tolist() if c)), []).append(name)
    for names in alike.values():
        for name in names if len(names) > 1 else ():
            groups.setdefault(_pattern(data, name), []).append(name)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def _pattern(data: Dataset, name: str) -> bytes:
    """A fingerprint of a column that does not depend on the names or the order of its states."""
    fingerprint = hashlib.blake2b(digest_size=32)
    missing = data.missing_code
    rank_of = np.full(missing + 1, missing, dtype=np.min_scalar_type(missing))
    n_ranked = 0  # States seen so far, which are ranked by first appearance.
    for codes in data._column_blocks(data.index(name)):
        found, first = np.unique(codes, return_index=True)
        for code in found[np.argsort(first)].tolist():
            if code != missing and rank_of[code] == missing:
                rank_of[code] = n_ranked
                n_ranked += 1
        fingerprint.update(rank_of[codes].data)
    return fingerprint.digest()
