"""The class of a network, given rules on paths and numbers of parents, against all its members."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

import brute
from brute import Arcs
from credenet import DAG, Knowledge
from credenet.errors import KnowledgeError
from credenet.knowledge.equivalence import class_given
from credenet.priors import InDegree

NAMES = ("a", "b", "c", "d", "e")


def named(arcs: Arcs, names: tuple[str, ...]) -> DAG:
    return DAG(names, [(names[a], names[b]) for a, b in arcs])


@st.composite
def networks(draw: st.DrawFn) -> tuple[Arcs, tuple[str, ...]]:
    n = draw(st.integers(3, 5))
    order = draw(st.permutations(range(n)))
    density = draw(st.sampled_from((0.5, 0.75, 1.0)))
    pairs = [(order[a], order[b]) for a in range(n) for b in range(a + 1, n)]
    return frozenset(pair for pair in pairs if draw(st.floats(0, 1)) <= density), NAMES[:n]


@settings(max_examples=300, deadline=None)
@given(networks(), st.data())
def test_rules_on_ancestors_and_numbers_of_parents(case: tuple[Arcs, tuple[str, ...]], data: st.DataObject) -> None:
    arcs, names = case
    dag = named(arcs, names)
    pairs = st.lists(st.sampled_from([(a, b) for a in names for b in names if a != b]), max_size=3, unique=True)
    held = {True: [], False: []}  # type: dict[bool, list[tuple[str, str]]]
    for a, b in data.draw(pairs):
        held[b in dag.descendants(a)].append((a, b))
    limits = {name: len(dag.parents(name)) for name in data.draw(st.lists(st.sampled_from(names), max_size=2))}
    in_prior = data.draw(st.booleans())
    rules: dict[str, Any] = {"ancestral": held[True], "not_ancestral": held[False]}
    rules["forbidden"] = [edge for edge in data.draw(pairs) if edge not in dag.edges]
    try:
        whole = Knowledge(**rules, max_parents=limits)
        whole.allowed(names)
    except KnowledgeError:
        assume(False)
    knowledge, prior = (Knowledge(**rules), InDegree(limits)) if in_prior else (whole, None)
    members = [each for each in brute.members(len(names), arcs) if not whole.violations(named(each, names))]
    directed, undirected = brute.common(members)
    found = class_given(dag, knowledge, prior)
    assert set(found.directed) == {(names[a], names[b]) for a, b in directed}
    assert {frozenset(edge) for edge in found.undirected} == {
        frozenset(names[at] for at in pair) for pair in undirected
    }


def test_edges_elsewhere_do_not_hide_what_a_rule_determines() -> None:
    """The class has 3 * 2 ** 27 networks, of which a rule on ancestors is about three variables."""
    names = [f"v{at}" for at in range(60)]
    dag = DAG(names, [("v0", "v1"), ("v1", "v2"), *((names[at], names[at + 1]) for at in range(5, 59, 2))])
    assert class_given(dag, Knowledge(ancestral=[("v0", "v2")])).directed == (("v0", "v1"), ("v1", "v2"))
