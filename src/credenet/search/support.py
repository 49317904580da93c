"""Which method can honour which kind of knowledge."""

from __future__ import annotations

from credenet.errors import KnowledgeError
from credenet.knowledge.knowledge import Knowledge
from credenet.search.methods import METHODS

# Kinds that are about more than one family.
_GLOBAL_KINDS = (
    *("adjacent", "ancestral", "not_ancestral", "min_edges", "max_edges", "min_roots", "max_roots"),
    *("no_immoralities", "forbidden_immoralities", "independences"),
)
# The methods that can honour a kind; all methods can where it is not here.
_HONOURED_BY = {
    **dict.fromkeys(_GLOBAL_KINDS, frozenset({"auto", "ilp"})),
    "adjacent": frozenset({"auto", "ilp", "hill_climb", "tabu"}),
    "max_parents": frozenset(METHODS.names) - {"pc", "rai"},
}


def global_kinds(knowledge: Knowledge) -> list[str]:
    """The kinds of what is known that are about more than one family."""
    return [kind for kind in _GLOBAL_KINDS if _is_given(knowledge, kind)]


def check_supported(knowledge: Knowledge | None, method: str) -> None:
    """Refuses knowledge that a method would not obey, naming the methods that can."""
    for kind, methods in _HONOURED_BY.items():
        if knowledge is not None and _is_given(knowledge, kind) and method not in methods:
            able = " or ".join(name for name in METHODS.names if name in methods)
            advice = f"use {able}" if method in METHODS.names else f"learn can, by {able}"
            raise KnowledgeError(f"{method} cannot honour {kind}; {advice}")


def _is_given(knowledge: Knowledge, kind: str) -> bool:
    value = getattr(knowledge, kind)
    return value is not None and value is not False and value != () and value != {}
