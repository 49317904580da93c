"""The posterior by sums, against the enumeration of all networks."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import brute
import credenet
from credenet import DAG, Dataset, FamilyTable, Knowledge, posterior
from credenet.errors import ArgumentError, GraphError
from credenet.priors import Expert, Uniform
from credenet.scores import BDe, BDeu
from credibility_tables import tables
from hard_cases import allowed_networks, hard_cases
from polls import every_poll
from posterior_checks import blanket, check_probabilities, shares_of
from precise_sums import SinkSums, edges_by_layers, log_sum_by_layers, log_weights
from shared import shared_data
from slow_learning import all_scores

LOG_EVIDENCE = {  # Computed by BDeu with an equivalent sample size of 1 and observed states.
    "datasets/wine.csv": -1244.5307162312,
    "datasets/tic-tac-toe.csv": -9418.2891398363,
    "datasets/lymph.csv": -2191.4466609300,
    "treewidth/housing.dat.gz": -3074.5430776675,
}


def random_data(n: int, n_rows: int) -> Dataset:
    dag = credenet.random.dag(n, max_parents=2, seed=1)
    return credenet.random.network(dag, n_states=2, seed=1).sample(n_rows, seed=1)


@settings(max_examples=120, deadline=None)
@given(hard_cases())
def test_all_networks(case: tuple[Dataset, dict[str, Any]]) -> None:
    data, options = case
    networks = [(dag, score) for dag, score in allowed_networks(data, **options) if score > -math.inf]
    found = posterior(data, method="exact", **options)
    if not networks:
        assert found.status == "infeasible"
        with pytest.raises(GraphError, match="no network obeys the knowledge"):
            found.edge_probabilities()
        return
    assert found.is_exact
    check_probabilities(found, networks)


@settings(max_examples=60, deadline=None)
@given(families=tables(4), scale=st.sampled_from([1.0, 300.0]))
def test_networks_of_a_table(families: credenet.FamilyTable, scale: float) -> None:
    """A table with some families only; large differences of scores are beyond the range of doubles."""
    lists = {
        name: [(scale * family.score, family.parents) for family in families.families(name)]
        for name in families.variables
    }
    scaled = credenet.FamilyTable.from_lists(lists)
    networks = [
        (DAG(scaled.variables, [(scaled.variables[a], scaled.variables[b]) for a, b in arcs]), score)
        for arcs, score in zip(brute.all_dags(len(scaled.variables)), all_scores(scaled).tolist(), strict=True)
        if score > -math.inf
    ]
    check_probabilities(posterior(scaled, method="exact"), networks)


def read_shared(name: str) -> Dataset:
    return credenet.read(shared_data(name), header=name not in ("datasets/wine.csv", "datasets/tic-tac-toe.csv"))


def check_edges(found: credenet.StructurePosterior, expected: dict[tuple[int, int], float]) -> None:
    names, edges = found.variables, found.edge_probabilities()
    errors = [abs(edges.get((names[a], names[b]), 0.0) - share) for (a, b), share in expected.items()]
    assert max(errors, default=0.0) < 1e-12


@st.composite
def wide_tables(draw: st.DrawFn) -> credenet.FamilyTable:
    """Some families of up to six variables, the empty one among them, with weights that differ little or by far."""
    n = draw(st.integers(1, 6))
    spread = draw(st.sampled_from([1.0, 30.0, 700.0, 5000.0]))
    names = [f"v{at}" for at in range(n)]
    lists = {}
    for name in names:
        others = [other for other in names if other != name]
        sets = draw(st.sets(st.frozensets(st.sampled_from(others)) if others else st.just(frozenset()), max_size=7))
        lists[name] = [
            (-draw(st.floats(0, spread)), tuple(parents)) for parents in sorted({frozenset(), *sets}, key=sorted)
        ]
    return credenet.FamilyTable.from_lists(lists)


@settings(max_examples=200, deadline=None)
@given(wide_tables())
def test_sums_equal_those_of_50_digits(families: credenet.FamilyTable) -> None:
    weights = log_weights(families)
    found = posterior(families, method="exact")
    assert found.log_evidence == pytest.approx(log_sum_by_layers(weights), rel=1e-14, abs=1e-13)
    check_edges(found, edges_by_layers(weights))


@pytest.mark.parametrize(
    "name",
    ["datasets/tic-tac-toe.csv", "datasets/wine.csv", pytest.param("treewidth/housing.dat.gz", marks=pytest.mark.slow)],
)
def test_sums_of_shared_data_equal_those_of_50_digits(name: str) -> None:
    families = credenet.score_families(read_shared(name), states="observed", slack=1e300)
    expected = SinkSums(log_weights(families))
    found = posterior(families, method="exact")
    assert found.log_evidence == pytest.approx(expected.log_sum, rel=1e-14)
    check_edges(found, expected.edges())


def test_both_sums_of_50_digits_agree() -> None:
    random = np.random.default_rng(1)
    weights = [{set_: -9 * random.random() for set_ in range(16) if not set_ >> at & 1} for at in range(4)]
    sums = SinkSums(weights)
    assert sums.log_sum == pytest.approx(log_sum_by_layers(weights), rel=1e-15)
    assert sums.edges() == pytest.approx(edges_by_layers(weights), rel=1e-15)


@pytest.mark.parametrize("name", LOG_EVIDENCE)
def test_log_evidence_of_shared_data(name: str) -> None:
    found = posterior(read_shared(name), states="observed")
    assert found.log_evidence == pytest.approx(LOG_EVIDENCE[name], abs=1e-9)
    assert found.consistency is not None
    assert found.consistency < 1e-11


def test_draws_are_those_of_the_posterior() -> None:
    """The frequencies of the networks of three variables, by the chi-square statistic."""
    data = credenet.datasets.asia(60, seed=3).select(["smoke", "lung", "bronc", "dysp"])
    found = posterior(data)
    drawn = Counter(found.sample(20_000, seed=5))
    probabilities: dict[DAG, float] = {}
    for dag in drawn:
        parents = found.parent_set_probabilities()
        assert all(frozenset(dag.parents(name)) in map(frozenset, parents[name]) for name in data.variables)
    everything = shares_of(allowed_networks(data, BDeu(1.0), Uniform(), Knowledge(), None))[1]
    probabilities = dict(everything)
    common = [dag for dag, share in probabilities.items() if share * 20_000 >= 5]
    observed = [drawn[dag] for dag in common] + [20_000 - sum(drawn[dag] for dag in common)]
    expected = [20_000 * probabilities[dag] for dag in common]
    expected.append(20_000 - sum(expected))
    assert stats.chisquare(observed, expected).pvalue > 1e-4
    assert found.sample(3, seed=5) == found.sample(3, seed=5)


def scaled_table(scale: float, seed: int) -> FamilyTable:
    """All families of four variables; no parents score worst, as if the data had very many rows."""
    random = np.random.default_rng(seed)
    sets = [[parents for size in range(4) for parents in combinations(range(4), size)] for _ in range(4)]
    own = [[parents for parents in listed if child not in parents] for child, listed in enumerate(sets)]
    families = [
        (
            np.array([-scale * (4 - len(parents)) - 3 * random.random() for parents in listed]),
            np.cumsum([0, *map(len, listed)]),
            np.array([parent for parents in listed for parent in parents]),
        )
        for listed in own
    ]
    return FamilyTable(tuple("abcd"), families)


@pytest.mark.parametrize("scale", [1e2, 1e6, 2e7, 3e7, 1e9, 1e11])
def test_scores_of_very_many_rows(scale: float) -> None:
    families = scaled_table(scale, seed=3)
    weights = log_weights(families)
    found = posterior(families, method="exact")
    assert found.log_evidence == pytest.approx(log_sum_by_layers(weights), rel=1e-15, abs=1e-10)
    probabilities = found.edge_probabilities()
    for (parent, child), share in edges_by_layers(weights).items():
        edge = "abcd"[parent], "abcd"[child]
        assert probabilities.get(edge, 0.0) == pytest.approx(share, abs=1e-14 * scale + 1e-10)
    by_orders = posterior(families, method="order").log_evidence
    assert by_orders is not None
    assert found.log_evidence is not None
    assert -1e-14 * scale <= by_orders - found.log_evidence <= math.log(24)
    drawn = posterior(families, method="mcmc", time_limit=0.2)
    assert drawn.status != "infeasible"


@pytest.mark.parametrize("method", ["exact", "order", "mcmc", "auto"])
def test_scores_without_digits_for_probabilities_are_refused(method: Any) -> None:
    with pytest.raises(ArgumentError, match="every network has a family that scores more than 1e16 nats less than"):
        posterior(scaled_table(1e17, seed=1), method=method)
    codes = np.random.default_rng(0).integers(0, 2, (40, 3))
    codes[:, 1] = codes[:, 0]
    data = Dataset({name: ["0", "1"] for name in "abc"}, codes, weights=np.full(40, 1e18))
    with pytest.raises(ArgumentError, match="If rows have weights, divide them"):
        posterior(data, method=method)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), n_constant=st.integers(0, 4), prior=st.sampled_from(["uniform", "expert", "fair"]))
def test_orders_are_those_of_all_variables(seed: int, n_constant: int, prior: str) -> None:
    """Variables with one state have no edges, but places in an order."""
    codes = np.random.default_rng(seed).integers(0, 2, (20, 4))
    codes[0], codes[1], codes[:, :n_constant] = 0, 1, 0
    names = ("c", "a", "d", "b")
    data = Dataset({name: ["0", "1"] for name in names}, codes)
    given = Expert(DAG(names), 1.0) if prior == "expert" else prior
    families = credenet.score_families(data, prior=given, slack=1e300)
    orders = [
        math.prod(
            math.fsum(math.exp(score) for score, parents in families.families(name) if set(parents) <= set(order[:at]))
            for at, name in enumerate(order)
        )
        for order in permutations(names)
    ]
    found = posterior(data, method="order", prior=given)
    assert found.log_evidence == pytest.approx(math.log(math.fsum(orders)), rel=1e-12)
    assert posterior(families, method="order").log_evidence == pytest.approx(found.log_evidence, rel=1e-12)


def test_orders_count_networks_as_often_as_they_have_orders() -> None:
    data = credenet.datasets.asia(50, seed=2).select(["smoke", "lung", "bronc"])
    networks = allowed_networks(data, BDeu(1.0), Uniform(), Knowledge(), None)

    def n_orders(dag: DAG) -> int:
        return sum(all(order.index(a) < order.index(b) for a, b in dag.edges) for order in permutations(dag.variables))

    weighted = [(dag, score + math.log(n_orders(dag))) for dag, score in networks]
    total, shares = shares_of(weighted)
    found = posterior(data, method="order")
    assert found.log_evidence == pytest.approx(total, abs=1e-10)
    for a, b in permutations(data.variables, 2):
        expected = math.fsum(share for dag, share in shares if (a, b) in dag.edges)
        assert found.edge_probabilities().get((a, b), 0.0) == pytest.approx(expected, abs=1e-10)
        expected = math.fsum(share for dag, share in shares if a in blanket(dag, b))
        assert found.markov_blanket_members(b)[a] == pytest.approx(expected, abs=1e-10)
    assert "orders" in str(found)


def test_properties_of_drawn_networks() -> None:
    data = credenet.datasets.asia(80, seed=1).select(["smoke", "lung", "bronc", "either"])
    found = posterior(data)
    shares = shares_of(allowed_networks(data, BDeu(1.0), Uniform(), Knowledge(), None))[1]
    estimate = found.probability(lambda dag: len(dag.edges) > 2)
    expected = math.fsum(share for dag, share in shares if len(dag.edges) > 2)
    assert abs(estimate.value - expected) < 5 * estimate.standard_error + 1e-9
    assert found.consensus(0.5).variables == data.variables


def test_blankets_of_drawn_networks() -> None:
    """Above 11 variables, blankets are those of networks drawn; the members are summed."""
    found = posterior(random_data(12, 100))
    name = found.variables[3]
    blankets = found.markov_blanket_probabilities(name)
    assert math.fsum(blankets.values()) == pytest.approx(1.0)
    for other, share in found.markov_blanket_members(name).items():
        drawn = math.fsum(share for members, share in blankets.items() if other in members)
        assert abs(drawn - share) < 5 * math.sqrt(share * (1 - share) / 10_000) + 1e-9
    with pytest.raises(ArgumentError, match="variable must be one of the networks"):
        found.markov_blanket_members("nobody")


def test_prediction_averages_over_drawn_networks() -> None:
    data = credenet.datasets.asia(200, seed=1).select(["smoke", "lung", "bronc"])
    found = posterior(data)
    rows = data.take(slice(4))
    expected = np.zeros((4, 2))
    for dag, share in shares_of(allowed_networks(data, BDeu(1.0), Uniform(), Knowledge(), None))[1]:
        expected += share * credenet.fit(data, dag).predict_proba(rows, "lung")
    predicted = found.predict_proba(rows, "lung", data=data, n_networks=20_000)
    np.testing.assert_allclose(predicted, expected, atol=0.01)
    assert found.predict(rows, "lung", data=data) == [data.states["lung"][at] for at in predicted.argmax(axis=1)]


def test_covered_mass_is_the_share_of_this_sum() -> None:
    data = credenet.datasets.asia(1000, seed=1)
    credible = credenet.credible_networks(data, bayes_factor=20)
    found = posterior(data)
    assert found.log_evidence is not None
    share = math.fsum(math.exp(network.score - found.log_evidence) for network in credible.listing.networks())
    assert credible.covered_mass(data) == pytest.approx(share, rel=1e-10)


def test_too_much_is_refused_with_the_figure() -> None:
    wide = random_data(40, 200)
    with pytest.raises(ArgumentError, match=r"up to 26 variables; there are \d+"):
        posterior(wide, method="exact")
    with pytest.raises(ArgumentError, match=r"needs .* MB of memory; the limit is 10 MB; method=.mcmc."):
        posterior(wide.select(wide.variables[:18]), method="exact", memory_limit=1e7)
    with pytest.raises(ArgumentError, match="method"):
        posterior(credenet.datasets.asia(100), method="guess")


def test_a_sum_that_is_stopped_has_no_probabilities() -> None:
    data = random_data(17, 100)
    with every_poll():
        found = posterior(data, on_progress=lambda progress: False)
    assert found.status == "stopped"
    assert not found.has_probabilities
    assert found.to_dict()["edge_probabilities"] is None
    assert "it was stopped" in str(found)
    with pytest.raises(GraphError, match="there is no posterior"):
        found.sample(1)


def test_a_prior_network_that_rules_out_a_constant_column() -> None:
    data = Dataset({"a": ["0", "1"], "b": ["0", "1"]}, np.array([[0, 0], [1, 0]]))
    network = credenet.BayesianNetwork(data.states, DAG(["a", "b"]), {"a": [0.5, 0.5], "b": [0.0, 1.0]})
    assert posterior(data, score=BDe(network, 1.0), method="exact").status == "infeasible"


def test_one_variable_and_constant_ones() -> None:
    data = credenet.datasets.asia(100, seed=1)
    one = posterior(data.select(["smoke"]))
    assert one.edge_probabilities() == {}
    assert one.sample(2) == [DAG(["smoke"])] * 2
    frame = data.select(["smoke", "lung"]).to_polars()
    constant = Dataset.from_frame(frame.insert_column(1, credenet.datasets.asia(100).to_polars()["smoke"].alias("c")))
    found = posterior(constant)
    assert found.path_probabilities().keys() <= set(permutations(constant.variables, 2))
    assert "No two variables" not in str(found)
    assert len(list(combinations(found.variables, 2))) == 3
