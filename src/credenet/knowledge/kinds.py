"""The kinds of knowledge that are about whole networks, not about single families."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credenet.settings.method_bases import GLOBAL_KINDS

if TYPE_CHECKING:
    from credenet.knowledge.knowledge import Knowledge


def global_kinds(knowledge: Knowledge) -> list[str]:
    """The kinds of the given rules that are about more than one family."""
    return [kind for kind in GLOBAL_KINDS if is_given(knowledge, kind)]


def is_given(knowledge: Knowledge, kind: str) -> bool:
    """Whether a rule of this kind is given."""
    value = getattr(knowledge, kind)
    return value is not None and value is not False and value != () and value != {}
