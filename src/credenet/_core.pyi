"""
The compiled core; its arguments are prepared by the Python modules that call it.
"""

from collections.abc import Callable
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray


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
