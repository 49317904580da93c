"""How much of the posterior a credible set holds, what it says of that, and sets that hold a share asked for."""

from __future__ import annotations

import json
import math
import pickle
import re
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import credenet
from credenet import Dataset, Knowledge, credible_classes, credible_networks
from credenet.credible.covered_mass import sum_all
from credenet.credible.growth import covering as covering_module
from credenet.drawing.reports.credible import html
from credenet.errors import ArgumentError
from credenet.graphs import DAG
from credenet.settings.scores import AIC
from hard_cases import allowed_networks, hard_cases
from polls import every_poll
from shared import shared_data

SHARES = st.sampled_from([0.05, 0.3, 0.5, 0.8, 0.95, 0.999])


def covering(networks: list[tuple[DAG, float]], mass: float) -> tuple[float, set[DAG], float]:
    """The slack of the fewest best networks that hold the share, these and all as good, and their share."""
    best = max(score for _, score in networks)
    total = math.fsum(math.exp(score - best) for _, score in networks)
    held = 0.0
    slack = 0.0
    for _, score in sorted(networks, key=lambda one: -one[1]):
        if held >= mass * total:
            break
        held += math.exp(score - best)
        slack = best - score
        assume(abs(held / total - mass) > 1e-7)  # Rounding must not decide whether the share is covered.
    within = {dag: score for dag, score in networks if score >= best - slack - 1e-9}
    return slack, set(within), math.fsum(math.exp(score - best) for score in within.values()) / total


@settings(max_examples=120, deadline=None)
@given(hard_cases(), SHARES)
def test_the_smallest_factor_that_covers_a_share(case: tuple[Dataset, dict[str, Any]], mass: float) -> None:
    data, options = case
    assume(options["score"].has_bayes_factor)
    networks = [(dag, score) for dag, score in allowed_networks(data, **options) if score > -math.inf]
    found = credible_networks(data, mass=mass, **options)
    assert found.listing.mass == mass
    if not networks:
        assert found.status == "infeasible"
        return
    slack, expected, share = covering(networks, mass)
    assert found.complete
    assert found.listing.slack == pytest.approx(slack, abs=3e-9)
    assert set(found) == expected
    assert found.covered_mass() == pytest.approx(share, rel=1e-8)
    edges = found._findings.all_networks.edges
    assert edges is not None
    best = max(score for _, score in networks)
    total = math.fsum(math.exp(score - best) for _, score in networks)
    for edge in {edge for dag, _ in networks for edge in dag.edges}:
        weight = math.fsum(math.exp(score - best) for dag, score in networks if edge in dag.edges)
        assert edges.get(edge, 0.0) == pytest.approx(weight / total, abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), score=st.sampled_from(["bdeu", "bic", "k2"]), limited=st.booleans())
def test_a_larger_share_takes_more_networks(seed: int, score: str, limited: bool) -> None:
    data = credenet.datasets.asia(60, seed=seed).select(["asia", "tub", "smoke", "lung", "either"])
    options: dict[str, Any] = {"score": score}
    if limited:
        options |= {"max_parents": 2, "knowledge": Knowledge(forbidden=[("either", "lung")])}
    before: set[DAG] = set()
    for mass in (0.2, 0.6, 0.9, 0.99):
        found = credible_networks(data, mass=mass, **options)
        classes = credible_classes(data, mass=mass, **options)
        share = found.covered_mass()
        assert share is not None
        assert share >= mass - 1e-9
        assert before <= set(found)
        assert (classes.n_networks, classes.n_classes) == (found.n_networks, found.classes.n_classes)
        assert classes.covered_mass() == pytest.approx(share, rel=1e-9)
        assert classes.complete
        before = set(found)


def test_a_share_of_nearly_all() -> None:
    data = credenet.datasets.asia(100, seed=1).select(["tub", "lung", "either"])
    share = credible_networks(data, mass=1 - 1e-13).covered_mass()
    assert share is not None
    assert share > 1 - 2e-9  # The tolerance allows for the rounding of scores.


def test_what_is_said_of_a_share_that_was_asked_for() -> None:
    data = credenet.datasets.asia(1000, seed=1)
    found = credible_networks(data, score="bic", mass=0.9)
    share = found.covered_mass()
    assert share is not None
    assert 0.9 <= share < 0.92
    text = found.summary(data)
    assert re.search(r"within +a Bayes factor of [\d.]+ of the best, the least that covers 90 % of the posterior", text)
    known = found.to_dict(data)
    assert (known["mass"], known["covered_mass"], known["covered_mass_reason"]) == (0.9, share, None)
    assert known["bayes_factor"] == found.listing.bayes_factor
    assert found.listing.first(3).listing.mass is None
    assert found.listing.filter(lambda dag: dag.n_edges > 7).listing.mass is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mass": 95}, "mass must be a number above 0 and below 1, got 95"),
        ({"mass": 1.0}, "mass must be"),
        ({"mass": 0.5, "bayes_factor": 3}, "give one of bayes_factor, slack, ratio and mass"),
        ({"mass": 0.5, "score": "mit"}, "a share of the posterior has no meaning"),
        ({"mass": 0.5, "memory_limit": 1e3}, "give bayes_factor instead of mass"),
    ],
)
def test_mistakes(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        credible_networks(credenet.datasets.asia(100, seed=1), **options)


def test_sums_that_cannot_be_made_are_refused_at_once() -> None:
    families = credenet.score_families(credenet.datasets.asia(100, seed=1), slack=3.0)
    with pytest.raises(ArgumentError, match="mass needs the data"):
        credible_networks(families, mass=0.5)
    with pytest.raises(ArgumentError, match="up to 26 variables; there are 27; give bayes_factor instead of mass"):
        credible_networks(rows(27, 60), mass=0.5)
    data = few_columns(100)
    with pytest.warns(UserWarning, match="in name only"):
        assert credible_networks(data, mass=0.5, score=AIC()).complete


def few_columns(rows: int, seed: int = 1) -> Dataset:
    return credenet.datasets.asia(rows, seed=seed).select(["tub", "smoke", "lung", "either", "xray"])


def test_too_many_networks_for_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each network beyond a factor of 20 weighs less than a 20th of the best, so their number is bounded from below."""
    data = few_columns(40)
    whole = credible_networks(data, mass=0.9)
    assert whole.complete
    monkeypatch.setattr(covering_module, "BEYOND", 1e-12)  # Any expected size then exceeds the memory.
    found = credible_networks(data, mass=0.9)
    least = found._findings.least_networks
    assert (found.complete, found.status, found.listing.ended_in) == (False, "memory_limit", "enumeration")
    assert least is not None
    assert found.n_networks < least <= whole.n_networks
    assert found.covered_mass() == pytest.approx(found.covered_mass(data))
    text = found.summary(data)
    assert f"at least {least:,} are needed to cover 90 % of the posterior" in text
    assert "90 % of the posterior was asked for" in text
    assert "as far as they are needed to cover 90 % of the posterior" in text
    assert "a smaller mass" in text


@pytest.mark.parametrize("how", ["callback", "time_limit"])
def test_a_search_for_a_share_whose_sum_is_stopped(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    summed = sum_all

    def stopped(known: Any, made: Any, data: Any, run: Any) -> None:
        with every_poll():
            if how == "callback":
                run.stop.is_asked = True
            else:
                object.__setattr__(run.clock, "time_limit", 1e-9)
            summed(known, made, data, run)

    monkeypatch.setattr(covering_module, "sum_all", stopped)
    data = credenet.datasets.asia(300, seed=1)
    found = credible_networks(data, mass=0.9, time_limit=100)
    assert found.status == ("stopped" if how == "callback" else "time_limit")
    assert (found.listing.ended_in, found.complete, found.covered_mass()) == ("sum", False, None)
    assert found.n_networks == credible_networks(data, bayes_factor=20).n_networks
    assert "before it was known how much of the posterior the networks hold" in found.summary()
    assert "complete within a Bayes factor of 20" in found.summary()


def said(text: str) -> set[str]:
    """The shares of the posterior that a text says the networks hold."""
    return set(re.findall(r"hold (?:only )?([<>]?[\d.]+ %) of the posterior", text.replace("&lt;", "<")))


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), rows=st.sampled_from([40, 300, 2000]), factor=st.sampled_from([1.0, 3.0, 20.0, 1e3]))
def test_text_json_and_report_say_the_same_share(seed: int, rows: int, factor: float) -> None:
    data = few_columns(rows, seed)
    found = credible_networks(data, bayes_factor=factor)
    text = found.summary(data)
    known = found.to_dict(data)
    share = known["covered_mass"]
    assert share == pytest.approx(found.covered_mass(data), rel=1e-12)
    page = unescape(html(found, data=data, explorer=False))
    told = said(told_line(found, data))
    assert told == said(known["shares_among"])
    for place in (text.splitlines()[0], page):
        assert ("these networks hold only" in place) == (share < 0.5)
    outside = set(re.findall(r"together they hold ([<>]?[\d.]+ %)", text))
    assert told <= said(page) <= told | outside  # Both may be the same number.
    number = float(next(iter(told)).strip("<> %"))
    assert number == pytest.approx(100 * share, abs=0.51 if share > 0.1 else 0.051)
    classes = found.classes  # The share of the classes is known with that of the networks.
    assert classes.covered_mass() == pytest.approx(share, rel=1e-12)
    assert said(told_line(classes, data)) == told


def told_line(found: credenet.CredibleSet | credenet.CredibleClasses, data: Dataset) -> str:
    """The line above the table of a summary, or what stands in its place."""
    firsts = ("Probabilities among", "No two variables are joined in")
    return next(line for line in found.summary(data).splitlines() if line.startswith(firsts))


def test_files_say_the_share(tmp_path: Path) -> None:
    data = credenet.datasets.asia(1000, seed=1)
    found = credible_networks(data)
    share = found.covered_mass(data)
    found.save(tmp_path / "x.json")
    found.save(tmp_path / "x.parquet")
    facts = json.loads((tmp_path / "x.json").read_text())
    kept = json.loads(pl.read_parquet_metadata(tmp_path / "x.parquet")["credenet"])
    assert facts.pop("networks") == found.to_polars().to_dicts()
    assert {name: facts[name] for name in kept} == kept
    again = credenet.CredibleSet.load(tmp_path / "x.json")
    assert (again.covered_mass(), again.among) == (share, found.among)
    assert kept["covered_mass"] == share
    assert kept["shares_among"] == "the credible networks, which hold 25 % of the posterior"
    fresh = credible_classes(data)
    fresh.listing.to_parquet(tmp_path / "y.parquet")
    kept = json.loads(pl.read_parquet_metadata(tmp_path / "y.parquet")["credenet"])
    assert kept["covered_mass"] == pytest.approx(share, rel=1e-12)
    fresh = credible_classes(credenet.score_families(data, bayes_factor=20))
    fresh.listing.to_parquet(tmp_path / "y.parquet")
    kept = json.loads(pl.read_parquet_metadata(tmp_path / "y.parquet")["credenet"])
    assert kept["covered_mass"] is None
    assert kept["covered_mass_reason"] == "not computed (covered_mass, from the data)"


@pytest.mark.parametrize("what", [credible_networks, credible_classes])
def test_a_set_tells_its_share_without_being_asked(what: Any, tmp_path: Path) -> None:
    """As text, JSON, HTML, plots and files, without the data again; not of families, and not if that is forbidden."""
    data = credenet.datasets.asia(1000, seed=1)
    share = credible_networks(data).covered_mass(data)
    assert "25 %" in said(str(what(data)))
    assert str(what(data)).startswith("posterior ")
    assert what(data).to_dict()["covered_mass"] == share
    assert what(data).covered_mass() == share
    what(data).save(tmp_path / "x.json")
    assert json.loads((tmp_path / "x.json").read_text())["covered_mass"] == share
    copied = pickle.loads(pickle.dumps(what(data)))
    assert copied.to_dict()["covered_mass"] == share
    silent = what(data)
    silent.forget_data()
    for found in (silent, what(credenet.score_families(data, bayes_factor=20))):
        assert found.to_dict()["covered_mass"] is None
        assert "an unknown share: not computed (covered_mass, from the data)" in str(found)
        assert found.covered_mass() is None


def test_a_set_in_a_notebook_tells_its_share() -> None:
    page = credible_networks(credenet.datasets.asia(1000, seed=1))._repr_html_()
    assert "25 %" in said(page)
    assert "last column" not in page  # The page has no table of pairs.


def test_pairs_over_all_networks_stand_beside_those_of_the_set() -> None:
    data = credenet.datasets.asia(1000, seed=1)
    found = credible_networks(data)
    posterior = credenet.posterior(data)
    edges = {(a, b): share for a, b, share in found.to_dict(data)["posterior_edge_probabilities"]}
    for edge, share in posterior.edge_probabilities().items():
        assert edges.get(edge, 0.0) == pytest.approx(share, abs=1e-9)
    lines = found.summary(data).splitlines()
    assert any(line.endswith("joined, all networks") for line in lines)
    joined = posterior.edge_probabilities()
    row = next(line.split() for line in lines if line.startswith("lung") and "either" in line)
    assert float(row[-1].strip("<>")) == pytest.approx(joined["lung", "either"] + joined["either", "lung"], abs=1e-4)
    shown = [float(line.split()[-1].strip("<>")) for line in lines if re.match(r"\w+ +\w+ +[\d<>]", line)]
    assert shown == sorted(shown, reverse=True)
    assert found.to_dict()["posterior_edge_probabilities"] is not None  # The earlier sum is known.
    of_families = credible_networks(credenet.score_families(data, bayes_factor=20))
    assert of_families.to_dict()["posterior_edge_probabilities"] is None


def test_no_network_holds_nothing() -> None:
    data = credenet.datasets.asia(200, seed=1)
    none = credible_networks(data).listing.filter(lambda dag: False)
    assert none.covered_mass(data) == 0.0


def rows(n: int, number: int) -> Dataset:
    """Independent columns of two states, none of which is constant."""
    codes = np.random.default_rng(1).integers(0, 2, (number, n))
    return Dataset.from_frame(pl.DataFrame({f"v{k}": map(str, codes[:, k].tolist()) for k in range(n)}))


@pytest.mark.parametrize(
    ("n", "number", "reason"),
    [
        (21, 60, "the sum over all networks of 21 variables takes more than a few seconds"),
        (20, 20_000, "the sum over all networks of 20 variables in 20,000 rows takes more than a few seconds"),
        (27, 60, "there are more than 26 variables"),
    ],
)
def test_a_share_that_takes_long_is_not_told_unasked(n: int, number: int, reason: str) -> None:
    data = rows(n, number)
    found = credible_networks(data, bayes_factor=1, score="bic", max_parents=1)
    known = found.to_dict(data)
    assert known["covered_mass"] is None
    assert known["covered_mass_reason"].startswith(reason)
    assert f"they hold an unknown share: {reason}" in found.summary(data)
    assert not found.listing.covers_quickly(data)
    assert ("covered_mass computes it" in known["covered_mass_reason"]) == (n <= 26)


def test_a_share_that_does_not_fit_into_memory_is_not_told_unasked() -> None:
    data = rows(12, 60)
    found = credible_networks(data, bayes_factor=1, score="bic")
    assert found.listing.covers_quickly(data)
    assert not found.listing.covers_quickly(data, 1e5)


@pytest.mark.parametrize(
    ("name", "score", "share", "error"),
    [
        ("wine.csv", "bdeu", 0.017, 0.60),
        ("adult.csv.gz", "bdeu", 0.69, 0.22),
        pytest.param("lymph.csv", "bic", 0.18, 0.19),
        pytest.param("hepatitis.csv", "bdeu", 0.00003, 0.56, marks=pytest.mark.slow),
    ],
)
def test_shares_of_real_tables(name: str, score: str, share: float, error: float) -> None:
    """Found apart, by sums over all networks and all credible networks of each table."""
    data = credenet.read(shared_data("datasets", name))
    found = credible_networks(data, score=score, bayes_factor=20)
    held = found.covered_mass(data)
    assert held is not None
    assert held == pytest.approx(share, rel=0.11 if share < 0.001 else 0.03)
    assert found.listing.covers_quickly(data)
    edges = found._findings.all_networks.edges
    assert edges is not None
    own = found.edge_probabilities()
    assert max(abs(own.get(edge, 0.0) - over_all) for edge, over_all in edges.items()) == pytest.approx(error, abs=6e-3)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "bdeu, ess 1, prior uniform"),
        ({"ess": 10, "prior": "fair"}, "bdeu, ess 10, prior fair"),
        ({"score": "bic"}, "bic, prior uniform"),
        ({"score": "bds"}, "bds, ess 1, prior uniform"),
    ],
)
def test_texts_name_score_ess_and_prior(options: dict[str, Any], expected: str) -> None:
    data = credenet.datasets.asia(200, seed=1)
    families = credenet.score_families(data, slack=4.0, **options)
    for source in (data, families):
        chosen = options if source is data else {}
        for found in (
            credenet.learn(source, **chosen),
            credible_networks(source, **chosen),
            credible_classes(source, **chosen),
            credenet.posterior(source, **chosen),
        ):
            assert expected in str(found)
