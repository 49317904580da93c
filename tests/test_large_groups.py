"""Credible networks by splitting groups that are too large for a table, here of all sizes, against all networks."""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from credenet import FamilyTable, credible_networks
from credenet.credibility import listing
from credibility_tables import WHOLE, credible, tables
from test_credibility import SLACKS, check


@pytest.fixture
def small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups of more than two variables are split, until at most two hang together."""
    monkeypatch.setattr(listing, "LARGEST_TABLE", 2)
    monkeypatch.setattr(listing, "LARGEST_LEAF", 2)
    monkeypatch.setattr(listing, "LARGEST_RESORT", 0)


FORCED = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@FORCED
@given(families=tables(), slack=SLACKS, n_threads=st.sampled_from([1, 3]))
def test_all_credible_networks(small_tables: None, families: FamilyTable, slack: float, n_threads: int) -> None:
    found = credible_networks(families, slack=slack, n_threads=n_threads)
    assert found.complete
    expected = credible(families, slack)
    assert found.optimum == pytest.approx(expected.optimum, abs=1e-9)
    if len(expected.networks) <= 3000:
        check(found, expected)
    else:
        assert found.n_networks == len(expected.networks)


@FORCED
@given(families=tables(4, with_empty=False), slack=SLACKS)
def test_families_without_the_empty_set(small_tables: None, families: FamilyTable, slack: float) -> None:
    found = credible_networks(families, slack=slack)
    expected = credible(families, slack)
    if not expected.networks:
        assert found.status == "infeasible"
        assert found.n_networks == 0
    else:
        check(found, expected)


def test_many_variables_that_hang_together() -> None:
    """A ring of which at least one arc must be missing, each of which costs 1."""
    names = [f"v{k}" for k in range(70)]
    ring = {name: [(-1.0, []), (0.0, [names[at - 1]])] for at, name in enumerate(names)}
    found = credible_networks(FamilyTable.from_lists(ring, made=WHOLE), bayes_factor=20)
    assert found.complete
    assert found.optimum == -1
    assert found.n_networks == math.comb(70, 1) + math.comb(70, 2) + math.comb(70, 3)
    edges = found.edge_probabilities()
    assert len(edges) == 70
    assert max(edges.values()) == pytest.approx(min(edges.values()), rel=1e-8)
