"""Fingerprints of datasets: equal for equal data, wherever the rows are."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import numpy as np

from credenet._run.progress import thread_count
from credenet._run.workers import map_in_threads
from credenet.data.coding import code_type
from credenet.data.states import texts

if TYPE_CHECKING:
    from credenet.data.dataset import Dataset

_MANY_CELLS = 1_000_000  # Cells of a table from which several threads hash its columns.


def digest_of(data: Dataset) -> str:
    """The fingerprint of names, states, codes and weights."""
    names = json.dumps([[name, *texts(data.states[name])] for name in data.variables])
    fingerprint = hashlib.blake2b(names.encode(), digest_size=16)
    fingerprint.update(code_type(int(data.n_states.max(initial=0))).name.encode())
    for of_column in _column_digests(data):
        fingerprint.update(of_column)
    if data.weights is not None:
        fingerprint.update(np.ascontiguousarray(data.weights).data)
    return fingerprint.hexdigest()


def _column_digests(data: Dataset) -> list[bytes]:
    """The digests of all columns; threads hash the columns of large tables, as hashing releases Python's lock."""

    def digest_column(at: int) -> bytes:
        fingerprint = hashlib.blake2b(digest_size=16)
        for codes in data._column_blocks(at):
            fingerprint.update(np.ascontiguousarray(codes).data)
        return fingerprint.digest()

    columns = range(data.n_variables)
    if data.n_rows * data.n_variables <= _MANY_CELLS:
        return [digest_column(at) for at in columns]
    return map_in_threads(thread_count(None), digest_column, columns)
