"""Contrasts and draws against numpy's Dirichlet draws, sums over all DAGs, and truths drawn from the prior."""

from __future__ import annotations

import json
import math
from itertools import product
from typing import Any

import numpy as np
import pytest

import brute
import credenet
from credenet import DAG, BayesianNetwork, Dataset, Knowledge, credible_networks
from credenet.errors import ArgumentError
from credenet.types import Effect
from effect_checks import slow_means
from enumerated_networks import EnumeratedNetworks
from family_strategies import small_data
from slow_effects import adjusted_draws, network_after

KINDS = ("difference", "ratio", "odds_ratio")


def value_of(kind: str, a: Any, b: Any) -> Any:
    """The contrast of two probabilities, or of draws of them, by its formula."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return {"difference": a - b, "ratio": a / b, "odds_ratio": a / (1 - a) / (b / (1 - b))}[kind]


def check_json(value: Any) -> Any:
    """What is written as JSON, without numbers that JSON does not have."""

    def refuse(name: str) -> None:
        raise AssertionError(f"JSON has {name}")

    return json.loads(json.dumps(value), parse_constant=refuse)


@pytest.fixture(scope="module")
def data() -> Dataset:
    return credenet.datasets.asia(1000, seed=1)


@pytest.fixture(scope="module")
def effect(data: Dataset) -> Effect:
    """Over several networks, in some of which there is no effect."""
    return credible_networks(data, bayes_factor=20).effects("smoke", "bronc", data=data)["smoke", "bronc"]


class TestEstimates:
    @pytest.mark.parametrize("kind", KINDS)
    def test_of_the_average_over_all_dags(self, kind: str) -> None:
        data = small_data(2).select(list("abde"))
        source = EnumeratedNetworks.of(credenet.score_families(data, slack=1e6))
        means = np.asarray(sum(share * mean for share, mean in slow_means(source, data, "d", "e")))
        found = credenet.effects(source, "d", "e", data=data, n_draws=100)["d", "e"]
        for do, against in (("1", "0"), ("0", "1")):
            each = found.contrast(do, against, "1", kind=kind)  # type: ignore[arg-type]
            assert each.estimate == pytest.approx(value_of(kind, means[int(do), 1], means[int(against), 1]), abs=1e-9)

    def test_with_knowledge(self) -> None:
        data = small_data(1)
        knowledge = Knowledge(required=[("e", "d")])
        source = EnumeratedNetworks.of(credenet.score_families(data, slack=1e6, knowledge=knowledge))
        found = credible_networks(data, slack=1e4, knowledge=knowledge).effects("e", "d", data=data, n_draws=100)
        means = np.asarray(sum(share * mean for share, mean in slow_means(source, data, "e", "d")))
        for each in found["e", "d"].contrasts:
            places = int(each.do), int(each.against), int(each.state)
            expected = value_of(each.kind, means[places[0], places[2]], means[places[1], places[2]])
            assert each.estimate == pytest.approx(expected, abs=1e-6)
        turned = credible_networks(data, bayes_factor=3, knowledge=knowledge).effects("d", "e", data=data)
        assert {each.estimate for each in turned["d", "e"].contrasts if each.kind == "difference"} == {0.0}

    def test_in_a_network(self) -> None:
        network = credenet.textbook.asia()
        after = {do: network_after(network, {"smoke": do}, "dysp") for do in ("yes", "no")}
        for each in network.effects("smoke", "dysp")["smoke", "dysp"].contrasts:
            assert (each.do, each.against) == ("yes", "no")
            expected = value_of(each.kind, after["yes"][each.state], after["no"][each.state])
            assert each.estimate == pytest.approx(expected, abs=1e-9)
            assert (each.low, each.high, each.note) == (None, None, None)


class TestDraws:
    def test_intervals_are_those_of_joint_draws(self, effect: Effect) -> None:
        draws = effect.draws()
        for each in effect.contrasts:
            values = value_of(each.kind, draws[each.do][each.state], draws[each.against][each.state])
            assert (each.low, each.high) == pytest.approx(np.quantile(values, [0.025, 0.975]), rel=1e-9)

    def test_intervals_of_probabilities_are_quantiles(self, effect: Effect) -> None:
        assert effect.intervals is not None
        for do, states in effect.draws().items():
            for state, values in states.items():
                assert effect.intervals[do][state] == pytest.approx(np.quantile(values, [0.025, 0.975]), rel=1e-12)

    def test_of_a_mixture(self) -> None:
        """Ends of contrasts against draws by numpy: of two adjustment sets, and of networks without an effect."""
        data, n_draws = small_data(2), 20_000
        sets = {("a",): 0.5, ("e",): 0.3, (): 0.2}
        dags = [DAG(data.variables, [(parent, "d") for parent in parents]) for parents in sets]
        source = EnumeratedNetworks(data.variables, dags, list(sets.values()))
        found = credenet.effects(source, "d", "e", data=data, adjust="parents", n_draws=n_draws)["d", "e"]
        rng = np.random.default_rng(1)
        parts = [adjusted_draws(data, "d", "e", z, int(n_draws * share), rng) for z, share in sets.items()]
        draws = np.concatenate(parts)
        for each in found.contrasts:
            state = int(each.state)
            values = value_of(each.kind, draws[:, int(each.do), state], draws[:, int(each.against), state])
            assert each.low is not None
            assert each.high is not None
            for end, share in ((each.low, 0.025), (each.high, 0.975)):
                error = 5 * math.sqrt(2 * share * (1 - share) / n_draws)
                assert (values < end - 1e-6).mean() - error <= share <= (values <= end + 1e-6).mean() + error

    def test_means_and_sums(self, effect: Effect) -> None:
        draws = effect.draws()
        for do, states in effect.means.items():
            assert np.sum(list(draws[do].values()), axis=0) == pytest.approx(1.0)
            for state, mean in states.items():
                values = draws[do][state]
                assert values.shape == (1000,)
                assert values.mean() == pytest.approx(mean, abs=6 * values.std() / math.sqrt(1000))

    def test_their_order_is_random(self, effect: Effect) -> None:
        """Draws are made set by set; those without an effect must not stand together."""
        draws = effect.draws()
        is_same = draws["yes"]["yes"] == draws["no"]["yes"]
        shares = [part.mean() for part in np.split(is_same, 5)]
        assert 0.1 < is_same.mean() < 0.9
        assert shares == pytest.approx([is_same.mean()] * 5, abs=5 * math.sqrt(0.25 / 200))

    def test_a_seed_repeats(self, data: Dataset) -> None:
        source = credible_networks(data, bayes_factor=3)
        one, same, other = (source.effects("smoke", ["lung", "xray"], data=data, seed=seed) for seed in (1, 1, 2))
        assert one.draws().keys() == {("smoke", "lung"), ("smoke", "xray")}
        for pair, draws in one.draws().items():
            for do, state in product(draws, ("yes", "no")):
                assert (draws[do][state] == same[pair].draws()[do][state]).all()
                assert (draws[do][state] != other[pair].draws()[do][state]).any()

    def test_all_states_of_x(self, data: Dataset) -> None:
        found = credible_networks(data, bayes_factor=3).effects({"smoke": "yes"}, {"lung": "yes"}, data=data)
        assert found["smoke", "lung"].draws().keys() == {"yes", "no"}
        assert found["smoke", "lung"].means.keys() == {"yes"}
        assert found["smoke", "lung"].means["yes"].keys() == {"yes"}

    def test_refused(self, data: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
        with pytest.raises(ArgumentError, match="are exact: there are no draws, only means"):
            credenet.textbook.asia().effects("smoke", "lung").draws()
        found = credible_networks(data, bayes_factor=3).effects("smoke", "lung", data=data)
        monkeypatch.setattr("credenet.interventions.result._MOST_NUMBERS", 3999)
        with pytest.raises(ArgumentError, match="the draws of 1 pair take 32 kB; ask for those of one Effect"):
            found.draws()


class TestOddTables:
    def test_a_ratio_that_is_not_defined(self) -> None:
        effect = credenet.textbook.asia().effects("tub", "either")["tub", "either"]
        odds = effect.contrast("yes", "no", "yes", kind="odds_ratio")
        assert odds.estimate is None
        assert odds.note == "not defined, as P(either = yes | do(tub = yes)) is 1"
        ratio = effect.contrast("no", "yes", "no", kind="ratio")
        assert ratio.estimate is None
        assert ratio.note == "not defined, as P(either = no | do(tub = yes)) is 0"
        assert effect.contrast("yes", "no", "no", kind="ratio").estimate == 0.0
        assert "not defined, as P(either = yes | do(tub = yes)) is 1" in str(credenet.textbook.asia().effects("tub"))
        check_json(effect.to_dict())

    def test_states_that_never_occur(self) -> None:
        """Draws of their probability underflow to 0, so that ratios have no upper end."""
        rng = np.random.default_rng(3)
        codes = rng.integers(0, 2, (40, 3))
        data = Dataset({name: ["0", "1", "2", "3"] for name in "abc"}, codes)
        found = credenet.effects(DAG.parse("c -> a -> b; c -> b".replace("; ", "\n")), "a", "b", data=data)
        ratio = found["a", "b"].contrast("1", "0", "2", kind="ratio")
        assert ratio.estimate is not None
        assert ratio.low is not None
        assert ratio.high is None
        assert ratio.note == "no upper end, as P(b = 2 | do(a = 0)) may be 0"
        assert "or more: no upper end" in str(
            credenet.effects(DAG.parse("a -> b\nc"), {"a": "1"}, {"b": "2"}, data=data)
        )
        for effect in found:
            for each in check_json(effect.to_dict())["contrasts"]:
                assert each["high"] is None or each["low"] <= each["high"]

    def test_constant_columns(self) -> None:
        codes = np.array([[0, 0, 1], [1, 0, 0], [0, 0, 1], [1, 0, 1]] * 5)
        data = Dataset({"a": ["0", "1"], "b": ["only"], "c": ["0", "1"]}, codes)
        found = credible_networks(data, bayes_factor=3).effects(data=data)
        assert found["b", "a"].contrasts == ()
        by_kind = {each.kind: each for each in found["a", "b"].contrasts}
        assert (by_kind["difference"].estimate, by_kind["ratio"].estimate) == pytest.approx((0.0, 1.0))
        assert by_kind["odds_ratio"].estimate is None
        assert by_kind["odds_ratio"].note == "not defined, as P(b = only | do(a = 1)) is 1"
        check_json(found.to_dict())
        assert found.to_polars()["ratio"].is_nan().sum() == 0

    def test_an_end_is_a_limit_that_no_row_speaks_against(self) -> None:
        codes = np.array([[0, 0]] * 30 + [[1, 1]] * 20)
        data = Dataset({"a": ["0", "1"], "b": ["0", "1"]}, codes)
        intervals = credenet.effects(DAG.parse("a -> b"), "a", "b", data=data)["a", "b"].intervals
        assert intervals is not None
        assert (intervals["1"]["1"][1], intervals["1"]["0"][0]) == (1.0, 0.0)
        assert 0.8 < intervals["1"]["1"][0] < 1
        spoken = Dataset(data.states, np.concatenate([codes, [[1, 0]]]))
        intervals = credenet.effects(DAG.parse("a -> b"), "a", "b", data=spoken)["a", "b"].intervals
        assert intervals is not None
        assert intervals["1"]["1"][1] < 1
        assert intervals["1"]["0"][0] > 0
        apart = credenet.effects(DAG(["a", "b"], []), "a", "b", data=data)["a", "b"].intervals
        assert apart is not None
        assert 0.4 < apart["1"]["0"][0] < apart["1"]["0"][1] < 0.8


class TestQuestions:
    def contrasts(self, **asked: Any) -> list[tuple[Any, Any, Any]]:
        network = credenet.textbook.asia()
        (effect,) = network.effects(**asked)
        return [(each.do, each.against, each.state) for each in effect.contrasts if each.kind == "difference"]

    def test_baseline(self) -> None:
        assert self.contrasts(x="smoke", y="lung") == [("yes", "no", "yes"), ("yes", "no", "no")]
        assert self.contrasts(x={"smoke": "no"}, y={"lung": "yes"}) == [("no", "yes", "yes")]
        assert self.contrasts(x="smoke", y={"lung": "no"}, against="yes") == [("no", "yes", "no")]
        assert self.contrasts(x="smoke", y={"lung": "no"}, against={"smoke": "yes"}) == [("no", "yes", "no")]
        states = {"a": ["high", "low", "mid"], "b": ["0", "1"]}
        tables = {"a": [0.2, 0.3, 0.5], "b": [[0.1, 0.9], [0.2, 0.8], [0.3, 0.7]]}
        network = BayesianNetwork(states, {"b": ["a"]}, tables)
        (effect,) = network.effects("a", {"b": "1"})
        assert [(each.do, each.against) for each in effect.contrasts[::3]] == [("low", "high"), ("mid", "high")]

    @pytest.mark.parametrize(
        ("asked", "message"),
        [
            ({"x": ["smoke", "tub"], "against": "no"}, "against must be a mapping where several variables are set"),
            ({"x": "smoke", "against": {"tub": "no"}}, "against names 'tub', which is not set; x must name it, too"),
            ({"x": "smoke", "against": "maybe"}, "variable 'smoke' has no state 'maybe'; it has yes, no"),
            ({"x": {"smoke": "no"}, "against": "no"}, "against must be another state of 'smoke' than 'no'"),
            ({"x": "smoke", "y": {"lung": "maybe"}}, "variable 'lung' has no state 'maybe'; it has yes, no"),
            ({"x": "smoke", "y": {"lung": []}}, "y must have a state for 'lung', got none"),
        ],
    )
    def test_wrong_questions(self, asked: dict[str, Any], message: str) -> None:
        with pytest.raises(ArgumentError, match=message):
            credenet.textbook.asia().effects(**asked)

    def test_wrong_contrasts(self, effect: Effect) -> None:
        with pytest.raises(ArgumentError, match="kind must be"):
            effect.contrast("yes", "no", "yes", kind="risk")  # type: ignore[arg-type]
        with pytest.raises(ArgumentError, match="do and against must be different states of 'smoke', both are 'no'"):
            effect.contrast("no", "no", "yes")
        with pytest.raises(ArgumentError, match="variable 'bronc' has no state 'maybe'"):
            effect.contrast("yes", "no", "maybe")


class TestTold:
    def test_json(self, effect: Effect) -> None:
        first = check_json(effect.to_dict())["contrasts"][0]
        assert first.keys() == {"kind", "states", "estimate", "low", "high", "note"}
        assert first["states"] == {"do": "yes", "against": "no", "state": "yes"}
        assert first["kind"] == "difference"
        assert first["low"] <= first["estimate"] <= first["high"]

    def test_frame(self, data: Dataset) -> None:
        found = credible_networks(data, bayes_factor=3).effects("smoke", data=data)
        frame = found.to_polars().filter(do="yes", y="bronc", state="yes").row(0, named=True)
        of_yes = [each for each in found["smoke", "bronc"].contrasts if each.state == "yes"]
        assert [each.kind for each in of_yes] == ["difference", "ratio", "odds_ratio"]
        for each in of_yes:
            names = (each.kind, f"{each.kind}_low", f"{each.kind}_high")
            assert tuple(frame[name] for name in names) == (each.estimate, each.low, each.high)
        assert frame["against"] == "no"
        assert found.to_polars().filter(do="no")["ratio_high"].null_count() == 14

    def test_sentence(self, effect: Effect) -> None:
        difference = effect.contrast("yes", "no", "yes")
        assert difference.estimate is not None
        wanted = f"P(bronc = yes) is {difference.estimate:.3f} higher (95 % interval 0.000 to {difference.high:.3f}) "
        assert effect.summary().startswith(wanted + "when smoke is set to yes rather than no; risk ratio 1.48")

    def test_a_sentence_of_what_becomes_less_probable(self) -> None:
        text = str(credenet.textbook.asia().effects({"smoke": "no"}, {"lung": "yes"}))
        assert "P(lung = yes) is 0.090 lower when smoke is set to no rather than yes; risk ratio 0.10, odds" in text

    def test_an_interval_is_of_how_much_lower_it_is(self) -> None:
        data = credenet.datasets.asia(1000, seed=1)
        effects = credible_networks(data).effects({"smoke": "no"}, {"bronc": "yes"}, against="yes", data=data)
        difference = effects["smoke", "bronc"].contrast("no", "yes", "yes")
        assert difference.estimate is not None
        assert difference.low is not None
        assert difference.low < difference.estimate < 0
        wanted = f"is {-difference.estimate:.3f} lower (95 % interval 0.000 to {-difference.low:.3f}) when smoke is set"
        assert wanted in str(effects)

    def test_of_several_states_the_one_that_changes_most_is_told(self) -> None:
        states = {"a": ["0", "1"], "b": ["x", "y", "z"]}
        network = BayesianNetwork(states, {"b": ["a"]}, {"a": [0.5, 0.5], "b": [[0.5, 0.4, 0.1], [0.4, 0.2, 0.4]]})
        assert network.effects("a", "b")["a", "b"].summary().startswith("P(b = z) is 0.300 higher when a is set to 1")


def drawn_from_prior(seed: int) -> BayesianNetwork:
    """Uniform over the 25 networks of three binary variables, and the tables that BDeu supposes."""
    rng = np.random.default_rng(seed)
    arcs = brute.all_dags(3)
    names = ("a", "b", "c")
    dag = DAG(names, [(names[parent], names[child]) for parent, child in arcs[rng.integers(len(arcs))]])
    tables = {}
    for name in names:
        shape = [2] * len(dag.parents(name))
        tables[name] = rng.dirichlet(np.full(2, 1 / 2 ** (len(shape) + 1)), size=shape)
    return BayesianNetwork({name: ["0", "1"] for name in names}, dag, tables)


def test_intervals_hold_truths_drawn_from_the_prior() -> None:
    """A correct posterior holds them with its level, whatever the number of rows; one pair of each sample."""
    held, held_differences = [], []
    for seed in range(400):
        network = drawn_from_prior(seed)
        data = network.sample(60, seed=seed)
        if any(len(np.unique(data.codes[:, at])) < 2 for at in range(3)):
            continue  # The prior would give parents to a constant column, but a search does not.
        x, y = np.random.default_rng(seed).permutation(data.variables)[:2].tolist()
        found = credenet.posterior(data).effects(x, y, data=data, n_draws=400)[x, y]
        true = network.effects(x, y)[x, y]
        assert found.intervals is not None
        low, high = found.intervals["1"]["1"]
        held.append(low <= true.means["1"]["1"] <= high)
        difference, wanted = found.contrast("1", "0", "1"), true.contrast("1", "0", "1").estimate
        assert difference.low is not None
        assert difference.high is not None
        assert wanted is not None
        held_differences.append(difference.low - 1e-12 <= wanted <= difference.high + 1e-12)
    assert len(held) > 200
    for each in (held, held_differences):
        assert abs(np.mean(each) - 0.95) < 3.5 * math.sqrt(0.95 * 0.05 / len(each))
