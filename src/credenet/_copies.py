"""Copies of results, in this process or another: what pickle and deepcopy cannot take is put into a form that they can.

A read-only mapping travels as a dictionary. An object of the core is not copied but made again when it is needed.
"""

from __future__ import annotations

from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from _typeshed import DataclassInstance


class _SentMapping(dict[Any, Any]):
    """A read-only mapping on its way."""


def copy_fields(instance: DataclassInstance) -> tuple[Any, ...]:
    """The result of ``__reduce__`` for a dataclass: its fields, with read-only mappings in a picklable form."""
    values = {each.name: getattr(instance, each.name) for each in fields(instance)}
    sent = {
        name: _SentMapping(value) if isinstance(value, MappingProxyType) else value for name, value in values.items()
    }
    return _class_arguments, (type(instance), sent)


def _class_arguments(kind: type[Any], sent: dict[str, Any]) -> Any:
    return kind(
        **{name: _read_only(value) if isinstance(value, _SentMapping) else value for name, value in sent.items()}
    )


def _read_only(values: _SentMapping) -> Mapping[Any, Any]:
    return MappingProxyType(dict(values))
