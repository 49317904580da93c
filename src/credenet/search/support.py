"""The kinds of knowledge that each method can honour."""

from __future__ import annotations

from typing import get_args

from credenet.errors import KnowledgeError
from credenet.knowledge.kinds import is_given
from credenet.knowledge.knowledge import Knowledge
from credenet.settings.method_bases import GLOBAL_KINDS, MAX_PARENTS, MethodAbilities
from credenet.settings.methods import METHODS, Method

_MOST_NAMED = 4  # Methods that an error names at most.


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
            able = [each.short_name for each in get_args(Method) if kind in each.honours and not each.needs_tree_width]
            named = " or ".join(able[:_MOST_NAMED])
            advice = f"use {named}" if method.short_name in METHODS.names else f"learn can, by {named}"
            if method.needs_tree_width:
                advice += ", without tree_width"
            raise KnowledgeError(f"{method.short_name} cannot honour {kind}; {advice}")
