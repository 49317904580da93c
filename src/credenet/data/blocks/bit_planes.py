"""The codes of a block of rows as bit planes: plane p has bit p of each code, eight rows per byte, first row lowest.

A plane takes whole lines of 64 bytes (512 rows); bits beyond the last row are 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

LINE_BYTES = 64
LINE_ROWS = 8 * LINE_BYTES


def plane_count(n_states: int, has_missing: bool) -> int:
    """The number of planes for a variable; a missing cell has the code ``n_states``."""
    return int(n_states - 1 + has_missing).bit_length()


def plane_bytes(n_rows: int) -> int:
    """The size of one plane of a block."""
    return -(-n_rows // LINE_ROWS) * LINE_BYTES


def pack(codes: NDArray[Any], planes: NDArray[np.uint8]) -> None:
    """Writes codes into planes, which are zeros: one row of bytes for each plane."""
    used = -(-len(codes) // 8)
    for bit, plane in enumerate(planes):
        plane[:used] = np.packbits(codes & codes.dtype.type(1 << bit), bitorder="little")


def unpack(planes: NDArray[np.uint8], n_rows: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """The codes of a block, read from its planes."""
    codes = np.zeros(n_rows, dtype=dtype)
    for bit, plane in enumerate(planes):
        bits = np.unpackbits(plane, count=n_rows, bitorder="little")
        codes |= bits.astype(dtype, copy=False) << dtype.type(bit)
    return codes
