"""The decision tree over pairs, against a search through all questions."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet.explorer.contract import Split
from credenet.explorer.distinctions import decision_tree
from credenet.graphs import DAG, PDAG

NAMES = ("a", "b", "c", "d")


@st.composite
def weighted_classes(draw: st.DrawFn) -> tuple[list[PDAG], list[float]]:
    pairs = list(combinations(NAMES, 2))
    sets = draw(st.lists(st.lists(st.sampled_from(pairs), unique=True), min_size=1, max_size=8))
    classes = list(dict.fromkeys(DAG(NAMES, edges).cpdag() for edges in sets))
    weights = draw(st.lists(st.floats(0.05, 1), min_size=len(classes), max_size=len(classes)))
    return classes, weights


def reply_to(graph: PDAG, a: str, b: str, question: str) -> str | None:
    """What a class replies; None to the direction of a pair that is not joined."""
    if (a, b) in graph.directed:
        direction = "forward"
    elif (b, a) in graph.directed:
        direction = "backward"
    elif (a, b) in graph.undirected or (b, a) in graph.undirected:
        direction = "undetermined"
    else:
        return "no" if question == "joined" else None
    return "yes" if question == "joined" else direction


def entropy(shares: list[float]) -> float:
    return -math.fsum(share * math.log(share) for share in shares if share > 0)


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
    questions: dict[tuple[int, int, str], dict[str, list[tuple[PDAG, float]]]] = {}
    for a, b in combinations(range(len(NAMES)), 2):
        for what in ("joined", "direction"):
            replies = {reply_to(one, NAMES[a], NAMES[b], what) for one, _ in members}
            if None not in replies:
                questions[a, b, what] = {
                    str(reply): [pair for pair in members if reply_to(pair[0], NAMES[a], NAMES[b], what) == reply]
                    for reply in replies
                }
    told = {
        question: entropy([math.fsum(weight for _, weight in part) / share for part in parts.values()])
        for question, parts in questions.items()
    }
    if node["question"] is None:
        assert node["branches"] == []
        assert len(members) == 1  # So few classes are all distinguished.
        return
    assert told[node["question"]] == pytest.approx(max(told.values()))
    assert {branch["reply"] for branch in node["branches"]} == set(questions[node["question"]])
    for branch in node["branches"]:
        check_node(branch["node"], questions[node["question"]][branch["reply"]])


def leaves_of(node: Split) -> list[Split]:
    return [leaf for branch in node["branches"] for leaf in leaves_of(branch["node"])] or [node]


def test_adjacency_is_asked_before_direction() -> None:
    """Of a pair that some classes do not join, a direction is asked only where the rest join it."""
    classes = [DAG.parse(text).cpdag() for text in ("a -> b; c", "a; b -> c", "a -> b -> c", "a -> b <- c")]
    tree = decision_tree(classes, [1, 1, 1, 1])
    leaves = leaves_of(tree)
    assert sorted(leaf["classes"] for leaf in leaves) == [1, 1, 1, 1]
    assert sum(leaf["share"] for leaf in leaves) == pytest.approx(1)
    assert tree["question"] is not None
    assert tree["question"][2] == "joined"


def test_a_direction_has_three_replies() -> None:
    classes = [
        PDAG(("a", "b"), [("a", "b")], []),
        PDAG(("a", "b"), [("b", "a")], []),
        PDAG(("a", "b"), [], [("a", "b")]),
    ]
    tree = decision_tree(classes, [0.5, 0.3, 0.2])
    assert tree["question"] == (0, 1, "direction")
    assert {branch["reply"]: branch["node"]["share"] for branch in tree["branches"]} == pytest.approx(
        {"forward": 0.5, "backward": 0.3, "undetermined": 0.2}
    )


def test_one_class() -> None:
    tree = decision_tree([credenet.textbook.asia().dag.cpdag()], [0.3])
    assert tree == {"share": 1.0, "classes": 1, "question": None, "branches": []}
