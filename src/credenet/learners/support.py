"""Which method can honour which kind of knowledge."""

from __future__ import annotations

from credenet.errors import KnowledgeError
from credenet.knowledge import Knowledge
from credenet.learners.methods import METHOD_NAMES

# Kinds that not every method can honour, with those that can; all others go into the families.
_HONOURED_BY: dict[str, frozenset[str]] = {
    kind: frozenset()
    for kind in (
        "adjacent",
        "ancestral",
        "not_ancestral",
        "min_edges",
        "max_edges",
        "min_roots",
        "max_roots",
        "no_immoralities",
        "forbidden_immoralities",
        "independences",
    )
}
_HONOURED_BY["max_parents"] = frozenset(METHOD_NAMES) - {"pc", "rai"}


def check_supported(knowledge: Knowledge | None, method: str) -> None:
    """Refuses knowledge that a method would not obey, naming the methods that can."""
    if knowledge is None:
        return
    for kind, methods in _HONOURED_BY.items():
        rule = getattr(knowledge, kind)
        if rule is None or rule is False or rule == () or method in methods:
            continue
        able = [name for name in METHOD_NAMES if name in methods]
        advice = f"use {' or '.join(able)}" if able else "no method of this version can"
        raise KnowledgeError(f"{method} cannot honour {kind}; {advice}")
