"""What a session answers, against the library; learning again, undo and cancel."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import credenet
from credenet import FamilyTable, Knowledge, fit, textbook
from credenet.credible.output.wording import percent
from credenet.errors import ArgumentError, KnowledgeError
from credenet.explorer.answer import ExplorerAnswer
from credenet.explorer.contents import session_of
from credenet.explorer.session import ExplorerSession
from credenet.explorer.source import OpenedSource
from credenet.knowledge.equivalence import class_given
from credenet.types import Progress
from explorer.examples import asia_session, learned

DATA = textbook.asia().sample(1000, seed=1)


@pytest.fixture(scope="module")
def session() -> ExplorerSession:
    return asia_session()


@pytest.fixture(scope="module")
def credible() -> credenet.CredibleSet:
    return credenet.credible_networks(DATA)


def pairs_of(state: Any) -> dict[tuple[str, str], Any]:
    """The joined pairs as the first picture has them, with their shares."""
    names = [variable["name"] for variable in state["variables"]]
    return {(names[pair["a"]], names[pair["b"]]): pair["shares"] for pair in state["pairs"]}


def edges_of(state: Any) -> dict[tuple[str, str], bool]:
    """The edges as they are drawn: whether they have an arrow head."""
    names = [variable["name"] for variable in state["variables"]]
    ends = [(pair["a"], pair["b"]) if pair["mark"] != "backward" else (pair["b"], pair["a"]) for pair in state["pairs"]]
    return {
        (names[a], names[b]): pair["mark"] != "undirected" for (a, b), pair in zip(ends, state["pairs"], strict=True)
    }


def shares_of(credible: credenet.CredibleSet) -> dict[tuple[str, str], Any]:
    """The table of pairs in the form of the browser."""
    parts = ("joined", "forward", "backward", "undetermined")
    return {
        pair: {part: getattr(shares, part) for part in parts} for pair, shares in credible.pair_probabilities().items()
    }


def check_no_certainty(state: Any) -> None:
    """Nothing that the browser receives says how sure an edge is, but that it is not known."""
    assert state["share"] == ""
    assert state["edges_of"] == "the best network found so far"
    assert state["pairs"]
    assert {pair["shares"] for pair in state["pairs"]} == {None}


def test_state(session: ExplorerSession, credible: credenet.CredibleSet) -> None:
    state = session.call("state", {})
    assert state["kind"] == "credible"
    held = f"hold {percent(credible.covered_mass(DATA) or 0.0)} of the posterior"
    number = "2,134 networks in 466 classes of 8 variables"
    assert state["headline"] == f"{number}, within a Bayes factor of 20 of the best; they {held}"
    assert state["among"] == f"the credible networks, which {held}"
    assert pairs_of(state) == shares_of(credible)
    assert (state["share"], state["edges_of"]) == ("probability", "")
    assert dict(state["summary"])["complete"] == "yes"
    assert {box["variable"] for box in state["layout"]["boxes"]} == set(range(8))
    assert state["variables"][0] == {"name": "asia", "states": ["yes", "no"]}
    assert set(state["abilities"].values()) == {""}


def test_a_set_of_a_small_share_begins_with_a_warning() -> None:
    """Without the last column of a table that the explorer does not have."""
    small = session_of(credenet.credible_networks(DATA), DATA)
    large = session_of(credenet.credible_networks(DATA, bayes_factor=1e5), DATA)
    assert small is not None
    assert large is not None
    told = small.call("state", {})
    assert [notice["level"] for notice in told["notices"]] == ["warning"]
    assert told["notices"][0]["text"].startswith("These networks hold only ")
    assert "last column" not in str(told)
    assert large.call("state", {})["notices"] == []
    for what in ("effects", "distinctions"):
        assert "of the posterior" in small.call(what, {"x": 1})["among"]


def test_networks_and_classes(session: ExplorerSession, credible: credenet.CredibleSet) -> None:
    names = credible.variables
    classes = session.call("classes", {"start": 3, "number": 4})
    assert classes["total"] == "466"
    for row, one in zip(classes["rows"], credible.classes[3:7], strict=True):
        assert (row["score"], row["probability"]) == (one.score, one.probability)
        directed = {(names[a], names[b]) for a, b, is_directed in row["edges"] if is_directed}
        assert directed == set(one.cpdag.directed)
        assert len(row["edges"]) == len(one.cpdag.edges)
    networks = session.call("networks", {"number": 3})
    assert [row["rank"] for row in networks["rows"]] == [0, 1, 2]
    assert [{(names[a], names[b]) for a, b, _ in row["edges"]} for row in networks["rows"]] == [
        set(dag.edges) for dag in credible[:3]
    ]
    curve = session.call("curve", {})
    assert (curve["ranks"][0], curve["ranks"][-1]) == (1, 2134)
    assert curve["deviations"] == sorted(curve["deviations"])
    with pytest.raises(ArgumentError, match="start and number must be at least 0"):
        session.call("networks", {"start": -1})


def test_evidence_is_the_average_over_classes() -> None:
    """All classes, as there are few; against inference in each of them."""
    session = asia_session(score="bic")
    found = credenet.credible_networks(DATA, score="bic")
    assert 1 < found.classes.n_classes <= 20
    for evidence in ({}, {"xray": "yes"}, {"xray": "yes", "smoke": "no"}, {"smoke": "no"}):
        bars = session.call("evidence", {"evidence": evidence})
        tables = [(one.probability, fit(DATA, one.dag).infer(evidence).marginals()) for one in found.classes]
        for at, name in enumerate(found.variables):
            values = np.array([list(table[name].values()) for _, table in tables])
            mean = np.array([weight for weight, _ in tables]) @ values
            expected = np.stack([mean, values.min(axis=0), values.max(axis=0)], axis=1)
            np.testing.assert_allclose(bars["bars"][at], expected, atol=2e-6)
    assert bars["among"] == f"all classes ({found.classes.n_classes}) of {found.among}"
    assert "of the posterior" in bars["among"]


def test_evidence_of_many_networks_is_drawn(session: ExplorerSession, credible: credenet.CredibleSet) -> None:
    bars = session.call("evidence", {"evidence": {"smoke": "yes"}})
    drawn = [fit(DATA, dag).infer({"smoke": "yes"}).marginals() for dag in credible.sample(20)]
    expected = np.mean([table["lung"]["yes"] for table in drawn])
    lung = credible.variables.index("lung")
    assert bars["bars"][lung][0][0] == pytest.approx(expected, abs=2e-6)
    assert bars["among"] == f"20 networks drawn by their probabilities from {credible.among}"


def test_effects(session: ExplorerSession, credible: credenet.CredibleSet) -> None:
    names = credible.variables
    found = session.call("effects", {"x": names.index("smoke")})
    expected = credible.effects("smoke", data=DATA)
    changes = [row["difference"] for row in found["rows"]]
    assert changes == sorted(changes, reverse=True)
    for row in found["rows"]:
        effect = expected["smoke", names[row["y"]]]
        states = tuple(effect.means["no"])
        assert row["difference"] == pytest.approx(
            abs(effect.contrast("yes", "no", states[-1]).estimate or 0.0), abs=1e-12
        )
        assert row["told"] in effect.summary() or row["difference"] == 0
        assert row["probability"] == effect.probability
        assert row["means"] == [list(chances.values()) for chances in effect.means.values()]
    assert "is set to yes rather than no; risk ratio" in found["rows"][0]["told"]
    assert found["path"].startswith("Path: the probability, among these networks")
    assert "data cannot tell apart" in found["path"]
    assert found["assumption"] == expected.assumption


def test_data_and_layout(session: ExplorerSession) -> None:
    data = session.call("data", {})
    assert data["rows"] == 1000
    assert [sum(counts) for counts in data["counts"]] == [1000] * 8
    near = session.call("layout", {"focus": 1, "depth": 1, "threshold": 0.5})
    state = session.call("state", {})
    joined = [pair for pair in state["pairs"] if 1 in (pair["a"], pair["b"])]
    likely = {1} | {p["a"] + p["b"] - 1 for p in joined if p["shares"]["joined"] >= 0.5}
    assert {box["variable"] for box in near["boxes"]} == likely
    with pytest.raises(ArgumentError, match="focus must be the position of a variable, got 8"):
        session.call("layout", {"focus": 8, "depth": 1})


def test_relearn_undo_and_redo() -> None:
    session = asia_session(score="bic")
    before = session.call("state", {})
    rules = {"forbidden": [["bronc", "dysp"], ["dysp", "bronc"]], "required": [["smoke", "lung"]]}
    session.call("relearn", {"rules": rules})
    session.wait()
    after = session.call("state", {})
    expected = credenet.credible_networks(DATA, score="bic", knowledge=Knowledge.from_dict(rules))
    assert pairs_of(after) == shares_of(expected)
    assert edges_of(after)["smoke", "lung"]
    assert after["knowledge"] == {name: sorted(edges) for name, edges in rules.items()}
    assert (after["can_undo"], after["can_redo"]) == (True, False)
    session.call("undo", {})
    undone = session.call("state", {})
    assert undone["pairs"] == before["pairs"]
    assert (undone["can_undo"], undone["can_redo"]) == (False, True)
    session.call("redo", {})
    assert session.call("state", {})["pairs"] == after["pairs"]
    with pytest.raises(ArgumentError, match="nothing to redo"):
        session.call("redo", {})
    session.call("undo", {})
    session.call("relearn", {"rules": {"tiers": [["smoke", "asia"], ["lung", "bronc", "tub"]]}})
    session.wait()
    again = session.call("state", {})
    assert (again["can_undo"], again["can_redo"]) == (True, False)  # The undone step is gone.
    tiers = {"smoke": 0, "asia": 0, "lung": 1, "bronc": 1, "tub": 1}
    place = {name: tiers.get(name, 2) for name in DATA.variables}
    forced = {(a, b): shares for (a, b), shares in pairs_of(again).items() if place[a] != place[b]}
    for (a, b), shares in forced.items():  # The tiers force the direction.
        told = "forward" if place[a] < place[b] else "backward"
        assert shares[told] == shares["joined"]
    assert all(place[a] <= place[b] for (a, b), is_arrow in edges_of(again).items() if is_arrow)


def test_contradictions_are_explained(session: ExplorerSession) -> None:
    rules = {"required": [["lung", "xray"]], "forbidden": [["lung", "xray"]]}
    assert "'lung' -> 'xray'" in session.call("check", {"rules": rules})["error"]
    assert session.call("check", {"rules": {"required": [["lung", "xray"]]}}) == {"error": ""}
    assert "'nobody'" in session.call("check", {"rules": {"required": [["lung", "nobody"]]}})["error"]
    with pytest.raises(KnowledgeError):
        session.call("relearn", {"rules": rules})
    assert session.call("state", {})["job"] is None


def many_variables(number: int) -> credenet.Dataset:
    dag = credenet.random.dag(number, n_edges=2 * number, seed=1)
    return credenet.random.network(dag, seed=1).sample(500, seed=1)


class Shown:
    """The answers that a source shows, and a callback that stops at the n-th report."""

    def __init__(self, stop_at: int = 0) -> None:
        self.answers: list[ExplorerAnswer] = []
        self.reports = 0
        self._stop_at = stop_at

    def show(self, answer: ExplorerAnswer) -> None:
        self.answers.append(answer)

    def report(self, progress: Progress) -> bool:
        self.reports += 1
        return self.reports != self._stop_at


def test_a_first_look_comes_before_the_credible_networks() -> None:
    shown = Shown()
    OpenedSource("asia", DATA, "").learn(Knowledge(), shown.show, shown.report)
    assert [answer.kind for answer in shown.answers] == ["best", "credible"]
    first = credenet.learn(DATA, method="hill_climb", max_parents=3)
    look = shown.answers[0]
    assert look.best == first.dag
    assert look.weighted_networks is None
    assert set(look.arrows) == set(first.cpdag.directed)
    assert {frozenset((look.variables[pair["a"]], look.variables[pair["b"]])) for pair in look.pairs} == set(
        map(frozenset, first.dag.edges)
    )


def test_a_first_look_shows_the_class_given_the_knowledge() -> None:
    """A direction that the rules force has an arrow head; one that neither data nor rules tell has none."""
    for rules in (Knowledge(), Knowledge(tiers=[["smoke"]])):
        shown = Shown()
        OpenedSource("asia", DATA, "").learn(rules, shown.show, shown.report)
        session = ExplorerSession(OpenedSource("asia", DATA, ""), shown.answers[0])
        state = session.call("state", {})
        check_no_certainty(state)
        heads = {edge for edge, is_arrow in edges_of(state).items() if is_arrow}
        best = shown.answers[0].best
        assert best is not None
        assert heads == set(class_given(best, rules).directed)
        assert (("smoke", "bronc") in heads) == (rules != Knowledge())


def test_networks_cut_short_show_no_certainty() -> None:
    """Where networks are missing, the best one found is shown, without shares in any view."""
    few = credenet.score_families(DATA, bayes_factor=20, max_parents=1)
    found = credenet.credible_networks(few.with_info(replace(few.made, complete=False, status="time_limit")))
    assert not found.has_probabilities
    session = session_of(found, DATA)
    assert session is not None
    state = session.call("state", {})
    assert state["kind"] == "credible"
    check_no_certainty(state)
    assert "others are missing. Shown is the best network found so far" in state["headline"]
    assert {edge for edge, is_arrow in edges_of(state).items() if is_arrow} == set(found.best.cpdag().directed)
    for call in ("networks", "classes"):
        assert {row["probability"] for row in session.call(call, {})["rows"]} == {None}
    told = session.call("distinctions", {})
    assert told == {"among": "Networks are missing, so it is not known how probable the classes are.", "tree": None}
    assert session.call("evidence", {"evidence": {}})["among"] == "the best network found so far"
    assert session.call("effects", {"x": 0})["among"].startswith("the best network found so far, as if it were true")


def test_cancel_keeps_what_was_found() -> None:
    data = many_variables(25)
    session = ExplorerSession(OpenedSource("random", data, ""), ExplorerAnswer("none", data.variables, Knowledge()))

    def cancel() -> None:
        if session.answer.kind == "best" and session.event()["job"] is not None:
            session.listeners.clear()
            session.call("cancel", {})

    session.listeners.add(cancel)
    session._learn(Knowledge(), is_first=True)
    session.wait()
    state = session.call("state", {})
    assert state["job"] is None
    assert state["kind"] == "best"
    assert "Cancelled" in state["notices"][0]["text"]
    check_no_certainty(state)


def test_no_network_obeys_the_rules() -> None:
    table = FamilyTable.from_lists({"a": [(0.0, ["b"])], "b": [(0.0, ["a"])]})
    state = learned(OpenedSource("f.jkl", table, "", {"slack": 1.0})).call("state", {})
    assert (state["kind"], state["pairs"]) == ("none", [])
    assert state["notices"] == [{"level": "error", "text": "No network obeys these rules. Undo, or remove a rule."}]
    assert state["abilities"]["evidence"] == "There is no network yet."


def test_too_many_for_a_credible_set() -> None:
    """Where time is up before the best score is proven, the best network so far is shown."""
    data = many_variables(40)
    session = learned(OpenedSource("many.csv", data, "", {"time_limit": 0.05}))
    state = session.call("state", {})
    assert state["kind"] == "best"
    first = credenet.learn(data, method="hill_climb", max_parents=3)
    assert session.answer.best is not None
    assert first.score is not None
    # The final answer is no worse than the first one.
    assert credenet.score(data, session.answer.best).total >= first.score - 1e-6
    check_no_certainty(state)
    assert state["notices"][0]["text"].startswith("The credible networks are not known: ")
    assert state["notices"][0]["text"].endswith("Shown is the best network found so far.")


def test_families_alone(credible: credenet.CredibleSet) -> None:
    table = credenet.score_families(DATA, bayes_factor=20)
    session = learned(OpenedSource("f.jkl", table, "credenet.load_families('f.jkl')"))
    state = session.call("state", {})
    assert pairs_of(state).keys() == credible.pair_probabilities().keys()
    assert "open them instead" in state["abilities"]["evidence"]
    with pytest.raises(ArgumentError, match="needs the data"):
        session.call("evidence", {"evidence": {}})


def test_a_network() -> None:
    asia = textbook.asia()
    session = learned(OpenedSource("asia.bif", asia, "credenet.textbook.asia()"))
    state = session.call("state", {})
    assert edges_of(state) == dict.fromkeys(asia.dag.edges, True)
    assert set(pairs_of(state).values()) == {None}
    assert (state["share"], state["edges_of"]) == ("", "this network")
    bars = session.call("evidence", {"evidence": {"xray": "yes"}})
    expected = asia.infer({"xray": "yes"}).marginals()
    assert [[mean for mean, _, _ in states] for states in bars["bars"]] == [
        pytest.approx(list(chances.values()), abs=1e-6) for chances in expected.values()
    ]
    effect = session.call("effects", {"x": asia.variables.index("smoke")})["rows"][0]
    exact = asia.effects("smoke", asia.variables[effect["y"]])["smoke", asia.variables[effect["y"]]]
    np.testing.assert_allclose(effect["means"], [list(chances.values()) for chances in exact.means.values()])
    assert effect["intervals"] is None
    for ability in ("networks", "knowledge", "data", "report"):
        assert state["abilities"][ability]
    with pytest.raises(credenet.CredenetError, match="probability 0"):
        session.call("evidence", {"evidence": {"tub": "yes", "either": "no"}})
    session.call("evidence", {"evidence": {"tub": "yes"}})  # The session continues.


def made_by_lines(session: ExplorerSession, view: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    exec(session.call("python", view)["text"], made)
    return made


@pytest.mark.parametrize("options", [{}, {"score": "bic"}])  # One case samples networks, the other uses all classes.
def test_the_python_lines_make_the_same(options: dict[str, Any]) -> None:
    session = asia_session(**options)
    evidence = {"xray": "yes"}
    made = made_by_lines(session, {"threshold": 0.4, "evidence": evidence})
    pairs = pairs_of(session.call("state", {}))
    assert {pair: shares.joined for pair, shares in made["pairs"].items()} == {
        pair: shares["joined"] for pair, shares in pairs.items() if shares["joined"] >= 0.4
    }
    bars = session.call("evidence", {"evidence": evidence})["bars"]
    for name, states in zip(DATA.variables, bars, strict=True):
        assert list(made["marginals"][name].values()) == pytest.approx([mean for mean, _, _ in states], abs=2e-6)
    session.call("relearn", {"rules": {"forbidden": [["bronc", "dysp"]]}})
    session.wait()
    again = made_by_lines(session, {})
    assert {pair: again["pairs"][pair].forward for pair in again["pairs"]} == {
        pair: shares["forward"] for pair, shares in pairs_of(session.call("state", {})).items()
    }


def test_the_python_lines_of_a_first_look_and_of_a_network() -> None:
    asia = textbook.asia()
    reading = "credenet.textbook.asia().sample(1000, seed=1)"
    first = ExplorerAnswer("best", DATA.variables, Knowledge(), best=asia.dag)
    made = made_by_lines(ExplorerSession(OpenedSource("asia", DATA, reading), first), {"evidence": {"lung": "yes"}})
    learned_by_lines = credenet.learn(DATA, method="hill_climb", max_parents=3)
    assert (made["best"], made["graph"]) == (learned_by_lines.dag, learned_by_lines.cpdag)
    assert made["marginals"]["lung"]["yes"] == 1
    network = learned(OpenedSource("asia.bif", asia, "credenet.textbook.asia()"))
    made = made_by_lines(network, {"evidence": {"lung": "yes"}})
    assert made["edges"] == asia.dag.edges
    assert made["marginals"] == asia.infer({"lung": "yes"}).marginals()


def test_files(session: ExplorerSession, credible: credenet.CredibleSet, tmp_path: Path) -> None:
    found = session.call("network_file", {})
    (tmp_path / found["name"]).write_text(found["text"])
    assert credenet.load(tmp_path / found["name"]).dag == credible.best
    report = session.call("report", {})
    assert report["name"] == "report.html"
    assert "Credible networks of 8 variables" in report["text"]


@pytest.mark.parametrize("columns", [{"a": ["x", "y"] * 5}, {"a": ["x"] * 4, "b": ["y"] * 4}])
def test_nothing_to_learn(columns: dict[str, list[str]]) -> None:
    """One variable, or variables with one state: a network without edges."""
    data = credenet.Dataset.from_frame(pl.DataFrame(columns))
    session = learned(OpenedSource("small.csv", data, ""))
    state = session.call("state", {})
    assert (state["kind"], state["pairs"], state["n_networks"]) == ("credible", [], "1")
    assert session.call("distinctions", {})["tree"]["branches"] == []
    assert session.call("curve", {})["ranks"] == [1.0]
    assert len(session.call("evidence", {"evidence": {}})["bars"]) == len(columns)
    assert (state["abilities"]["effects"] == "") == (len(columns) > 1)
    assert len(session.call("layout", {"focus": 0, "depth": 2})["boxes"]) == 1
