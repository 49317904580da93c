"""Knowledge against brute force over all small networks, its contradictions, and its files."""

from __future__ import annotations

import doctest
import json
import pickle
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import brute
from credenet.errors import KnowledgeError
from credenet.graphs import DAG
from credenet.knowledge import knowledge as module
from credenet.knowledge.knowledge import Knowledge
from graph_strategies import as_arcs, as_dag, dags, names

Rules = dict[str, Any]


def test_examples() -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


def slow_obeys(rules: Rules, n: int, graph: brute.Arcs) -> bool:
    """Whether a network obeys the rules, each read by its definition."""

    def pairs(kind: str) -> list[tuple[int, int]]:
        return [(int(a), int(b)) for a, b in rules.get(kind, ())]

    joined = brute.skeleton(graph)
    parents = {node: brute.parents(graph, node) for node in range(n)}
    below = {node: brute.descendants(graph, node) - {node} for node in range(n)}
    groups = rules.get("tiers") or []
    named = {name for tier in groups for name in tier}
    others = [str(node) for node in range(n) if str(node) not in named]
    if "*" not in named:
        groups = [*groups, ["*"]]
    tiers = [[int(name) for name in [*tier, *(others if "*" in tier else ())] if name != "*"] for tier in groups]
    order = [[int(name)] for name in rules.get("order") or ()]
    limits = rules.get("max_parents", n)
    limit_of: dict[str, int] = limits if isinstance(limits, dict) else {"*": limits}
    roots = sum(not several for several in parents.values())
    colliders = brute.colliders(graph)
    return (
        all(edge in graph for edge in pairs("required"))
        and not any(edge in graph for edge in pairs("forbidden"))
        and not any(
            (b, a) in graph
            for ranks in (tiers, order)
            for early, late in combinations(ranks, 2)
            for a in early
            for b in late
        )
        and not any(parents[int(name)] for name in rules.get("no_parents", ()))
        and all(len(parents[node]) <= limit_of.get(str(node), limit_of.get("*", n)) for node in range(n))
        and all(frozenset(pair) in joined for pair in pairs("adjacent"))
        and not any(frozenset(pair) in joined for pair in pairs("not_adjacent"))
        and all(b in below[a] for a, b in pairs("ancestral"))
        and not any(b in below[a] for a, b in pairs("not_ancestral"))
        and rules.get("min_edges", 0) <= len(graph) <= rules.get("max_edges", n * n)
        and rules.get("min_roots", 0) <= roots <= rules.get("max_roots", n)
        and not (rules.get("no_immoralities", False) and colliders)
        and not any(
            (min(int(a), int(b)), int(child), max(int(a), int(b))) in colliders
            for a, child, b in rules.get("forbidden_immoralities", ())
        )
        and all(
            brute.d_separated(graph, int(a), int(b), [int(name) for name in given])
            for x, y, given in rules.get("independences", ())
            for a in x
            for b in y
        )
    )


@st.composite
def rule_sets(draw: st.DrawFn, n: int) -> Rules:
    """A few rules over "0", "1", …; contradictions are common."""
    variables = [str(k) for k in range(n)]
    pair = st.sampled_from(list(permutations(variables, 2)))
    shuffled = st.permutations(variables)
    few = st.lists(pair, min_size=1, max_size=2)
    ends = st.integers(0, n)
    kinds: dict[str, st.SearchStrategy[Any]] = {
        "required": st.lists(pair, min_size=1, max_size=3),
        "forbidden": st.lists(pair, min_size=1, max_size=4),
        "adjacent": few,
        "not_adjacent": few,
        "ancestral": few,
        "not_ancestral": few,
        "tiers": st.builds(
            lambda order, cut, end: [order[:cut], order[cut:end]], st.permutations([*variables, "*"]), ends, ends
        )
        | st.builds(lambda order, end: [order[:end]], shuffled, ends),
        "no_parents": st.lists(st.sampled_from(variables), max_size=2, unique=True),
        "order": st.builds(lambda order, cut: order[:cut], shuffled, st.integers(0, n)),
        "max_parents": st.integers(0, 2) | st.dictionaries(st.sampled_from([*variables, "*"]), st.integers(0, 2)),
        "min_edges": st.integers(0, n),
        "max_edges": st.integers(0, n),
        "min_roots": st.integers(0, n),
        "max_roots": st.integers(0, n),
        "no_immoralities": st.booleans(),
        "forbidden_immoralities": st.lists(st.sampled_from(list(permutations(variables, 3))), max_size=2),
        "independences": st.builds(lambda order: [(order[0], order[1], order[2:3])], shuffled)
        | st.builds(lambda order: [(order[0], order[1:3], ())], shuffled),
    }
    chosen = draw(st.lists(st.sampled_from(sorted(kinds)), min_size=1, max_size=4, unique=True))
    return {kind: draw(kinds[kind]) for kind in chosen}


@given(rule_sets(4))
@settings(max_examples=250, deadline=None)
def test_rules_against_all_networks_of_four_variables(rules: Rules) -> None:
    obeying = [graph for graph in brute.all_dags(4) if slow_obeys(rules, 4, graph)]
    variables = [str(k) for k in range(4)]
    try:
        known = Knowledge(**rules)
        allowed = known.allowed(variables)
    except KnowledgeError:
        assert not obeying
        return
    for graph in obeying:
        for node in range(4):
            parents = brute.parents(graph, node)
            assert set(allowed.required[node]) <= parents <= set(allowed.candidates[node])
            assert len(parents) <= allowed.max_parents[node]
    for node in range(4):
        assert set(allowed.required[node]) <= set(allowed.candidates[node])
        assert len(allowed.required[node]) <= allowed.max_parents[node] <= len(allowed.candidates[node])


@given(rule_sets(4), dags(min_size=4, max_size=4))
@settings(max_examples=300, deadline=None)
def test_obeys_by_definition(rules: Rules, dag: DAG) -> None:
    try:
        known = Knowledge(**rules)
    except KnowledgeError:
        assert not slow_obeys(rules, 4, as_arcs(dag))
        return
    assert (not known.violations(dag)) == slow_obeys(rules, 4, as_arcs(dag))


EDGEWISE = {"required", "forbidden", "tiers", "no_parents", "order", "max_parents", "not_adjacent"}


@given(rule_sets(4))
@settings(max_examples=150, deadline=None)
def test_edge_rules_are_just_the_allowed_parents(rules: Rules) -> None:
    few = {kind: rule for kind, rule in rules.items() if kind in EDGEWISE}
    try:
        known = Knowledge(**few)
        allowed = known.allowed(["0", "1", "2", "3"])
    except KnowledgeError:
        assert not any(slow_obeys(few, 4, graph) for graph in brute.all_dags(4))
        return
    assert not known.makes_subset_pruning_unsafe
    for graph in brute.all_dags(4):
        parents = [brute.parents(graph, node) for node in range(4)]
        fits = all(
            set(required) <= found <= set(candidates) and len(found) <= most
            for found, required, candidates, most in zip(
                parents, allowed.required, allowed.candidates, allowed.max_parents, strict=True
            )
        )
        assert fits == slow_obeys(few, 4, graph)


@given(rule_sets(3), rule_sets(3))
@settings(max_examples=150, deadline=None)
def test_combined_rules_are_both(first: Rules, second: Rules) -> None:
    graphs = brute.all_dags(3)
    both = [graph for graph in graphs if slow_obeys(first, 3, graph) and slow_obeys(second, 3, graph)]
    try:
        one, other = Knowledge(**first), Knowledge(**second)
    except KnowledgeError:
        assert not both
        return
    try:
        combined = one.combine(other, ["0", "1", "2"])
    except KnowledgeError:
        assert not both
        return
    assert [graph for graph in graphs if not combined.violations(as_dag(3, graph))] == both


@given(rule_sets(4))
@settings(max_examples=100, deadline=None)
def test_rules_are_read_back(rules: Rules) -> None:
    try:
        known = Knowledge(**rules)
    except KnowledgeError:
        reject()
    assert Knowledge.from_dict(json.loads(json.dumps(known.to_dict()))) == known
    assert pickle.loads(pickle.dumps(known)) == known
    assert hash(Knowledge(**rules)) == hash(known)


@given(st.lists(names, min_size=2, max_size=4, unique=True))
@settings(max_examples=30, deadline=None)
def test_any_names_are_saved(tmp_path_factory: pytest.TempPathFactory, variables: list[str]) -> None:
    path = tmp_path_factory.mktemp("rules") / "rules.json"
    known = Knowledge(required=[(variables[0], variables[1])], tiers=[variables], max_parents={variables[0]: 2})
    known.save(path)
    assert Knowledge.load(path) == known
    rules = json.loads(path.read_text())
    assert rules.pop("format") == "credenet knowledge"
    path.write_text(json.dumps(rules))
    assert Knowledge.load(path) == known


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"required": [("a", "b")], "forbidden": [("a", "b")]}, "the edge 'a' -> 'b' is required, but it is forbidden"),
        ({"required": [("a", "b")], "tiers": [["b"], ["a"]]}, "is required, but it leads from a later tier"),
        ({"required": [("a", "b")], "order": ["b", "a"]}, "is required, but it goes against the order"),
        ({"required": [("a", "b")], "not_adjacent": [("b", "a")]}, "is required, but it joins two variables that must"),
        ({"required": [("a", "b"), ("b", "c"), ("c", "a")]}, "required edges make a cycle: 'a' -> 'b' -> 'c' -> 'a'"),
        ({"required": [("a", "b")], "ancestral": [("b", "a")]}, "required edges and ancestors make a cycle"),
        (
            {"required": [("a", "c"), ("b", "c")], "max_parents": {"c": 1}},
            r"'c' has 2 required parents \(a, b\), but max_parents allows 1",
        ),
        ({"adjacent": [("a", "b")], "not_adjacent": [("b", "a")]}, "must be adjacent and must not be adjacent"),
        (
            {"adjacent": [("a", "b")], "forbidden": [("a", "b"), ("b", "a")]},
            "'a' and 'b' must be adjacent, but 'a' -> 'b' is forbidden and 'b' -> 'a' is forbidden",
        ),
        (
            {"adjacent": [("a", "b")], "forbidden": [("a", "b")], "order": ["a", "b"]},
            "but 'a' -> 'b' is forbidden and 'b' -> 'a' goes against the order",
        ),
        ({"adjacent": [("a", "b")], "max_parents": 0}, r"is one parent of 'b' too many \(max_parents 0\)"),
        (
            {"adjacent": [("a", "b"), ("b", "c"), ("a", "c")], "forbidden": [("b", "a"), ("c", "b"), ("a", "c")]},
            "leave only a cycle: 'a' -> 'b' -> 'c' -> 'a'|leave only a cycle: 'b'|leave only a cycle: 'c'",
        ),
        (
            {"required": [("a", "b"), ("b", "c")], "not_ancestral": [("a", "c")]},
            "'a' must not be an ancestor of 'c', but required edges and ancestors make it one",
        ),
        ({"required": [("a", "b")], "independences": [("a", "b", "c")]}, r"is required, but it breaks a _\|_ b \| c"),
        ({"ancestral": [("a", "b")], "independences": [("a", "b")]}, r"a _\|_ b is required, but 'a' must be an anc"),
        ({"min_edges": 3, "max_edges": 2}, "min_edges is 3, more than max_edges, which is 2"),
        ({"min_roots": 3, "max_roots": 2}, "min_roots is 3, more than max_roots, which is 2"),
        ({"max_roots": 0}, "every network has a variable without parents"),
        (
            {"required": [("a", "b")], "adjacent": [("a", "c")], "max_edges": 1},
            "2 pairs must be joined by an edge",
        ),
        (
            {"required": [("a", "c"), ("b", "c")], "not_adjacent": [("a", "b")], "no_immoralities": True},
            "'a' -> 'c' <- 'b' is required and must not be an immorality",
        ),
    ],
)
def test_contradictions(rules: Rules, message: str) -> None:
    with pytest.raises(KnowledgeError, match=message):
        Knowledge(**rules)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"required": [("a", "x")]}, "required names the variable 'x', which is not in the data"),
        ({"max_parents": {"x": 1}}, "max_parents names the variable 'x', which is not in the data"),
        ({"independences": [("a", "b", "x")]}, "independences names the variable 'x', which is not in the data"),
        ({"ancestral": [("a", "c")], "order": ["c", "a"], "forbidden": [("a", "b")]}, "leave no directed path between"),
        ({"min_edges": 4}, "min_edges asks for 4 edges, but the rules allow at most 3 for 3 variables"),
        ({"min_roots": 3, "required": [("a", "b")]}, "min_roots asks for 3 roots, but 1 of 3 variables have required"),
        ({"max_roots": 1, "max_parents": {"a": 0, "b": 0}}, "max_roots allows 1 root, but 2 variables can have no par"),
    ],
)
def test_contradictions_with_the_variables(rules: Rules, message: str) -> None:
    with pytest.raises(KnowledgeError, match=message):
        Knowledge(**rules).allowed(["a", "b", "c"])


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"required": [("a", "a")]}, "required joins the variable 'a' with itself"),
        ({"required": ["ab"]}, "required must hold pairs of names, but has 'ab'"),
        ({"required": "ab"}, "required must be a list, got 'ab'"),
        ({"forbidden": [("a", 1)]}, "forbidden must hold pairs of names"),
        ({"tiers": [["a"], ["a"]]}, "tiers has the variable 'a' twice"),
        ({"tiers": ["ab"]}, "a tier must be a list, got 'ab'"),
        ({"order": ["a", "b", "a"]}, "order has the variable 'a' twice"),
        ({"max_parents": -1}, "max_parents must be at least 0, got -1"),
        ({"max_parents": 1.5}, "max_parents must be a whole number, got 1.5"),
        ({"min_edges": -1}, "min_edges must be at least 0, got -1"),
        ({"no_immoralities": 1}, "no_immoralities must be True or False, got 1"),
        ({"independences": [("a", "a")]}, "an entry of independences has the variable 'a' twice"),
        ({"independences": ["a"]}, "independences must hold triples"),
        ({"independences": [((), "a")]}, "the first two not empty"),
        ({"forbidden_immoralities": [("a", "b")]}, "forbidden_immoralities must hold triples of names"),
    ],
)
def test_wrong_shapes(rules: Rules, message: str) -> None:
    with pytest.raises(KnowledgeError, match=message):
        Knowledge(**rules)


def test_allowed_parents() -> None:
    known = Knowledge(
        required=[("smoke", "lung")], forbidden=[("asia", "lung")], tiers=[["asia", "smoke"], ["lung"]], max_parents=1
    )
    allowed = known.allowed(["lung", "asia", "smoke", "age"])
    assert allowed.required == ((2,), (), (), ())
    assert allowed.candidates == ((2,), (2,), (1,), (0, 1, 2))
    assert allowed.max_parents == (1, 1, 1, 1)


def test_what_follows_is_used() -> None:
    allowed = Knowledge(required=[("a", "b")], ancestral=[("b", "c")]).allowed(["a", "b", "c"])
    assert allowed.candidates == ((), (0,), (0, 1))
    allowed = Knowledge(adjacent=[("a", "b")], forbidden=[("a", "b")]).allowed(["a", "b"])
    assert allowed.required == ((1,), ())


def test_no_rules() -> None:
    allowed = Knowledge().allowed(["a", "b", "c"])
    assert allowed.required == ((), (), ())
    assert allowed.candidates == ((1, 2), (0, 2), (0, 1))
    assert allowed.max_parents == (2, 2, 2)
    assert Knowledge().allowed([]).candidates == ()
    assert Knowledge().to_dict() == {}
    assert Knowledge().variables == ()


@pytest.mark.parametrize(
    ("rules", "unsafe"),
    [
        ({"ancestral": [("a", "b")]}, True),
        ({"adjacent": [("a", "b")]}, True),
        ({"min_edges": 1}, True),
        ({"max_roots": 1}, True),
        ({"no_immoralities": True}, True),
        ({"forbidden_immoralities": [("a", "b", "c")]}, True),
        ({"required": [("a", "b")], "not_ancestral": [("c", "b")], "max_edges": 3, "min_roots": 1}, False),
        ({"independences": [("a", "b", "c")], "order": ["a"], "tiers": [["a"]], "max_parents": 1}, False),
    ],
)
def test_which_rules_forbid_subset_pruning(rules: Rules, unsafe: bool) -> None:
    assert Knowledge(**rules).makes_subset_pruning_unsafe is unsafe


def test_broken_rules_in_words() -> None:
    dag = DAG.parse("a -> c <- b; c -> d")
    known = Knowledge(
        required=[("a", "d")],
        tiers=[["d", "*"], ["c"]],
        max_parents={"c": 1},
        adjacent=[("a", "b")],
        not_ancestral=[("a", "c")],
        min_roots=3,
        independences=[("b", "d", "a")],
        forbidden_immoralities=[("b", "c", "a")],
    )
    assert known.violations(dag) == [
        "the edge 'a' -> 'd' is required",
        "the edge 'c' -> 'd' leads from a later tier to an earlier one",
        "'c' has 2 parents, max_parents is 1",
        "'a' and 'b' must be adjacent",
        "'a' must not be an ancestor of 'c'",
        "the network has 2 roots, min_roots is 3",
        "the immorality 'a' -> 'c' <- 'b' is forbidden",
        "b _|_ d | a does not hold",
    ]
    with pytest.raises(KnowledgeError, match="required names the variable 'x', which is not in the network"):
        Knowledge(required=[("a", "x")]).violations(dag)


def test_many_variables() -> None:
    variables = [f"v{k}" for k in range(1000)]
    allowed = Knowledge(order=variables, max_parents=3, forbidden=[("v0", "v999")]).allowed(variables)
    assert [len(several) for several in allowed.candidates] == [*range(999), 998]


def test_variables_in_no_tier_form_the_last() -> None:
    allowed = Knowledge(tiers=[["age"]]).allowed(["age", "lung", "smoke"])
    assert allowed.candidates == ((), (0, 2), (0, 1))
    again = Knowledge(tiers=[["age"], ["*"]]).allowed(["age", "lung", "smoke"])
    assert again.candidates == allowed.candidates
    with pytest.raises(KnowledgeError, match="'lung' is in no tier, so it is in the last"):
        Knowledge(required=[("lung", "age")], tiers=[["age"]])
    first = Knowledge(tiers=[["*"], ["xray"]]).allowed(["age", "lung", "xray"])
    assert first.candidates == ((1,), (0,), (0, 1))


def test_variables_that_cannot_be_effects() -> None:
    assert Knowledge(no_parents=["age"]).allowed(["lung", "age", "smoke"]).candidates == ((1, 2), (), (0, 1))
    with pytest.raises(KnowledgeError, match="makes 'age' an effect, which it cannot be"):
        Knowledge(required=[("lung", "age")], no_parents=["age"])
    with pytest.raises(KnowledgeError, match="no_parents names the variable 'x', which is not in the data"):
        Knowledge(no_parents=["x"]).allowed(["a"])


def test_wildcards_of_tiers() -> None:
    with pytest.raises(KnowledgeError, match=r"tiers has '\*', .* but a variable has this name"):
        Knowledge(tiers=[["a"], ["*"]]).allowed(["a", "*"])
    with pytest.raises(KnowledgeError, match=r"tiers has the variable '\*' twice"):
        Knowledge(tiers=[["*"], ["*"]])
    assert Knowledge(tiers=[["a"], ["*"]], max_parents={"*": 1}).variables == ("a",)


def test_combining_tiers_needs_the_variables() -> None:
    with pytest.raises(KnowledgeError, match=r"rules.combine\(others, variables=data.variables\)"):
        Knowledge(tiers=[["a"]]).combine(Knowledge(tiers=[["b"]]))
