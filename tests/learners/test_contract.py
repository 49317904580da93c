"""What every method promises: knowledge, seeds, threads, limits, Ctrl-C, small and odd data, results that hold."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import DAG, Dataset, FamilyTable, Knowledge, LearnResult
from credenet.errors import ArgumentError, DataError, KnowledgeError
from credenet.families.tolerance import tolerance
from credenet.methods import BFBnB
from credenet.settings.methods import METHODS, Method
from family_strategies import hard_families, small_data
from polls import CtrlC, Polls, Stop, TimeByHand, every_poll
from slow_learning import best_score

EXACT = ("auto", "dp", "astar", "bfbnb", "ilp", "ara_star", "awa_star")
LOCAL = ("order_search", "hill_climb", "tabu")
BY_TABLE = (*EXACT, "weighted_astar", *LOCAL)  # Methods that take a family table, too.
BY_SCORE = (*BY_TABLE, "chow_liu", "mmhc")
BY_TESTS = ("pc", "rai")
BY_K_TREES = ("s2", "s2_plus", "kp", "kp_plus")
BOUNDED = (*BY_K_TREES, "kmax", "kg", "annealing", "exact")  # Methods that need a bound on the tree-width.

every_method = pytest.mark.parametrize("method", METHODS.names)
every_ending = pytest.mark.parametrize(
    ("kind", "status"),
    [(Stop, "stopped"), (CtrlC, "stopped"), (TimeByHand, "time_limit")],
    ids=["callback", "ctrl_c", "clock"],
)


def test_no_method_is_left_out() -> None:
    assert sorted(METHODS.names) == sorted((*BY_SCORE, *BY_TESTS, *BOUNDED))


def learn(source: Dataset | FamilyTable, *, method: Method | str, **options: Any) -> LearnResult:
    """What a method learns; of tree-width 2, if it needs a bound."""
    if METHODS.get(method).needs_tree_width:
        options = {"tree_width": 2, **options}
    return credenet.learn(source, method=method, **options)


@pytest.fixture(scope="module")
def asia() -> Dataset:
    return credenet.textbook.asia().sample(300, seed=3)


def check(result: LearnResult, source: Dataset | FamilyTable) -> None:
    """All that a result says of itself holds."""
    verification = result.verify(source)
    assert verification, str(verification)


class TestResults:
    @every_method
    def test_verify_themselves(self, method: str, asia: Dataset) -> None:
        result = learn(asia, method=method)
        check(result, asia)
        assert result.graph.variables == asia.variables

    @pytest.mark.parametrize("method", BY_TABLE)
    def test_score_close_to_the_best(self, method: str, asia: Dataset) -> None:
        result, best = (learn(asia, method=name, score="bic").score for name in (method, "dp"))
        assert result is not None
        assert best is not None
        assert best - 30 <= result <= best + tolerance(best)

    @every_method
    def test_repeat_under_a_seed_with_any_number_of_threads(self, method: str, asia: Dataset) -> None:
        first, *others = (learn(asia, method=method, seed=4, n_threads=n) for n in (1, 1, 3))
        for other in others:
            assert (other.graph, other.score, other.status) == (first.graph, first.score, first.status)

    @pytest.mark.parametrize("method", [*EXACT, "exact", "chow_liu", *BY_TESTS])
    def test_methods_without_chance_do_not_depend_on_the_seed(self, method: str, asia: Dataset) -> None:
        first, other = (learn(asia, method=method, seed=seed) for seed in (1, 2))
        assert (other.score, other.status) == (first.score, first.status)


# Rules that the best network of small_data(1) breaks.
RULES: dict[str, Any] = {
    "required": [("a", "c")],
    "forbidden": [("a", "d"), ("d", "a"), ("d", "e"), ("e", "d")],
    "tiers": [["e"], ["d"], ["a", "b", "c"]],
    "no_parents": ["c", "d", "e"],
    "order": list("edcba"),
    "not_adjacent": [("d", "e")],
    "max_parents": 0,
    "adjacent": [("a", "c")],
    "ancestral": [("e", "a")],
    "not_ancestral": [("d", "e"), ("e", "d")],
    "min_edges": 5,
    "max_edges": 1,
    "min_roots": 4,
    "max_roots": 1,
    "no_immoralities": True,
    "forbidden_immoralities": [("a", "d", "b"), ("a", "d", "e")],
    "independences": [("a", "d"), ("d", "e")],
}
OF_PARENTS = ("required", "forbidden", "tiers", "no_parents", "order", "not_adjacent")
HONOURED = {
    **dict.fromkeys(RULES, ("auto", "ilp")),
    **dict.fromkeys(OF_PARENTS, METHODS.names),
    "max_parents": (*BY_SCORE, *BOUNDED),
    "adjacent": ("auto", "ilp", "hill_climb", "tabu"),
}
PAIRS = [(method, kind) for method in METHODS.names for kind in RULES]


class TestKnowledge:
    def test_every_kind_is_here(self) -> None:
        # The rule isolate_constant=False allows more, not less.
        assert {*RULES, "isolate_constant"} == set(Knowledge.__dataclass_fields__)

    @pytest.mark.parametrize("kind", RULES)
    def test_the_rules_forbid_what_is_best_without_them(self, kind: str) -> None:
        assert Knowledge(**{kind: RULES[kind]}).violations(learn(small_data(1), method="dp", score="bic").dag)

    @pytest.mark.parametrize(("method", "kind"), [pair for pair in PAIRS if pair[0] in HONOURED[pair[1]]])
    def test_obeyed(self, method: str, kind: str) -> None:
        data, knowledge = small_data(1), Knowledge(**{kind: RULES[kind]})
        result = learn(data, method=method, knowledge=knowledge)
        assert not knowledge.violations(result.dag)
        check(result, data)

    @pytest.mark.parametrize(("method", "kind"), [pair for pair in PAIRS if pair[0] not in HONOURED[pair[1]]])
    def test_refused(self, method: str, kind: str) -> None:
        bounded = {each.short_name for each in METHODS.choices if each.needs_tree_width}
        able = " or ".join([name for name in METHODS.names if name in HONOURED[kind] and name not in bounded][:4])
        ending = ", without tree_width" if method in bounded else ""
        with pytest.raises(KnowledgeError, match=f"^{method} cannot honour {kind}; use {able}{ending}$"):
            learn(small_data(1), method=method, knowledge=Knowledge(**{kind: RULES[kind]}))

    @pytest.mark.parametrize(
        "method", [name for name in METHODS.names if name != "chow_liu"]
    )  # Each child has one parent.
    @settings(max_examples=15, deadline=None)
    @given(seed=st.integers(0, 10**6), draw=st.data())
    def test_several_rules_of_parents(self, method: str, seed: int, draw: st.DataObject) -> None:
        knowledge = draw.draw(rules_of_parents([None]))
        assert not knowledge.violations(learn(small_data(seed), method=method, score=None, knowledge=knowledge).dag)

    @pytest.mark.parametrize("method", BY_TABLE)
    @settings(max_examples=15, deadline=None)
    @given(seed=st.integers(0, 10**6), draw=st.data())
    def test_no_better_than_the_best_that_obeys(self, method: str, seed: int, draw: st.DataObject) -> None:
        result, best = learned_and_best(method, seed, draw.draw(rules_of_parents([None, 2, 3])))
        assert result.score is not None
        assert result.score <= best + tolerance(best)

    @pytest.mark.parametrize("method", EXACT)
    @settings(max_examples=15, deadline=None)
    @given(seed=st.integers(0, 10**6), draw=st.data())
    def test_the_best_that_obeys(self, method: str, seed: int, draw: st.DataObject) -> None:
        result, best = learned_and_best(method, seed, draw.draw(rules_of_parents([None, 2, 3])))
        assert result.status == "optimal"
        assert result.score == pytest.approx(best, abs=tolerance(best))


@st.composite
def rules_of_parents(draw: st.DrawFn, limits: list[int | None]) -> Knowledge:
    """Required and forbidden edges and a limit that some network on a to e obeys."""
    order = draw(st.permutations(list("abcde")))
    pairs = [(order[i], order[j]) for i in range(5) for j in range(i + 1, 5)]
    required = draw(st.lists(st.sampled_from(pairs), max_size=2, unique=True))
    free = [(a, b) for a in "abcde" for b in "abcde" if a != b and (a, b) not in required]
    forbidden = draw(st.lists(st.sampled_from(free), max_size=4, unique=True))
    return Knowledge(required=required, forbidden=forbidden, max_parents=draw(st.sampled_from(limits)))


def learned_and_best(method: str, seed: int, knowledge: Knowledge) -> tuple[LearnResult, float]:
    data = small_data(seed)
    result = learn(data, method=method, score="bic", knowledge=knowledge)
    assert not knowledge.violations(result.dag)
    whole = credenet.score_families(data, score="bic", slack=1e6)
    return result, best_score(whole, knowledge=knowledge)


class TestEndings:
    """A stop by the callback, by Ctrl-C or by the clock leaves the best so far, wherever it comes."""

    @every_method
    @pytest.mark.parametrize("share", [0.0, 0.001, 0.1, 0.5, 1.0])
    @every_ending
    def test_at_any_poll(self, method: str, share: float, kind: type[Polls], status: str, asia: Dataset) -> None:
        whole, polls = followed(asia, method, Polls(0))
        at = 1 + round(share * (len(polls.seen) - 1))
        result, polls = followed(asia, method, kind(at))
        assert len(polls.seen) >= at
        assert result.status in {status} | ({whole.status} if share else set())
        check(result, asia)

    @pytest.mark.parametrize(
        "method", [*(name for name in BY_TABLE if name != "dp"), "kmax", "kg", "annealing", "exact"]
    )
    @every_ending
    @pytest.mark.parametrize("at", [1, 100])
    def test_on_a_problem_without_end(
        self, method: str, kind: type[Polls], status: str, at: int, hard: FamilyTable
    ) -> None:
        result, _ = followed(hard, method, kind(at))
        assert result.status == status
        assert result.score == pytest.approx(hard.score_of(result.dag))
        assert result.score is not None
        assert result.bound is not None
        assert result.bound >= result.score
        check(result, hard)

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "method", [*(name for name in BY_TABLE if name != "dp"), "kmax", "kg", "annealing", "exact"]
    )
    def test_a_limit_of_time_is_kept(self, method: str, hard: FamilyTable) -> None:
        result = learn(hard, method=method, time_limit=1.0)
        assert result.statistics.seconds < 2.5
        assert result.status in ("time_limit", "local_optimum", "complete")

    @pytest.mark.parametrize("max_parents", [1, 2])
    def test_ctrl_c_is_no_limit_of_time(self, max_parents: int) -> None:
        """Also while the last families are scored, which no network needs."""
        for at in range(1, 40):
            with every_poll():
                stop = CtrlC(at)
                result = learn(small_data(0), method="dp", max_parents=max_parents, n_threads=1, on_progress=stop)
            assert result.status in ("stopped", "optimal")

    @every_method
    def test_an_exception_of_the_callback_comes_out(self, method: str, asia: Dataset) -> None:
        def fail(_: object) -> None:
            raise ZeroDivisionError

        with every_poll(), pytest.raises(ZeroDivisionError):
            learn(asia, method=method, on_progress=fail)


def followed(source: Dataset | FamilyTable, method: Method | str, polls: Polls) -> tuple[LearnResult, Polls]:
    """What is learned with a callback that is asked at every poll, under a limit if that moves the clock."""
    with ExitStack() as stack:
        stack.enter_context(every_poll())
        limit = None
        if isinstance(polls, TimeByHand):
            stack.enter_context(polls.set())
            limit = 60.0
        return learn(source, method=method, n_threads=1, time_limit=limit, on_progress=polls), polls


@pytest.mark.parametrize("method", [*EXACT, "order_search"])
def test_required_parents_of_a_table_that_is_cut_off(method: str) -> None:
    """The largest number of parents that were scored does not count those required."""
    data, knowledge = small_data(1), Knowledge(required=[("a", "d"), ("b", "d"), ("c", "d")])
    result = learn(data, method=method, knowledge=knowledge, memory_limit=4000)
    assert result.status == "memory_limit"
    assert len(result.dag.parents("d")) >= 3
    check(result, data)


def test_edges_that_rules_require_together_in_a_table_that_is_cut_off() -> None:
    """The order directs the pair that must be adjacent."""
    data = small_data(1).select(["a", "b", "c"])
    knowledge = Knowledge(adjacent=[("a", "c")], order=["a", "b", "c"])
    cut = []
    for at in range(1, 30):
        with every_poll():
            result = learn(data, method="ilp", knowledge=knowledge, n_threads=1, on_progress=Stop(at))
        assert bool(result.verify(data)), str(result.verify(data))
        cut.append((result.provenance.max_parents, result.has_network))
    assert (0, True) in cut


class TestMemory:
    @pytest.mark.parametrize("method", [name for name in BY_TABLE if name not in ("hill_climb", "tabu")])
    def test_full_while_families_are_scored(self, method: str, asia: Dataset) -> None:
        result = learn(asia, method=method, memory_limit=1000)
        assert result.status == "memory_limit"
        check(result, asia)

    @pytest.mark.parametrize("method", ["astar", "weighted_astar", "ara_star", "awa_star", "bfbnb"])
    def test_full_while_searching(self, method: str) -> None:
        families = hard_families(5, 14)
        result = learn(families, method=method, memory_limit=20_000)
        assert result.status == "memory_limit"
        assert result.score == pytest.approx(families.score_of(result.dag))
        check(result, families)

    @pytest.mark.parametrize("method", ["pc", "rai", "mmhc"])
    def test_too_little_is_refused_with_the_figure(self, method: str, asia: Dataset) -> None:
        with pytest.raises(ArgumentError, match=rf"^{method} keeps every pair of 8 variables, about .* kB; memory"):
            learn(asia, method=method, memory_limit=1000)

    @pytest.mark.parametrize("method", ["hill_climb", "tabu", "chow_liu"])
    def test_methods_that_need_hardly_any(self, method: str, asia: Dataset) -> None:
        little, much = (learn(asia, method=method, memory_limit=limit) for limit in (1000, None))
        assert (little.graph, little.status) == (much.graph, much.status)


ODD_DATA = {
    "one variable": Dataset({"a": ["x", "y"]}, np.array([[0], [1], [0]])),
    "no rows": Dataset({"a": ["x", "y"], "b": ["x", "y"]}, np.zeros((0, 2), dtype=np.uint8)),
    "one row": Dataset({"a": ["x", "y"], "b": ["x"], "c": ["0", "1"]}, np.array([[0, 0, 1]])),
    "constants": Dataset({"a": ["x"], "b": ["x"]}, np.zeros((4, 2), dtype=np.uint8)),
}


@pytest.mark.parametrize("method", [*BY_SCORE, *BOUNDED])
def test_data_without_variables_have_no_score(method: str) -> None:
    with pytest.raises(DataError, match="the data have no variables"):
        learn(Dataset({}, np.zeros((3, 0), dtype=np.uint8)), method=method)


@every_method
@pytest.mark.parametrize("data", ODD_DATA.values(), ids=ODD_DATA)
def test_data_that_say_nothing_give_no_edges(method: str, data: Dataset) -> None:
    result = learn(data, method=method)
    assert result.dag == DAG(data.variables)
    check(result, data)


@every_method
def test_columns_with_one_state_stay_alone(method: str, asia: Dataset) -> None:
    codes = np.column_stack([np.asarray(asia.codes), np.zeros(len(asia), dtype=np.uint8)])
    result = learn(Dataset({**asia.states, "constant": ["only"]}, codes), method=method)
    assert result.isolated == ("constant",)
    assert result.dag.parents("constant") == result.dag.children("constant") == ()


class TestBreadthFirstFiles:
    """A search that was stopped goes on from its last whole layer."""

    def test_fewer_nodes_and_the_same_network(self, tmp_path: Path) -> None:
        families = hard_families(1, 14)
        method = BFBnB("simple", scratch_dir=tmp_path)
        whole, polls = followed(families, method, Polls(0))
        assert (whole.status, list(tmp_path.iterdir())) == ("optimal", [])
        stopped, _ = followed(families, method, Stop(len(polls.seen) - 150))
        assert stopped.status == "stopped"
        files = sorted(tmp_path.iterdir())
        assert files
        resumed, _ = followed(families, method, Polls(0))
        assert resumed.status == "optimal"
        assert (resumed.score, resumed.dag) == (whole.score, whole.dag)
        assert 0 < resumed.statistics.expanded < whole.statistics.expanded
        assert resumed.statistics.expanded + stopped.statistics.expanded == whole.statistics.expanded
        assert list(tmp_path.iterdir()) == []

    def test_files_of_another_problem_are_left_alone(self, tmp_path: Path) -> None:
        method = BFBnB("simple", scratch_dir=tmp_path)
        stopped, _ = followed(hard_families(1, 14), method, Stop(2600))
        assert stopped.status == "stopped"
        files = sorted(tmp_path.iterdir())
        assert files
        asia = credenet.score_families(credenet.textbook.asia().sample(500, seed=1), score="bic")
        done = learn(asia, method=method)
        assert done.status == "optimal"
        assert done.score == pytest.approx(learn(asia, method="dp").score)
        assert sorted(tmp_path.iterdir()) == files
