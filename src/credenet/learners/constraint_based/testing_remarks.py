"""Remarks on tests of independence: those that were refused, and those that left too many edges for the time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from credenet._text import count
from credenet.settings.tests import G2, ChiSquared, DataTest, Test

FEW_ORDERS = 2
"""Orders of tests up to which counting degrees of freedom otherwise saves little time."""


def refusal_remarks(
    test: Test, tests: Mapping[int, int], refused: Mapping[int, int], n_unjudged: int = 0
) -> tuple[str, ...]:
    """A remark if tests were refused; ``n_unjudged`` edges had no other test."""
    number = sum(refused.values())
    if not number or not isinstance(test, DataTest):
        return ()
    edges = f"; {count(n_unjudged, 'edge')} of the graph had no other test" if n_unjudged else ""
    return (
        f"{number:,} of {count(sum(tests.values()), 'test')} were refused, as there were fewer than "
        f"{test.min_rows_per_cell:g} rows per cell, and a refused test removes no edge{edges}",
    )


def dense_graph_remarks(test: Test, tests: Mapping[int, int]) -> tuple[str, ...]:
    """A remark for tests that ran out of time with degrees of freedom that let sparse tables pass for dependence.

    With ``adjusted`` degrees of freedom a stratum counts only the states that occur in it. Where strata have few rows,
    G² and χ² are larger than their asymptotic distribution says, so edges stay, and there are ever more sets to test.
    """
    if not isinstance(test, G2 | ChiSquared) or test.df != "adjusted" or len(tests) <= FEW_ORDERS:
        return ()
    instead = replace(test, df="observed")
    return (
        f"{test.short_name} with df=adjusted keeps many edges where strata have few rows, and each makes more tests; "
        f"test='{instead}' keeps fewer and ends sooner",
    )
