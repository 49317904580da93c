"""Results that an earlier version saved, one of each kind, are read, although classes in them may have moved since."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from credenet._json import json_text
from public import public_classes

RENAMED_KEYS = {"smallest_ess": "smallest_effective_size"}  # Keys of `to_dict` that earlier versions wrote.
SAVED = sorted((Path(__file__).parent / "saved").glob("*.json"))


def test_there_are_files_of_all_kinds() -> None:
    kinds = {json.loads(path.read_text())["kind"] for path in SAVED}
    loaders = {name for name, kind in public_classes().items() if hasattr(kind, "load") and hasattr(kind, "to_json")}
    assert kinds == loaders


def rename_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {RENAMED_KEYS.get(key, key): value for key, value in pairs}


@pytest.mark.parametrize("path", SAVED, ids=lambda path: path.stem)
def test_a_saved_result_is_read(path: Path) -> None:
    """The state, which alone is read, has what the other keys of the file tell."""
    contents = json.loads(path.read_text(), object_pairs_hook=rename_keys)
    result = public_classes()[contents["kind"]].load(path)  # type: ignore[attr-defined]
    told = json.loads(json_text(result.to_dict()))
    # The file lists networks and classes, which the result only counts.
    both = {*told} & {*contents} - {"networks", "classes"}
    assert len(both) > 3
    for key in both:
        assert is_told(contents[key], told[key]), key


def is_told(earlier: Any, now: Any) -> bool:
    """Whether a value has all that an earlier version wrote of it; later ones may tell more."""
    if isinstance(earlier, dict) and isinstance(now, dict):
        return all(key in now and is_told(value, now[key]) for key, value in earlier.items())
    if isinstance(earlier, list) and isinstance(now, list):
        return len(earlier) == len(now) and all(map(is_told, earlier, now))
    return bool(earlier == now)
