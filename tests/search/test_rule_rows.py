"""Rows of the linear program that follow from knowledge: no network that obeys is cut off, all others are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from constraint_cases import all_networks, drawn_table, obedient
from credenet import Knowledge
from credenet.search.ilp.constraints import Constraints
from credenet.search.ilp.rule_rows import AdjacentRow, CountRow, LeadsOutRow, NoPathRow, RuleRow, ShieldedRow, TrailRow

ROW_KNOWLEDGE: list[dict[str, Any]] = [
    {"min_edges": 3, "max_edges": 5},
    {"min_roots": 2},
    {"max_roots": 1},
    {"adjacent": [("v0", "v2"), ("v1", "v3")]},
    {"ancestral": [("v0", "v2"), ("v3", "v2")]},
    {"not_ancestral": [("v0", "v2"), ("v1", "v3")]},
    {"no_immoralities": True},
    {"forbidden_immoralities": [("v0", "v2", "v1"), ("v3", "v2", "v1")]},
    {"independences": [("v0", "v1")]},
    {"independences": [("v0", "v1", "v2")]},
    {"independences": [(["v0", "v3"], "v1", "v2")]},
    {"independences": [("v0", "v1", ["v2", "v3"])]},
]


@pytest.mark.parametrize("rules", ROW_KNOWLEDGE, ids=str)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_rows_cut_off_what_does_not_obey_and_nothing_else(rules: dict[str, Any], seed: int) -> None:
    families = drawn_table(0, 4)
    flat = families.flat()
    constraints = Constraints(Knowledge(**rules), families.variables)
    rng = np.random.default_rng(seed)
    networks = all_networks(4)
    obeying_ = networks[obedient(constraints.knowledge, 4)]
    first = constraints.first_rows()
    mixed = [rng.dirichlet(np.ones(3)) @ networks[rng.integers(0, len(networks), 3)] for _ in range(10)]
    for x in [*mixed, *networks[rng.integers(0, len(networks), 20)]]:
        rows: list[RuleRow] = [*first, *constraints.find_violated(flat, x, 0.01)]
        terms = [row.terms(flat) for row in rows]
        assert all(row.follows_from(constraints.rules) for row in rows)
        violations = [term @ x - row.limit for row, term in zip(rows, terms, strict=True)]
        assert all(violation >= 0.01 for violation in violations[len(first) :])
        assert all((obeying_ @ term <= row.limit).all() for row, term in zip(rows, terms, strict=True))
        is_network = bool((x % 1 == 0).all())
        assert not is_network or constraints.obeys(flat, np.flatnonzero(x)) or max(violations) > 0


def test_rows_that_do_not_follow_are_told() -> None:
    knowledge = Knowledge(
        adjacent=[("v0", "v1")],
        ancestral=[("v0", "v3")],
        max_edges=4,
        forbidden_immoralities=[("v0", "v2", "v1")],
        independences=[("v1", "v3", "v2")],
    )
    rules = Constraints(knowledge, ("v0", "v1", "v2", "v3")).rules
    separation = ((1,), (3,), (2,))
    right: list[RuleRow] = [
        AdjacentRow(0, 1),
        CountRow("edges", False, 4),
        ShieldedRow(0, 2, 1),
        LeadsOutRow(0, 3, frozenset({0, 1})),
        NoPathRow(3, 0, (), 1, frozenset({0, 1, 3})),
        NoPathRow(1, 3, (2,), 1, frozenset({0, 1, 3})),
        TrailRow(separation, ((1, 0), (0, 3))),
        TrailRow(separation, ((1, 2), (3, 2))),
    ]
    wrong: list[RuleRow] = [
        AdjacentRow(0, 2),
        CountRow("edges", False, 3),
        CountRow("edges", True, 4),
        CountRow("roots", False, 4),
        ShieldedRow(0, 3, 1),
        ShieldedRow(0, 0, 1),
        LeadsOutRow(0, 2, frozenset({0, 1})),
        LeadsOutRow(0, 3, frozenset({0, 1, 3})),
        LeadsOutRow(0, 3, frozenset({1})),
        NoPathRow(0, 3, (), 1, frozenset({0, 3})),
        NoPathRow(1, 3, (), 1, frozenset({1, 3})),
        NoPathRow(1, 3, (2,), 1, frozenset({1, 2, 3})),
        NoPathRow(1, 3, (2,), 4, frozenset({0, 1, 3})),
        TrailRow(separation, ((1, 2), (2, 3))),
        TrailRow(separation, ((1, 0),)),
        TrailRow(separation, ()),
        TrailRow(separation, ((1, 0), (0, 3), (9, 3))),
        LeadsOutRow(0, 3, frozenset({0, 9})),
        NoPathRow(1, 3, (2,), 1, frozenset({1, 3, -1})),
        TrailRow(((1,), (3,), ()), ((1, 0), (0, 3))),
    ]
    assert all(row.follows_from(rules) for row in right)
    assert not any(row.follows_from(rules) for row in wrong)
