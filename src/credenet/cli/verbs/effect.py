"""``credenet effect``: what happens to variables if others are set, averaged over credible networks."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Literal

from credenet.cli import INTERRUPTED
from credenet.cli.answers import end, exit_code, print_answer
from credenet.cli.arguments.evidence import split_pair
from credenet.cli.arguments.groups import LimitFlags, ScoringFlags, TableFlags
from credenet.cli.arguments.parameters import AnyCase, Json, Output, Seed, Switch, Whole, Words, Written
from credenet.cli.inputs import kind_of, load_structure, read_data, refuse_flags
from credenet.cli.next_commands import print_advice_on_order
from credenet.cli.outputs import check_output, write_output
from credenet.cli.progress_bar import progress_bar
from credenet.errors import ArgumentError

if TYPE_CHECKING:
    from credenet.credible.credible_set import CredibleSet
    from credenet.data.dataset import Dataset
    from credenet.data.states import StateLabels
    from credenet.interventions.result import Effects
    from credenet.posteriors.structure_posterior import StructurePosterior


def effect(
    data: Path,
    *,
    do: Words = None,
    on: Words = None,
    against: Words = None,
    graph: Path | None = None,
    adjust: Annotated[Literal["optimal", "parents"], AnyCase] = "optimal",
    posterior: Switch = False,
    bayes_factor: float | None = None,
    scoring: ScoringFlags = ScoringFlags(),
    level: float = 0.95,
    n_draws: Whole = 1000,
    seed: Seed = 0,
    limits: LimitFlags = LimitFlags(),
    output: Output = None,
    plot: Written = None,
    json: Json = False,
    options: TableFlags = TableFlags(),
) -> int:
    """Tell what happens to variables if others are set from outside: P(y | do(x)).

    Effects are averaged over the credible networks of a table of data. In a network file they are computed exactly.

    Parameters
    ----------
    data
        A table of data, or a network file.
    do
        VARIABLE=STATE, or VARIABLE for all its states; may come more than once. All variables if not given.
    on
        VARIABLE to look at, or VARIABLE=STATE for one of its states; may come more than once. All others if not given.
    against
        VARIABLE=STATE that the states of --do are compared with; may come more than once. If not given, a state that
        says no ("no", "false", "0", "absent", …), else the first; if only that one is set, the next.
    graph
        Instead of credible networks, a graph file: effects are estimated from the data with its optimal adjustment set,
        or with --adjust parents for each parent set that the graph allows.
    adjust
        How effects are estimated: with the optimal adjustment set of each network, or with the parents of the variable
        that is set (Bayesian IDA), for which no network is listed.
    posterior
        Average over the posterior of all networks instead of the credible ones.
    bayes_factor
        A network is credible if the best is at most this many times as probable; 20 if not given.
    scoring.score
        The score of the networks; bdeu if not given.
    scoring.ess
        Equivalent sample size of bdeu, bds and bde, and of the tables that effects are estimated from; 1 if not given.
    level
        The level of the intervals.
    n_draws
        The number of draws that the intervals are made of.
    seed
        The seed of the draws; fresh draws one and tells it.
    limits.time_limit
        Stop the search for networks after this long (90, 90s, 10m) and use those found so far.
    output
        Where to write the effects (.json .csv .parquet).
    plot
        Where to draw them: intervals for one variable that is set, else a heat map of all pairs (.svg .png .pdf).
    """
    import credenet
    from credenet.drawing.plotting import check_plot
    from credenet.io.result_files import check_suffix

    start = perf_counter()
    if output is not None:
        check_suffix(output, "effects")
    check_output(output)
    check_output(plot, check_plot)
    searched = {"bayes_factor": bayes_factor, "posterior": posterior or None, **vars(scoring)}
    n_threads, ess = limits.n_threads, searched.pop("ess")
    status: str = "complete"
    is_network = options.format is None and kind_of(data) == "network"
    if is_network:
        refuse_flags({**searched, "graph": graph, "ess": ess}, "a network file, which has its own edges and tables")
        network = credenet.load(data)
        effects = network.effects(**_questions(do, on, against, network.states), n_threads=n_threads)
    else:
        table = read_data(data, options, n_threads=n_threads)
        settings: dict[str, Any] = {
            "adjust": adjust,
            "ess": 1.0 if ess is None else ess,
            "level": level,
            "n_draws": n_draws,
            "seed": seed,
            "n_threads": n_threads,
        }
        if graph is None:
            search = {**limits.arguments(), "bayes_factor": bayes_factor}
            questions = _questions(do, on, against, table.states)
            networks = _networks(table, scoring.arguments() | search, seed if posterior else None)
            with progress_bar("estimating effects") as on_progress:
                effects = networks.effects(**questions, data=table, on_progress=on_progress, **settings)
            status = networks.status
        else:
            refuse_flags(searched, "--graph, which has its own edges")
            effects = _estimate_in_graph(table, graph, _questions(do, on, against, table.states) | settings)
    write_output(output, effects.save)
    print_answer(json, lambda: {**effects.to_dict(), "status": status, "seconds": perf_counter() - start}, effects)
    write_output(plot, effects.plot)
    if not is_network and graph is None and scoring.knowledge is None and do and on and not json:
        print_advice_on_order([question.partition("=")[0] for question in (do[0], on[0])])
    return end(status, "the effects are those in the networks found so far")


def _networks(table: Dataset, search: dict[str, Any], seed: int | None) -> CredibleSet | StructurePosterior:
    """The networks that effects are averaged over: the credible ones, or with a seed all of them."""
    import credenet

    if seed is not None:
        if search.pop("bayes_factor") is not None:
            raise credenet.errors.ArgumentError("give one of --posterior and --bayes-factor")
        with progress_bar("summing over networks") as on_progress:
            posterior = credenet.posterior(table, seed=seed, on_progress=on_progress, **search)
        if not posterior.has_probabilities:
            _end_if_interrupted(posterior.status)
            raise credenet.errors.GraphError(f"there is no posterior to tell effects by ({posterior.status})")
        return posterior
    with progress_bar("listing networks") as on_progress:
        networks = credenet.credible_networks(table, on_progress=on_progress, **search)
    if networks.optimum is None:
        _end_if_interrupted(networks.status)
        raise credenet.errors.GraphError(f"no network was found to tell effects by ({networks.status})")
    return networks


def _end_if_interrupted(status: str) -> None:
    """Ends the verb as Ctrl-C does where there is no answer, if that is what ended the search."""
    if exit_code(status) == INTERRUPTED:
        raise KeyboardInterrupt


def _estimate_in_graph(table: Dataset, path: Path, asked: dict[str, Any]) -> Effects:
    import credenet

    structure = load_structure(path)
    graph = structure.dag if isinstance(structure, credenet.BayesianNetwork) else structure
    with progress_bar("estimating effects") as on_progress:
        return credenet.effects(graph, data=table, on_progress=on_progress, **asked)


def _questions(
    do: list[str] | None, on: list[str] | None, against: list[str] | None, states: StateLabels
) -> dict[str, Any]:
    """The arguments x, y and against of effects."""
    settings, baselines = _settings("--do", do, states), _settings("--against", against, states)
    for name, labels in (baselines or {}).items():
        if settings is not None and name not in settings:
            raise ArgumentError(f"--against names {name!r}, which --do does not set")
        if len(labels) != 1:
            raise ArgumentError(f"--against must have one state of {name!r}, such as {name}={states[name][0]}")
    return {
        "x": settings,
        "y": _settings("--on", on, states),
        "against": None if baselines is None else {name: labels[0] for name, labels in baselines.items()},
    }


def _settings(flag: str, words: list[str] | None, states: StateLabels) -> dict[str, list[str]] | None:
    """The states of variables, from VARIABLE=STATE or VARIABLE."""
    if not words:
        return None
    chosen: dict[str, list[str]] = {}
    for word in words:
        if word in states:
            chosen.setdefault(word, []).extend(map(str, states[word]))
        else:
            name, state = split_pair(flag, word, states)
            chosen.setdefault(name, []).append(state)
    return chosen
