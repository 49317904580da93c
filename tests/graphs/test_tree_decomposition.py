"""Tree decompositions against their definition, and the elimination orders that they give."""

from __future__ import annotations

from itertools import combinations

import pytest
from credenet.types import TreeDecomposition
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
from credenet import DAG, PDAG
from credenet.errors import GraphError
from graph_strategies import as_arcs, dags


def check_decomposition(found: TreeDecomposition, edges: frozenset[brute.Pair]) -> None:
    """Every variable and every edge is in a bag, and the bags of each variable are connected."""
    bags = [set(map(int, bag)) for bag in found.bags]
    assert set().union(*bags) == set(range(len(found.variables)))
    assert all(any(edge <= bag for bag in bags) for edge in edges)
    assert found.parents[0] == -1
    assert all(0 <= parent < bag for bag, parent in enumerate(found.parents) if bag)
    for variable in range(len(found.variables)):
        inside = [bag for bag in range(len(bags)) if variable in bags[bag]]
        assert sum(variable in bags[found.parents[bag]] for bag in inside if bag) == len(inside) - 1
    assert not found.problems()


def check_order(found: TreeDecomposition, edges: frozenset[brute.Pair]) -> None:
    """The order has each variable once, and its width is at most that of the bags."""
    order = list(map(int, found.elimination_order))
    assert sorted(order) == list(range(len(found.variables)))
    cliques = brute.elimination_cliques(len(order), edges, order)
    assert max(map(len, cliques)) - 1 <= found.width
    within = frozenset(frozenset(map(int, pair)) for bag in found.bags for pair in combinations(bag, 2))
    assert max(map(len, brute.elimination_cliques(len(order), within, order))) - 1 == found.width


@given(dags(max_size=8), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_of_any_elimination_order(dag: DAG, random: object) -> None:
    order = list(dag.variables)
    random.shuffle(order)  # type: ignore[attr-defined]
    found = TreeDecomposition.from_elimination_order(dag, order)
    edges = brute.moral(len(dag), as_arcs(dag))
    check_decomposition(found, edges)
    check_order(found, edges)
    assert found.width == max(map(len, brute.elimination_cliques(len(dag), edges, map(int, order)))) - 1
    assert found.covers(dag)
    assert found.covers(dag.moral())
    sets = list(map(set, found.bags))
    assert not any(one <= other for one, other in combinations(sets, 2))


@given(dags(max_size=7), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_cliques_of_a_chordal_graph_have_a_tree(dag: DAG, random: object) -> None:
    bags = list(TreeDecomposition.from_elimination_order(dag, dag.elimination_order().order).bags)
    random.shuffle(bags)  # type: ignore[attr-defined]
    found = TreeDecomposition.from_cliques(dag.variables, bags)
    check_decomposition(found, brute.moral(len(dag), as_arcs(dag)))
    assert sorted(found.bags) == sorted(bags)


@given(st.lists(st.sets(st.integers(0, 4), min_size=1, max_size=3), max_size=4))
@settings(max_examples=300, deadline=None)
def test_cliques_have_a_tree_if_any_tree_connects_them(cliques: list[set[int]]) -> None:
    names = list(map(str, range(5)))
    bags = [*cliques, *({place} for place in range(5) if not any(place in clique for clique in cliques))]
    if has_tree(bags):
        found = TreeDecomposition.from_cliques(names, [sorted(map(str, clique)) for clique in cliques])
        check_decomposition(found, frozenset(frozenset(pair) for bag in bags for pair in combinations(bag, 2)))
    else:
        with pytest.raises(GraphError, match="the cliques have no tree"):
            TreeDecomposition.from_cliques(names, [sorted(map(str, clique)) for clique in cliques])


def has_tree(bags: list[set[int]]) -> bool:
    """Whether the bags can be removed one by one, each when its shared variables are all in one other bag."""
    left = list(map(set, bags))
    while len(left) > 1:
        for at, bag in enumerate(left):
            others = left[:at] + left[at + 1 :]
            shared = bag & set().union(*others)
            if any(shared <= other for other in others):
                left = others
                break
        else:
            return False
    return True


CHAIN = TreeDecomposition(("a", "b", "c", "d"), (("a", "b"), ("b", "c"), ("c", "d")), (-1, 0, 1))


class TestProblems:
    def test_none(self) -> None:
        assert CHAIN.covers(DAG.parse("a -> b -> c -> d"))
        assert CHAIN.covers(PDAG.parse("a -- b -- c -- d"))

    def test_a_family_outside(self) -> None:
        assert CHAIN.problems(DAG.parse("a -> b -> c <- d")) == ("no bag holds 'c' and its parents 'b', 'd'",)
        assert CHAIN.problems(DAG.parse("a -> d\nb\nc")) == ("no bag holds 'd' and its parent 'a'",)

    def test_an_edge_outside(self) -> None:
        assert CHAIN.problems(PDAG.parse("a -- b -- c -- d\na -- c")) == (
            "no bag holds 'a' and 'c', which are adjacent",
        )

    def test_a_variable_without_a_bag(self) -> None:
        found = TreeDecomposition(("a", "b"), (("a",),), (-1,))
        assert found.problems() == ("no bag holds 'b'",)

    def test_bags_that_are_not_connected(self) -> None:
        found = TreeDecomposition(("a", "b"), (("a",), ("b",), ("a",)), (-1, 0, 1))
        assert found.problems() == ("the bags with 'a' are not connected",)
        assert not found.covers(DAG(["a", "b"]))

    def test_other_variables(self) -> None:
        words = "the graph and the decomposition have different variables: only one has 'e'"
        assert CHAIN.problems(DAG(list("abcde"))) == (words,)


@pytest.mark.parametrize(
    ("bags", "parents", "message"),
    [
        ([["a"]], [-1, 0], "parents must have a number for each of the 1 bag, got 2"),
        ([["a"], ["b"]], [-1, -1], r"parents\[1\] must be at least 0, got -1"),
        ([["a"], ["b"]], [-1, 1], r"parents\[1\] must be at most 0, got 1"),
        ([["a"]], [0], r"parents\[0\] must be at most -1, got 0"),
        ([["a"]], ["x"], r"parents\[0\] must be a whole number, got 'x'"),
        ([["a"], ["e"]], [-1, 0], "unknown variable 'e'"),
        ([["a"], []], [-1, 0], "a bag must have a variable"),
        ([["a", "a"]], [-1], r"a bag must name each variable once, got \['a', 'a'\]"),
        (["ab"], [-1], "a bag must be a list of names, got the text 'ab'"),
        (3, [-1], "bags must be a list of lists of names, got 3"),
    ],
)
def test_wrong_parts(bags: object, parents: object, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        TreeDecomposition(("a", "b"), bags, parents)  # type: ignore[arg-type]


def test_wrong_order() -> None:
    with pytest.raises(GraphError, match="order must list each of the 2 variables once"):
        TreeDecomposition.from_elimination_order(DAG(["a", "b"]), ["a", "a"])


def test_no_variables() -> None:
    for found in (TreeDecomposition.from_cliques([], []), TreeDecomposition.from_elimination_order(DAG([]), [])):
        assert (found.width, found.elimination_order, found.bags) == (0, (), ())


def test_variables_in_no_clique_are_alone() -> None:
    found = TreeDecomposition.from_cliques(["a", "b", "c"], [["c", "a"]])
    assert found.bags == (("a", "c"), ("b",))
    assert found.parents == (-1, 0)


def test_as_values() -> None:
    assert CHAIN.to_dict() == {
        "variables": ["a", "b", "c", "d"],
        "bags": [["a", "b"], ["b", "c"], ["c", "d"]],
        "parents": [-1, 0, 1],
        "width": 1,
    }
    assert TreeDecomposition.from_indices(list("abcd"), [[1, 0], [1, 2], [2, 3]], [-1, 0, 1]) == CHAIN
