"""The footer of a parquet file, checked against the file before polars reads it.

Polars allocates the memory that the footer and the page headers announce, and ends the whole process if there is not
that much. So every number of rows and values must agree with the pages, and every page must lie within the file.
Field numbers are those of the parquet format, https://github.com/apache/parquet-format.
"""

from __future__ import annotations

from mmap import mmap
from typing import Any, NamedTuple

from credenet.io.tables.thrift import CompactReader, ThriftError

MAGIC = b"PAR1"
_TAIL = 8  # Bytes of the footer's length and of the closing magic bytes.
_DEEPEST = 40


class DamagedParquetError(Exception):
    """A parquet file that contradicts itself; the text says how."""


class Footer(NamedTuple):
    """The names of the columns, the metadata and the number of rows."""

    columns: tuple[str, ...]
    metadata: dict[str, str]
    n_rows: int


def check_footer(contents: bytes | mmap) -> Footer:
    """The footer of a file, after all checks."""
    begin, end = _footer_place(contents)
    try:
        about = CompactReader(contents, begin, end).struct()
        schema = _structs(about.get(2))
        n_rows, groups = _count(about.get(3)), _structs(about.get(4))
        n_leaves = _count_leaves(schema)
        rows_in_groups = 0
        for group in groups:
            chunks, rows = _structs(group.get(1)), _count(group.get(3))
            _need(len(chunks) == n_leaves, f"a row group has {len(chunks)} columns instead of {n_leaves}")
            rows_in_groups += rows
            for chunk in chunks:
                _check_chunk(contents, _struct(chunk.get(3)), rows, begin)
        _need(rows_in_groups == n_rows, f"it should have {n_rows} rows, but its row groups have {rows_in_groups}")
        return Footer(_columns(schema), _metadata(about.get(5, [])), n_rows)
    except ThriftError as error:
        raise DamagedParquetError(f"it {error}") from None


def _footer_place(contents: bytes | mmap) -> tuple[int, int]:
    end = len(contents) - _TAIL
    _need(contents[-4:] == MAGIC and end > len(MAGIC), "it does not end as a parquet file does")
    size = int.from_bytes(contents[end : end + 4], "little")
    _need(0 < size <= end - len(MAGIC), "its footer does not fit into it")
    return end - size, end


def _count_leaves(schema: list[dict[int, Any]]) -> int:
    """The number of columns that hold values; the schema lists a tree, each element before its children."""
    open_children = [1]
    n_leaves = 0
    for element in schema:
        while open_children and open_children[-1] == 0:
            open_children.pop()
        _need(0 < len(open_children) < _DEEPEST, "its schema is no tree")
        open_children[-1] -= 1
        n_children = _count(element.get(5, 0))
        if n_children:
            open_children.append(n_children)
        else:
            n_leaves += 1
    _need(not any(open_children), "its schema is cut off")
    return n_leaves


def _columns(schema: list[dict[int, Any]]) -> tuple[str, ...]:
    """The names on the first level of the schema, below its root."""
    names = []
    left = [_count(schema[0].get(5, 0))]
    for element in schema[1:]:
        while left[-1] == 0:
            left.pop()
        left[-1] -= 1
        if len(left) == 1:
            names.append(_text(element.get(4)))
        if n_children := _count(element.get(5, 0)):
            left.append(n_children)
    return tuple(names)


def _check_chunk(contents: bytes | mmap, chunk: dict[int, Any], n_rows: int, end_of_data: int) -> None:
    """Checks that the pages of a column in a row group lie in the file and have as many values as announced."""
    n_values, n_unpacked, n_packed = (_count(chunk.get(field)) for field in (5, 6, 7))
    _need(n_values >= n_rows, f"a column has {n_values} values for {n_rows} rows")
    if n_values == 0:
        return
    first, dictionary = _count(chunk.get(9)), _count(chunk.get(11, 0))
    at = min(first, dictionary) if dictionary else first
    end = at + n_packed
    _need(len(MAGIC) <= at < end <= end_of_data, "a column lies outside of it")
    seen = 0
    while at < end:
        reader = CompactReader(contents, at, end)
        page = reader.struct()
        size = _count(page.get(3))
        at = reader.at + size
        _need(at <= end and _count(page.get(2)) <= n_unpacked, "a page is larger than its column")
        seen += _n_values(page, size)
    _need(seen == n_values, f"a column has {seen} values instead of {n_values}")


def _n_values(page: dict[int, Any], size: int) -> int:
    """The number of rows' values in a page; none in one that lists the distinct values."""
    if 5 in page:
        return _count(_struct(page[5]).get(1))
    if 8 in page:
        head = _struct(page[8])
        _need(_count(head.get(5)) + _count(head.get(6)) <= size, "the levels of a page are larger than it")
        return _count(head.get(1))
    if 7 in page:  # Each value takes at least one byte.
        _need(_count(_struct(page[7]).get(1)) <= _count(page.get(2)), "a dictionary has more values than bytes")
    return 0


def _metadata(pairs: Any) -> dict[str, str]:
    return {_text(pair.get(1)): _text(pair.get(2, b"")) for pair in _structs(pairs)}


def _structs(value: Any) -> list[dict[int, Any]]:
    _need(isinstance(value, list), "its structure is not in order")
    return list(map(_struct, value))


def _struct(value: Any) -> dict[int, Any]:
    _need(isinstance(value, dict), "its structure is not in order")
    result: dict[int, Any] = value
    return result


def _count(value: Any) -> int:
    _need(type(value) is int and value >= 0, "its structure is not in order")
    return int(value)


def _text(value: Any) -> str:
    try:
        _need(isinstance(value, bytes), "its structure is not in order")
        return bytes(value).decode()
    except UnicodeDecodeError:
        raise DamagedParquetError("its footer has a name that is not UTF-8") from None


def _need(condition: bool, message: str) -> None:
    if not condition:
        raise DamagedParquetError(message)
