"""The kinds of knowledge that each method can honour."""

from __future__ import annotations

from typing import get_args

from credenet.errors import KnowledgeError
from credenet.knowledge.kinds import is_given
from credenet.knowledge.knowledge import Knowledge
from credenet.settings.method_bases import GLOBAL_KINDS, MAX_PARENTS, MethodAbilities
from credenet.settings.methods import METHODS, Method


def check_supported(knowledge: Knowledge | None, method: MethodAbilities) -> None:
    """Refuses knowledge that a method would not obey; the error names the methods that obey it."""
    if knowledge is None:
        return
    if not knowledge.isolate_constant and not method.joins_constant:
        raise KnowledgeError(
            f"{method.short_name} gives no edges to variables with one observed state, so that isolate_constant=False "
            "has no effect; methods that search by a score take it"
        )
    for kind in (*GLOBAL_KINDS, MAX_PARENTS):
        if is_given(knowledge, kind) and kind not in method.honours:
            able = " or ".join(other.short_name for other in get_args(Method) if kind in other.honours)
            advice = f"use {able}" if method.short_name in METHODS.names else f"learn can, by {able}"
            raise KnowledgeError(f"{method.short_name} cannot honour {kind}; {advice}")
