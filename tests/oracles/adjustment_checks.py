"""Adjustment sets against their meaning: adjusting gives the effect, and a PDAG says what all its extensions say."""

from __future__ import annotations

import pytest

import brute
from credenet.errors import GraphError
from credenet.graphs import DAG, PDAG
from graph_strategies import as_arcs
from slow_effects import gives_effect, random_factors


def text(places: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(map(str, places))


def check_sets(dag: DAG, x: tuple[int, ...], y: tuple[int, ...]) -> None:
    """All sets of a DAG, for tables drawn at random, in which only what always holds is true."""
    factors = random_factors(len(dag), as_arcs(dag))
    others = set(range(len(dag))) - {*x, *y}
    valid = [z for z in brute.subsets(sorted(others)) if gives_effect(factors, x, y, z)]
    for z in brute.subsets(sorted(others)):
        assert dag.is_adjustment_set(text(x), text(y), text(z)) == (z in valid), (str(dag), x, y, z)
    sets = dag.adjustment_sets(text(x), text(y))
    minimal = [z for z in valid if not any(set(other) < set(z) for other in valid)]
    assert sets.complete
    assert list(sets.minimal) == sorted(map(text, minimal), key=lambda each: (len(each), each))
    arcs = as_arcs(dag)
    parents = tuple(sorted(brute.parents(arcs, x[0])))
    assert sets.parents == (text(parents) if len(x) == 1 and parents in valid else None)
    below = set().union(*(brute.descendants(arcs, node) for node in x))
    assert sets.has_effect == bool(set(y) & below)
    if not set(y) <= below or not valid:
        assert sets.optimal is None
    else:
        assert sets.optimal is not None
        assert tuple(map(int, sets.optimal)) in valid


def check_class(pdag: PDAG, members: list[DAG], x: int, y: int) -> None:
    """Checks that the sets of a PDAG are those that all its extensions share."""
    found = pdag.possible_parents(str(x))
    assert list(map(len, found)) == sorted(map(len, found))
    assert len(set(found)) == len(found)
    assert set(found) == {dag.parents(str(x)) for dag in members}
    others = sorted(set(range(len(pdag))) - {x, y})
    names = (str(x), str(y))
    shared = [z for z in brute.subsets(others) if all(dag.is_adjustment_set(*names, text(z)) for dag in members)]
    assert [z for z in brute.subsets(others) if pdag.is_adjustment_set(*names, text(z))] == shared
    effects = {y in brute.descendants(as_arcs(dag), x) for dag in members}
    if not pdag.is_amenable(*names):
        assert shared == []
        with pytest.raises(GraphError, match=rf"does not tell the effect of {x} on {y}: the edge {x} -- \d"):
            pdag.adjustment_sets(*names)
        return
    assert len(effects) == 1
    parents = pdag.adjustment_sets(*names).parents
    assert parents == (pdag.meek().parents(str(x)) if parents is not None else None)
    assert parents is None or tuple(map(int, parents)) in shared
    assert {(dag.adjustment_sets(*names).optimal) for dag in members} == {pdag.adjustment_sets(*names).optimal}
    assert {(dag.adjustment_sets(*names).minimal) for dag in members} == {pdag.adjustment_sets(*names).minimal}
