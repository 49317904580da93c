"""Values in Thrift's compact protocol, the format of parquet's metadata.

A struct becomes a dictionary from field numbers to values. Every length is checked against the bytes left before
anything is read.
"""

from __future__ import annotations

from mmap import mmap
from typing import Any

_DEEPEST = 40
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 11, 12
_INTEGERS = (4, 5, 6)


class ThriftError(Exception):
    """Bytes that are not a valid value."""


class CompactReader:
    """Reads values from a part of ``contents``; ``at`` is the position of the next one."""

    def __init__(self, contents: bytes | mmap, begin: int, end: int) -> None:
        self._contents = contents
        self._end = end
        self.at = begin

    def struct(self, depth: int = 0) -> dict[int, Any]:
        fields: dict[int, Any] = {}
        number = 0
        while (head := self._byte()) != 0:
            step = head >> 4
            number = number + step if step else self._integer()
            fields[number] = self._value(head & 15, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ThriftError("is nested too deeply")
        if kind in (_TRUE, _FALSE):
            return kind == _TRUE
        if kind == _BYTE:
            return self._byte()
        if kind in _INTEGERS:
            return self._integer()
        if kind == _DOUBLE:
            return self._take(8)
        if kind == _BINARY:
            return self._take(self._read_unsigned())
        if kind in (_LIST, _SET):
            return self._items(depth)
        if kind == _MAP:
            return self._pairs(depth)
        if kind == _STRUCT:
            return self.struct(depth + 1)
        raise ThriftError(f"has values of the unknown type {kind}")

    def _items(self, depth: int) -> list[Any]:
        head = self._byte()
        size = head >> 4 if head >> 4 < 15 else self._read_unsigned()
        self._check_left(size)
        kind = head & 15
        if kind in (_TRUE, _FALSE):  # Truth values in a list are bytes.
            return [self._byte() == _TRUE for _ in range(size)]
        return [self._value(kind, depth + 1) for _ in range(size)]

    def _pairs(self, depth: int) -> list[tuple[Any, Any]]:
        size = self._read_unsigned()
        self._check_left(size)
        kinds = self._byte() if size else 0
        return [(self._value(kinds >> 4, depth + 1), self._value(kinds & 15, depth + 1)) for _ in range(size)]

    def _integer(self) -> int:
        zigzag = self._read_unsigned()
        return (zigzag >> 1) ^ -(zigzag & 1)

    def _read_unsigned(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
            if shift > 63:
                raise ThriftError("has a number that is too long")

    def _byte(self) -> int:
        self._check_left(1)
        byte = self._contents[self.at]
        self.at += 1
        return byte

    def _take(self, size: int) -> bytes:
        self._check_left(size)
        taken = self._contents[self.at : self.at + size]
        self.at += size
        return taken

    def _check_left(self, size: int) -> None:
        if size > self._end - self.at:
            raise ThriftError("ends too early")
