"""Settings of tests in learners: the setting that is chosen for the data, and tests that are refused."""

from __future__ import annotations

import json
import math
import re
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import credenet
from commands import answer
from credenet import Dataset, Knowledge, independence_test, learn
from credenet.cli.advice import translate_to_shell
from credenet.errors import ArgumentError
from credenet.learners.constraint_based import test_choice
from credenet.learners.constraint_based.testing_remarks import dense_graph_remarks
from credenet.scores import BIC
from credenet.settings.tests import as_test
from credenet.tests import CMI, G2, BayesFactor, ChiSquared
from polls import CtrlC, Polls, Stop, TimeByHand, every_poll
from slow_independence import skeleton
from slow_scores import slow_family_score

AUTO = "bayes_factor(setting=auto)"
TRIED = ("bayes_factor", *(f"bayes_factor({each})" for each in ("pseudo_count=0.25", "pseudo_count=0.1")))


def slow_worth(data: Dataset, dag: credenet.DAG) -> float:
    """BIC by its formula, less the log of the number of parent sets of each size."""
    bic = sum(
        slow_family_score(data, name, list(dag.parents(name)), BIC(), states="observed") for name in dag.variables
    )
    return bic - sum(math.log(math.comb(len(dag) - 1, len(dag.parents(name)))) for name in dag.variables)


class TestChoice:
    @pytest.mark.parametrize("method", ["pc", "rai", "pc(ambiguous=one, max_order=2)", "rai(variant=published)"])
    def test_the_network_of_the_setting_is_best(self, method: str) -> None:
        data = credenet.textbook.asia().sample(400, seed=3)
        result = learn(data, method=method, test=AUTO)
        scores = result.provenance.test_scores
        assert list(scores)[:3] == list(TRIED)
        assert len(scores) == 6
        for test, value in scores.items():
            assert value == pytest.approx(slow_worth(data, learn(data, method=method, test=test).dag))
        assert result.provenance.test == max(scores, key=lambda test: scores[test])

    @pytest.mark.parametrize("method", ["pc", "rai", "mmhc", "rai(then=tabu)"])
    def test_the_result_is_that_of_the_setting_named(self, method: str) -> None:
        data = credenet.textbook.asia().sample(500, seed=5)
        knowledge = Knowledge(forbidden=[("lung", "smoke")], required=[("asia", "tub")])
        found = learn(data, method=method, test=AUTO, knowledge=knowledge)
        named = learn(data, method=method, test=found.provenance.test, knowledge=knowledge)
        assert (found.graph, found.score, found.strengths) == (named.graph, named.score, named.strengths)
        assert named.provenance.test_scores == {}
        threads = learn(data, method=method, test=AUTO, knowledge=knowledge, n_threads=4)
        assert threads.graph == found.graph
        assert threads.provenance.test_scores == found.provenance.test_scores

    def test_mmhc_takes_the_choice_of_pc(self) -> None:
        data = credenet.textbook.asia().sample(500, seed=5)
        scores = [learn(data, method=each, test=AUTO).provenance.test_scores for each in ("mmhc", "pc")]
        assert scores[0] == scores[1]

    def test_other_settings_are_kept(self) -> None:
        data = credenet.textbook.asia().sample(500, seed=5)
        asked = BayesFactor(threshold=-1, min_rows_per_cell=2, setting="auto")
        made = learn(data, method="pc", test=asked).provenance
        assert all("threshold=-1, min_rows_per_cell=2" in test for test in made.test_scores)

    def test_it_is_reported(self) -> None:
        data = credenet.textbook.asia().sample(500, seed=5)
        result = learn(data, method="pc", test=AUTO)
        made = json.loads(result.to_json())["provenance"]
        assert made["test"] == result.provenance.test
        assert made["test_scores"] == dict(result.provenance.test_scores)
        assert f"{result.provenance.test} is the one of 6 settings whose network has the highest BIC" in made["reason"]
        assert f"test           {result.provenance.test}, chosen by setting=auto\n" in str(result)

    def test_many_rows_are_chosen_from(self, monkeypatch: pytest.MonkeyPatch) -> None:
        data = credenet.textbook.asia().sample(900, seed=5)
        monkeypatch.setattr(test_choice, "MOST_ROWS", 300)
        scores = learn(data, method="pc", test=AUTO).provenance.test_scores
        some = data.take(np.linspace(0, 899, 300).astype(int))
        assert scores == learn(some, method="pc", test=AUTO).provenance.test_scores

    def test_no_rows_and_one_variable(self) -> None:
        data = credenet.textbook.asia().sample(100, seed=5)
        result = learn(data.take(slice(0)), method="pc", test=AUTO)
        assert (result.provenance.test, result.graph.n_edges) == ("bayes_factor", 0)
        assert "is the default" in result.provenance.reason
        assert learn(data.select(["lung"]), method="rai", test=AUTO).graph.n_edges == 0

    def test_too_many_variables(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(test_choice, "MOST_VARIABLES", 7)
        with pytest.raises(ArgumentError, match="at most 7 variables, got 8; give pseudo_count or ess"):
            learn(credenet.datasets.asia(), method="pc", test=AUTO)

    @pytest.mark.parametrize("stop", [Stop, CtrlC])
    def test_a_stop_ends_the_choice_and_the_learning(self, stop: Any) -> None:
        with every_poll():
            result = learn(credenet.datasets.asia(), method="pc", test=AUTO, on_progress=stop())
        assert result.status == "stopped"
        assert result.provenance.test == "bayes_factor"

    def test_settings_that_do_not_end_in_time_are_left_out(self) -> None:
        first = Polls(at=-1)
        with every_poll():
            learn(credenet.datasets.asia(), method="pc", test="bayes_factor", on_progress=first)
        hand = TimeByHand(at=len(first.seen) + 5)  # A poll of the second setting.
        with every_poll(), hand.set():
            result = learn(credenet.datasets.asia(), method="pc", test=AUTO, on_progress=hand, time_limit=1e5)
        assert result.status == "complete"
        assert list(result.provenance.test_scores) == ["bayes_factor"]

    def test_bootstrap_chooses_once(self) -> None:
        data = credenet.textbook.asia().sample(300, seed=5)
        chosen = learn(data, method="pc", test=AUTO).provenance.test
        found = credenet.bootstrap(data, method="pc", test=AUTO, n_samples=5)
        named = credenet.bootstrap(data, method="pc", test=chosen, n_samples=5)
        assert found.pairs == named.pairs
        assert found.provenance.test == chosen

    def test_in_a_shell(self, tmp_path: Any) -> None:
        credenet.textbook.asia().sample(300, seed=5).save(tmp_path / "rows.csv")
        common = ("learn", "rows.csv", "--method", "pc", "--test")
        told = answer(*common, AUTO, cwd=tmp_path)
        again = answer(*common, told["test"], cwd=tmp_path)
        assert told["test"] != AUTO
        assert told["edges"] == again["edges"]


def refusing(data: Dataset, least: float) -> Any:
    """A test by its definition: too few rows per cell find no independence."""
    n_states = dict(zip(data.variables, (len(data.info().counts[name]) for name in data.variables), strict=True))

    def judge(x: str, y: str, given: tuple[str, ...]) -> bool:
        per_cell = len(data) / math.prod(n_states[name] for name in (x, y, *given))
        return per_cell >= least and independence_test(data, x, y, given, test="g2").independent

    return judge


class TestRefusal:
    @pytest.mark.parametrize("least", [5.0, 20.0, 60.0])
    @pytest.mark.parametrize("seed", [1, 2])
    def test_a_refused_test_removes_no_edge(self, least: float, seed: int) -> None:
        data = credenet.textbook.asia().sample(400, seed=seed)
        found = learn(data, method="pc", test=G2(min_rows_per_cell=least))
        assert skeleton(found.graph) == skeleton(learn(data, method="pc", test=refusing(data, least)).graph)
        assert not any(strength.refused for strength in found.strengths)

    @pytest.mark.parametrize("kind", [G2, ChiSquared, CMI, BayesFactor])
    @pytest.mark.parametrize("method", ["pc", "rai", "mmhc"])
    def test_all_are_refused(self, method: str, kind: Any) -> None:
        data = credenet.textbook.sprinkler().sample(50, seed=1)
        result = learn(data, method=method, test=kind(min_rows_per_cell=1e6))
        assert result.statistics.refused_tests == result.statistics.tests
        assert result.strengths == ()
        number = sum(result.statistics.tests.values())
        assert any(
            remark.startswith(f"{number} of {number} tests were refused, as there were fewer than 1e+06 rows per cell")
            for remark in result.remarks
        )
        assert method == "mmhc" or result.graph.n_edges == 6
        assert method == "mmhc" or "6 edges of the graph had no other test" in " ".join(result.remarks)

    def test_they_are_counted(self) -> None:
        data = credenet.textbook.asia().sample(100, seed=2)
        result = learn(data, method="pc(max_order=0)", test=G2(min_rows_per_cell=26))
        states = {name: len(data.info().counts[name]) for name in data.variables}
        pairs = [(a, b) for a, b in combinations(data.variables, 2) if min(states[a], states[b]) > 1]
        assert result.statistics.tests == {0: len(pairs)}
        assert result.statistics.refused_tests == {0: sum(100 / (states[a] * states[b]) < 26 for a, b in pairs)}
        assert "refused tests  28 (by order)" in str(result)
        assert json.loads(result.to_json())["statistics"]["refused_tests"] == {"0": 28}

    @pytest.mark.parametrize("method", ["pc", "rai", "mmhc"])
    def test_none_are_refused_by_default(self, method: str) -> None:
        result = learn(credenet.datasets.asia(100), method=method)
        assert result.statistics.refused_tests == {}
        assert "refused" not in str(result)

    @pytest.mark.parametrize("method", ["pc", "rai", "mmhc", "pc(ambiguous=one)", "pc(orientation=majority)"])
    def test_threads_count_the_same(self, method: str) -> None:
        data = credenet.textbook.asia().sample(300, seed=2)
        one, four = (learn(data, method=method, test=G2(min_rows_per_cell=40), n_threads=n) for n in (1, 4))
        assert one.graph == four.graph
        assert one.statistics.refused_tests == four.statistics.refused_tests
        assert sum(one.statistics.refused_tests.values()) > 0

    def test_required_edges_are_not_tests_that_failed(self) -> None:
        data = credenet.textbook.sprinkler().sample(50, seed=1)
        knowledge = Knowledge(required=[(data.variables[0], data.variables[1])])
        result = learn(data, method="pc", test=G2(min_rows_per_cell=1e6), knowledge=knowledge)
        assert "5 edges of the graph had no other test" in " ".join(result.remarks)


class TestDenseGraph:
    @pytest.mark.parametrize("test", ["g2(significance=0.01)", "chi2(min_rows_per_cell=2)"])
    def test_the_cure_works_as_printed(self, test: str) -> None:
        [remark] = dense_graph_remarks(as_test(test), {0: 10, 1: 10, 2: 10})
        printed = re.search(r"test='([^']+)'", remark)
        assert printed is not None
        data = credenet.datasets.asia(200)
        made = learn(data, method="pc", test=printed[1]).provenance.test
        assert made == f"{test[:-1]}, df=observed)".replace(
            "min_rows_per_cell=2, df=observed", "df=observed, min_rows_per_cell=2"
        )
        shell = re.search(r"--test '([^']+)'", translate_to_shell(remark))
        assert shell is not None
        assert shell[1] == printed[1]

    @pytest.mark.parametrize(
        ("test", "orders"),
        [("g2(df=observed)", 4), ("g2(df=classical)", 4), ("bayes_factor", 4), ("cmi", 4), ("g2", 2)],
    )
    def test_other_tests_have_no_such_cure(self, test: str, orders: int) -> None:
        assert dense_graph_remarks(as_test(test), dict.fromkeys(range(orders), 10)) == ()

    def test_a_result_that_ran_out_of_time_tells_it(self) -> None:
        rng = np.random.default_rng(4)
        cause = rng.integers(0, 4, 300)
        codes = np.column_stack([np.where(rng.random(300) < 0.6, cause, rng.integers(0, 4, 300)) for _ in range(9)])
        data = Dataset({f"x{k}": list("abcd") for k in range(9)}, codes)
        complete = learn(data, method="pc", test="g2")
        assert len(complete.statistics.tests) > 3
        assert complete.remarks == ()

        class UntilOrderThree(TimeByHand):
            def __call__(self, progress: Any) -> None:
                if progress.order == 3:
                    self.act()

        hand = UntilOrderThree()
        with every_poll(), hand.set():
            result = learn(data, method="pc", test="g2", time_limit=100, on_progress=hand)
        assert result.status == "time_limit"
        assert "test='g2(df=observed)' keeps fewer and ends sooner" in " ".join(result.remarks)
