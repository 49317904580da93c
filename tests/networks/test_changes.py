"""Changed networks against the joint distribution, and tables with labels."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import credenet
from credenet import BayesianNetwork
from credenet.errors import NetworkError
from slow_networks import networks, slow_joint

ASIA = credenet.textbook.asia()


@given(networks(), st.data())
@settings(max_examples=150, deadline=None)
def test_a_variable_is_summed_out(network: BayesianNetwork, data: st.DataObject) -> None:
    assume(len(network.variables) > 1)
    gone = data.draw(st.sampled_from(network.variables))
    rest = [name for name in network.variables if name != gone]
    after = network.without_variable(gone)
    assert after.variables == tuple(rest)
    expected, found = slow_joint(network, rest), slow_joint(after, rest)
    assert all(math.isclose(found[key], expected[key], rel_tol=1e-9, abs_tol=1e-12) for key in expected)
    is_leaf = not network.children(gone)
    assert not is_leaf or after.dag == network.dag.without_variable(gone)
    assert not is_leaf or all(np.array_equal(after.table(name), network.table(name)) for name in rest)


def test_rows_that_sum_to_one_nearly_stay_legal() -> None:
    parts = {"states": {name: ["0", "1"] for name in "abc"}, "parents": {"b": ["a"], "c": ["a"]}}
    near = 1 + 9e-6
    tables = {"a": [0.5 * near, 0.5 * near], "b": [[0.5 * near] * 2] * 2, "c": [[0.5 * near] * 2] * 2}
    after = BayesianNetwork(**parts, tables=tables).without_variable("a")
    assert np.allclose(after.table("b").sum(axis=-1), 1, atol=1e-15)


def test_summing_out_has_a_limit() -> None:
    names = [f"c{k}" for k in range(30)]
    states = {name: ["0", "1"] for name in ["x", *names]}
    wide = BayesianNetwork(
        states, {name: ["x"] for name in names}, {"x": [0.5, 0.5], **{name: [[0.5, 0.5]] * 2 for name in names}}
    )
    with pytest.raises(NetworkError, match=r"summing out 'x' needs a table of [0-9,]+ numbers over 27 variables"):
        wide.without_variable("x")


@given(networks(), st.data())
@settings(max_examples=100, deadline=None)
def test_names(network: BayesianNetwork, data: st.DataObject) -> None:
    old = data.draw(st.lists(st.sampled_from(network.variables), unique=True))
    names = {name: f"new {name}" for name in old}
    after = network.rename(names)
    assert slow_joint(after, after.variables) == slow_joint(network, network.variables)
    assert after.edges == tuple((names.get(a, a), names.get(b, b)) for a, b in network.edges)
    assert after.rename({to: name for name, to in names.items()}) == network


@given(networks(), st.data())
@settings(max_examples=100, deadline=None)
def test_a_variable_more(network: BayesianNetwork, data: st.DataObject) -> None:
    parents = data.draw(st.lists(st.sampled_from(network.variables), unique=True, max_size=2))
    shape = [len(network.states[parent]) for parent in parents]
    table = np.random.default_rng(len(parents)).dirichlet([1.0, 1.0, 1.0], size=shape)
    after = network.with_variable("new", ["r", "s", "t"], table, parents=parents)
    assert after.variables == (*network.variables, "new")
    assert after.without_variable("new") == network
    given = {parent: network.states[parent][-1] for parent in parents}
    last = table[(-1,) * len(parents)]
    assert [after.probability("new", state, **given) for state in "rst"] == last.tolist()


def test_another_table_and_other_parents() -> None:
    network = ASIA.with_table("xray", [[0.7, 0.3], [0.2, 0.8]], parents=["lung"])
    assert network.parents("xray") == ("lung",)
    assert network.probability("xray", "yes", lung="no") == 0.2
    assert network.with_table("xray", ASIA["xray"], parents=ASIA.parents("xray")) == ASIA
    with pytest.raises(NetworkError, match="the table of 'xray' must have shape"):
        ASIA.with_table("xray", [0.5, 0.5])
    with pytest.raises(credenet.CredenetError, match="cycle"):
        ASIA.with_table("smoke", [[0.5, 0.5]] * 2, parents=["dysp"])


def test_elimination_order_and_interventions_follow() -> None:
    ordered = ASIA.with_elimination_order(ASIA.variables)
    assert ordered.rename({"smoke": "tobacco"}).elimination_order == tuple(
        "tobacco" if name == "smoke" else name for name in ASIA.variables
    )
    assert ordered.without_variable("smoke").elimination_order == tuple(n for n in ASIA.variables if n != "smoke")
    assert ordered.with_variable("new", ["a"], [1.0]).elimination_order is None
    cut = ASIA.do({"smoke": "yes"})
    for changed in (cut.rename({"smoke": "tobacco"}), cut.with_table("asia", [0.5, 0.5])):
        name = "tobacco" if "tobacco" in changed else "smoke"
        with pytest.raises(credenet.CredenetError) as caught:
            changed.infer({name: "no"}).marginals()
        with pytest.raises(credenet.CredenetError) as before:
            cut.infer({"smoke": "no"}).marginals()
        assert str(caught.value).replace("tobacco", "smoke") == str(before.value)
    free = cut.with_table("smoke", [0.5, 0.5])
    assert free.infer({"smoke": "no"}).marginals(["bronc"])["bronc"]["yes"] == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ASIA.without_variable("q"), "there is no variable 'q'"),
        (lambda: ASIA.with_table("q", [1.0]), "there is no variable 'q'"),
        (lambda: ASIA.rename({"q": "z"}), "unknown variable 'q'"),
        (lambda: ASIA.rename({"lung": "smoke"}), "variable 'smoke' is named twice"),
        (lambda: ASIA.with_variable("lung", ["a"], [1.0]), "there is a variable 'lung' already"),
        (lambda: ASIA.with_variable("n", ["a", "a"], [1.0]), "variable 'n' has two states named 'a'"),
        (lambda: ASIA.with_variable("n", ["a"], [1.0], parents=["q"]), "there is no variable 'q' as a parent of 'n'"),
        (lambda: ASIA["q"], "there is no variable 'q'"),
        (lambda: BayesianNetwork({"a": ["x"]}, {}, {"a": [1.0]}).without_variable("a"), "at least one variable"),
    ],
)
def test_mistakes(call: object, message: str) -> None:
    assert callable(call)
    with pytest.raises(credenet.CredenetError, match=message):
        call()


@given(networks())
@settings(max_examples=50, deadline=None)
def test_labelled_tables(network: BayesianNetwork) -> None:
    for name in network.variables:
        labelled = network[name]
        assert np.array_equal(np.asarray(labelled), network.table(name))
        assert labelled.shape == network.table(name).shape
        frame = labelled.to_polars()
        assert frame.columns == [*network.parents(name), name, "probability"]
        for row in frame.iter_rows(named=True):
            given = {parent: row[parent] for parent in network.parents(name)}
            assert network.probability(name, row[name], **given) == row["probability"]
        assert isinstance(labelled.to_pandas(), pd.DataFrame)
    tables = {name: network[name] for name in network.variables}
    parents = {name: network.parents(name) for name in network.variables}
    assert BayesianNetwork(network.states, parents, tables) == network


def test_text_of_tables() -> None:
    assert str(ASIA["lung"]) == ("P(lung | smoke)\nsmoke  yes     no\nyes    0.1000  0.9000\nno     0.0100  0.9900")
    assert repr(ASIA["dysp"]) == "<ConditionalTable P(dysp | bronc, either), 8 numbers>"
    assert repr(ASIA["asia"]) == "<ConditionalTable P(asia), 2 numbers>"
    assert "<table" in ASIA["dysp"]._repr_html_()
    many = credenet.random.network(credenet.DAG([("a", "c"), ("b", "c")]), n_states=20)["c"]
    assert str(many).splitlines()[-1] == f"… and {400 - (len(str(many).splitlines()) - 3)} more rows"


def test_a_variable_called_probability() -> None:
    network = ASIA.rename({"smoke": "probability"})
    assert network["probability"].to_polars().columns == ["probability", "probability_"]
    assert isinstance(network["probability"].to_polars(), pl.DataFrame)


def test_structure_of_a_network() -> None:
    assert ASIA.edges == ASIA.dag.edges
    assert (ASIA.roots, ASIA.leaves) == (("asia", "smoke"), ("xray", "dysp"))
    assert ASIA.children("smoke") == ("lung", "bronc")
    assert ASIA.markov_blanket("lung") == ASIA.dag.markov_blanket("lung")
    assert np.array_equal(ASIA.to_adjacency(), ASIA.dag.to_adjacency())
    assert ASIA.to_adjacency("polars").columns == list(ASIA.variables)
    assert "lung" in ASIA
    assert "cancer" not in ASIA
    # An object with a length would become a sequence of numpy.
    assert np.array([ASIA, ASIA], dtype=object).shape == (2,)
    with pytest.raises(TypeError, match="'BayesianNetwork' object is not iterable"):
        iter(ASIA)  # type: ignore[call-overload]
