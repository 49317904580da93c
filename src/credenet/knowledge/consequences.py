"""Sentences on the consequences of knowledge for the variables of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from credenet._text import count, listing
from credenet.knowledge.kinds import global_kinds

if TYPE_CHECKING:
    from credenet.knowledge.knowledge import Knowledge

_MOST_NAMED = 8  # Names or edges that a sentence lists at most.


def consequences(knowledge: Knowledge, variables: Sequence[str]) -> list[str]:
    """One sentence for each kind of consequence: required and impossible edges, causes, effects, limits."""
    names, allowed = tuple(variables), knowledge.allowed(variables)
    required = [
        f"{names[parent]} -> {child}"
        for child, parents in zip(names, allowed.required, strict=True)
        for parent in parents
    ]
    causes, effects = allowed.possible.any(axis=0), allowed.possible.any(axis=1)
    n_edges = len(names) * (len(names) - 1)
    n_possible = int(allowed.possible.sum())
    sentences = [f"required: {listing(required, _MOST_NAMED)}"] if required else []
    for word, may_be in (("effects", effects), ("causes", causes)):
        barred = [names[at] for at in np.flatnonzero(~may_be)]
        if barred and n_possible < n_edges:
            sentences.append(f"cannot be {word}: {listing(barred, _MOST_NAMED)}")
    if n_possible < n_edges:
        sentences.append(f"{n_edges - n_possible:,} of {count(n_edges, 'edge')} are impossible")
    if knowledge.max_parents is not None:
        sentences.append("numbers of parents are limited")
    sentences += [f"{kind.replace('_', ' ')} also restricts whole networks" for kind in global_kinds(knowledge)]
    if not knowledge.isolate_constant:
        sentences.append("variables with one observed state may have edges")
    return sentences or ["the rules leave every network possible"]
