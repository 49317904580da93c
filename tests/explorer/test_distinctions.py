"""The decision tree over edges, against a search through all questions."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet.explorer.contract import Split
from credenet.explorer.distinctions import MARKS, decision_tree
from credenet.graphs import DAG, PDAG

NAMES = ("a", "b", "c", "d")


@st.composite
def weighted_classes(draw: st.DrawFn) -> tuple[list[PDAG], list[float]]:
    pairs = list(combinations(NAMES, 2))
    sets = draw(st.lists(st.lists(st.sampled_from(pairs), unique=True), min_size=1, max_size=8))
    classes = list(dict.fromkeys(DAG(NAMES, edges).cpdag() for edges in sets))
    weights = draw(st.lists(st.floats(0.05, 1), min_size=len(classes), max_size=len(classes)))
    return classes, weights


def holds(graph: PDAG, a: str, b: str, mark: str) -> bool:
    edges = {"forward": ((a, b), graph.directed), "backward": ((b, a), graph.directed)}
    if mark == "undirected":
        return (a, b) in graph.undirected or (b, a) in graph.undirected
    edge, known = edges[mark]
    return edge in known


def entropy(share: float) -> float:
    return 0.0 if share <= 0 or share >= 1 else -share * math.log(share) - (1 - share) * math.log(1 - share)


@settings(max_examples=60, deadline=None)
@given(weighted_classes())
def test_each_question_tells_most(drawn: tuple[list[PDAG], list[float]]) -> None:
    classes, weights = drawn
    total = sum(weights)
    check_node(
        decision_tree(classes, weights), [(one, weight / total) for one, weight in zip(classes, weights, strict=True)]
    )


def check_node(node: Split, members: list[tuple[PDAG, float]]) -> None:
    share = math.fsum(weight for _, weight in members)
    assert node["share"] == pytest.approx(share)
    assert node["classes"] == len(members)
    questions = [(a, b, mark) for a, b in combinations(range(len(NAMES)), 2) for mark in MARKS]
    shares = {
        (a, b, mark): math.fsum(w for one, w in members if holds(one, NAMES[a], NAMES[b], mark)) / share
        for a, b, mark in questions
    }
    best = max(entropy(chance) for chance in shares.values())
    question = node["question"]
    if question is None:
        assert (node["yes"], node["no"]) == (None, None)
    else:
        assert entropy(shares[question]) == pytest.approx(best)
        a, b, mark = question
        answers = [
            [pair for pair in members if holds(pair[0], NAMES[a], NAMES[b], mark) == is_yes] for is_yes in (True, False)
        ]
        assert node["yes"] is not None
        assert node["no"] is not None
        check_node(node["yes"], answers[0])
        check_node(node["no"], answers[1])


def test_few_classes_are_told_apart() -> None:
    classes = [DAG.parse(text).cpdag() for text in ("a -> b; c", "a; b -> c", "a -> b -> c", "a -> b <- c")]
    tree = decision_tree(classes, [1, 1, 1, 1])
    leaves: list[Split] = []
    stack = [tree]
    while stack:
        node = stack.pop()
        inner = [child for child in (node["yes"], node["no"]) if child is not None]
        stack += inner
        leaves += [] if inner else [node]
    assert sorted(leaf["classes"] for leaf in leaves) == [1, 1, 1, 1]
    assert sum(leaf["share"] for leaf in leaves) == pytest.approx(1)


def test_one_class() -> None:
    tree = decision_tree([credenet.textbook.asia().dag.cpdag()], [0.3])
    assert tree == {"share": 1.0, "classes": 1, "question": None, "yes": None, "no": None}
