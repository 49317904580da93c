"""Which method can honour which kind of knowledge."""

from __future__ import annotations

from credenet.errors import KnowledgeError
from credenet.knowledge import Knowledge
from credenet.learners.methods import METHOD_NAMES

# Kinds that are about more than one family, with the methods that can honour them; all others go into the families.
_BRANCH_AND_CUT = frozenset({"auto", "ilp"})
_HONOURED_BY: dict[str, frozenset[str]] = {
    "adjacent": _BRANCH_AND_CUT,
    "ancestral": _BRANCH_AND_CUT,
    "not_ancestral": _BRANCH_AND_CUT,
    "min_edges": _BRANCH_AND_CUT,
    "max_edges": _BRANCH_AND_CUT,
    "min_roots": _BRANCH_AND_CUT,
    "max_roots": _BRANCH_AND_CUT,
    "no_immoralities": _BRANCH_AND_CUT,
    "forbidden_immoralities": _BRANCH_AND_CUT,
    "independences": _BRANCH_AND_CUT,
}


def global_kinds(knowledge: Knowledge) -> list[str]:
    """The kinds of what is known that are about more than one family."""
    values = {kind: getattr(knowledge, kind) for kind in _HONOURED_BY}
    return [kind for kind, value in values.items() if value is not None and value is not False and value != ()]


def check_supported(knowledge: Knowledge | None, method: str) -> None:
    """Refuses knowledge that a method would not obey, naming the methods that can."""
    for kind in [] if knowledge is None else global_kinds(knowledge):
        if method not in _HONOURED_BY[kind]:
            able = " or ".join(name for name in METHOD_NAMES if name in _HONOURED_BY[kind])
            advice = f"use {able}" if method in METHOD_NAMES else f"learn can, by {able}"
            raise KnowledgeError(f"{method} cannot honour {kind}; {advice}")
