"""The labels of states, which keep the type of the column that they come from.

All labels of a variable have one type: text, whole numbers or truth values. A column of integers has the states 0
and 1, not "0" and "1", so that predictions, marginals and samples compare equal with it. Integers may arrive as
floats, as pandas makes floats of integers with gaps. Columns of several types have text labels, as have intervals of
numbers, columns with a state for missing cells, and whatever comes from a file without types.

Codes and digests do not depend on the type, and the core knows numbers of states only. Labels become text where they
are printed or written (`texts`), and get their type where a column is coded (`parse_labels`), where a caller gives
labels (`check_labels`), and in files that have types. Values of a caller, and the labels of data and networks, meet in
`find_state` and `state_positions` only: equal values match, otherwise the same text does, so that the label 1 is found
by "1", and "1" by 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from credenet._arguments import list_values
from credenet.data.labels import is_integer, is_number

Label = str | int  # A truth value is an int, too.
"""A state's label: text, a whole number or a truth value."""

StateLabels = Mapping[str, tuple[Label, ...]]
LabelKind = Literal["text", "integer", "boolean"]


_WORDS = ("False", "True")


def label_kind(values: Iterable[Any]) -> LabelKind:
    """The type that labels of these values have; missing values do not count.

    Examples
    --------
    >>> label_kind([1, None, 2.0]), label_kind([True, False]), label_kind([1, True]), label_kind(["a"])
    ('integer', 'boolean', 'text', 'text')
    """
    kinds = {_kind(value) for value in values if not _is_gap(value)}
    return kinds.pop() if len(kinds) == 1 else "text"


def parse_labels(texts: Iterable[str], kind: LabelKind) -> tuple[Label, ...]:
    """The labels of a type from their text."""
    if kind == "integer":
        return tuple(map(int, texts))
    return tuple(text == "True" for text in texts) if kind == "boolean" else tuple(texts)


def parse_like(written: tuple[str, ...], labels: Iterable[Label]) -> tuple[Label, ...]:
    """Labels from their text, of the type of others if all can have it.

    Examples
    --------
    >>> parse_like(("0", "12"), (0, 1, 2)), parse_like(("0", "1 or 2"), (0, 1, 2))
    ((0, 12), ('0', '1 or 2'))
    """
    kind = label_kind(labels)
    is_possible = kind == "text" or all(is_integer(text) if kind == "integer" else text in _WORDS for text in written)
    found = parse_labels(written, kind) if is_possible else written
    return found if texts(found) == written else written


def texts(labels: Iterable[Label]) -> tuple[str, ...]:
    """The labels as they are printed and written."""
    return tuple(map(str, labels))


def list_labels(labels: Iterable[Label]) -> str:
    """The labels separated by commas, for a message."""
    return ", ".join(texts(labels))


def text_keys(values: Mapping[Label, Any]) -> dict[str, Any]:
    """The mapping with its keys as text, as JSON requires."""
    return dict(zip(texts(values), values.values(), strict=True))


def check_labels(argument: str, values: Any) -> tuple[Label, ...]:
    """Labels as a caller gives them, of one type.

    Examples
    --------
    >>> check_labels("states", range(2)), check_labels("states", [0, "x"])
    ((0, 1), ('0', 'x'))
    """
    listed_values = list_values(argument, values, "labels")
    kind = label_kind(listed_values)
    if kind == "integer":
        return tuple(map(int, listed_values))
    return tuple(map(bool if kind == "boolean" else str, listed_values))


def are_labels(values: Sequence[object]) -> bool:
    """Whether the values, as a file gives them, are labels of one type."""
    kinds = set(map(type, values))
    return len(kinds) <= 1 and kinds <= {str, int, bool}


def find_state(value: Any, labels: Sequence[Label]) -> int | None:
    """The position of the state that a value means; None if it means none, or several.

    Examples
    --------
    >>> find_state(1, ("0", "1")), find_state("1", (0, 1)), find_state(True, ("false", "true")), find_state(2, (0, 1))
    (1, 1, 1, None)
    """
    if not isinstance(_plain(value), str | int | float) or _is_gap(value):
        return None
    return state_positions([value], labels)[0]


def state_positions(values: Sequence[Any], labels: Sequence[Label]) -> list[int | None]:
    """For each value, the position of the state that it means; None where it means none, or several.

    A number also means a text that is this number, and a truth value a word in any case (``TRUE``, ``false``), if only
    one is.
    """
    by_value: dict[Any, int] = {label: at for at, label in enumerate(labels)}
    by_text = {str(label): at for at, label in enumerate(labels)}
    positions = [by_value.get(value, by_text.get(str(value), by_text.get(_text(value)))) for value in values]
    if None not in positions:
        return positions
    has_words = label_kind(labels) == "boolean"
    by_word = _unambiguous((text.lower(), at) for text, at in by_text.items())
    by_number = _unambiguous((float(text), at) for text, at in by_text.items() if is_number(text))
    for at, value in enumerate(values):
        if positions[at] is None and (has_words or _kind(value) == "boolean"):
            positions[at] = by_word.get(_text(value).lower())
        elif positions[at] is None and not isinstance(value, str):
            positions[at] = by_number.get(value)
    return positions


def _unambiguous(pairs: Iterable[tuple[Any, int]]) -> dict[Any, int]:
    """The positions by keys, without the keys that occur twice."""
    places: dict[Any, int] = {}
    twice = set()
    for key, at in pairs:
        if places.setdefault(key, at) != at:
            twice.add(key)
    return {key: at for key, at in places.items() if key not in twice}


def same_labels(some: Sequence[Label], others: Sequence[Label]) -> bool:
    """Whether the states are the same and in the same order, whatever their type."""
    return texts(some) == texts(others)


def _plain(value: Any) -> Any:
    """The Python value of a numpy scalar, without importing numpy, as the scores import this module."""
    return value.item() if getattr(value, "shape", None) == () and hasattr(value, "item") else value


def _text(value: Any) -> str:
    """A value as the text of a label: 1.0 becomes 1, and types of numpy leave no trace."""
    value = _plain(value)
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _kind(value: Any) -> LabelKind:
    value = _plain(value)
    if isinstance(value, bool):
        return "boolean"
    is_whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return "integer" if is_whole else "text"


def _is_gap(value: Any) -> bool:
    value = _plain(value)
    is_nan = isinstance(value, float) and value != value
    return value is None or is_nan or type(value).__name__ in ("NAType", "NaTType")
