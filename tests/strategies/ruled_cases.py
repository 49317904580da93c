"""Rows of a few variables with random rules, and all networks that obey these."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import polars as pl
from hypothesis import assume
from hypothesis import strategies as st

import brute
import credenet
from brute import Arcs
from credenet import Dataset, Knowledge
from credenet.errors import KnowledgeError
from slow_directions import PlainRules
from slow_learning import all_scores

NAMES = ("a", "b", "c", "d")


@st.composite
def ruled_cases(draw: st.DrawFn) -> tuple[Dataset, PlainRules, Knowledge]:
    """Rows that depend on each other in a chain, and rules of several kinds; also none at all."""
    names = NAMES[: draw(st.integers(2, 4))]
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n_rows, noise = draw(st.integers(20, 120)), draw(st.floats(0.1, 0.5))
    codes = rng.integers(0, 2, (n_rows, len(names)))
    for child in range(1, len(names)):
        parent = int(rng.integers(0, child))
        is_copied = rng.random(n_rows) > noise
        codes[is_copied, child] = codes[is_copied, parent]
    codes[0], codes[1] = 0, 1  # No variable has a single state.
    order = rng.permutation(len(names))
    columns = {name: [str(code) for code in codes[:, order[at]]] for at, name in enumerate(names)}
    given = draw(rules_over(names))
    try:
        knowledge = Knowledge(**given)
        knowledge.allowed(names)
    except KnowledgeError:
        assume(False)
    return Dataset.from_frame(pl.DataFrame(columns)), PlainRules(names, given), knowledge


@st.composite
def rules_over(draw: st.DrawFn, names: tuple[str, ...]) -> dict[str, Any]:
    """Keywords of `Knowledge`; each kind of rule is often absent."""
    given: dict[str, Any] = {}
    edges = list(permutations(names, 2))
    if draw(st.booleans()):
        tier = {name: draw(st.integers(0, 2)) for name in names}
        given["tiers"] = [[name for name in names if tier[name] == at] for at in (0, 1)]
    if draw(st.booleans()):
        given["forbidden"] = draw(st.lists(st.sampled_from(edges), max_size=2, unique=True))
    if draw(st.integers(0, 3)) == 0:
        given["required"] = draw(st.lists(st.sampled_from(edges), max_size=1))
    if draw(st.integers(0, 2)) == 0:
        given["no_parents"] = draw(st.lists(st.sampled_from(names), max_size=1))
    if draw(st.integers(0, 2)) == 0:
        given["max_parents"] = {draw(st.sampled_from(names)): draw(st.integers(1, 2))}
    return given


def obeying_networks(data: Dataset, rules: PlainRules, score: str) -> list[tuple[Arcs, float]]:
    """All networks that obey the rules, with their scores."""
    scores = all_scores(credenet.score_families(data, score=score, slack=1e9)).tolist()
    return [
        (arcs, value) for arcs, value in zip(brute.all_dags(len(rules.names)), scores, strict=True) if rules.obey(arcs)
    ]
