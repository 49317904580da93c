"""Networks of bounded tree-width against brute force, and what their results say."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import DAG, Dataset, FamilyTable, Knowledge, LearnResult, learn
from credenet._run.run import Run
from credenet.errors import ArgumentError, KnowledgeError
from credenet.families.tolerance import tolerance
from credenet.learners.problem import LearningProblem
from credenet.learners.tree_width.bounded_scoring import score_bounded
from credenet.methods import Auto, Exact
from credenet.settings.bounded_methods import KMax
from credenet.types import TreeDecomposition
from family_strategies import hard_families, small_data, tempting_tables
from slow_learning import best_score

OF_TABLES = ("kmax", "kg", "auto", "exact", "exact(engine=dp)", "exact(engine=milp)")
OF_DATA = ("s2", "s2_plus", "kp", "kp_plus")
PROVEN = ("auto", "exact", "exact(engine=dp)", "exact(engine=milp)")


def check(result: LearnResult, source: Dataset | FamilyTable) -> None:
    """All that a result says of itself holds."""
    verification = result.verify(source)
    assert verification, str(verification)


class TestAgainstBruteForce:
    @pytest.mark.parametrize("method", PROVEN)
    @settings(max_examples=25, deadline=None)
    @given(families=tempting_tables(), width=st.integers(0, 5))
    def test_the_best_of_its_tree_width(self, method: str, families: FamilyTable, width: int) -> None:
        result = learn(families, method=method, tree_width=width)
        best = best_score(families, tree_width=width)
        assert result.status == "optimal"
        assert result.score == pytest.approx(best, abs=tolerance(best))
        assert result.bound == result.score
        check(result, families)

    @pytest.mark.parametrize("method", OF_TABLES)
    @settings(max_examples=15, deadline=None)
    @given(families=tempting_tables(), width=st.integers(0, 5))
    def test_no_better_than_the_best(self, method: str, families: FamilyTable, width: int) -> None:
        result = learn(families, method=method, tree_width=width)
        best = best_score(families, tree_width=width)
        assert result.score is not None
        assert result.bound is not None
        assert result.score <= best + tolerance(best) <= result.bound + 2 * tolerance(best)
        assert result.tree_width is not None
        assert result.tree_width <= width
        check(result, families)

    @pytest.mark.parametrize("method", [*OF_DATA, *OF_TABLES])
    @settings(max_examples=10, deadline=None)
    @given(seed=st.integers(0, 10**6), width=st.integers(0, 5))
    def test_from_data(self, method: str, seed: int, width: int) -> None:
        data = small_data(seed)
        result = learn(data, method=method, tree_width=width, score="bic")
        best = best_score(credenet.score_families(data, score="bic", slack=1e6), tree_width=width)
        assert result.score is not None
        assert result.score <= best + tolerance(best)
        assert (result.status == "optimal") >= (method in PROVEN)
        check(result, data)

    @settings(max_examples=40, deadline=None)
    @given(families=tempting_tables(), draw=st.data())
    def test_the_best_within_cliques(self, families: FamilyTable, draw: st.DataObject) -> None:
        order = draw.draw(st.permutations(families.variables))
        edges = draw.draw(st.lists(st.sampled_from(list(combinations(families.variables, 2))), unique=True))
        graph = credenet.PDAG(families.variables, (), edges)
        cliques = TreeDecomposition.from_elimination_order(graph, order)
        result = learn(families, cliques=cliques if draw.draw(st.booleans()) else cliques.bags)
        best = best_score(families, within=cliques.bags)
        assert result.status == "optimal"
        assert result.score == pytest.approx(best, abs=tolerance(best))
        assert cliques.covers(result.dag)
        assert result.provenance.tree_width == cliques.width
        check(result, families)

    @settings(max_examples=25, deadline=None)
    @given(seed=st.integers(0, 10**6), draw=st.data())
    def test_under_knowledge(self, seed: int, draw: st.DataObject) -> None:
        data = small_data(seed)
        pairs = st.sampled_from([(a, b) for a, b in combinations("abcde", 2)])
        required = draw.draw(st.lists(pairs, max_size=3, unique=True))
        forbidden = [(a, b) for a, b in draw.draw(st.lists(pairs, max_size=4)) if (a, b) not in required]
        knowledge = Knowledge(required=required, forbidden=forbidden)
        width = draw.draw(st.integers(1, 3))
        result = learn(data, method="exact", tree_width=width, score="bic", knowledge=knowledge)
        whole = credenet.score_families(data, score="bic", slack=1e6)
        best = best_score(whole, tree_width=width, knowledge=knowledge)
        assert (result.status == "infeasible") == (best == -np.inf)
        assert result.score == (None if best == -np.inf else pytest.approx(best, abs=tolerance(best)))


class TestSmallAndLargeBounds:
    @pytest.mark.parametrize("method", ["auto", "exact", "kmax", "kp"])
    @pytest.mark.parametrize("width", [7, 8, 1000])
    def test_wide_enough_for_all(self, method: str, width: int) -> None:
        data = credenet.textbook.asia().sample(300, seed=3)
        result = learn(data, method=method, tree_width=width)
        best = learn(data, method="dp")
        assert result.score is not None
        assert best.score is not None
        assert best.score - (3 if method == "kmax" else 1e-9) <= result.score <= best.score + 1e-9
        assert result.provenance.tree_width == width
        check(result, data)

    @pytest.mark.parametrize("method", [*OF_DATA, *OF_TABLES])
    def test_zero_allows_no_edges(self, method: str) -> None:
        data = credenet.textbook.asia().sample(300, seed=3)
        result = learn(data, method=method, tree_width=0)
        assert result.dag == DAG(data.variables)
        assert (result.status, result.tree_width) == ("optimal", 0)
        check(result, data)

    @pytest.mark.parametrize("method", ["exact", "auto"])
    @pytest.mark.parametrize("seed", range(5))
    def test_one_is_the_tree_of_chow_and_liu(self, method: str, seed: int) -> None:
        data = credenet.textbook.asia().sample(200, seed=seed)
        tree = learn(data, method="chow_liu", score="log_likelihood")
        result = learn(data, method=method, score="log_likelihood", tree_width=1)
        assert result.status == "optimal"
        assert result.score == pytest.approx(tree.score)

    def test_a_second_is_enough_for_an_answer(self) -> None:
        families = hard_families(5)
        result = learn(families, tree_width=3, time_limit=1.0)
        assert result.status == "time_limit"
        assert result.statistics.seconds < 2.5
        check(result, families)


class TestKnowledge:
    def test_more_required_parents_than_the_tree_width(self) -> None:
        knowledge = Knowledge(required=[("a", "c"), ("b", "c")])
        for method in ("auto", "exact", "kmax", "s2_plus"):
            result = learn(small_data(1), method=method, tree_width=1, knowledge=knowledge)
            assert result.status == "infeasible"
            assert not result.has_network
            assert result.remarks == ("'c' needs more parents than a tree-width of 1 allows",)
            assert "no network of tree-width at most 1 obeys the knowledge" in str(result)
            check(result, small_data(1))

    def test_required_edges_that_are_too_wide_together(self) -> None:
        knowledge = Knowledge(required=[("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")])
        result = learn(small_data(1), method="exact", tree_width=1, knowledge=knowledge)
        assert result.status == "infeasible"
        assert learn(small_data(1), method="exact", tree_width=2, knowledge=knowledge).status == "optimal"

    def test_rules_on_whole_networks_are_refused(self) -> None:
        words = "networks of bounded tree-width cannot honour max_edges; ilp can, without tree_width"
        with pytest.raises(KnowledgeError, match=words):
            learn(small_data(1), tree_width=2, knowledge=Knowledge(max_edges=3))


SQUARE = [["a", "b"], ["b", "c"], ["c", "d"], ["a", "d"]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tree_width": -1}, "tree_width must be at least 0, got -1"),
        ({"tree_width": 1.5}, "tree_width must be a whole number, got 1.5"),
        ({"method": "kmax"}, "kmax finds networks of bounded tree-width; give tree_width, such as tree_width=4"),
        ({"method": "dp", "tree_width": 2}, "dp does not bound the tree-width; use one of auto, s2, s2_plus, kp"),
        ({"method": "pc", "tree_width": 2}, "pc does not bound the tree-width"),
        ({"method": "kmax(iterations=0)", "tree_width": 2}, "KMax.iterations=0. runs until it is stopped"),
        ({"cliques": SQUARE}, "cliques: the cliques have no tree in which those of each variable are connected"),
        ({"cliques": [["a", "z"]]}, "cliques: unknown variable 'z'"),
        ({"cliques": [["a", "b", "c"]], "tree_width": 1}, "tree_width is 1, but the cliques have tree-width 2"),
        ({"cliques": [["a", "b"]], "method": "kmax"}, "kmax does not take cliques; use auto or exact"),
        (
            {"cliques": TreeDecomposition(("a",), (("a",),), (-1,))},
            "cliques must be a tree decomposition of the variables, but the graph and the decomposition have different",
        ),
    ],
)
def test_wrong_arguments(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        learn(small_data(1), **options)


def test_what_is_too_large() -> None:
    data = credenet.textbook.asia().sample(50, seed=1)
    wide = Dataset({str(at): ["0", "1"] for at in range(12)}, np.random.default_rng(1).integers(0, 2, (30, 12)))
    with pytest.raises(ArgumentError, match=r"kp finds the best network of each k-tree, .* above 7, got 8; use s2 or"):
        learn(wide, method="kp", tree_width=8)
    with pytest.raises(ArgumentError, match=r"kp_plus .* above 7, got 8; use s2_plus or auto"):
        learn(wide, method="kp_plus", tree_width=8)
    with pytest.raises(ArgumentError, match="cliques may have at most 9 variables each, got one of 10"):
        learn(wide, cliques=[list(wide.variables[:10])])
    with pytest.raises(ArgumentError, match=r"exact\(engine=dp\) needs .* memory limit is 1 kB"):
        learn(credenet.score_families(data), method=Exact("dp"), tree_width=1, memory_limit=1000)
    for method in OF_DATA:
        with pytest.raises(ArgumentError, match=f"^{method} needs the data"):
            learn(credenet.score_families(data), method=method, tree_width=2)


class TestResults:
    @pytest.fixture(scope="class")
    @staticmethod
    def data() -> Dataset:
        return credenet.random.network(
            credenet.random.dag([f"v{at}" for at in range(9)], n_edges=20, seed=2), seed=2
        ).sample(2000, seed=1)

    @pytest.fixture(scope="class")
    @staticmethod
    def result(data: Dataset) -> LearnResult:
        return learn(data, tree_width=2)

    def test_the_loss_is_reported(self, data: Dataset, result: LearnResult) -> None:
        best = learn(data, method="dp")
        assert result.unbounded_score == pytest.approx(best.score)
        assert result.score is not None
        assert best.score is not None
        assert result.score < best.score - 1
        assert "the best network of any tree-width scores" in str(result)
        limited = learn(data, tree_width=2, max_parents=2)
        assert limited.score == pytest.approx(result.score)
        assert "the best network with at most 2 parents each of any tree-width scores" in str(limited)
        assert f"{best.score - result.score:.6g} higher" in str(result)
        assert "optimal of tree-width at most 2" in repr(result)

    def test_as_values(self, result: LearnResult) -> None:
        values = result.to_dict()
        assert values["tree_width"] == result.tree_width == 2
        assert values["elimination_order"] == list(result.elimination_order or ())
        assert TreeDecomposition.from_cliques(values["variables"], values["bags"]).covers(result.dag)
        assert values["unbounded_score"] == result.unbounded_score
        assert values["provenance"]["tree_width"] == 2
        assert "tree_width" not in learn(small_data(1)).to_dict()

    def test_inference_uses_the_order(self, data: Dataset, result: LearnResult) -> None:
        network = result.fit(data)
        assert network.elimination_order == result.elimination_order
        plain = credenet.fit(data, result.dag)
        for name, states in plain.marginals().items():
            assert network.marginals()[name] == pytest.approx(states)

    def test_local_scores_add_up(self, data: Dataset, result: LearnResult) -> None:
        assert result.local == pytest.approx(credenet.score(data, result.dag).local)

    def test_verify_finds_false_claims(self, data: Dataset, result: LearnResult) -> None:
        decomposition = result.decomposition
        assert decomposition is not None
        names = result.dag.variables
        wide = TreeDecomposition.from_cliques(names, [names])
        narrow = TreeDecomposition.from_cliques(names, [])
        last = TreeDecomposition(names, (*decomposition.bags, decomposition.bags[0]), (*decomposition.parents, 1))
        for wrong, claim in (
            (wide, "the tree-width is at most 2"),
            (narrow, "every family lies in a bag, and the bags form a tree"),
            (None, "every family lies in a bag, and the bags form a tree"),
            (last, "every family lies in a bag, and the bags form a tree"),
        ):
            failed = [
                check.claim for check in replace(result, decomposition=wrong).verify(data) if check.holds is False
            ]
            assert failed[:1] == [claim]

    def test_verify_finds_a_wrong_optimum(self) -> None:
        data = small_data(1)
        found = learn(data, method="exact", tree_width=1, score="log_likelihood")
        assert found.score is not None
        empty = replace(
            learn(data, method="exact", tree_width=0, score="log_likelihood"),
            provenance=found.provenance,
        )
        failed = [check.claim for check in empty.verify(data) if check.holds is False]
        assert failed == [f"no network of tree-width at most 1 scores above {empty.score:.6f}"]

    @pytest.mark.parametrize("method", OF_DATA)
    def test_k_trees_and_their_scores(self, method: str, data: Dataset) -> None:
        result = learn(data, method=method, tree_width=2)
        assert 0 < len(result.k_trees) <= 100
        assert max(tree.score for tree in result.k_trees) == pytest.approx(result.score)
        assert all(tree.information > 0 for tree in result.k_trees)

    def test_a_complete_search_says_what_it_gains(self, data: Dataset) -> None:
        result = learn(data, method="s2_plus(complete=True, iterations=5)", tree_width=2)
        assert "nats of informative score over the greedy search, on average of 5 k-trees" in result.provenance.reason


class TestScoring:
    """Which families are scored, in how much time."""

    @staticmethod
    def wide(n: int, *, rows: int = 20) -> Dataset:
        codes = np.random.default_rng(1).integers(0, 2, (rows, n))
        return Dataset({f"v{at}": ["0", "1"] for at in range(n)}, codes)

    @staticmethod
    def scored(data: Dataset, width: int, time_limit: float | None = None, **options: Any) -> tuple[FamilyTable, str]:
        problem = LearningProblem.from_arguments(data, KMax(), tree_width=width, **options)
        found = score_bounded(problem, width, Run.from_limits(time_limit, None, 1, None))
        return found.table, found.reason

    def test_all_families_if_they_are_few(self) -> None:
        table, reason = self.scored(self.wide(8), 2)
        assert (table.made.complete, table.made.max_parents, reason) == (True, 2, "")

    def test_the_smaller_limit_of_parents_counts(self) -> None:
        for width, most in ((3, 2), (2, 3)):
            assert self.scored(self.wide(8), width, max_parents=most)[0].made.max_parents == 2

    def test_the_most_promising_ones_if_there_are_many(self) -> None:
        data = self.wide(120)
        for limit in (None, 1.0):
            table, reason = self.scored(data, 4, limit)
            assert "the most promising ones were scored" in reason
            assert table.statistics().largest_set <= 4
            assert min(table.n_families(name) for name in data.variables) >= 1

    def test_fewer_parents_where_there_is_no_best_first_search(self) -> None:
        table, reason = self.scored(self.wide(120), 4, score="mit")
        assert reason == "families of at most 2 parents were scored"
        assert table.made.max_parents == 2

    def test_only_families_within_cliques(self) -> None:
        data = self.wide(30)
        problem = LearningProblem.from_arguments(data, Auto(), cliques=[["v1", "v2", "v3"]], score="log_likelihood")
        table = score_bounded(problem, 2, Run.from_limits(None, None, 1, None)).table
        assert table.made.complete
        assert {name for name in data.variables if table.n_families(name) > 1} == {"v1", "v2", "v3"}
