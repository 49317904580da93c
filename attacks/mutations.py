"""Mutants of files: bytes and lines changed, numbers made extreme, and block files whose checksums are right again."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from credenet.io.blocks.format import TAIL

WORDS = [
    *(b"", b" ", b"\n", b"\r\n", b"\t", b",", b";", b'"', b"'", b"\0", b"\xff", b"#", b"//", b"*", b"|"),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b", b"\xed\xa0\x80", "\u00e9".encode(), "\u0663".encode()),
    *(b"nan", b"inf", b"-inf", b"NaN", b"Infinity", b"null", b"true", b"0", b"-1", b"0.1", b"1_0", b"1e-320"),
    *(b"1e999", b"-1e-999", b"2147483648", b"-9223372036854775809", b"18446744073709551616", b"9" * 5000),
    *(b"{", b"}", b"[", b"]", b"(", b")", b"<", b">", b"</", b"<!--", b"->", b"--", b"<-"),
    *(b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&b;"),
    *(b"a" * 70_000, b"[" * 3000, b'{"a":' * 3000, b"(" * 3000, b"<a>" * 3000),
]
"""What is put into files: separators, byte order marks, odd numbers, brackets, and far too much of something."""

Mutation = Callable[[bytes, np.random.Generator], bytes]


def mutate(contents: bytes, rng: np.random.Generator) -> bytes:
    """The contents with one to four random changes."""
    for _ in range(int(rng.integers(1, 5))):
        contents = MUTATIONS[rng.integers(len(MUTATIONS))](contents, rng)
    return contents


def _place(contents: bytes, rng: np.random.Generator) -> int:
    return int(rng.integers(len(contents) + 1))


def flip_byte(contents: bytes, rng: np.random.Generator) -> bytes:
    at = _place(contents, rng)
    return contents[:at] + bytes([int(rng.integers(256))]) + contents[at + 1 :]


def cut_off(contents: bytes, rng: np.random.Generator) -> bytes:
    return contents[: _place(contents, rng)]


def insert_word(contents: bytes, rng: np.random.Generator) -> bytes:
    at = _place(contents, rng)
    return contents[:at] + WORDS[rng.integers(len(WORDS))] + contents[at:]


def replace_token(contents: bytes, rng: np.random.Generator) -> bytes:
    """A word or number becomes an odd one, or another of the file."""
    tokens = list(re.finditer(rb"[\w.+-]+", contents[:100_000]))
    if not tokens:
        return contents
    old, other = (tokens[rng.integers(len(tokens))] for _ in range(2))
    new = other.group() if rng.random() < 0.4 else WORDS[rng.integers(len(WORDS))]
    return contents[: old.start()] + new + contents[old.end() :]


def drop_token(contents: bytes, rng: np.random.Generator) -> bytes:
    tokens = list(re.finditer(rb"[\w.+-]+|[^\w\s]", contents[:100_000]))
    if not tokens:
        return contents
    old = tokens[rng.integers(len(tokens))]
    return contents[: old.start()] + contents[old.end() :]


def change_lines(contents: bytes, rng: np.random.Generator) -> bytes:
    """A line is dropped, doubled, or moved."""
    lines = contents.splitlines(keepends=True)
    if not lines:
        return contents
    line = lines.pop(int(rng.integers(len(lines))))
    for _ in range(int(rng.integers(3))):
        lines.insert(int(rng.integers(len(lines) + 1)), line)
    return b"".join(lines)


def double_slice(contents: bytes, rng: np.random.Generator) -> bytes:
    begin, end = sorted(_place(contents, rng) for _ in range(2))
    return contents[:end] + contents[begin : begin + 10_000] + contents[end:]


MUTATIONS: tuple[Mutation, ...] = (
    flip_byte,
    flip_byte,
    cut_off,
    insert_word,
    replace_token,
    replace_token,
    drop_token,
    change_lines,
    double_slice,
)


def mutate_blocks(contents: bytes, rng: np.random.Generator) -> bytes:
    """A block file with wrong rows or a wrong footer, but with right checksums."""
    offset, length, *_ = TAIL.unpack(contents[-TAIL.size :])
    rows, footer = contents[:offset], json.loads(contents[offset : offset + length])
    kind = rng.integers(3)
    if kind == 0:
        changed = bytearray(rows)
        for _ in range(int(rng.integers(1, 30))):
            changed[int(rng.integers(64, len(rows)))] = int(rng.integers(256))
        rows = bytes(changed)
    elif kind == 1:
        change_value(footer, rng)
    text = mutate(as_json(footer), rng) if kind == 2 else as_json(_with_checksums(footer, rows))
    return rows + text + TAIL.pack(offset, len(text), zlib.crc32(text), 0, contents[-8:])


def _with_checksums(footer: dict[str, Any], rows: bytes) -> dict[str, Any]:
    """The footer with the checksums that its blocks have now, as far as it still says where they are."""
    try:
        offsets = [*footer["blocks"]["offset"], len(rows)]
        crcs = [zlib.crc32(rows[begin:end]) for begin, end in pairwise(offsets)]
        footer["blocks"]["crc32"] = crcs
    except (AttributeError, KeyError, TypeError):
        pass
    return footer


DEEP_LISTS, DEEP_OBJECTS, HUGE_NUMBER = "deep lists", "deep objects", "huge number"
_RAW = {  # JSON that a parser must refuse with a message and that no Python value gives.
    DEEP_LISTS: b"[" * 200_000 + b"]" * 200_000,
    DEEP_OBJECTS: b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    HUGE_NUMBER: b"1e999",
}
ODD_VALUES: list[Any] = [
    *(None, True, -1, 0, 1, 7, 2**31, 2**63, 2**70, 1.5, 1e308, float("inf"), float("nan")),
    *("", "a", "*", "counts", "weights", [], [0], ["x"], {}, {"a": [1]}),
    *(DEEP_LISTS, DEEP_OBJECTS, HUGE_NUMBER),
]


def as_json(contents: Any) -> bytes:
    """The text of a value, with raw JSON in place of its markers."""
    text = json.dumps(contents, ensure_ascii=False).encode("utf-8", "replace")
    for name, raw in _RAW.items():
        text = text.replace(f'"{name}"'.encode(), raw)
    return text


def change_json(contents: bytes, rng: np.random.Generator) -> bytes:
    """A JSON text in which one value is another."""
    value = json.loads(contents)
    change_value(value, rng)
    return as_json(value)


def change_value(contents: Any, rng: np.random.Generator) -> None:
    """The JSON contents with one part replaced."""
    keys = list(contents) if isinstance(contents, dict) else list(range(len(contents)))
    if not keys:
        return
    key = keys[rng.integers(len(keys))]
    if isinstance(contents[key], dict | list) and contents[key] and rng.random() < 0.85:
        change_value(contents[key], rng)
    elif rng.random() < 0.2:
        del contents[key]
    else:
        contents[key] = ODD_VALUES[rng.integers(len(ODD_VALUES))]
