"""
The compiled core; its arguments are prepared by the Python modules that call it.
"""

from collections.abc import Callable
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray


class DelimitedError(ValueError):
    pass

class CodedText:
    """Delimited text, each column coded by its distinct fields."""

    @property
    def n_rows(self) -> int: ...

    @property
    def stopped(self) -> bool: ...

    def labels(self, column: int) -> list[bytes]: ...

    def lines(self, column: int) -> list[int]: ...

    def counts(self, column: int) -> list[int]: ...

    @overload
    def write_codes(self, column: int, code_of_label: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    @overload
    def write_codes(self, column: int, code_of_label: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    @overload
    def write_codes(self, column: int, code_of_label: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

def read_delimited(text: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], n_columns: int, separator: str, quotes: bool, first_line: int, n_threads: int, on_progress: Callable[[int, int], bool | None] | None = None) -> CodedText: ...

class NetworkArrays:
    """A network's structure and tables as flat arrays."""

    def __init__(self, n_states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], parent_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], parents: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], table_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], tables: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

@overload
def sample_forward(network: NetworkArrays, order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: int, n_threads: int, codes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='F', device='cpu')], on_progress: Callable[[int, int], bool | None] | None = None) -> bool: ...

@overload
def sample_forward(network: NetworkArrays, order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: int, n_threads: int, codes: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='F', device='cpu')], on_progress: Callable[[int, int], bool | None] | None = None) -> bool: ...

@overload
def log_likelihood(network: NetworkArrays, codes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='F', device='cpu', writable=False)], n_threads: int, log_probabilities: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], on_progress: Callable[[int, int], bool | None] | None = None) -> bool: ...

@overload
def log_likelihood(network: NetworkArrays, codes: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='F', device='cpu', writable=False)], n_threads: int, log_probabilities: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], on_progress: Callable[[int, int], bool | None] | None = None) -> bool: ...

@overload
def family_counts(structure: NetworkArrays, codes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='F', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int, counts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], on_progress: Callable[[int, int], bool | None] | None = None) -> bool: ...

@overload
def family_counts(structure: NetworkArrays, codes: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='F', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int, counts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], on_progress: Callable[[int, int], bool | None] | None = None) -> bool: ...
