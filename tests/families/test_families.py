"""Family tables against plain lists."""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brute import all_dags
from credenet.errors import ArgumentError, GraphError
from credenet.families import arrays as family_arrays
from credenet.families.arrays import FamilyError
from credenet.families.info import FamilyTableInfo
from credenet.families.table import Family, FamilyTable
from credenet.graphs import DAG
from family_strategies import INFOS, Lists, family_lists, family_tables

LETTERS = st.integers(1, 5).map(lambda n: list("abcde"[:n]))


def small() -> FamilyTable:
    return FamilyTable.from_lists(
        {
            "a": [(-3.0, ())],
            "b": [(-2.5, []), (-2.0, ["a"])],
            "c": [(-1.0, ["b", "a"]), (-4.0, ()), (-1.0, ["b"])],
        },
        made=FamilyTableInfo(score="bic", slack=2.0, complete=False, isolated=("a",), n_rows=1234567),
    )


def ordered(families: list[tuple[float, tuple[str, ...]]]) -> list[Family]:
    """The families of a variable in the order of a table; names in alphabetical order are in that of positions."""
    sets = [Family(score, tuple(sorted(parents))) for score, parents in families]
    return sorted(sets, key=lambda family: (-family.score, len(family.parents), family.parents))


@settings(max_examples=150, deadline=None)
@given(family_lists(LETTERS))
def test_holds_what_it_was_given_in_order(lists: Lists) -> None:
    table = FamilyTable.from_lists(lists)
    assert table.variables == tuple(lists)
    assert len(table) == sum(map(len, lists.values()))
    for place, (name, families) in enumerate(lists.items()):
        expected = ordered(families)
        assert list(table.families(name)) == expected
        assert table.scores(name).tolist() == [family.score for family in expected]
        assert table.n_families(name) == len(expected)
        scores, offsets, parents = table.arrays(place)
        assert [array.dtype.name for array in (scores, offsets, parents)] == ["float64", "int64", "int32"]
        sets = [parents[start:end].tolist() for start, end in pairwise(offsets)]
        assert sets == [[table.variables.index(parent) for parent in family.parents] for family in expected]
        flat = table.flat()
        assert [flat.parents_of(family) for family in range(flat.starts[place], flat.starts[place + 1])] == sets
        for array in (scores, offsets, parents):
            assert not array.flags.writeable


@settings(max_examples=100, deadline=None)
@given(family_tables(LETTERS))
def test_same_table_from_arrays_pickle_and_frame(table: FamilyTable) -> None:
    triples = [table.arrays(place) for place in range(len(table.variables))]
    assert FamilyTable(table.variables, triples, made=table.made) == table
    backwards = [  # The sets have another order, with descending parents.
        (
            scores[::-1].copy(),
            np.concatenate(([0], np.cumsum(np.diff(offsets)[::-1]))),
            parents[::-1].copy(),
        )
        for scores, offsets, parents in triples
    ]
    assert FamilyTable(table.variables, backwards, made=table.made) == table
    copy = pickle.loads(pickle.dumps(table))
    assert copy == table
    assert not copy.flat().scores.flags.writeable
    rows = [(name, *family) for name in table.variables for family in table.families(name)]
    frame = table.to_polars()
    assert frame.columns == ["variable", "score", "parents"]
    assert [(name, score, tuple(parents)) for name, score, parents in frame.rows()] == rows


@settings(max_examples=150, deadline=None)
@given(family_lists(LETTERS), st.data())
def test_best_is_the_first_that_fits(lists: Lists, data: st.DataObject) -> None:
    table = FamilyTable.from_lists(lists)
    for name, families in lists.items():
        available = data.draw(st.none() | st.sets(st.sampled_from(list(lists))))
        fitting = [family for family in ordered(families) if available is None or set(family.parents) <= set(available)]
        if fitting:
            assert table.best(name, available) == fitting[0]
        else:
            with pytest.raises(GraphError, match=f"no family of '{name}'"):
                table.best(name, available)


def test_best_far_down_a_long_list() -> None:
    names = [f"v{place}" for place in range(1000)]
    lists: dict[str, list[tuple[float, tuple[str, ...]]]] = {name: [(0.0, ())] for name in names}
    lists["v0"] = [(-float(place), (names[place],)) for place in range(1, 1000)]
    table = FamilyTable.from_lists(lists)
    for place in (1, 63, 64, 65, 191, 192, 193, 998, 999):
        assert table.best("v0", names[place:]) == Family(-float(place), (names[place],))


@settings(max_examples=150, deadline=None)
@given(family_lists(LETTERS), st.none() | st.integers(0, 3), st.none() | st.floats(0, 10), INFOS)
def test_restrict(lists: Lists, max_parents: int | None, slack: float | None, made: FamilyTableInfo) -> None:
    table = FamilyTable.from_lists(lists, made=made)
    if slack is not None and made.slack is not None and slack > made.slack:
        with pytest.raises(ArgumentError, match="slack must be at most"):
            table.restrict(slack=slack)
        return
    result = table.restrict(max_parents=max_parents, slack=slack)
    for name, families in lists.items():
        kept = [
            (score, parents)
            for score, parents in families
            if (max_parents is None or len(parents) <= max_parents)
            and (slack is None or not any(set(p) < set(parents) and s - score > slack for s, p in families))
        ]
        assert list(result.families(name)) == ordered(kept)
    limits = [limit for limit in (made.max_parents, max_parents) if limit is not None]
    assert result.made.max_parents == min(limits, default=None)
    assert result.made.slack == (made.slack if made.slack is None or slack is None else slack)


@pytest.mark.parametrize("n", [9, 16])
def test_restrict_large_sets(n: int) -> None:
    generator = np.random.default_rng(n)
    names = [f"v{place:02}" for place in range(n)]
    sets = {
        frozenset(generator.choice(names[1:], size=size, replace=False).tolist()) for size in (2, 4, n - 2, n - 1) * 9
    }
    families = [(float(generator.integers(-4, 4)) / 2, tuple(several)) for several in sets]
    table = FamilyTable.from_lists({name: families if name == names[0] else [] for name in names})
    for slack in (0.0, 0.5, 1.0):
        kept = [
            (score, parents)
            for score, parents in families
            if not any(set(p) < set(parents) and s - score > slack for s, p in families)
        ]
        assert list(table.restrict(slack=slack).families(names[0])) == ordered(kept)


@contextmanager
def colliding_hashes() -> Iterator[None]:
    def no_numbers(n_variables: int) -> NDArray[np.uint64]:
        return np.zeros(n_variables, dtype=np.uint64)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(family_arrays, "_parent_numbers", no_numbers)
        patch.setattr(family_arrays, "_child_numbers", no_numbers)
        yield


def test_sets_with_equal_hashes_are_not_taken_for_one_another() -> None:
    names = [f"v{place:02}" for place in range(42)]
    singles: Lists = {name: [] for name in names}
    singles[names[0]] = [(0.0, (name,)) for name in names[3:]]
    pair: Lists = {**singles, names[0]: [(-1.0, (names[1], names[2]))]}
    with colliding_hashes():
        merged = FamilyTable.from_lists(singles).merge(FamilyTable.from_lists(pair))
        assert len(merged) == 40
        assert merged.restrict(slack=0) == merged
        other: Lists = {**singles, names[0]: [(-5.0, (names[1],))], names[1]: [(-6.0, (names[3],))]}
        assert len(merged.merge(FamilyTable.from_lists(other))) == 42


@settings(max_examples=100, deadline=None)
@given(family_lists(LETTERS))
def test_equal_hashes_do_not_make_equal_sets(lists: Lists) -> None:
    with colliding_hashes():
        table = FamilyTable.from_lists(lists)
        restricted = table.restrict(slack=0)
        for name, families in lists.items():
            assert list(table.families(name)) == ordered(families)
            useful = [
                (score, parents)
                for score, parents in families
                if not any(set(p) < set(parents) and s > score for s, p in families)
            ]
            assert set(ordered(useful)) <= set(restricted.families(name))
            for family in families[:1]:
                with pytest.raises(FamilyError, match="twice"):
                    FamilyTable.from_lists({**lists, name: [*families, family]})


def test_restrict_loses_no_network_within_the_slack() -> None:
    generator = np.random.default_rng(5)
    names = ["a", "b", "c", "d"]
    sets = {
        name: [tuple(p for p, bit in zip(others, bits, strict=True) if bit) for bits in product((0, 1), repeat=3)]
        for name in names
        for others in [[other for other in names if other != name]]
    }
    full = FamilyTable.from_lists({name: [(generator.normal(), p) for p in sets[name]] for name in names})
    slack = 1.0
    pruned = full.restrict(slack=slack)
    assert len(pruned) < len(full)
    dags = [DAG(names, [(names[tail], names[head]) for tail, head in arcs]) for arcs in all_dags(4)]
    scores = [full.score_of(dag) for dag in dags]
    within = [(dag, score) for dag, score in zip(dags, scores, strict=True) if score >= max(scores) - slack]
    assert len(within) > 1
    for dag, score in within:
        assert pruned.score_of(dag) == score


@settings(max_examples=100, deadline=None)
@given(family_lists(LETTERS), st.data())
def test_select(lists: Lists, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(list(lists)), unique=True))
    duplicates = (tuple(lists)[:2], tuple(lists)[2:])
    made = FamilyTableInfo(isolated=tuple(lists)[:1], duplicates=duplicates, slack=1.0)
    selected = FamilyTable.from_lists(lists, made=made).select(chosen)
    direct = FamilyTable.from_lists(
        {name: [(score, parents) for score, parents in lists[name] if set(parents) <= set(chosen)] for name in chosen},
        made=selected.made,
    )
    assert selected == direct
    assert selected.made.slack == 1.0
    assert set(selected.made.isolated) == set(made.isolated) & set(chosen)
    groups = [set(group) & set(chosen) for group in duplicates]
    assert [set(group) for group in selected.made.duplicates] == [group for group in groups if len(group) > 1]


@settings(max_examples=100, deadline=None)
@given(family_lists(LETTERS), st.randoms(use_true_random=False))
def test_merge_puts_parts_together(lists: Lists, random: Any) -> None:
    table = FamilyTable.from_lists(lists)
    ways = {name: [random.choice("12b") for _ in families] for name, families in lists.items()}
    parts = [
        FamilyTable.from_lists(
            {
                name: [family for family, way in zip(families, ways[name], strict=True) if way in (part, "b")]
                for name, families in lists.items()
            }
        )
        for part in "12"
    ]
    assert parts[0].merge(parts[1]) == table
    assert table.merge(table) == table


def test_merge_of_other_variables() -> None:
    first = FamilyTable.from_lists({"a": [(-1.0, ())], "b": [(-2.0, ("a",))]}, made=FamilyTableInfo(complete=True))
    second = FamilyTable.from_lists({"c": [(-4.0, ("b",))], "b": [(-3.0, ("c",))]}, made=FamilyTableInfo(complete=True))
    merged = first.merge(second)
    assert merged.variables == ("a", "b", "c")
    assert list(merged.families("b")) == [Family(-2.0, ("a",)), Family(-3.0, ("c",))]
    assert list(merged.families("c")) == [Family(-4.0, ("b",))]
    assert merged.made.complete is False


def test_merge_says_what_holds_for_both() -> None:
    first = FamilyTableInfo(score="bic", slack=3.0, max_parents=4, complete=True, isolated=("a",), evaluated=5)
    second = FamilyTableInfo(score="bic", slack=1.0, complete=True, isolated=("b", "a"), evaluated=7, n_rows=9)
    merged = small().with_info(first).merge(small().with_info(second)).made
    assert merged == FamilyTableInfo(
        score="bic", slack=1.0, max_parents=4, complete=True, isolated=("a", "b"), evaluated=12
    )


def test_merge_refuses_what_does_not_belong_together() -> None:
    table = small()
    with pytest.raises(ArgumentError, match="different score cannot be merged: bic and k2"):
        table.merge(table.with_info(FamilyTableInfo(score="k2")))
    other = FamilyTable.from_lists({"a": [(-3.5, ())], "b": [], "c": []})
    with pytest.raises(FamilyError, match=r"score 'a' with the parents \{\} differently: -3.0 and -3.5"):
        table.merge(other)


def test_score_of() -> None:
    table = small()
    assert table.score_of(DAG.parse("a -> b; b -> c; a -> c")) == -6.0
    assert table.score_of(DAG(["c", "b", "a"], [])) == -9.5
    with pytest.raises(GraphError, match=r"no family of 'c' with the parents \{a\}"):
        table.score_of(DAG(["a", "b", "c"], [("a", "c")]))
    with pytest.raises(GraphError, match="same variables"):
        table.score_of(DAG(["a", "b"], []))


def test_texts() -> None:
    table = small()
    assert repr(table) == "<FamilyTable 3 variables, 6 families>"
    assert repr(FamilyTable.from_lists({"a": [(1, ())]})) == "<FamilyTable 1 variable, 1 family>"
    statistics = table.statistics()
    assert (statistics.fewest, statistics.median, statistics.most, statistics.largest_set) == (1, 2.0, 3, 2)
    assert table.summary().splitlines() == [
        "<FamilyTable 3 variables, 6 families>",
        "families per variable  1 to 3, median 2",
        "largest parent set     2",
        "score                  bic",
        "slack                  2",
        "complete               no",
        "isolated               1",
        "rows                   1,234,567",
    ]
    empty = FamilyTable.from_lists({})
    assert (len(empty), empty.statistics().most, empty.statistics().fewest) == (0, 0, 0)
    assert "0 families" in empty.summary()
    assert len(empty.to_polars()) == 0


def test_equality() -> None:
    table = small()
    assert table == small()
    assert table != table.with_info(FamilyTableInfo())
    assert table != table.select(["b", "a", "c"])
    assert table != table.restrict(max_parents=1)
    assert table != "table"
    with pytest.raises(TypeError, match="unhashable"):
        hash(table)


@pytest.mark.parametrize(
    ("families", "message"),
    [
        ([([0.0], [0, 0], [])], "families has 1 entries for 2 variables"),
        ([([0.0], [0, 0]), ([0.0], [0, 0], [])], "must be scores, offsets and parents"),
        ([([0.0], [0], []), ([0.0], [0, 0], [])], "'a' has 1 scores and 1 offsets"),
        ([([0.0], [0, 1], []), ([0.0], [0, 0], [])], "offsets of 'a' must rise from 0 to 0"),
        ([([0.0], [1, 1], [1]), ([0.0], [0, 0], [])], "offsets of 'a' must rise from 0 to 1"),
        ([([0.0, 0.0], [0, 2, 1], [1]), ([], [0], [])], "offsets of 'a' must rise from 0 to 1"),
        ([([0.0], [0, 0], []), ([0.0], [0, 1], [2])], "a parent of 'b' is at position 2; there are 2 variables"),
        ([([0.0], [0, 0], []), ([0.0], [0, 1], [-1])], "a parent of 'b' is at position -1"),
        ([([0.0], [0, 1], [2**40]), ([0.0], [0, 0], [])], "a parent of 'a' is at position 1099511627776"),
        ([([0.0], [0, 1], [0]), ([0.0], [0, 0], [])], "variable 'a' is its own parent"),
        ([([0.0], [0, 2], [1, 1]), ([0.0], [0, 0], [])], "variable 'a' has the parent 'b' twice in a set"),
        ([([0.0, 1.0], [0, 0, 0], []), ([0.0], [0, 0], [])], r"variable 'a' has the parent set \{\} twice"),
        ([([0.0, 1.0], [0, 1, 2], [1, 1]), ([0.0], [0, 0], [])], r"variable 'a' has the parent set \{b\} twice"),
        ([([math.nan], [0, 0], []), ([0.0], [0, 0], [])], "a score of 'a' is nan; it must be finite"),
        ([([0.0], [0, 0], []), ([-math.inf], [0, 0], [])], "a score of 'b' is -inf; it must be finite"),
        ([([[0.0]], [0, 0], []), ([0.0], [0, 0], [])], "scores of 'a' must have one dimension, got 2"),
        ([(["x"], [0, 0], []), ([0.0], [0, 0], [])], "scores of 'a' must be numbers"),
        ([(["1.5"], [0, 0], []), ([0.0], [0, 0], [])], "scores of 'a' must be numbers"),
        ([([10**400], [0, 0], []), ([0.0], [0, 0], [])], "scores of 'a' must be numbers"),
        ([([0.0], [0, 1], [1, [1]]), ([0.0], [0, 0], [])], "parents of 'a' must have one dimension"),
        ([([0.0], [0.0, 0.0], []), ([0.0], [0, 0], [])], "offsets of 'a' must be whole numbers"),
        ([([0.0], [0, 1], [1.0]), ([0.0], [0, 0], [])], "parents of 'a' must be whole numbers"),
        ([([0.0], [0, 1], [[1]]), ([0.0], [0, 0], [])], "parents of 'a' must have one dimension"),
    ],
)
def test_wrong_arrays(families: Any, message: str) -> None:
    with pytest.raises(FamilyError, match=message):
        FamilyTable(["a", "b"], families)


def test_wrong_flat_arrays() -> None:
    with pytest.raises(FamilyError, match="counts must be at least 0 and add up to 1"):
        FamilyTable.from_flat(["a"], [2], [0.0], [0], [])
    with pytest.raises(FamilyError, match="sizes must be at least 0 and add up to 0"):
        FamilyTable.from_flat(["a"], [1], [0.0], [1], [])
    with pytest.raises(FamilyError, match="an entry for every variable"):
        FamilyTable.from_flat(["a"], [1, 0], [0.0], [0], [])


def test_caller_keeps_the_arrays() -> None:
    scores = np.array([-1.0])
    table = FamilyTable(["a"], [(scores, [0, 0], [])])
    scores[0] = 5
    assert table.scores("a").tolist() == [-1.0]


def test_wrong_arguments() -> None:
    table = small()
    with pytest.raises(GraphError, match="unknown variable 'x'"):
        table.families("x")
    with pytest.raises(GraphError, match="unknown variable 'x'"):
        table.best("a", ["x"])
    with pytest.raises(ArgumentError, match="available must be a list"):
        table.best("a", "b")
    with pytest.raises(ArgumentError, match="max_parents must be at least 0, got -1"):
        table.restrict(max_parents=-1)
    for slack in (-1.0, math.nan):
        with pytest.raises(ArgumentError, match="slack must be a number of at least 0"):
            table.restrict(slack=slack)
    with pytest.raises(ArgumentError, match="below 3, got -1"):
        table.arrays(-1)
    with pytest.raises(FamilyError, match="got the text 'bc'"):
        FamilyTable.from_lists({"a": [(0.0, "bc")]})
    with pytest.raises(GraphError, match="unknown variable 'x'"):
        FamilyTable.from_lists({"a": [(0.0, ["x"])]})


@pytest.mark.parametrize(
    "values",
    [
        {"score": 5},
        {"slack": -1.0},
        {"slack": math.nan},
        {"slack": "much"},
        {"max_parents": -1},
        {"max_parents": 1.5},
        {"evaluated": True},
        {"n_rows": math.inf},
        {"n_rows": 10**400},
        {"complete": 1},
        {"states": "some"},
        {"states": []},
        {"isolated": "a"},
        {"isolated": [1]},
        {"duplicates": 3},
        {"duplicates": ["ab"]},
        {"knowledge": [1]},
        {"knowledge": {"a": {1, 2}}},
        {"knowledge": {"a": math.nan}},
    ],
)
def test_wrong_info(values: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match=f"^{next(iter(values))} must"):
        FamilyTableInfo(**values)


@settings(max_examples=100, deadline=None)
@given(INFOS)
def test_info_as_json(info: FamilyTableInfo) -> None:
    assert FamilyTableInfo.from_dict(info.to_dict()) == info
