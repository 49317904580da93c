"""What a credible set claims, in text and JSON, against all networks, wherever its search was stopped."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import matplotlib
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

import brute
import credenet
import polls
from credenet import DAG, CredibleClasses, CredibleSet, Dataset, FamilyTable, credible_classes, credible_networks
from credenet._run.run import Run
from credenet._run.status import Status
from credenet.credible import class_set
from credenet.credible.engine.by_table import TableEnumerator
from credenet.credible.engine.enumerator import Budget, What
from credenet.credible.output.wording import explanation, flag
from credenet.credible.result import Stage
from credenet.drawing.reports.credible import html
from credenet.learners.problem import LearningProblem
from credenet.structures.products.network_products import ComponentNetworks
from credibility_tables import WHOLE, independent_pairs
from polls import every_poll
from slow_learning import all_parents, all_scores

matplotlib.use("agg")
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Stop:
    """Where a search ends: ``scoring`` after a number of parents, the others at a number of calls, or a limit."""

    where: str
    after: int
    status: Status = "stopped"
    memory_limit: float | None = None
    time_limit: float | None = None


@contextmanager
def stopped(stop: Stop) -> Iterator[None]:
    """Ends the search as if a limit had."""
    calls = {"optimum": 0, "enumeration": 0}

    families = LearningProblem.families

    def scored(problem: LearningProblem, run: Run, slack: float) -> FamilyTable:
        whole = families(problem, run, slack)
        if isinstance(problem.source, FamilyTable):
            return whole
        data, (score, prior) = problem.source, problem.scoring
        most = min(stop.after, data.n_variables - 1 if problem.max_parents is None else problem.max_parents)
        few = credenet.score_families(
            data, score=score, prior=prior, slack=slack, max_parents=most, states=problem.scored_states
        )
        if len(few) == len(whole):
            return whole
        ended = {"time_limit": "stopped", "stopped": "interrupted"}.get(stop.status, stop.status)
        return few.with_info(replace(few.made, complete=False, status=ended, max_parents=most))

    solve, find = TableEnumerator.solve, TableEnumerator.find

    def not_solved(enumerator: TableEnumerator) -> Status:
        calls["optimum"] += 1
        return solve(enumerator) if calls["optimum"] <= stop.after else stop.status

    def not_listed(enumerator: TableEnumerator, budget: Budget, what: What) -> tuple[ComponentNetworks, str, int]:
        calls["enumeration"] += 1
        networks, status, n_expanded = find(enumerator, budget, what)
        if calls["enumeration"] <= stop.after:
            return networks, status, n_expanded
        return networks.take(slice(len(networks) // 2)), "stopped", n_expanded

    with pytest.MonkeyPatch.context() as patch:
        if stop.where == "scoring":
            patch.setattr(LearningProblem, "families", scored)
        if stop.where == "optimum":
            patch.setattr(TableEnumerator, "solve", not_solved)
        if stop.where == "enumeration":
            patch.setattr(TableEnumerator, "find", not_listed)
        yield


STOPS = st.one_of(
    st.builds(
        Stop,
        st.just("scoring"),
        st.integers(0, 2),
        st.sampled_from(["time_limit", "memory_limit", "iteration_limit", "stopped"]),
    ),
    st.builds(Stop, st.just("optimum"), st.integers(0, 1), st.sampled_from(["time_limit", "stopped"])),
    st.builds(Stop, st.just("enumeration"), st.integers(0, 1)),
    st.floats(1, 6).map(lambda size: Stop("memory", 0, memory_limit=10**size)),
    st.floats(-6, -2).map(lambda size: Stop("time", 0, time_limit=10**size)),
    st.just(Stop("nowhere", 0)),
)


@st.composite
def data_of_few_columns(draw: st.DrawFn) -> Dataset:
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n, n_rows = draw(st.integers(2, 4)), draw(st.sampled_from([3, 12, 60]))
    codes = rng.integers(0, 2, (n_rows, n))
    if draw(st.booleans()):  # The column depends on both others together, and on neither alone.
        codes[:, -1] = codes[:, :2].sum(axis=1) % 2
    return Dataset({f"v{k}": ["0", "1"] for k in range(n)}, codes)


class Truth:
    """Every network with its score."""

    def __init__(self, data: Dataset, options: dict[str, Any]) -> None:
        whole = credenet.score_families(data, slack=1e6, **options)
        n = data.n_variables
        self.scores: dict[DAG, float] = {}
        for masks, score in zip(all_parents(n).tolist(), all_scores(whole).tolist(), strict=True):
            if score > -math.inf:
                parents = [[k for k in range(n) if mask >> k & 1] for mask in masks]
                self.scores[DAG.from_indices(data.variables, parents)] = score

    def best(self, most: int | None = None) -> float:
        """The best score of networks with at most so many parents."""
        return max(score for dag, score in self.scores.items() if most is None or dag.max_in_degree <= most)

    def within(self, slack: float, most: int | None = None) -> set[DAG]:
        least = self.best(most) - slack - TOLERANCE
        return {
            dag for dag, score in self.scores.items() if score >= least and (most is None or dag.max_in_degree <= most)
        }

    def pairs(self, networks: set[DAG]) -> dict[tuple[str, str], list[float]]:
        """How the classes of networks join pairs."""
        total = math.fsum(math.exp(self.scores[dag] - self.best()) for dag in networks)
        sums: dict[tuple[str, str], list[float]] = {}
        for dag in networks:
            share = math.exp(self.scores[dag] - self.best()) / total
            cpdag = dag.cpdag()
            for at, edges in enumerate((cpdag.directed, [], cpdag.undirected)):
                for a, b in edges:
                    is_forward = dag.variables.index(a) < dag.variables.index(b)
                    pair, kind = ((a, b), at) if is_forward else ((b, a), 1 if at == 0 else at)
                    sums.setdefault(pair, [0.0, 0.0, 0.0])[kind] += share
        return sums


def check_claims(found: CredibleSet | CredibleClasses, truth: Truth, data: Dataset) -> None:
    text, known = found.summary(data), json.loads(found.to_json(data))
    scored = found._families.made.max_parents if found.provenance.complete is False else None
    listed = set(found) if isinstance(found, CredibleSet) else networks_of(found, truth, scored)
    assert (found.listing.ended_in is None) == (found.status in ("complete", "infeasible"))
    assert ("complete    yes" in text or "complete   yes" in text) == found.complete == known["complete"]
    assert not found.complete or (listed == truth.within(found.listing.slack) and found.provenance.complete)
    limit = f"at most {scored} parent" if scored else "(no parents)"
    is_limited = scored is not None and len(found._families) > 0
    assert not is_limited or (limit in text and limit in known["scope"] and known["largest_scored"] == scored)
    if found.optimum is None:
        assert "Probabilities" not in text
        assert known["edge_probabilities" if isinstance(found, CredibleSet) else "pair_probabilities"] is None
        for dag, score, bound in filter(None, [found.listing.incumbent]):
            assert score == pytest.approx(truth.scores[dag], abs=1e-7)
            assert bound >= truth.best(scored) - 1e-7
            assert f"{bound:.6f}" in text
        return
    assert found.optimum == pytest.approx(truth.best(scored), abs=1e-7)
    assert listed <= truth.within(found.listing.slack, scored)
    assert found.listing.complete_slack is None or listed == truth.within(found.listing.complete_slack, scored)
    tied = len(truth.within(0.0, scored))
    assert (
        (found.listing.ties.networks == tied)
        if found.listing.complete_slack is not None
        else (found.listing.ties.networks <= tied)
    )
    check_shares(found, truth, text, known)
    if isinstance(found, CredibleSet) or found.listing.complete_slack is not None:
        check_left_out(found, truth, listed, text)
    else:
        assert "each network left out" not in text


def networks_of(found: CredibleClasses, truth: Truth, most: int | None) -> set[DAG]:
    """The credible networks of the classes; where some may be missing, those too that were not counted."""
    if found.optimum is None:
        return set()
    credible = truth.within(
        found.listing.slack if found.listing.complete_slack is None else found.listing.complete_slack, most
    )
    listed = set()
    for one in found:
        members = credible.intersection(members_of(one.dag))
        assert one.members == len(members) or found.listing.complete_slack is None
        listed |= members
    return listed


def members_of(dag: DAG) -> list[DAG]:
    arcs = frozenset((parent, child) for child, several in enumerate(dag.parent_indices) for parent in several)
    names = dag.variables
    return [DAG(names, [(names[a], names[b]) for a, b in each]) for each in brute.members(len(names), arcs)]


def check_shares(found: CredibleSet | CredibleClasses, truth: Truth, text: str, known: dict[str, Any]) -> None:
    """A probability is one among all networks within the factor that the text names; others are called shares."""
    if known["pair_probabilities"] is None:
        assert "robabilit" not in re.sub("not probabilities|more probable|as probable", "", text)
        assert known.get("edge_probabilities") is None
        assert known["shares_among"].startswith("the networks found only")
        return
    assert known["pair_shares_found"] is None
    assert found.listing.complete_slack is not None
    expected = truth.pairs(truth.within(found.listing.complete_slack))
    pairs = {(a, b): shares for a, b, *shares in known["pair_probabilities"]}
    assert pairs.keys() == expected.keys()
    for pair, (*shares, absent) in pairs.items():
        assert shares == pytest.approx(expected[pair], abs=1e-8)
        assert absent == pytest.approx(1 - sum(expected[pair]), abs=1e-8)


def check_left_out(found: CredibleSet | CredibleClasses, truth: Truth, listed: set[DAG], text: str) -> None:
    others = [score for dag, score in truth.scores.items() if dag not in listed]
    claim = re.search(r"each network left out is at least ([\d.e+]+) times less probable", text)
    factor = float(claim.group(1)) * (1 - 1e-5) if claim else 0.9  # The factor allows for the printed digits.
    assert all(score <= truth.best() - math.log(factor) for score in others)
    total = math.fsum(math.exp(score - truth.best()) for score in truth.scores.values())
    share = math.fsum(math.exp(score - truth.best()) for score in others) / total
    percent = re.search(r"together (?:they )?hold (?:(\d+)|([\d.]+)|([<>][\d.]+)) %", text)
    assert percent is not None, text  # The sum over four variables is always made.
    if percent.group(1) or percent.group(2):
        assert float(percent.group(1) or percent.group(2)) == pytest.approx(100 * share, abs=0.51)
    else:
        assert share < 1e-4 + 1e-9 if percent.group(3).startswith("<") else share > 1 - 1e-4 - 1e-9


OPTIONS: list[dict[str, Any]] = [{}, {"score": "bic"}, {"score": "k2", "max_parents": 2}, {"prior": "fair"}]


@settings(max_examples=250, deadline=None)
@given(data=data_of_few_columns(), stop=STOPS, options=st.sampled_from(OPTIONS), by_class=st.booleans())
def test_claims_are_true_wherever_the_search_ended(
    data: Dataset, stop: Stop, options: dict[str, Any], by_class: bool
) -> None:
    find = credible_classes if by_class and stop.where not in ("optimum", "enumeration") else credible_networks
    with stopped(stop):
        found = find(data, bayes_factor=20, memory_limit=stop.memory_limit, time_limit=stop.time_limit, **options)
    assume(not data.info().constant)  # They have no edges, which Truth does not know.
    assert (stop.status, stop.where, found.status) != ("stopped", "scoring", "stopped") or found.optimum is None
    check_claims(found, Truth(data, options), data)


@pytest.mark.parametrize(
    ("stop", "stage", "status", "said"),
    [
        (Stop("scoring", 1, "time_limit"), "scoring", "time_limit", "was up before all families were scored"),
        (Stop("scoring", 1, "memory_limit"), "scoring", "memory_limit", "memory was full before all families"),
        (Stop("scoring", 1, "iteration_limit"), "scoring", "iteration_limit", "after a fixed amount of work"),
        (Stop("scoring", 1, "stopped"), "scoring", "stopped", "it was stopped while families were scored"),
        (Stop("optimum", 0, "time_limit"), "optimum", "time_limit", "time was up before the best score was proven"),
        (Stop("optimum", 0, "stopped"), "optimum", "stopped", "it was stopped before the best score was proven"),
        (Stop("enumeration", 0), "enumeration", "stopped", "it was stopped while networks were listed"),
        (Stop("memory", 0, memory_limit=6e4), "enumeration", "memory_limit", "more networks than fit into memory"),
    ],
    ids=lambda value: None if isinstance(value, str) else f"{value.where}-{value.status}",
)
def test_what_ended_is_said_everywhere(stop: Stop, stage: Stage, status: Status, said: str) -> None:
    data = credenet.datasets.asia(1000, seed=1)
    limit = 100.0 if status == "time_limit" else None  # Scoring that is stopped counts as ended by a time limit.
    with stopped(stop):
        found = credible_networks(data, memory_limit=stop.memory_limit, time_limit=limit, n_threads=1)
    assert (found.status, found.listing.ended_in, found.complete) == (status, stage, False)
    assert found.verify(data)
    known = found.to_dict(shell=True)
    assert (known["status"], known["ended_in"]) == (status, stage)
    for text in (repr(found), str(found), found._repr_html_()):
        assert said in text
    for key in ("known", "not known", "try"):
        assert known["explanation"][key] in found.summary(shell=True)
    assert "max_parents" not in found.summary(shell=True)
    assert not re.search(r"--\w", found.summary())
    is_limit = status in ("time_limit", "memory_limit")
    assert (f"a larger --{status.replace('_', '-')}" in known["explanation"]["try"]) == is_limit
    assert (f"a larger {status}" in str(found)) == is_limit
    is_partial = stage == "scoring"
    assert ("--max-parents 1, for which all families were scored" in known["explanation"]["try"]) == is_partial
    assert (known["largest_scored"] == 1) == is_partial
    assert not is_partial or known["families"] == found.statistics.evaluated


def test_the_best_network_so_far() -> None:
    data = credenet.datasets.asia(1000, seed=1)
    best = credenet.learn(data)
    with stopped(Stop("optimum", 0, "time_limit")):
        found = credible_networks(data)
    assert found.listing.incumbent is not None
    assert found.listing.incumbent.score == pytest.approx(credenet.score(data, found.listing.incumbent.dag).total)
    assert best.score is not None
    assert found.listing.incumbent.score <= best.score <= found.listing.incumbent.bound
    assert found.to_dict()["incumbent"]["edges"] == [list(edge) for edge in found.listing.incumbent.dag.edges]
    assert "The best network found so far" in found._repr_html_()
    for a, b in found.listing.incumbent.dag.edges:
        assert f"{a} -> {b}" in str(found)
    with stopped(Stop("scoring", 1, "stopped")):
        early = credible_networks(data)
    assert early.listing.incumbent is not None
    assert early.listing.incumbent.dag.max_in_degree <= 1
    assert credible_networks(data).listing.incumbent is None


def test_sentences_of_a_complete_set() -> None:
    data = credenet.datasets.asia(1000, seed=1)
    found = credible_networks(data, score="bic")
    text = found.summary(data)
    assert "each network left out is at least 20 times less probable than the best; together they hold 28 %" in text
    assert "evidence" not in text
    assert "3 networks tie for the best score, all equivalent (1 class)" in text
    assert found.to_dict()["ties"] == {"networks": 3, "classes": 1}
    assert found.classes.listing.ties == found.listing.ties == credible_classes(data, score="bic").listing.ties
    before = credible_networks(data, score="bic")
    before.forget_data()
    assert "together they hold an unknown share: not computed (covered_mass, from the data)" in str(before)
    assert "not computed (--covered-mass, from the data)" in before.summary(shell=True)
    assert re.search(r"^time +[\d.]+ s$", text, re.MULTILINE)
    assert explanation(found, flag) == []


def test_ties_of_several_classes() -> None:
    table = FamilyTable.from_lists(
        {"a": [(0.0, [])], "b": [(0.0, []), (0.0, ["a"])], "c": [(-1.0, []), (0.0, ["b"])]}, made=WHOLE
    )
    found = credible_networks(table, slack=0.5)
    assert found.listing.ties == credible_classes(table, slack=0.5).listing.ties == (2, 2)
    assert "2 networks tie for the best score, in 2 equivalence classes" in str(found)
    alone = credible_networks(FamilyTable.from_lists({"a": [(0.0, [])]}, made=WHOLE), slack=0.5)
    assert alone.listing.ties == (1, 1)
    assert "one network has the best score" in str(alone)
    many = credible_networks(independent_pairs(40), slack=0.0)
    assert many.listing.ties == (2**40, 1)


def test_a_filtered_set_does_not_claim_all_networks() -> None:
    data = credenet.datasets.asia(1000, seed=1)
    found = credible_networks(data, score="bic").listing.filter(lambda dag: "smoke" in dag.parents("lung"))
    assert "each network with the property that is left out" in found.summary(data)
    assert "yes, of the networks with the property asked for" in str(found)


def test_scores_that_are_no_probabilities() -> None:
    found = credible_networks(credenet.datasets.asia(100), score="mit", slack=1.5, max_parents=2)
    assert "Bayes factor" not in str(found)
    assert "times less probable" not in str(found)
    assert "scores lower than the best by at least 1.5" in str(found)
    assert found.to_dict()["evidence"] is None


def test_small_probabilities_are_not_zero() -> None:
    lists: dict[str, list[tuple[float, list[str]]]] = {"a": [(-1.25, []), (-12.25, ["b"])], "b": [(-1.5, [])]}
    found = credible_networks(FamilyTable.from_lists(lists, made=WHOLE), slack=12.0)
    assert "\n\nNo two variables are joined with a probability above 0.0001 in the credible networks" in str(found)
    assert "<0.0001" in str(found.classes)
    assert not re.search(r"\b0\.0000\b", str(found) + found._repr_html_() + str(found.classes))


def test_the_table_of_pairs() -> None:
    data = credenet.datasets.asia(1000, seed=1)
    found = credible_networks(data, score="bic")
    text = str(found)
    assert re.search("variable +with +joined +→ +← +data cannot tell", text)
    assert re.search(r"smoke +lung +1 +0 +0 +1 +[\d.>]+$", text, re.MULTILINE)
    known = found.to_dict()
    assert known["pair_probabilities"] == [[a, b, *shares] for (a, b), shares in found.pair_probabilities().items()]
    assert known["edge_probabilities"]


def test_pairs_of_classes_that_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Directions are those of networks that are drawn, and every place says so; the rest agrees with the table."""
    data = credenet.datasets.asia(1000, seed=1)
    exact = credible_networks(data, score="bic").pair_probabilities()
    monkeypatch.setattr(class_set, "_QUICK_PAIRS", 10)
    found = credible_networks(data, score="bic")
    assert found._draws_directions
    pairs = found.pair_probabilities()
    assert set(pairs) == set(exact)
    for pair, shares in pairs.items():
        assert shares.joined == pytest.approx(exact[pair].joined, abs=1e-9)
        # The tolerance is five standard errors of a share.
        assert tuple(shares) == pytest.approx(tuple(exact[pair]), abs=0.025)
    for text in (str(found), html(found)):
        assert "Directions are those of 10,000 networks drawn" in text
    assert found.to_dict()["directions_drawn"] == 10_000


def test_reports_and_figures_of_a_set_that_is_not_whole() -> None:
    data = credenet.datasets.asia(1000, seed=1)
    with stopped(Stop("scoring", 1, "memory_limit")):
        found = credible_networks(data, bayes_factor=20)
    page = html(found)
    for text in (html(found, explorer=False), found._repr_html_(), str(found)):
        assert "est network found so far" in text
        assert re.search("how sure (they|its edges) are is not known", text)
        assert "robability" not in text
        assert "joined" not in text
    assert "<th>probability" not in page
    assert ", probability" not in page
    for draw in (found.listing.plot, found.plot_edge_probabilities, found.plot_average):
        assert draw(Figure().add_subplot()).get_title() == "of the networks found, which are not all"
    assert all("of the networks found" in axes.get_title() for axes in found.classes.plot(k=2))
    whole = credible_networks(data, bayes_factor=20)
    assert whole.plot_edge_probabilities(Figure().add_subplot()).get_title() == (
        "among the credible networks, which hold 25 % of the posterior"
    )


def test_how_networks_of_components_are_combined() -> None:
    """Each of two pairs may lose 2 nats, but not both within 3."""
    pairs: dict[str, list[tuple[float, list[str]]]] = {name: [(0.0, [])] for name in "ac"}
    pairs |= {"b": [(2.0, ["a"]), (0.0, [])], "d": [(2.0, ["c"]), (0.0, [])]}
    table = FamilyTable.from_lists(pairs)
    some, every = (credible_networks(table, slack=slack) for slack in (3.0, 5.0))
    assert (some.n_networks, every.n_networks) == (3, 4)
    assert "made of     2, 2 networks of independent components, combined as far as the limit allows" in str(some)
    assert "made of     2, 2 networks of independent components, combined in every way" in str(every)


def test_memory_that_ends_scoring_and_then_the_list_is_named_twice() -> None:
    """Equal pairs of columns make many networks, and memory is too short for larger parent sets as well."""
    rng = np.random.default_rng(0)
    data = Dataset({f"v{at}": ["0", "1"] for at in range(40)}, rng.integers(0, 2, (20, 40)))
    found = credible_networks(data, bayes_factor=20, memory_limit=1_000_000)
    assert (found.status, found.listing.ended_in, found.provenance.complete) == ("memory_limit", "enumeration", False)
    assert "more networks than fit into memory, and not all families were scored, as memory was full" in str(found)


@pytest.mark.parametrize("max_parents", [None, 3])
@pytest.mark.parametrize("required", [[], [("v0", "v2"), ("v1", "v2")]], ids=str)
def test_a_set_of_scoring_that_was_stopped_verifies(max_parents: int | None, required: list[tuple[str, str]]) -> None:
    rng = np.random.default_rng(1)
    data = Dataset({f"v{k}": ["0", "1"] for k in range(4)}, rng.integers(0, 2, (60, 4)))
    knowledge = credenet.Knowledge(required=required)
    for at in range(1, 12):
        with every_poll():
            stop = polls.Stop(at)
            found = credible_networks(data, knowledge=knowledge, max_parents=max_parents, n_threads=1, on_progress=stop)
        verification = found.verify(data)
        assert verification, str(verification)
