"""Every place that speaks of a direction agrees with a look at all networks that obey the knowledge."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings

import brute
import credenet
from brute import Arcs
from credenet import PDAG, CredibleSet, Dataset, Knowledge, StructurePosterior
from credenet.drawing.graphs import to_html
from credenet.drawing.reports import credible as credible_report
from credenet.drawing.reports import posterior as posterior_report
from credenet.explorer.answer import ExplorerAnswer
from credenet.explorer.contents import session_of
from credenet.explorer.session import ExplorerSession
from credenet.explorer.source import OpenedSource
from credenet.knowledge.equivalence import ClassRules
from credenet.structures.average_graph import average_graph
from credenet.structures.pairs import PairProbabilities, arrows, pairs_of_networks
from ruled_cases import NAMES, obeying_networks, ruled_cases
from said_directions import (
    as_drawn,
    dot_edges,
    heat_map,
    listed_edges,
    state_edges,
    state_pairs,
    svg_edges,
    table_rows,
)
from slow_directions import PlainRules, Told, heads, pair_shares

SCORE = "bic"
EXACT = 1e-7  # Tolerance for rounding of scores and sums.
DRAWN = 0.025  # Five standard errors of a share of 10,000 sampled networks.
PRINTED = 1e-4  # Rounding of a probability in a table.
Truth = dict[tuple[str, str], Told]
Case = tuple[Dataset, PlainRules, Knowledge]


def weighted(networks: Collection[tuple[Arcs, float]], slack: float) -> list[tuple[Arcs, float]]:
    """The networks within a slack of the best, with shares that add up to 1; no case where one is on the border."""
    best = max(score for _, score in networks)
    assume(not any(abs(best - score - slack) < 1e-6 for _, score in networks))
    kept = [(arcs, math.exp(score - best)) for arcs, score in networks if best - score <= slack]
    total = math.fsum(weight for _, weight in kept)
    return [(arcs, weight / total) for arcs, weight in kept]


def arcs_of(dag: credenet.DAG) -> Arcs:
    return frozenset((parent, child) for child, several in enumerate(dag.parent_indices) for parent in several)


def check_table(found: dict[tuple[str, str], Any], truth: Truth, close: float) -> None:
    """Shares of →, ← and undetermined by pair, the rest left out."""
    for pair in found.keys() | truth.keys():
        shares = found.get(pair, (0.0, 0.0, 0.0))
        assert tuple(shares)[:3] == pytest.approx(truth.get(pair, (0.0, 0.0, 0.0)), abs=close), pair


def check_heads(drawn: Any, truth: Truth, close: float) -> None:
    """Arrow heads where the direction leads, as far as they close no cycle, and nowhere else."""
    directed, undirected = drawn
    must, may = heads(truth, close)
    assert directed <= may
    assert directed >= must or not brute.is_acyclic(10, {("abcd".index(a), "abcd".index(b)) for a, b in must})
    assert not {frozenset(edge) for edge in directed} & undirected


def check_said(found: CredibleSet | StructurePosterior, page: str, truth: Truth, close: float) -> None:
    """Tables, JSON, frames, drawings and the report."""
    pairs = found.pair_probabilities()
    check_table(pairs, truth, close)
    check_table({(a, b): shares for a, b, *shares in json.loads(found.to_json())["pair_probabilities"]}, truth, close)
    for pair, (joined, *printed) in table_rows(str(found)).items():
        assert joined == pytest.approx(sum(truth[pair]), abs=close + PRINTED)
        assert printed == pytest.approx(truth[pair], abs=close + PRINTED)
    average = average_graph(found, 0.0)
    svg = to_html(found.variables, average.directed, average.undirected, caption="", widths=average.widths)
    check_heads(svg_edges(svg), truth, close)
    check_heads(as_drawn(arrows(found.variables, pairs), ()), truth, close)
    cells = heat_map(page)
    for (a, b), (forward, backward, undetermined) in truth.items():
        assert cells[a, b] == pytest.approx((forward, undetermined), abs=close + PRINTED)
        assert cells[b, a] == pytest.approx((backward, undetermined), abs=close + PRINTED)
    for (a, b), shares in truth.items():
        assert f"<td>{a}</td><td>{b}</td>" in page or sum(shares) < close + PRINTED


@settings(max_examples=60, deadline=None)
@given(ruled_cases())
def test_credible_sets(case: Case) -> None:
    data, rules, knowledge = case
    networks = weighted(obeying_networks(data, rules, SCORE), math.log(50))
    truth = pair_shares(networks, rules)
    found = credenet.credible_networks(data, score=SCORE, knowledge=knowledge, bayes_factor=50)
    assert {arcs_of(dag) for dag in found} == {arcs for arcs, _ in networks}
    check_said(found, credible_report.html(found, data=data, explorer=False), truth, EXACT)
    check_table(found.classes.pair_probabilities(), truth, EXACT)
    classes = {rules.class_of(arcs) for arcs, _ in networks}
    assert found.classes.n_classes == len(classes)
    for one, line in zip(found.classes, found.classes.to_polars()["cpdag"], strict=True):
        assert as_drawn(one.cpdag.directed, one.cpdag.undirected) == rules.class_of(arcs_of(one.dag))
        assert PDAG.parse(line) == one.cpdag
        assert one.size == len(rules.members(arcs_of(one.dag)))
    check_explorer(found, data, networks, rules, truth)


def check_explorer(
    found: CredibleSet, data: Dataset, networks: list[tuple[Arcs, float]], rules: PlainRules, truth: Truth
) -> None:
    """What the browser receives, and the Python lines."""
    session = session_of(found, data)
    assert session is not None
    state = session.call("state", {})
    assert set(state_pairs(state)) == set(truth)
    for pair, shares in state_pairs(state).items():
        assert [shares[kind] for kind in ("forward", "backward", "undetermined")] == pytest.approx(
            truth[pair], abs=EXACT
        )
        assert shares["joined"] == pytest.approx(sum(truth[pair]), abs=EXACT)
    check_heads(state_edges(state), truth, EXACT)
    for row, one in zip(session.call("classes", {"number": 200})["rows"], found.classes, strict=False):
        assert listed_edges(row, found.variables) == rules.class_of(arcs_of(one.dag))
    check_tree(session.call("distinctions", {})["tree"], networks, rules)
    lines = session.call("python", {"threshold": 0.3})["text"]
    made: dict[str, Any] = {"credible": found}
    exec(next(line for line in lines.splitlines() if line.startswith("pairs = ")), made)
    check_table(made["pairs"], {pair: told for pair, told in truth.items() if pair in made["pairs"]}, EXACT)
    assert made["pairs"].keys() == {pair for pair, told in truth.items() if sum(told) >= 0.3}


def check_tree(node: Any, networks: list[tuple[Arcs, float]], rules: PlainRules) -> None:
    """The shares of the replies to questions on pairs."""
    assert node["share"] == pytest.approx(math.fsum(share for _, share in networks), abs=EXACT)
    if node["question"] is None:
        return
    a, b, what = node["question"]
    first, second = rules.names[a], rules.names[b]
    replies: dict[str, list[tuple[Arcs, float]]] = {}
    for arcs, share in networks:
        directed, undirected = rules.class_of(arcs)
        told = {(first, second): "forward", (second, first): "backward"}
        reply = next((told[edge] for edge in told if edge in directed), "undetermined")
        if not directed.intersection(told) and frozenset((first, second)) not in undirected:
            reply = "no"
        assert what == "joined" or reply != "no"
        replies.setdefault(("no" if reply == "no" else "yes") if what == "joined" else reply, []).append((arcs, share))
    assert {branch["reply"] for branch in node["branches"]} == set(replies)
    for branch in node["branches"]:
        check_tree(branch["node"], replies[branch["reply"]], rules)


@settings(max_examples=25, deadline=None)
@given(ruled_cases())
def test_posteriors(case: Case) -> None:
    data, rules, knowledge = case
    networks = weighted(obeying_networks(data, rules, SCORE), math.inf)
    truth = pair_shares(networks, rules)
    found = credenet.posterior(data, score=SCORE, knowledge=knowledge)
    assert found.is_exact
    check_said(found, posterior_report.html(found), truth, DRAWN)
    for (a, b), shares in found.pair_probabilities().items():
        assert shares.joined == pytest.approx(sum(truth[a, b]), abs=EXACT)
        possible = [any(edge in arcs for arcs, _ in networks) for edge in index_pair(rules, a, b)]
        told = shares.joined if possible[0] == possible[1] else shares.forward if possible[0] else shares.backward
        # The share is exact if the rules exclude the other direction.
        assert told == pytest.approx(shares.joined, abs=EXACT)
    for a, b, joined, *in_frame in found.to_polars().iter_rows():
        assert joined == pytest.approx(sum(truth[a, b]), abs=EXACT)
        assert in_frame == pytest.approx(truth[a, b], abs=DRAWN)


@settings(max_examples=25, deadline=None)
@given(ruled_cases())
def test_limits_of_a_prior(case: Case) -> None:
    """Numbers of parents that the prior limits determine directions as those that knowledge limits."""
    data, rules, _ = case
    limits = {**rules.given.get("max_parents", {}), rules.names[0]: 0}
    given = {kind: several for kind, several in rules.given.items() if kind != "max_parents"}
    whole = PlainRules(rules.names, {**given, "max_parents": limits})
    allowed = obeying_networks(data, whole, SCORE)
    assume(allowed)
    prior = credenet.priors.InDegree(limits)
    options: dict[str, Any] = {"score": SCORE, "knowledge": Knowledge(**given), "prior": prior}
    networks = weighted(allowed, math.log(50))
    truth = pair_shares(networks, whole)
    found = credenet.credible_networks(data, bayes_factor=50, **options)
    assert {arcs_of(dag) for dag in found} == {arcs for arcs, _ in networks}
    check_said(found, credible_report.html(found, data=data, explorer=False), truth, EXACT)
    check_explorer(found, data, networks, whole, truth)
    result = credenet.learn(data, **options)
    assert as_drawn(result.cpdag.directed, result.cpdag.undirected) == whole.class_of(arcs_of(result.dag))
    posterior = credenet.posterior(data, **options)
    check_table(posterior.pair_probabilities(), pair_shares(weighted(allowed, math.inf), whole), DRAWN)
    source = OpenedSource("rows", data, "", {"score": SCORE, "prior": prior})
    look = source._first_look(options["knowledge"], lambda _: True)
    assert look is not None
    assert look.dag is not None
    assert state_edges(ExplorerSession(source, look).call("state", {})) == whole.class_of(arcs_of(look.dag))


def index_pair(rules: PlainRules, a: str, b: str) -> list[tuple[int, int]]:
    first, second = rules.names.index(a), rules.names.index(b)
    return [(first, second), (second, first)]


@settings(max_examples=40, deadline=None)
@given(ruled_cases())
def test_one_network(case: Case) -> None:
    """What is learned, its files, the first look of the explorer, and the shares of samples."""
    data, rules, knowledge = case
    result = credenet.learn(data, score=SCORE, knowledge=knowledge)
    expected = rules.class_of(arcs_of(result.dag))
    assert as_drawn(result.cpdag.directed, result.cpdag.undirected) == expected
    told = json.loads(result.to_json())["cpdag"]
    assert as_drawn(told["directed"], told["undirected"]) == expected
    assert {(a, b) for a, b, is_told in result.to_polars().iter_rows() if is_told} == expected[0]
    free = re.findall(r"(\w+) -- (\w+), either direction", str(result))
    assert frozenset(map(frozenset, free)) == expected[1]
    assert svg_edges(result.cpdag.draw().svg) == expected
    with TemporaryDirectory() as folder:
        for suffix in (".dot", ".json", ".txt"):
            path = Path(folder) / f"class{suffix}"
            credenet.save_graph(result.cpdag, path)
            if suffix == ".dot":
                assert dot_edges(path.read_text()) == expected
            else:
                read = credenet.load_graph(path)
                assert isinstance(read, PDAG) or not expected[1]
                assert as_drawn(*(read.directed, read.undirected) if isinstance(read, PDAG) else (read.edges, ())) == (
                    expected
                )
    look = ExplorerAnswer("best", result.dag.variables, knowledge, best=result.dag)
    state = ExplorerSession(OpenedSource("rows", data, ""), look).call("state", {})
    assert state_edges(state) == expected
    assert all(shares is None for shares in state_pairs(state).values())


@settings(max_examples=15, deadline=None)
@given(ruled_cases())
def test_bootstrap(case: Case) -> None:
    data, rules, knowledge = case
    options: dict[str, Any] = {"method": "dp", "score": SCORE, "knowledge": knowledge}
    found = credenet.bootstrap(data, n_samples=3, seed=1, n_threads=1, **options)
    networks = []
    for sample in range(3):
        rows = np.random.default_rng([1, sample]).integers(0, len(data), size=len(data))
        result = credenet.learn(data.take(rows), seed=1, n_threads=1, **options)
        networks.append((arcs_of(result.dag), 1 / 3))
    shares = {pair: shares[:3] for pair, shares in found.pairs.items()}
    check_table(shares, pair_shares(networks, rules), EXACT)


def test_rules_tell_the_direction_of_pairs_that_are_never_drawn() -> None:
    """A pair so improbable that no network drawn joins it, where tiers exclude the other direction, or where not."""
    edges = {("a", "b"): 1e-5, ("b", "c"): 2e-5, ("c", "b"): 1e-5, ("c", "a"): 3e-5}
    rules = ClassRules.from_knowledge(NAMES[:3], Knowledge(forbidden=[("b", "a"), ("a", "c")]))
    found = pairs_of_networks({}, edges, NAMES[:3], rules)
    check_table(found, {("a", "b"): (1e-5, 0, 0), ("a", "c"): (0, 3e-5, 0), ("b", "c"): (0, 0, 3e-5)}, 1e-12)


def test_no_head_where_data_cannot_tell() -> None:
    """Edges that are in 51 % of the networks in one direction and in 49 % in the other are no arrows."""
    pairs = {
        ("a", "b"): PairProbabilities(0.0, 0.0, 1.0, 0.0),
        ("a", "c"): PairProbabilities(0.32, 0.0, 0.68, 0.0),
        ("b", "c"): PairProbabilities(0.4, 0.35, 0.25, 0.0),
        ("b", "d"): PairProbabilities(0.02, 0.15, 0.05, 0.78),
    }
    assert arrows(("a", "b", "c", "d"), pairs) == (("d", "b"),)


def test_heads_close_no_cycle() -> None:
    likely, likelier = PairProbabilities(0.6, 0.1, 0.3, 0.0), PairProbabilities(0.1, 0.7, 0.2, 0.0)
    pairs = {("a", "b"): likely, ("b", "c"): PairProbabilities(0.65, 0.1, 0.2, 0.05), ("a", "c"): likelier}
    assert set(arrows(("a", "b", "c"), pairs)) == {("c", "a"), ("b", "c")}
