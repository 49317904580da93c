"""Networks: what they check, and fitting, likelihoods and marginals against plain Python."""

from __future__ import annotations

import math
import pickle
from collections.abc import Sequence
from itertools import permutations, product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import DAG, BayesianNetwork, Dataset
from credenet.errors import ArgumentError, CredenetError, DataError, GraphError, NetworkError
from credenet.scores import K2, BDe, BDeu, Jeffreys
from credenet.settings.scores import Smoothing
from slow_networks import complete_data, networks, rows_of, slow_counts, slow_joint, slow_probability

STATES = {"a": ("0", "1"), "b": ("x", "y", "z"), "c": ("no", "yes")}
TABLES: dict[str, Any] = {
    "a": [0.25, 0.75],
    "b": [0.5, 0.25, 0.25],
    "c": [[[0.1, 0.9], [0.2, 0.8], [0.3, 0.7]], [[0.4, 0.6], [0.5, 0.5], [1, 0]]],
}


@pytest.fixture
def network() -> BayesianNetwork:
    return BayesianNetwork(STATES, {"c": ["a", "b"]}, TABLES)


def test_what_it_holds(network: BayesianNetwork) -> None:
    assert network.variables == ("a", "b", "c")
    assert network.parents("c") == ("a", "b")
    assert network.n_states.tolist() == [2, 3, 2]
    assert network.n_parameters == 1 + 2 + 6
    assert network.table("c").tolist() == TABLES["c"]
    assert network.probability("c", "yes", b="y", a="1") == 0.5
    assert repr(network) == "<BayesianNetwork 3 variables, 2 edges, 9 parameters>"


def test_parents_in_any_order(network: BayesianNetwork) -> None:
    swapped = np.swapaxes(np.array(TABLES["c"]), 0, 1)
    for table in (swapped, swapped.reshape(6, 2), swapped.reshape(-1), swapped.tolist()):
        assert BayesianNetwork(STATES, {"c": ["b", "a"]}, {**TABLES, "c": table}) == network
    assert BayesianNetwork(STATES, network.dag, TABLES) == network


class TestEliminationOrder:
    def test_kept_by_copies_and_json(self, network: BayesianNetwork, tmp_path: Path) -> None:
        assert network.elimination_order is None
        ordered = network.with_elimination_order(["c", "a", "b"])
        network.save(tmp_path / "without.json")
        ordered.save(tmp_path / "with.json")
        again = pickle.loads(pickle.dumps(ordered))
        for other in (ordered, again, credenet.load(tmp_path / "with.json")):
            assert other.elimination_order == ("c", "a", "b")
            assert other == network
        assert credenet.load(tmp_path / "without.json").elimination_order is None
        assert ordered.with_elimination_order(None).elimination_order is None

    def test_must_have_all_variables(self, network: BayesianNetwork) -> None:
        with pytest.raises(ArgumentError, match="elimination_order must list each of the 3 variables once"):
            network.with_elimination_order(["a", "b"])

    @settings(max_examples=40, deadline=None)
    @given(network=networks(), random=st.randoms(use_true_random=False))
    def test_answers_do_not_depend_on_it(self, network: BayesianNetwork, random: Random) -> None:
        order = list(network.variables)
        random.shuffle(order)
        ordered = network.with_elimination_order(order)
        name = network.variables[-1]
        evidence = {name: network.states[name][0]} if network.marginals()[name][network.states[name][0]] > 0 else {}
        plain, other = network.infer(evidence), ordered.infer(evidence)
        for variable, states in plain.marginals().items():
            assert other.marginals()[variable] == pytest.approx(states, abs=1e-12)
        assert other.log_evidence == pytest.approx(plain.log_evidence, abs=1e-12)
        assert other.mpe().log_probability == pytest.approx(plain.mpe().log_probability, abs=1e-12)

    def test_the_smaller_tables_are_used(self) -> None:
        dag = credenet.random.dag([str(place) for place in range(60)], n_edges=110, seed=1, max_parents=4)
        network = credenet.random.network(dag, seed=1)
        states = dict.fromkeys(dag.variables, 2)
        good = dag.elimination_order(method="min_weight", n_states=states, restarts=3000, seed=1).order
        own, of_good, of_bad = (planned_cells(network, order) for order in (None, good, dag.variables))
        assert of_good < own < of_bad
        assert planned_cells(network.with_elimination_order(good)) == of_good
        assert planned_cells(network.with_elimination_order(dag.variables)) == own


def planned_cells(network: BayesianNetwork, order: Sequence[str] | None = None) -> float:
    """The cells of the clique tree for all marginals."""
    inference = network.infer(elimination_order=order)
    return inference._make_plan(inference._free(), joint=False).cells


@pytest.mark.parametrize("order", list(permutations("abcd")))
def test_tables_follow_the_order_of_the_parents(order: tuple[str, ...]) -> None:
    states = {"d": ("0", "1"), "x": ("0", "1"), "a": ("0", "1", "2"), "c": ("0",), "b": ("0", "1", "2", "3")}
    generator = np.random.default_rng(0)
    shape = [len(states[name]) for name in order]
    table = generator.dirichlet([1, 1], size=shape)
    roots = {name: np.full(len(labels), 1 / len(labels)) for name, labels in states.items()}
    network = BayesianNetwork(states, {"x": order}, {**roots, "x": table})
    for index in product(*map(range, shape)):
        given_states = {name: str(at) for name, at in zip(order, index, strict=True)}
        assert network.probability("x", "1", **given_states) == table[(*index, 1)]


def test_equality_and_pickling(network: BayesianNetwork) -> None:
    assert pickle.loads(pickle.dumps(network)) == network
    assert network != BayesianNetwork(STATES, {"c": ["a", "b"]}, {**TABLES, "a": [0.5, 0.5]})
    assert network != BayesianNetwork({**STATES, "a": ("1", "0")}, {"c": ["a", "b"]}, TABLES)
    assert network != network.dag
    with pytest.raises(TypeError, match="unhashable"):
        hash(network)


def test_it_cannot_be_changed(network: BayesianNetwork) -> None:
    given_table = np.array(TABLES["a"])
    made = BayesianNetwork({"a": STATES["a"]}, {}, {"a": given_table})
    given_table[:] = 7
    assert made.table("a").tolist() == TABLES["a"]
    with pytest.raises(ValueError, match="read-only"):
        network.table("a")[0] = 1
    with pytest.raises(AttributeError, match="cannot be changed"):
        network.dag = DAG(["a"])
    with pytest.raises(TypeError):
        network.states["a"] = ()  # type: ignore[index]


@pytest.mark.parametrize(
    ("states", "parents", "tables", "message"),
    [
        ({}, {}, {}, "a network needs at least one variable"),
        ({"a": ()}, {}, {}, "variable 'a' has no states"),
        ({"a": ("x", "y", "x")}, {}, {}, "variable 'a' has two states named 'x'"),
        ({"a": range(65536)}, {}, {}, "variable 'a' has 65536 states; at most 65535 can be held"),
        (STATES, {"c": ["a", "d"]}, TABLES, "there is no variable 'd' as a parent of 'c'"),
        (STATES, {"d": ["a"]}, TABLES, "there is no variable 'd'"),
        (STATES, {}, {"a": [0.5, 0.5]}, "variable 'b' has no probability table"),
        (
            STATES,
            {"c": ["a", "b"]},
            {**TABLES, "c": [0.5, 0.5]},
            r"'c' must have shape \(2, 3, 2\) \(12 entries\), got \(2,\)",
        ),
        (STATES, {"c": ["a", "b"]}, {**TABLES, "c": np.full((3, 2, 2), 0.5)}, r"must have shape \(2, 3, 2\)"),
        (STATES, {"c": ["a", "b"]}, {**TABLES, "c": np.full((2, 2, 3), 1 / 3)}, r"must have shape \(2, 3, 2\)"),
        (STATES, {"c": ["a", "b"]}, {**TABLES, "a": ["x", "y"]}, "the table of 'a' is not made of numbers"),
        (STATES, {"c": ["a", "b"]}, {**TABLES, "a": [1.5, -0.5]}, r"the table of 'a' has entries outside 0..1"),
        (STATES, {"c": ["a", "b"]}, {**TABLES, "a": [float("nan"), 1]}, r"the table of 'a' has entries outside 0..1"),
        (STATES, {"c": ["a", "b"]}, {**TABLES, "a": [0.5, 0.4]}, r"the probabilities of 'a' add up to 0.9, not 1"),
        (
            STATES,
            {"c": ["b"]},
            {**TABLES, "c": [[1, 0], [0.5, 0.5], [0.5, 0.6]]},
            r"of 'c' given b=z add up to 1.1, not 1",
        ),
    ],
)
def test_wrong_parts(states: Any, parents: Any, tables: Any, message: str) -> None:
    with pytest.raises(NetworkError, match=message):
        BayesianNetwork(states, parents, tables)


def test_wrong_structures() -> None:
    with pytest.raises(GraphError, match="cycle"):
        BayesianNetwork(STATES, {"a": ["b"], "b": ["a"]}, TABLES)
    with pytest.raises(CredenetError, match="'a'"):
        BayesianNetwork(STATES, {"c": ["a", "a"]}, TABLES)


def test_wrong_questions(network: BayesianNetwork) -> None:
    with pytest.raises(NetworkError, match="there is no variable 'd'"):
        network.table("d")
    with pytest.raises(NetworkError, match="variable 'c' has no state 'maybe'; it has no, yes"):
        network.probability("c", "maybe", a="0", b="x")
    with pytest.raises(ArgumentError, match=r"the parents of 'c' are \['a', 'b'\], got \['a'\]"):
        network.probability("c", "yes", a="0")


def test_parents_with_the_names_of_arguments() -> None:
    network = BayesianNetwork(
        {"state": "ab", "variable": "cd"}, {"variable": ["state"]}, {"state": [1, 0], "variable": [0.25, 0.75] * 2}
    )
    assert network.probability("variable", "d", state="a") == 0.75


PRIORS: list[Smoothing | None] = [None, BDeu(), BDeu(7.5), K2(), Jeffreys()]


def slow_pseudo_count(prior: Smoothing | None, n_cells: int) -> float:
    if isinstance(prior, BDeu):
        return prior.ess / n_cells
    return 1.0 if isinstance(prior, K2) else 0.5 if isinstance(prior, Jeffreys) else 0.0


def check_fit(fitted: BayesianNetwork, data: Dataset, pseudo: Any) -> None:
    """Tables from counts: ``pseudo(family)`` gives the pseudo-count of each joint state of a family."""
    for name in fitted.variables:
        family = (*fitted.parents(name), name)
        added = pseudo(family)
        cells = {key: count + added[key] for key, count in slow_counts(data, family).items()}
        for key, value in cells.items():
            total = math.fsum(cells[(*key[:-1], state)] for state in data.states[name])
            expected = value / total if total else 1 / len(data.states[name])
            given_states = dict(zip(family[:-1], key[:-1], strict=True))
            assert fitted.probability(name, key[-1], **given_states) == pytest.approx(expected, rel=1e-12)


@given(st.data(), networks(), st.sampled_from(PRIORS))
@settings(max_examples=150, deadline=None)
def test_fitting_by_counts(draws: st.DataObject, truth: BayesianNetwork, prior: Smoothing | None) -> None:
    data = draws.draw(complete_data(truth.states))
    fitted = credenet.fit(data, truth.dag, smoothing=prior, n_threads=draws.draw(st.sampled_from([1, 3])))
    assert fitted.dag == truth.dag

    def pseudo(family: tuple[str, ...]) -> dict[tuple[Any, ...], float]:
        cells = list(product(*(data.states[name] for name in family)))
        return dict.fromkeys(cells, slow_pseudo_count(prior, len(cells)))

    check_fit(fitted, data, pseudo)


@given(st.data(), networks(max_size=4), st.sampled_from([0.5, 10.0]))
@settings(max_examples=60, deadline=None)
def test_fitting_with_a_prior_network(draws: st.DataObject, truth: BayesianNetwork, ess: float) -> None:
    data = draws.draw(complete_data(truth.states))
    prior = credenet.fit(draws.draw(complete_data(truth.states)), truth.dag)
    fitted = credenet.fit(data, truth.dag, smoothing=BDe(prior, ess))
    check_fit(fitted, data, lambda family: {key: ess * p for key, p in slow_joint(prior, family).items()})


def test_parent_states_without_data_are_uniform() -> None:
    data = Dataset({"a": ("0", "1"), "b": ("x", "y", "z")}, np.array([[0, 0], [0, 1]]))
    fitted = credenet.fit(data, DAG.parse("a -> b"), smoothing=None)
    assert fitted.table("b").tolist() == [[0.5, 0.5, 0.0], [1 / 3, 1 / 3, 1 / 3]]
    weighted = Dataset(data.states, np.array([[0, 0], [1, 1]]), weights=np.array([2.0, 0.0]))
    assert credenet.fit(weighted, DAG.parse("a -> b"), smoothing="none").table("b")[1].tolist() == [1 / 3] * 3


def test_columns_that_the_graph_does_not_name_are_left_out() -> None:
    data = Dataset({**STATES, "d": ("0", "1")}, np.array([[0, 0, 0, -1], [1, 2, 1, 0]]))
    assert credenet.fit(data, DAG.parse("c -> a")).variables == ("c", "a")


def test_what_cannot_be_fitted() -> None:
    data = Dataset(STATES, np.array([[0, -1, 0], [1, 2, 1]]))
    with pytest.raises(DataError, match="the graph has variables that the data do not have: 'd'"):
        credenet.fit(data, DAG(["a", "d"]))
    with pytest.raises(ArgumentError, match=r"dag must be a DAG, a PDAG, .*, got 'a -> b'"):
        credenet.fit(data, "a -> b")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"data must be a Dataset, .* path of a table, got \[\]; make an array"):
        credenet.fit([], DAG(["a"]))  # type: ignore[arg-type]
    with pytest.raises(DataError, match="fitting needs complete rows; cells are missing in b"):
        credenet.fit(data, DAG(["a", "b"]))
    with pytest.raises(ArgumentError, match=r"smoothing must be .* one of none, bdeu, k2, jeffreys, bde, got 'bayes'"):
        credenet.fit(data, DAG(["a"]), smoothing="bayes")
    with pytest.raises(ArgumentError, match="n_threads must be at least 1, got 0"):
        credenet.fit(data, DAG(["a"]), n_threads=0)
    names = [f"x{k}" for k in range(12)]
    wide = Dataset({name: list("abcdefgh") for name in names}, np.zeros((1, 12), dtype=int))
    with pytest.raises(NetworkError, match="the tables would take 512 GiB; 'x0' has 11 parents"):
        credenet.fit(wide, DAG(names, [(name, "x0") for name in names[1:]]))


@given(st.data(), networks())
@settings(max_examples=150, deadline=None)
def test_log_likelihood(draws: st.DataObject, network: BayesianNetwork) -> None:
    data = draws.draw(complete_data(network.states))
    probabilities = [slow_probability(network, row) for row in rows_of(data)]
    expected = [math.log(p) if p else -math.inf for p in probabilities]
    per_row = network.log_likelihood(data, per_row=True, n_threads=2)
    assert per_row.tolist() == pytest.approx(expected, rel=1e-12, abs=1e-12)
    weights = [1.0] * len(data) if data.weights is None else data.weights.tolist()
    total = math.fsum(w * value for w, value in zip(weights, expected, strict=True) if w)
    assert network.log_likelihood(data) == pytest.approx(total, rel=1e-12, abs=1e-12)


def test_log_likelihood_matches_states_by_label_and_refuses_gaps(network: BayesianNetwork) -> None:
    data = Dataset({"c": ("yes", "no"), "b": ("z", "y"), "a": ("1",), "more": ("0",)}, np.array([[0, 1, 0, 0]]))
    assert network.log_likelihood(data) == pytest.approx(math.log(0.75 * 0.25 * 0.5))
    with pytest.raises(DataError, match="the log-likelihood needs complete rows; cells are missing in b"):
        network.log_likelihood(Dataset(STATES, np.array([[0, -1, 0]])))
    with pytest.raises(DataError, match="the data have no variable 'b'"):
        network.log_likelihood(data.select(["a", "c"]))


def test_threads_do_not_change_the_digits() -> None:
    network = credenet.random.network(credenet.random.dag(12, max_parents=3, seed=4), n_states=(2, 5), seed=4)
    data = network.sample(20_000, seed=1)
    weighted = Dataset(data.states, np.asarray(data.codes), weights=np.random.default_rng(0).random(len(data)))
    for n_threads in (2, 4):
        assert credenet.fit(weighted, network.dag, n_threads=n_threads) == credenet.fit(
            weighted, network.dag, n_threads=1
        )
        assert network.log_likelihood(weighted, n_threads=n_threads) == network.log_likelihood(weighted, n_threads=1)


@given(networks())
@settings(max_examples=60, deadline=None)
def test_marginals(network: BayesianNetwork) -> None:
    for name, distribution in network.marginals().items():
        expected = {key[0]: p for key, p in slow_joint(network, [name]).items()}
        assert distribution == pytest.approx(expected, abs=1e-12)
