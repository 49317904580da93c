"""Results as JSON files that are read back: what `to_dict` tells, the kind of the result, and its state.

``load`` makes the result of the state alone; the rest is for people and for other programs. A checksum shows whether
the state is as it was written.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, TypeVar

from credenet import __version__
from credenet._files.files import read_json, suffix_of, write_text
from credenet._json import json_text
from credenet.errors import FormatError
from credenet.io.results.codec import CodecError, decode, encode
from credenet.io.results.kinds import RESULTS, describe_json, told_by_suffix

T = TypeVar("T")

_UNREADABLE = (ArithmeticError, AttributeError, LookupError, RecursionError, RuntimeError, TypeError, ValueError)


def kind_and_state(result: object) -> tuple[dict[str, Any], dict[str, Any]]:
    """The keys that are written before and after the other keys of a result."""
    kind = {"kind": type(result).__name__}
    try:
        value = encode(result)
    except CodecError as error:
        return kind, {"state": {"version": __version__, "why_not": str(error)}}
    return kind, {"state": {"version": __version__, "checksum": _checksum(value), "value": value}}


def save_json(result: Any, path: str | Path) -> None:
    """Writes a result with all that it tells, and its state."""
    kind, state = kind_and_state(result)
    write_text(path, json_text({**kind, **result.to_dict(), **state}) + "\n")


def load_result(path: str | Path, wanted: type[T]) -> T:
    """The result in a file that ``save`` wrote as JSON."""
    reader = RESULTS[wanted.__name__].reader
    if suffix_of(path) != ".json":
        what = f"{reader} reads the .json file that save writes; other files lack part of what is known of the result"
        others = told_by_suffix(path)
        raise FormatError(what if others is None else f"{what}; {others}", path=path)
    contents = read_json(path)
    if not isinstance(contents, dict) or contents.get("kind") != wanted.__name__:
        raise FormatError(
            describe_json(contents, f"does not say that it holds {RESULTS[wanted.__name__].what}"), path=path
        )
    state = contents.get("state")
    if not isinstance(state, dict):
        raise FormatError("has no state: it lists the result, but cannot be read back", path=path)
    if "value" not in state:
        raise FormatError(f"lists the result only: {state.get('why_not', 'the state is missing')}", path=path)
    if state.get("checksum") != _checksum(state["value"]):
        raise FormatError("is damaged or was changed: its checksum does not fit its state", path=path)
    try:
        result = decode(state["value"])
    except _UNREADABLE as error:
        version = state.get("version")
        raise FormatError(
            f"has a state of version {version} that {__version__} cannot read: {error}", path=path
        ) from None
    if not isinstance(result, wanted):
        raise FormatError(f"has the state of another object, a {type(result).__name__}", path=path)
    return result


def _checksum(value: Any) -> str:
    return hashlib.blake2b(json_text(value).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
