"""The effects of setting variables, in one network or averaged over many."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack, get_args

import numpy as np

import credenet
from credenet._arguments import one_of, prior_weight, real_number, show_value, whole_number
from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet._text import several
from credenet.data.dataset import Dataset
from credenet.data.sources import as_dataset
from credenet.errors import ArgumentError, DataError
from credenet.graphs import DAG, PDAG
from credenet.graphs.arguments import find_graph
from credenet.graphs.possible_parents import possible_parents
from credenet.interventions.adjusting import (
    AdjustedTables,
    AdjustmentGroup,
    EffectSettings,
    Floats,
    TableEstimates,
    adjust_for_sets,
    keep_probable,
)
from credenet.interventions.optimal_sets import optimal_sets
from credenet.interventions.questions import Adjust, Questions
from credenet.interventions.result import Effects
from credenet.learners.results import LearnResult, Provenance, Statistics
from credenet.networks.bayesian import BayesianNetwork
from credenet.networks.interop import network_of_library
from credenet.placement.data_options import DataOptions, takes_data
from credenet.structures.paths import paths_of, share_of_paths
from credenet.structures.weighted_networks import JudgedNetworks, SampledNetworks, no_networks

if TYPE_CHECKING:
    from credenet.data.sources import DataLike
    from credenet.interventions.questions import Against, Setting

_ROUNDING = 1e-12  # Rounding error of a sum of probabilities.


@takes_data()
def effects(
    networks: SampledNetworks | DAG | PDAG | LearnResult | BayesianNetwork,
    x: Setting = None,
    y: Setting = None,
    *,
    against: Against = None,
    data: DataLike | None = None,
    adjust: Adjust = "optimal",
    ess: float = 1.0,
    level: float = 0.95,
    n_draws: int = 1000,
    mass: float = 1.0,
    seed: int | None = 0,
    time_limit: float | None = None,
    n_threads: int | None = None,
    on_progress: OnProgress | None = None,
    **options: Unpack[DataOptions],
) -> Effects:
    """P(y | do(x)): what happens to y if x is set from outside.

    These are effects only if edges are causal and no two variables have a hidden common cause.

    Parameters
    ----------
    networks
        A credible set or a posterior: effects are estimated from data in each network, and averaged. A graph: they are
        estimated from data with the optimal adjustment set, for which a PDAG must tell the effect, or with all parent
        sets of x that it allows. A `BayesianNetwork`: they are computed exactly from its tables, without data.
    x
        The variables that are set: one, several, all of them (None), or a mapping to the states of interest.
    y
        The variables that are looked at: one, several, all others (None), or a mapping to the states of interest.
    against
        The state of x that its other states are compared with, or a mapping where several variables are set. By
        default a state that says no ("no", "false", "0", "absent", …), else the first; if only that state is asked for,
        the next one.
    data
        The data that the tables are estimated from; for all but a `BayesianNetwork`.
    adjust
        How effects are estimated. ``"optimal"``: with the optimal adjustment set of each network; x has no effect where
        it has no path to y. All networks are gone through if that is quick, else 1000 are drawn. ``"parents"``: with
        the parents of x alone (Bayesian IDA). No network is listed, but estimates vary more, above all where x has no
        effect. In a PDAG, there is an estimate for each parent set that x has in an extension
        (IDA, `Effect.by_parents`); the sets are weighted alike.
    ess
        The equivalent sample size of the prior of each table, spread evenly over its cells.
    level
        The level of the intervals.
    n_draws
        The number of draws that intervals and sizes are made of.
    mass
        Only the most probable adjustment sets that together have this share of the probability are used.
    time_limit
        Seconds, after which an error is raised; a callback that returns False does the same.
    options
        How data are read and counted: `DataOptions`.

    Examples
    --------
    >>> import credenet
    >>> network = credenet.textbook.sprinkler()
    >>> effects = credenet.effects(network, "sprinkler", "wet_grass")
    >>> {state: round(chances["true"], 3) for state, chances in effects["sprinkler", "wet_grass"].means.items()}
    {'true': 0.945, 'false': 0.45}
    """
    settings = EffectSettings(
        prior_weight("ess", ess),
        real_number("level", level, above=0, below=1),
        whole_number("n_draws", n_draws, least=100, most=100_000),
    )
    real_number("mass", mass, above=0, most=1)
    run = Run.from_limits(time_limit, None, n_threads, on_progress, seed=seed)
    foreign = network_of_library(networks)
    if foreign is not None:
        networks = foreign
    if isinstance(networks, BayesianNetwork):
        if data is not None:
            raise ArgumentError("data are for graphs and sets of networks; a BayesianNetwork has tables of its own")
        return _estimate_in_network(networks, x, y, against, run)
    if data is None:
        raise ArgumentError("effects in graphs and sets of networks need data, which their tables are estimated from")
    one_of("adjust", adjust, get_args(Adjust))
    graph = find_graph(networks, "networks")
    if graph is not None:
        used = as_dataset(data, only=graph.variables)
        in_graph = _estimate_in_graph if adjust == "optimal" else _adjust_for_parents
        return in_graph(graph, x, y, against, used, settings, run)
    if isinstance(networks, DAG | PDAG | LearnResult) or not hasattr(networks, "parent_set_probabilities"):
        kinds = "a credible set, a posterior, a DAG, a PDAG, a LearnResult or a BayesianNetwork"
        raise ArgumentError(f"networks must be {kinds}, got {show_value(networks)}")
    used = as_dataset(data, only=networks.variables)
    return _average_over_networks(networks, x, y, against, used, adjust, settings, mass, run)


def _average_over_networks(
    networks: SampledNetworks,
    x: Setting,
    y: Setting,
    against: Against,
    data: Dataset,
    adjust: Adjust,
    settings: EffectSettings,
    mass: float,
    run: Run,
) -> Effects:
    used = _check_columns(data, networks.variables)
    questions = Questions.from_arguments(x, y, against, used.states)
    if adjust == "parents":
        parent_sets = networks.parent_set_probabilities()
        if not all(parent_sets[name] for name in questions.settings):
            raise no_networks()
        chosen = {name: keep_probable(parent_sets[name], mass) for name in questions.settings}
        groups = [AdjustmentGroup(name, questions.targets_of(name), chosen[name][0]) for name in questions.settings]
        left_out = max(rest for _, rest in chosen.values())
        paths = paths_of(networks, run.seed)
        shares, n_drawn = _of_pairs(paths.shares, questions, used.variables), paths.n_drawn
    else:
        found, n_drawn = optimal_sets(networks, list(questions.settings), run)
        groups, left_out = [], 0.0
        for pair in questions.pairs:
            sets, rest = keep_probable(_sets_without_effect(found.get(pair, {}), pair[1]), mass)
            groups.append(AdjustmentGroup(pair[0], [pair[1]], sets))
            left_out = max(left_out, rest)
        shares = np.array([min(math.fsum(found.get(pair, {}).values()), 1.0) for pair in questions.pairs])
    return _estimate(
        questions,
        groups,
        shares,
        used,
        settings,
        run,
        among=networks.among,
        covered_mass=networks.share_told() if isinstance(networks, JudgedNetworks) else None,
        judged_by=networks.provenance.judged_by if isinstance(networks, JudgedNetworks) else None,
        method=adjust,
        is_average=True,
        left_out=left_out,
        n_drawn_networks=n_drawn,
    )


def _sets_without_effect(sets: dict[tuple[str, ...], float], y: str) -> dict[tuple[str, ...], float]:
    """The sets, and one with y itself for the networks without a path; see `adjusting`."""
    rest = 1.0 - math.fsum(sets.values())
    return {**sets, (y,): rest} if rest > _ROUNDING else sets


def _estimate_in_graph(
    graph: DAG | PDAG, x: Setting, y: Setting, against: Against, data: Dataset, settings: EffectSettings, run: Run
) -> Effects:
    used = _check_columns(data, graph.variables)
    questions = Questions.from_arguments(x, y, against, used.states)
    groups = []
    for name, target in questions.pairs:
        found = graph.adjustment_sets(name, target, limit=0).optimal
        groups.append(AdjustmentGroup(name, [target], {(target,) if found is None else found: 1.0}))
    dag = graph if isinstance(graph, DAG) else graph.extension()
    shares = _of_pairs(share_of_paths([dag]), questions, used.variables)
    return _estimate(questions, groups, shares, used, settings, run, among="this graph", method="optimal")


def _adjust_for_parents(
    graph: DAG | PDAG, x: Setting, y: Setting, against: Against, data: Dataset, settings: EffectSettings, run: Run
) -> Effects:
    """The effects with each parent set of x that the graph allows, all with the same weight."""
    used = _check_columns(data, graph.variables)
    questions = Questions.from_arguments(x, y, against, used.states)
    allowed = {name: _find_allowed_parents(graph, name) for name in questions.settings}
    groups, single = [], []
    for name, dags in allowed.items():
        groups.append(AdjustmentGroup(name, questions.targets_of(name), dict.fromkeys(dags, 1 / len(dags))))
        single += [AdjustmentGroup(name, questions.targets_of(name), {parents: 1.0}) for parents in dags]
    shares = np.array([np.mean([b in dag.descendants(a) for dag in allowed[a].values()]) for a, b in questions.pairs])
    means = adjust_for_sets(used, single, settings._replace(n_draws=1), run).means
    return _estimate(
        questions,
        groups,
        shares,
        used,
        settings,
        run,
        among="the parent sets that the graph allows" if isinstance(graph, PDAG) else "this graph",
        method="parents",
        is_average=isinstance(graph, PDAG),
        untold=tuple(pair for pair in questions.pairs if isinstance(graph, PDAG) and not graph.is_amenable(*pair)),
        _by_parents=_split_cells(means, {name: list(dags) for name, dags in allowed.items()}, questions, used),
    )


def _find_allowed_parents(graph: DAG | PDAG, name: str) -> dict[tuple[str, ...], DAG]:
    """The parent sets of a variable, each with a network that has it; all such networks have the same paths from it."""
    if isinstance(graph, DAG):
        return {graph._names(graph.parent_indices[graph._place(name)]): graph}
    return dict(possible_parents(graph, name))


def _split_cells(
    cells: Floats, sets: Mapping[str, list[tuple[str, ...]]], questions: Questions, data: Dataset
) -> dict[tuple[str, str], dict[tuple[str, ...], Floats]]:
    """The cells by pair and parent set, from an array of the cells of each set with its pairs in turn."""
    found: dict[tuple[str, str], dict[tuple[str, ...], Floats]] = {pair: {} for pair in questions.pairs}
    begin = 0
    for x in questions.settings:
        for parents in sets[x]:
            for y in questions.targets_of(x):
                end = begin + len(data.states[x]) * len(data.states[y])
                found[x, y][parents] = cells[begin:end]
                begin = end
    return found


def _estimate(
    questions: Questions,
    groups: list[AdjustmentGroup],
    shares: Floats,
    data: Dataset,
    settings: EffectSettings,
    run: Run,
    **facts: Any,
) -> Effects:
    return Effects(
        states=data.states,
        level=settings.level,
        n_draws=settings.n_draws,
        ess=settings.ess,
        provenance=_provenance(facts["method"], run, data),
        statistics=Statistics(seconds=run.clock.seconds_passed),
        _questions=questions,
        _tables=adjust_for_sets(data, groups, settings, run),
        _estimates=TableEstimates(data, groups, settings, run.seed),
        _probabilities=shares,
        **facts,
    )


def _estimate_in_network(network: BayesianNetwork, x: Setting, y: Setting, against: Against, run: Run) -> Effects:
    questions = Questions.from_arguments(x, y, against, network.states)
    cells, sizes = [], []
    for name in questions.settings:
        targets = questions.targets_of(name)
        after = [network.do({name: state}) for state in network.states[name]]
        rows = [each.infer(n_threads=run.n_threads).marginals(targets) for each in after]
        for target in targets:
            table = np.array([list(row[target].values()) for row in rows])
            cells.append(table.reshape(-1))
            sizes.append(jensen_shannon(table))
    means = np.concatenate(cells) if cells else np.empty(0)
    return Effects(
        states=network.states,
        among="this network",
        method="exact",
        provenance=_provenance("exact", run),
        statistics=Statistics(seconds=run.clock.seconds_passed),
        _questions=questions,
        _tables=AdjustedTables(means, means, means, None, None, np.repeat(np.array(sizes).reshape(-1, 1), 3, axis=1)),
        _probabilities=_of_pairs(share_of_paths([network.dag]), questions, network.variables),
    )


def _provenance(method: str, run: Run, data: Dataset | None = None) -> Provenance:
    return Provenance(
        method=f"effects({method})",
        n_rows=None if data is None else data.total_weight,
        data_digest=None if data is None else data.digest(),
        seed=run.seed,
        version=credenet.__version__,
    )


def jensen_shannon(rows: Floats) -> float:
    """The Jensen-Shannon divergence of distributions, each weighted alike, in nats."""

    def entropy(shares: Floats) -> Floats:
        return np.asarray(-np.sum(shares * np.log(np.where(shares > 0, shares, 1.0)), axis=-1))

    return max(float(entropy(rows.mean(axis=0)) - entropy(rows).mean()), 0.0)


def _of_pairs(shares: Floats, questions: Questions, variables: tuple[str, ...]) -> Floats:
    place: Mapping[str, int] = {name: at for at, name in enumerate(variables)}
    return np.array([shares[place[x], place[y]] for x, y in questions.pairs])


def _check_columns(data: Dataset, variables: tuple[str, ...]) -> Dataset:
    """The columns of the networks, in their order."""
    unknown = [repr(name) for name in variables if name not in data.states]
    if unknown:
        raise DataError(f"the networks have variables that the data do not have: {several(unknown)}")
    used = data if data.variables == variables else data.select(variables)
    used.check_complete("effects need")
    if not used.total_weight > 0:
        raise DataError("effects need data with at least one row")
    return used
