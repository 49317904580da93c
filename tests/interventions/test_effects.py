"""Effects against sums over all DAGs, the formula in plain Python, the full joint, and numpy's Dirichlet draws."""

from __future__ import annotations

import json
import math
from itertools import permutations
from pathlib import Path
from typing import Any, get_args

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
import credenet
from credenet import DAG, PDAG, BayesianNetwork, CredibleSet, Dataset, Knowledge, credible_networks
from credenet._run.run import Run
from credenet.credible.output.wording import percent
from credenet.errors import ArgumentError, DataError, GraphError
from credenet.interventions.adjusting import keep_probable
from credenet.interventions.optimal_sets import optimal_sets
from credenet.interventions.questions import Adjust
from credenet.structures.paths import share_of_paths
from effect_checks import as_rows, check_enumeration, slow_means
from enumerated_networks import EnumeratedNetworks
from family_strategies import small_data
from graph_strategies import as_sets
from network_strategies import networks
from polls import Stop, every_poll
from slow_effects import Floats, adjusted_draws, adjusted_mean, counts, divergence, network_after


@st.composite
def tables(draw: st.DrawFn, most: int = 4) -> Dataset:
    """Few rows of up to four variables with up to three states, some of which never occur; with weights or not."""
    n = draw(st.integers(2, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    sizes = draw(st.lists(st.integers(1, 3), min_size=n, max_size=n))
    n_rows = draw(st.integers(1, 40))
    codes = np.stack([rng.integers(0, size, n_rows) for size in sizes], axis=1)
    codes[:, -1] = np.where(rng.random(n_rows) < 0.7, codes[:, 0] % sizes[-1], codes[:, -1])
    spare = draw(st.integers(0, 1))
    weights = rng.uniform(0.1, 3.0, n_rows) if draw(st.booleans()) else None
    return Dataset(
        {f"v{at}": list(map(str, range(size + spare))) for at, size in enumerate(sizes)}, codes, weights=weights
    )


every_adjustment = pytest.mark.parametrize("adjust", get_args(Adjust))


class TestAveraging:
    @every_adjustment
    @given(data=tables(), ess=st.sampled_from([0.5, 1.0, 10.0]))
    @settings(max_examples=15, deadline=None)
    def test_equals_the_average_over_all_dags(self, data: Dataset, ess: float, adjust: Adjust) -> None:
        check_enumeration(data, adjust, ess, list(permutations(data.variables, 2)))

    @every_adjustment
    def test_equals_the_average_over_all_dags_of_five_variables(self, adjust: Adjust) -> None:
        check_enumeration(small_data(3), adjust, 1.0, [("d", "e"), ("a", "c")])

    @every_adjustment
    def test_required_edges_count(self, adjust: Adjust) -> None:
        data = small_data(1)
        knowledge = Knowledge(required=[("e", "d")], forbidden=[("a", "c")])
        families = credenet.score_families(data, slack=1e6, knowledge=knowledge)
        source = EnumeratedNetworks.of(families)
        found = credible_networks(data, slack=1e4, knowledge=knowledge).effects(
            "d", data=data, adjust=adjust, n_draws=100
        )
        for y in "abce":
            expected = sum(share * mean for share, mean in slow_means(source, data, "d", y, adjust=adjust))
            assert as_rows(found, "d", y) == pytest.approx(expected, abs=1e-7)
        assert found["d", "e"].probability == 0.0  # The edge e -> d is required, so d cannot change e.
        assert found["d", "e"].size == 0.0
        assert as_rows(found, "d", "e")[0] == pytest.approx(as_rows(found, "d", "e")[1])

    def test_the_most_probable_sets(self) -> None:
        sets = {("a",): 0.5, (): 0.3, ("b",): 0.15, ("a", "b"): 0.05}
        assert keep_probable(sets, 1.0)[0] == pytest.approx(sets)
        assert keep_probable(sets, 1.0)[1] == pytest.approx(0.0)
        assert keep_probable(sets, 0.8)[0] == pytest.approx({("a",): 0.625, (): 0.375})
        assert keep_probable(sets, 0.81)[0].keys() == {("a",), (), ("b",)}
        assert keep_probable(sets, 0.81)[1] == pytest.approx(0.05)
        data = small_data(2).select(list("abde"))
        source = EnumeratedNetworks.of(credenet.score_families(data, slack=1e6))
        some, every = (
            credenet.effects(source, data=data, adjust="parents", mass=mass, n_draws=100) for mass in (0.99, 1.0)
        )
        assert 0 < some.left_out <= 0.01
        assert every.left_out == 0
        for pair in every.pairs:
            assert as_rows(some, *pair) == pytest.approx(as_rows(every, *pair), abs=0.02)

    @every_adjustment
    def test_networks_drawn(self, adjust: Adjust) -> None:
        data = small_data(4).select(list("abde"))
        source = EnumeratedNetworks.of(credenet.score_families(data, slack=1e6))
        many = EnumeratedNetworks(source.variables, source.dags, source.shares, has_quick_paths=False)
        exact, drawn = (credenet.effects(each, data=data, adjust=adjust, n_draws=100) for each in (source, many))
        assert (exact.n_drawn_networks, drawn.n_drawn_networks) == (None, 1000)
        for one, other in zip(exact, drawn, strict=True):
            assert one.probability_error == 0
            assert abs(one.probability - other.probability) < 5 * max(other.probability_error, 1e-3)
            assert as_rows(exact, one.x, one.y) == pytest.approx(as_rows(drawn, one.x, one.y), abs=0.05)
        assert "standard error up to 0.016" in str(drawn)

    def test_optimal_sets_of_many_variables(self) -> None:
        """More variables than a word has bits."""
        dag = credenet.random.dag(70, n_edges=110, seed=5)
        source = EnumeratedNetworks(dag.variables, [dag], [1.0], has_quick_paths=False)
        x = list(dag.variables[::7])
        found = optimal_sets(source, x, Run.from_limits(None, None, None, None)).sets
        assert found.keys() == {(name, y) for name in x for y in dag.descendants(name)}
        for pair, sets in found.items():
            assert sets == {dag.adjustment_sets(*pair, limit=0).optimal: pytest.approx(1.0)}

    def test_paths_of_one_network(self) -> None:
        dag = credenet.random.dag(20, n_edges=25, seed=3)
        shares = share_of_paths([dag])
        for at, name in enumerate(dag.variables):
            below = {dag.variables[place] for place in np.flatnonzero(shares[at])}
            assert below == set(dag.descendants(name))


def check_quantiles(values: Floats, interval: tuple[float, float], n_draws: int, slack: float = 0.0) -> None:
    """The ends are the 2.5 % and 97.5 % quantiles of draws; or 0 and 1 where these are at most slack away."""
    for end, share in zip(interval, (0.025, 0.975), strict=True):
        # The tolerance is 5 standard errors of the difference of two samples in the share of draws below an end.
        error = 5 * math.sqrt(2 * share * (1 - share) / n_draws)
        above, below = (slack if end == limit else 0.0 for limit in (0.0, 1.0))
        least, most = (values < end - 1e-6 - below).mean(), (values <= end + 1e-6 + above).mean()
        assert least - error <= share <= most + error


class TestIntervals:
    def compare(self, data: Dataset, x: str, y: str, sets: dict[tuple[Any, ...], float]) -> None:
        """Quantiles of a mixture, whose draws are taken apart and together by numpy."""
        shares = list(sets.values())
        dags = [DAG(data.variables, [(parent, x) for parent in parents]) for parents in sets]
        source = EnumeratedNetworks(data.variables, dags, shares)
        n_draws = 20_000
        found = credenet.effects(source, x, y, data=data, adjust="parents", n_draws=n_draws, seed=5)
        effect = found[x, y]
        rng = np.random.default_rng(1)
        parts = [adjusted_draws(data, x, y, parents, int(n_draws * share), rng) for parents, share in sets.items()]
        draws = np.concatenate(parts)
        assert effect.intervals is not None
        assert effect.size_interval is not None
        seen = counts(data, [x, y])
        sizes = divergence(draws)
        check_quantiles(sizes, effect.size_interval, n_draws)
        for row, do in enumerate(data.states[x]):
            n = seen[row].sum()
            for column, state in enumerate(data.states[y]):
                count = seen[row, column]
                slack = 0.05 / (n + 1) if count in (0, n) else 0.0  # An end so near a limit may be the limit.
                check_quantiles(draws[:, row, column], effect.intervals[do][state], n_draws, slack)
        assert effect.size == pytest.approx(sizes.mean(), abs=6 * sizes.std() * math.sqrt(2 / n_draws))

    def test_one_set(self) -> None:
        self.compare(small_data(1), "d", "e", {("a", "b"): 1.0})

    def test_several_sets_and_none_with_an_effect(self) -> None:
        self.compare(small_data(2), "d", "e", {("a",): 0.5, ("e",): 0.3, (): 0.2})

    def test_few_rows_and_states_that_never_occur(self) -> None:
        rng = np.random.default_rng(7)
        codes = rng.integers(0, 2, (6, 4))
        data = Dataset({name: ["0", "1", "2"] for name in "abcd"}, codes, weights=rng.uniform(0.2, 2.0, 6))
        self.compare(data, "a", "b", {("c", "d"): 1.0})
        self.compare(data, "a", "b", {("c",): 1.0})

    def test_level(self) -> None:
        data = small_data(1)
        source = credible_networks(data, bayes_factor=3)
        wide, narrow = (source.effects("d", "e", data=data, level=level)["d", "e"] for level in (0.99, 0.5))
        for do in ("0", "1"):
            assert wide.intervals is not None
            assert narrow.intervals is not None
            (a, d), (b, c) = wide.intervals[do]["1"], narrow.intervals[do]["1"]
            assert a < b < narrow.means[do]["1"] < c < d

    def test_same_for_a_seed_with_any_threads_and_pairs(self) -> None:
        data = credenet.datasets.asia(500, seed=1)
        source = credible_networks(data, bayes_factor=3)
        every = source.effects(data=data, seed=3, n_threads=1)
        assert source.effects(data=data, seed=3, n_threads=3).to_dict() == every.to_dict()
        assert source.effects("lung", "xray", data=data, seed=3)["lung", "xray"] == every["lung", "xray"]
        assert source.effects("lung", "xray", data=data, seed=4)["lung", "xray"] != every["lung", "xray"]


class TestOneNetwork:
    @given(networks())
    @settings(max_examples=40, deadline=None)
    def test_exact_from_tables(self, network: BayesianNetwork) -> None:
        if len(network.variables) < 2:
            with pytest.raises(ArgumentError, match="x and y must differ"):
                network.effects()
            return
        found = network.effects()
        for effect in found:
            for do, chances in effect.means.items():
                assert chances == pytest.approx(network_after(network, {effect.x: do}, effect.y), abs=1e-12)
            assert effect.intervals is None
            assert effect.probability == (effect.y in network.dag.descendants(effect.x))
            rows = np.array([list(chances.values()) for chances in effect.means.values()])
            assert effect.size == pytest.approx(divergence(rows[None])[0], abs=1e-12)

    def test_a_graph_uses_the_optimal_set(self) -> None:
        data = small_data(1)
        dag = DAG(data.variables, [("a", "d"), ("b", "d"), ("d", "e"), ("a", "e"), ("c", "e")])
        found = credenet.effects(dag, data=data, n_draws=100)
        assert found.method == "optimal"
        for x, y in permutations(data.variables, 2):
            best = dag.adjustment_sets(x, y).optimal
            expected = adjusted_mean(data, x, y, (y,) if best is None else best)
            assert as_rows(found, x, y) == pytest.approx(expected, abs=1e-12)
            assert found[x, y].probability == (y in dag.descendants(x))
        assert as_rows(credenet.effects(dag.cpdag(), "d", "e", data=data), "d", "e") == pytest.approx(
            as_rows(found, "d", "e"), abs=1e-12
        )

    def test_a_class_that_does_not_tell(self) -> None:
        data = small_data(1)
        graph = PDAG(data.variables, undirected=[("d", "e")])
        with pytest.raises(GraphError, match="does not tell the effect of d on e: the edge d -- e"):
            credenet.effects(graph, "d", "e", data=data)

    def test_each_parent_set_of_a_class(self) -> None:
        """IDA against all networks of the class; several classes of five variables, some with known directions."""
        data = small_data(1)
        n, names = len(data.variables), data.variables
        for arcs in brute.all_dags(n)[7::2900]:
            dag = DAG(names, [(names[a], names[b]) for a, b in arcs])
            class_ = dag.cpdag()
            known = (
                class_
                if not class_.undirected
                else PDAG(names, [*class_.directed, class_.undirected[0]], class_.undirected[1:]).meek()
            )
            for graph in (class_, known):
                every = brute.extensions(n, *as_sets(graph))
                members = [DAG(names, [(names[a], names[b]) for a, b in each]) for each in every]
                self.check_class(data, graph, members)

    def check_class(self, data: Dataset, graph: PDAG, members: list[DAG]) -> None:
        found = credenet.effects(graph, data=data, adjust="parents", n_draws=100)
        assert found.method == "parents"
        for x, y in permutations(data.variables, 2):
            effect = found[x, y]
            assert effect.by_parents is not None
            sets = {dag.parents(x) for dag in members}
            assert set(effect.by_parents) == sets
            expected = {parents: adjusted_mean(data, x, y, parents) for parents in sets}
            for parents, means in effect.by_parents.items():
                rows = np.array([list(chances.values()) for chances in means.values()])
                assert rows == pytest.approx(expected[parents], abs=1e-12)
            stacked = np.array(list(expected.values()))
            assert as_rows(found, x, y) == pytest.approx(stacked.mean(axis=0), abs=1e-12)
            ranges = np.array([list(ends.values()) for ends in effect.range.values()])
            assert ranges == pytest.approx(np.stack([stacked.min(axis=0), stacked.max(axis=0)], axis=-1), abs=1e-12)
            below = {dag.parents(x): y in dag.descendants(x) for dag in members}
            assert all(below[dag.parents(x)] == (y in dag.descendants(x)) for dag in members)
            assert effect.probability == pytest.approx(np.mean(list(below.values())))
            assert ((x, y) in found.untold) == (not graph.is_amenable(x, y))

    def test_parents_of_a_graph(self) -> None:
        data = small_data(1)
        dag = DAG(data.variables, [("a", "d"), ("b", "d"), ("d", "e"), ("a", "e"), ("c", "e")])
        found = credenet.effects(dag, "d", "e", data=data, adjust="parents")
        assert as_rows(found, "d", "e") == pytest.approx(adjusted_mean(data, "d", "e", ("a", "b")), abs=1e-12)
        assert not found.is_average
        assert list(found["d", "e"].by_parents or ()) == [("a", "b")]
        told = credenet.effects(PDAG(data.variables, undirected=[("d", "e")]), "d", "e", data=data, adjust="parents")
        assert "Parents of d may be: none; e." in str(told)
        assert "The graph does not tell the effect of d on e" in str(told)
        assert told.to_dict()["untold"] == [["d", "e"]]
        assert [one["parents"] for one in told.to_dict()["effects"][0]["by_parents"]] == [[], ["e"]]

    def test_a_result_of_learning(self) -> None:
        data = credenet.datasets.asia(1000, seed=1)
        result = credenet.learn(data)
        assert isinstance(result.graph, DAG)
        assert (
            credenet.effects(result, "smoke", data=data).to_dict()
            == credenet.effects(result.graph, "smoke", data=data).to_dict()
        )


@pytest.fixture(scope="module")
def data() -> Dataset:
    return credenet.datasets.asia(1000, seed=1)


@pytest.fixture(scope="module")
def credible(data: Dataset) -> CredibleSet:
    return credible_networks(data, bayes_factor=20)


class TestQuestions:
    def test_pairs(self, data: Dataset, credible: CredibleSet) -> None:
        assert len(credible.effects(data=data)) == 56
        some = credible.effects(["smoke", "lung"], ["lung", "xray"], data=data)
        assert some.pairs == (("smoke", "lung"), ("smoke", "xray"), ("lung", "xray"))
        assert [(effect.x, effect.y) for effect in some] == list(some.pairs)
        with pytest.raises(ArgumentError, match=r"indexed by a pair \(x, y\) that was asked for"):
            some["lung", "smoke"]

    def test_states_of_interest(self, data: Dataset, credible: CredibleSet) -> None:
        whole = credible.effects("smoke", "lung", data=data)["smoke", "lung"]
        some = credible.effects({"smoke": "yes"}, "lung", data=data)
        assert some["smoke", "lung"].means == {"yes": whole.means["yes"]}
        assert some["smoke", "lung"].size == whole.size
        assert some.to_polars()["do"].unique().to_list() == ["yes"]
        assert "smoke=no" not in str(some)

    @pytest.mark.parametrize(
        ("x", "y", "message"),
        [
            ("smoke", "smoke", r"x and y must differ, both are 'smoke': do\(smoke\) sets it"),
            ("smoking", None, "x names 'smoking', but there is no such variable"),
            (None, ["lung", "cough"], "y names 'cough'"),
            ({"smoke": "maybe"}, None, "'smoke' has no state 'maybe'; it has yes, no"),
            ({"smoke": []}, None, "x must have a state for 'smoke'"),
            ([], None, "x must name a variable"),
        ],
    )
    def test_wrong_questions(self, x: object, y: object, message: str, data: Dataset, credible: CredibleSet) -> None:
        for source, used in ((credible, data), (credenet.textbook.asia(), None)):
            with pytest.raises(ArgumentError, match=message):
                credenet.effects(source, x, y, data=used)  # type: ignore[arg-type]

    def test_wrong_sources_and_data(self, data: Dataset, credible: CredibleSet) -> None:
        with pytest.raises(ArgumentError, match="networks must be a credible set, a posterior, a DAG"):
            credenet.effects(3, data=data)  # type: ignore[arg-type]
        with pytest.raises(ArgumentError, match="need data"):
            credenet.effects(credible)
        with pytest.raises(ArgumentError, match="has tables of its own"):
            credenet.effects(credenet.textbook.asia(), data=data)
        with pytest.raises(DataError, match="the networks have variables that the data do not have: 'xray'"):
            credible.effects(data=data.select([name for name in data.variables if name != "xray"]))
        none = credible.listing.filter(lambda dag: False)
        for adjust in get_args(Adjust):
            with pytest.raises(GraphError, match="no networks to average over"):
                none.effects(data=data, adjust=adjust)

    def test_stops(self, data: Dataset, credible: CredibleSet) -> None:
        with every_poll(), pytest.raises(DataError, match="was stopped"):
            credible.effects(data=data, on_progress=Stop())


class TestOddData:
    def test_constant_variables(self) -> None:
        codes = np.array([[0, 0, 1], [1, 0, 0], [0, 0, 1], [1, 0, 1]] * 5)
        data = Dataset({"a": ["0", "1"], "b": ["only"], "c": ["0", "1"]}, codes)
        found = credible_networks(data, bayes_factor=3).effects(data=data)
        assert found["a", "b"].means == {"0": {"only": 1.0}, "1": {"only": 1.0}}
        assert found["b", "a"].means["only"] == pytest.approx({"0": 0.5, "1": 0.5})
        for pair in (("a", "b"), ("b", "a")):
            assert found[pair].size == 0
            assert found[pair].probability == 0

    def test_a_state_that_never_occurs(self) -> None:
        """Nothing is known of what it does: the mean is that of the prior."""
        data = Dataset({"a": ["0", "1", "2"], "b": ["0", "1"]}, np.array([[0, 0], [1, 1]] * 20))
        found = credenet.effects(DAG.parse("a -> b"), data=data)["a", "b"]
        assert found.means["2"] == pytest.approx({"0": 0.5, "1": 0.5})
        assert found.intervals is not None
        low, high = found.intervals["2"]["0"]
        assert low < 0.01
        assert high > 0.99

    def test_one_row(self) -> None:
        data = Dataset({"a": ["0", "1"], "b": ["0", "1"]}, np.array([[0, 1]]))
        found = credible_networks(data, bayes_factor=3).effects(data=data)
        for effect in found:
            for chances in effect.means.values():
                assert math.fsum(chances.values()) == pytest.approx(1)

    def test_missing_cells_are_refused(self) -> None:
        data = Dataset({"a": ["0", "1"], "b": ["0", "1"]}, np.array([[0, 1], [1, -1]]))
        with pytest.raises(DataError, match="effects need complete rows"):
            credenet.effects(DAG.parse("a -> b"), data=data)

    def test_columns_in_another_order_and_more_of_them(self) -> None:
        data = small_data(1)
        source = credible_networks(data.select(["a", "d", "e"]), bayes_factor=3)
        one, other = (source.effects(data=data.select(names), seed=1) for names in (["a", "d", "e"], list("ecbda")))
        assert one.to_dict() == other.to_dict()


class TestResult:
    def test_the_assumption_is_always_said(self, data: Dataset, credible: CredibleSet) -> None:
        few = credible.effects("smoke", "lung", data=data)
        for found in (few, credible.effects(data=data), credenet.textbook.asia().effects("smoke")):
            assert "hidden common cause" in str(found)
            assert "hidden common cause" in found._repr_html_()
            assert "hidden common cause" in json.loads(found.to_json())["assumption"]
        assert "hidden common cause" in few["smoke", "lung"].to_json()

    def test_frame(self, data: Dataset, credible: CredibleSet) -> None:
        found = credible.effects(data=data)
        frame = found.to_polars()
        assert frame.height == 56 * 4
        row = frame.row(
            by_predicate=(
                (pl.col("x") == "smoke")
                & (pl.col("y") == "bronc")
                & (pl.col("do") == "yes")
                & (pl.col("state") == "no")
            ),
            named=True,
        )
        effect = found["smoke", "bronc"]
        assert effect.intervals is not None
        assert row["mean"] == effect.means["yes"]["no"]
        assert (row["low"], row["high"]) == effect.intervals["yes"]["no"]
        assert (row["least"], row["most"]) == effect.range["yes"]["no"]
        assert (row["probability"], row["size"]) == (effect.probability, effect.size)
        exact = credenet.textbook.asia().effects("smoke").to_polars()
        assert exact["low"].null_count() == exact.height

    def test_text(self, data: Dataset, credible: CredibleSet) -> None:
        text = str(credible.effects("smoke", "bronc", data=data))
        assert text.startswith("Effects of do(smoke), averaged over the credible networks")
        assert "95 % interval" in text
        assert "over networks" in text
        assert "xray on smoke: no effect, as no path leads" in str(credenet.textbook.asia().effects("xray", "smoke"))
        pairs = str(credible.effects(data=data))
        assert "… and 16 more lines" in pairs


def test_effects_say_the_share_of_their_networks(tmp_path: Path) -> None:
    """In text, HTML, JSON, plots and files; and below one half, what tells of all networks."""
    data = credenet.datasets.asia(1000, seed=1)
    for factor, score in ((20, "bdeu"), (20, "bic"), (1e6, "bic")):
        found = credenet.credible_networks(data, bayes_factor=factor, score=score)
        share = credenet.credible_networks(data, bayes_factor=factor, score=score).covered_mass(data)
        assert share is not None
        effects = found.effects("smoke", data=data)
        told = f"which hold {percent(share)} of the posterior"
        assert effects.covered_mass == share
        assert told in str(effects).splitlines()[0]
        assert told in effects._repr_html_()
        assert told in effects.plot().get_title()
        assert told in found.effects(data=data).plot().get_title()
        for text in (str(effects), effects._repr_html_()):
            assert ("credenet effect --posterior" in text) == (share < 0.5)
            assert f"Networks by {found.provenance.judged_by}; tables with ess 1." in text
        known = effects.to_dict()
        assert (known["covered_mass"], known["judged_by"]) == (share, found.provenance.judged_by)
        effects.save(tmp_path / "x.json")
        assert str(credenet.Effects.load(tmp_path / "x.json")) == str(effects)
    assert credenet.posterior(data).effects("smoke", "lung", data=data).covered_mass == 1
    none = credible_networks(data, score="bic", max_parents=1, bayes_factor=1).effects("asia", "xray", data=data)
    assert "asia on xray: no effect in any of these networks, as no path leads" in str(none)
    of_one = credenet.effects(credenet.textbook.asia().dag, "smoke", "lung", data=data)
    assert (of_one.covered_mass, of_one.judged_by) == (None, None)
