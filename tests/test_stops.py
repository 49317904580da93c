"""Every call of the core that can be stopped: at any poll a stop is a status, with what was finished before it."""

from __future__ import annotations

import ctypes
import math
import signal
from collections.abc import Callable, Iterator
from typing import Any, get_args

import numpy as np
import pytest

import credenet
from credenet import Dataset, _core
from credenet._run.progress import CoreCallback, OnProgress
from credenet._run.status import CoreStatus
from credenet.families.scoring.child_rules import child_rules
from credenet.priors import Uniform
from credenet.types import Progress
from family_strategies import hard_families

POLLS = (1, 2, 3, 5, 8, 13, 40, 200)
NOTHING = np.empty(0, dtype=np.int32)


@pytest.fixture(autouse=True)
def every_poll_is_told() -> Iterator[None]:
    _core.set_poll_interval(0.0)
    yield
    _core.set_poll_interval(0.1)


class OwnError(Exception):
    """Raised by a callback of the user's."""


class Stop:
    """Ends the work at a poll: says no, or raises."""

    def __init__(self, last: int, failure: type[BaseException] | None) -> None:
        self.n_polls = 0
        self._last = last
        self._failure = failure

    def __call__(self, done: int, total: int, score: float, bound: float) -> bool:
        self.n_polls += 1
        if self.n_polls == self._last and self._failure is not None:
            raise self._failure
        return self.n_polls < self._last


def late_ctrl_c(at: int) -> CoreCallback:
    """Ctrl-C at a poll after which none looks for it: it waits until the work has ended.

    Python looks for signals between any two of its own instructions, so the callback ends with a function of C.
    """
    n_polls = 0

    class Number:
        @classmethod
        def from_param(cls, done: int) -> ctypes.c_int:
            nonlocal n_polls
            n_polls += 1
            if n_polls != at:
                return ctypes.c_int(0)  # The function reports no signal.
            _core.set_poll_interval(1e9)
            return ctypes.c_int(signal.SIGINT)

    class Ignored:
        @classmethod
        def from_param(cls, value: float) -> ctypes.c_int:
            return ctypes.c_int(0)

    interrupt = ctypes.PyDLL(None)["PyErr_SetInterruptEx"]
    argument_types: Any = [Number, Ignored, Ignored, Ignored]
    interrupt.argtypes, interrupt.restype = argument_types, None
    return interrupt


Call = Callable[[CoreCallback | None], tuple[CoreStatus, Any]]
"""A call of the core: how it ended, and what it found."""


def _data() -> Dataset:
    return credenet.textbook.asia().sample(400, seed=1)


def calls() -> dict[str, Call]:
    data = _data()
    source = data._row_table()
    none = np.empty(0)
    n = data.n_variables
    rules = child_rules(data, Uniform(), None, 3, None)
    scorer = _core.CountScorer(source, "bic", 1.0, data.n_states)
    options = _core.FamilyOptions(slack=0.0, prune=True, tolerance=0.0, max_bytes=1 << 30, n_threads=1)
    dense = _core.FamilyOptions(slack=0.0, prune=True, tolerance=0.0, max_bytes=1 << 30, n_threads=1, many_families=0.0)
    table = credenet.score_families(data, slack=3.0)
    lists = table.flat().lists
    members = np.arange(n, dtype=np.int32)
    component = _core.ComponentLists(lists, members)
    hard = hard_families(5).flat().lists
    heuristic = _core.OrderGraphOptions("simple", [], 4, 1 << 30, 1)
    start = _core.order_search(lists, NOTHING, 0, 1, 1, 1, None).families
    found = [component.best(v, sum(1 << int(p) for p in _parents(table, v, k))) for v, k in enumerate(start)]
    search = _core.CredibleSearch(lists, members)
    assert search.solve(1, None) == "optimal"
    rows = _core.FamilyRows(hard)
    alive = np.ones(len(hard_families(5).flat().scores), dtype=np.uint8)
    losses = rows.bound(NOTHING, none, alive)[1]
    judge = _core.count_judge(source, data.n_states, "g2", 0.0, 0.05, "adjusted", 1)
    arcs = np.where(np.eye(n, dtype=np.uint8) == 1, 0, 1).astype(np.uint8).reshape(-1)
    climb = _core.HillClimbOptions(0, 5, 0, 0, 0)
    empty: list[list[int]] = [[] for _ in rules]
    weights = _core.pair_information(source, 1)[1]
    pairs = [np.ascontiguousarray(side, dtype=np.int32) for side in np.triu_indices(n, 1)]
    sums = _core.sum_over_dags(_core.WeightTable(lists), False, True, 1, None)[1]
    assert sums is not None

    def of(result: Any) -> tuple[CoreStatus, Any]:
        return result.status, result

    def first(result: tuple[Any, ...]) -> tuple[CoreStatus, Any]:
        return result[0], result[1:]

    def explored(work: Callable[[_core.FamilyExplorer], CoreStatus]) -> tuple[CoreStatus, Any]:
        explorer = _core.FamilyExplorer(scorer, rules, options, 0)
        return work(explorer), explorer.families()

    return {
        "score_families": lambda stop: _fourth(_core.score_families(scorer, rules, options, stop)),
        "score_families, by tables of all sets": lambda stop: _fourth(_core.score_families(scorer, rules, dense, stop)),
        "explore": lambda stop: explored(lambda explorer: explorer.explore(stop)),
        "explore_near": lambda stop: explored(lambda explorer: explorer.explore_near([[]] * n, 8, stop)),
        "subset_dp": lambda stop: of(_core.subset_dp(component, False, 1 << 30, 1, stop)),
        "subset_dp by layers": lambda stop: of(_core.subset_dp(component, True, 1 << 30, 1, stop)),
        "astar": lambda stop: of(_core.astar(component, heuristic, found, stop)),
        "ara_star": lambda stop: of(_core.ara_star(component, heuristic, 2.0, 0.5, found, stop)),
        "awa_star": lambda stop: of(_core.awa_star(component, heuristic, found, stop)),
        "breadth_first": lambda stop: of(_core.breadth_first(component, heuristic, found, "", stop)),
        "order_search": lambda stop: of(_core.order_search(hard, NOTHING, 0, 30, 2, 1, stop)),
        "hill_climb_table": lambda stop: of(_core.hill_climb_table(lists, NOTHING, climb, stop)),
        "hill_climb_data": lambda stop: of(_core.hill_climb_data(scorer, rules, empty, climb, 1e9, 1, stop)),
        "chow_liu": lambda stop: first(_core.chow_liu(source, 0, np.empty(0, dtype=np.uint8), 1, stop)),
        "pair_information": lambda stop: first(_core.pair_information(source, 1, stop)),
        "k_tree_search": lambda stop: of(
            _core.k_tree_search(lists, weights, 2, True, False, True, 20, 10, 1 << 30, 0, 1, stop)
        ),
        "k_tree_search, exact": lambda stop: of(
            _core.k_tree_search(lists, weights, 2, False, True, False, 5, 10, 1 << 30, 0, 1, stop)
        ),
        "dual_ascent": lambda stop: first(rows.dual_ascent(alive, losses, 200, stop)),
        "solve": lambda stop: (_core.CredibleSearch(lists, members).solve(1, stop), None),
        "credible_families": lambda stop: first(search.credible_families(3.0, stop)),
        "networks": lambda stop: of(search.networks(1e-6, 3_000_000, 1 << 30, 1, stop)),
        "classes": lambda stop: of(search.classes(lists, members, 1e-6, 3_000_000, 1 << 30, 1, stop)),
        "weights_of_all_families": lambda stop: first(_core.weights_of_all_families(scorer, rules, 1, stop)),
        "sum_over_dags": lambda stop: first(_core.sum_over_dags(_core.WeightTable(lists), False, True, 1, stop)),
        "sum_over_dags, by orders": lambda stop: first(
            _core.sum_over_dags(_core.WeightTable(lists), True, True, 1, stop)
        ),
        "paths": lambda stop: first(sums.paths(1, stop)),
        "drawn": lambda stop: first(sums.drawn(lists, 5, 0, stop)),
        "estimate_effects": lambda stop: (_effects(data, stop), None),
        "optimal_sets": lambda stop: (_optimal_sets(stop), None),
        "evidence": lambda stop: first(judge.evidence([(0, 1, [2]), (1, 2, []), (0, 3, [1, 2])], stop)),
        "pc": lambda stop: of(_core.pc(judge, arcs, n, True, False, None, stop)),
        "rai": lambda stop: of(_core.rai(judge, arcs, pairs[0], pairs[1], n, False, False, None, stop)),
        "max_min_neighbours": lambda stop: first(_core.max_min_neighbours(judge, arcs, n, stop)),
    } | _of_networks()


def _of_networks() -> dict[str, Call]:
    network = credenet.textbook.asia()
    data = _data()
    codes: Any = data.codes
    factors = network.infer()._model
    n = len(network.variables)
    none, no_states = np.zeros(n, dtype=np.uint8), np.zeros(n, dtype=np.int32)
    likelihoods = np.ones(int(network.n_states.sum()))
    order = np.array([network.variables.index(name) for name in network.dag.topological_order()], dtype=np.int32)
    every = np.arange(n, dtype=np.int32)

    def plan(maximised: np.ndarray[Any, Any]) -> _core.InferencePlan:
        return _core.InferencePlan(
            factors.arrays, True, none, none + len(maximised[:1]), every, False, True, maximised, 1.0, 1.0, NOTHING, 1
        )

    sums, maxima = plan(np.empty(0, dtype=np.uint8)), plan(np.arange(n, dtype=np.uint8) % 2)
    session = _core.InferenceSession(sums)
    clusters = _core.ClusterPlan(factors.arrays, True, none, none, no_states, likelihoods, 3, 0.0, 1)
    prior = np.full(4, 0.25)

    def of(result: Any) -> tuple[CoreStatus, Any]:
        return result.status, result

    def first(result: tuple[Any, ...]) -> tuple[CoreStatus, Any]:
        return result[0], result[1:]

    return {
        "log_value": lambda stop: first(sums.log_value(no_states, likelihoods, 1, stop)),
        "marginals": lambda stop: first(sums.marginals(no_states, likelihoods, 1, stop)),
        "most_probable": lambda stop: first(sums.most_probable(no_states, likelihoods, 1, stop)),
        "map": lambda stop: of(maxima.map(no_states, likelihoods, 1, stop)),
        "draws": lambda stop: first(sums.draws(no_states, likelihoods, 200, 0, 1, stop)),
        "predict": lambda stop: (
            sums.predict(codes, every, np.arange(len(data)), 1, np.empty(len(data) * len(likelihoods)), stop),
            None,
        ),
        "session": lambda stop: first(session.marginals(no_states, likelihoods, every, 1, stop)),
        "explanations": lambda stop: first(
            _core.explanations(np.array([2, 2], dtype=np.int32), prior, prior[::-1].copy(), 3, stop)
        ),
        "propagate": lambda stop: of(clusters.propagate(0.0, 50, 1e-9, stop)),
        "importance_sampling": lambda stop: of(clusters.importance_sampling(300, 0.0, 20, 1e-3, 0, 1, stop)),
        "gibbs": lambda stop: of(clusters.gibbs(300, 5, 2, 1, 0, 1, stop)),
        "gibbs_rows": lambda stop: of(clusters.gibbs_rows(100, 5, 2, 1, 0, 1, stop)[0]),
        "likelihood_weighting": lambda stop: of(clusters.likelihood_weighting(300, 0, 1, stop)),
        "sample_forward": lambda stop: (
            _core.sample_forward(factors.arrays, order, 0, 1, np.empty((500, n), dtype=np.uint8, order="F"), stop),
            None,
        ),
        "log_likelihood": lambda stop: (
            _core.log_likelihood(factors.arrays, codes, 1, np.empty(len(data)), stop),
            None,
        ),
        "family_counts": lambda stop: (
            _core.family_counts(factors.arrays, codes, np.empty(0), 1, np.empty(36), stop),
            None,
        ),
        "read_delimited": lambda stop: first(
            _core.read_delimited(np.frombuffer(b"a,b\n" * 500, dtype=np.uint8), 2, ",", True, 1, 1, stop, 100)
        ),
    }


def _effects(data: Dataset, stop: CoreCallback | None) -> CoreStatus:
    """The effects of the first variable on the others, adjusted for one of two others."""
    others = np.arange(1, data.n_variables, dtype=np.int32)
    begins = np.array([0, len(others)], dtype=np.int64)
    sets = np.arange(3, dtype=np.int64)
    cells = int(data.n_states[0]) * int(data.n_states[1:].sum())
    tables: Any = [np.empty(cells) for _ in range(5)]
    work: Any = _core.estimate_effects
    status: CoreStatus = work(
        data._row_table(),
        data.n_states,
        np.zeros(1, dtype=np.int32),
        begins,
        others,
        sets[[0, 2]],
        np.array([0.4, 0.6]),
        sets,
        np.array([1, 2], dtype=np.int32),
        1.0,
        0.95,
        100,
        0,
        1,
        *tables,
        np.empty(3 * len(others)),
        np.empty(0),
        stop,
    )
    return status


def _optimal_sets(stop: CoreCallback | None) -> CoreStatus:
    """Those of many networks of 1,000 variables without edges: a few are worked on at a time."""
    return _core.OptimalSetSums(1000, np.zeros(1, dtype=np.int32)).add(
        np.zeros(300 * 1000 * 16, dtype=np.uint64), np.ones(300), 1, stop
    )


def _fourth(found: tuple[Any, int, int, CoreStatus, Any]) -> tuple[CoreStatus, Any]:
    return found[3], found[0]


def _parents(table: credenet.FamilyTable, variable: int, k: int) -> list[int]:
    flat = table.flat()
    row = int(flat.starts[variable]) + k
    return [int(parent) for parent in flat.parents[flat.offsets[row] : flat.offsets[row + 1]]]


@pytest.fixture(scope="module")
def every_call() -> dict[str, Call]:
    return calls()


NAMES = [*calls()]


@pytest.mark.parametrize("name", NAMES)
def test_a_stop_is_a_status(name: str, every_call: dict[str, Call]) -> None:
    call = every_call[name]
    whole, _ = call(None)
    assert whole in get_args(CoreStatus)
    assert whole not in ("stopped", "interrupted")
    n_stopped = 0
    for last in POLLS:
        for failure, name_of_stop in ((None, "stopped"), (KeyboardInterrupt, "interrupted")):
            stop = Stop(last, failure)
            status, _ = call(stop)
            if stop.n_polls < last:  # The work was done before the stop.
                assert status == whole
                continue
            n_stopped += 1
            assert stop.n_polls == last  # The callback was never called again.
            assert status == name_of_stop or (failure is None and status == whole)
    assert n_stopped >= 2


@pytest.mark.parametrize("name", NAMES)
def test_ctrl_c_after_the_last_poll_is_a_status(name: str, every_call: dict[str, Call]) -> None:
    status, _ = every_call[name](late_ctrl_c(1))
    assert status == "interrupted"


def test_ctrl_c_after_the_last_poll_loses_nothing(every_call: dict[str, Call]) -> None:
    for name in ("subset_dp", "astar", "order_search", "hill_climb_table", "k_tree_search"):
        _core.set_poll_interval(0.0)
        _, whole = every_call[name](None)
        status, found = every_call[name](late_ctrl_c(1))
        assert status == "interrupted"
        assert found.score == whole.score
        assert list(found.families) == list(whole.families)


@pytest.mark.parametrize("name", NAMES)
def test_an_error_of_a_callback_is_raised(name: str, every_call: dict[str, Call]) -> None:
    with pytest.raises(OwnError):
        every_call[name](Stop(1, OwnError))


def test_the_best_so_far_is_there(every_call: dict[str, Call]) -> None:
    _, best = every_call["astar"](None)
    for last in POLLS:
        for failure in (None, KeyboardInterrupt):
            _, found = every_call["astar"](Stop(last, failure))
            assert found.families
            assert found.score <= best.score + 1e-9 <= found.bound + 2e-9
            assert not math.isnan(found.bound)


def test_samples_so_far_are_there(every_call: dict[str, Call]) -> None:
    for last in (20, 40):
        _, found = every_call["likelihood_weighting"](Stop(last, KeyboardInterrupt))
        assert len(found.probabilities()) == 16 or found.n_samples == 0


def public_calls() -> dict[str, Callable[[OnProgress], Any]]:
    data = _data()
    table = credenet.score_families(data, slack=3.0)
    whole = credenet.credible_networks(data, bayes_factor=2)

    def learner(method: str) -> Callable[[OnProgress], Any]:
        return lambda stop: credenet.learn(data, method=method, n_threads=1, on_progress=stop)

    methods = (
        "auto",
        "dp",
        "astar",
        "ilp",
        "bfbnb",
        "order_search",
        "hill_climb",
        "tabu",
        "chow_liu",
        "pc",
        "rai",
        "mmhc",
    )
    return {method: learner(method) for method in methods} | {
        "ilp of a table": lambda stop: credenet.learn(hard_families(5), method="ilp", n_threads=1, on_progress=stop),
        "score_families": lambda stop: credenet.score_families(data, n_threads=1, on_progress=stop),
        "credible_networks": lambda stop: credenet.credible_networks(data, n_threads=1, on_progress=stop),
        "credible_networks of a table": lambda stop: credenet.credible_networks(table, slack=1.0, on_progress=stop),
        "credible_classes": lambda stop: credenet.credible_classes(data, n_threads=1, on_progress=stop),
        "k_best": lambda stop: credenet.k_best(table, 5, n_threads=1, on_progress=stop),
        "posterior": lambda stop: credenet.posterior(data, n_threads=1, on_progress=stop),
        "covered_mass": lambda stop: whole.covered_mass(data, n_threads=1, on_progress=stop),
        "bootstrap": lambda stop: credenet.bootstrap(
            data, method="hill_climb", n_samples=3, n_threads=1, on_progress=stop
        ),
        "intersection_validation": lambda stop: credenet.validate(
            data, methods=["hill_climb", "pc"], repetitions=2, n_threads=1, on_progress=stop
        ),
    }


PUBLIC = public_calls()


@pytest.mark.parametrize("name", [*PUBLIC])
@pytest.mark.parametrize("raises", [False, True], ids=["says no", "Ctrl-C"])
def test_what_was_finished_is_returned(name: str, raises: bool) -> None:
    for last in (1, 2, 4, 9, 30):
        n_calls = 0

        def stop(progress: Progress, last: int = last) -> bool:
            nonlocal n_calls
            n_calls += 1
            if raises and n_calls == last:
                raise KeyboardInterrupt
            return n_calls < last

        answer = PUBLIC[name](stop)
        if name == "covered_mass":
            assert answer is None or n_calls <= last
        else:
            status = answer.made.status if name == "score_families" else answer.status
            assert status != "interrupted" or name == "score_families"
            assert n_calls >= last or status not in ("stopped", "interrupted")
