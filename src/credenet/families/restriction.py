"""Restricts a table to the families that obey knowledge, and refuses knowledge for which the table is not valid."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import numpy as np

from credenet._text import listing
from credenet.errors import ArgumentError, KnowledgeError
from credenet.families.arrays import prefix_sums
from credenet.families.table import FamilyTable
from credenet.knowledge.knowledge import Knowledge
from credenet.settings.priors import Prior
from credenet.settings.scores import Score

_MOST_NAMED = 8  # Variables that an error lists.


def check_options(
    families: FamilyTable,
    score: Score | None,
    prior: Prior | None,
    states: Literal["declared", "observed"] | None,
    max_parents: int | None,
) -> None:
    """Refuses options that differ from those of the table."""
    made = families.made
    wanted = [
        ("score", score, made.score),
        ("prior", None if prior is None else prior.modular_part(), made.prior),
        ("states", states, made.states),
    ]
    for name, asked, known in wanted:
        if asked is not None and known is not None and str(asked) != known:
            raise ArgumentError(f"the table was made with the {name} {known}, not {asked}; score the data again")
    if max_parents is not None and made.max_parents is not None and max_parents > made.max_parents:
        raise ArgumentError(
            f"max_parents is {max_parents}, but the table was made with at most {made.max_parents} parents; "
            f"score the data again with max_parents={max_parents}"
        )


def restrict_families(families: FamilyTable, knowledge: Knowledge | None) -> tuple[FamilyTable, Knowledge | None]:
    """The families that obey the table's own knowledge and the given one, and these two combined."""
    made = families.made
    before = None if made.knowledge is None else Knowledge.from_dict(made.knowledge)
    if knowledge is None or knowledge == before:
        return families, before
    if made.slack is None or made.slack < math.inf:
        _check_pruning(before or Knowledge(), knowledge)
    if not knowledge.isolate_constant and (before is None or before.isolate_constant) and made.isolated:
        raise KnowledgeError(
            f"the table was made without edges of {listing(made.isolated, _MOST_NAMED)}, of which one state occurs; "
            "score the data again with isolate_constant=False"
        )
    both = knowledge if before is None else before.combine(knowledge, families.variables)
    kept = _obeying(families, both)
    return kept.with_info(replace(kept.made, knowledge=both.to_dict())), both


def _check_pruning(before: Knowledge, knowledge: Knowledge) -> None:
    """Refuses knowledge under which a network may need a parent set that was pruned for a better subset."""
    known = set(before.required)
    missing = [edge for edge in knowledge.required if edge not in known]
    if missing:
        parent, child = missing[0]
        raise KnowledgeError(
            f"the edge {parent!r} -> {child!r} is required, but the table was pruned without knowing that, so families "
            "that it needs may be gone; score the data again with this knowledge"
        )
    if knowledge.makes_subset_pruning_unsafe and not before.makes_subset_pruning_unsafe:
        raise KnowledgeError(
            "the knowledge may need families that the table dropped for better subsets; score the data again with it "
            "(none is dropped then, so give max_parents if there are many variables), or, if it is sure that none was "
            "dropped, say so: families.with_info(replace(families.made, slack=math.inf))"
        )


def _obeying(families: FamilyTable, knowledge: Knowledge) -> FamilyTable:
    rules = knowledge.allowed(families.variables)
    flat = families.flat()
    n = len(families.variables)
    required = np.zeros((n, n), dtype=np.bool_)  # Indexed by child and parent.
    for child in range(n):
        required[child, list(rules.required[child])] = True
    child_of_family = flat.children
    children = np.repeat(child_of_family, flat.sizes)
    wrong = prefix_sums(~rules.possible[children, flat.parents])
    right = prefix_sums(required[children, flat.parents])
    keep = wrong[flat.offsets[1:]] == wrong[flat.offsets[:-1]]
    keep &= right[flat.offsets[1:]] - right[flat.offsets[:-1]] == required.sum(axis=1)[child_of_family]
    keep &= flat.sizes <= np.array(rules.max_parents)[child_of_family]
    kept = families.filter(keep)
    empty = np.flatnonzero(np.diff(kept.flat().starts) == 0)
    if empty.size:
        raise KnowledgeError(f"no family of {families.variables[empty[0]]!r} in the table obeys the knowledge")
    return kept
