"""``credenet learn``: the best network of a table of data or of families."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

from credenet._arguments import whole_number
from credenet._files.suffixes import GRAPH_SUFFIXES, NETWORK_SUFFIXES
from credenet.cli import INTERRUPTED
from credenet.cli.advice import translate_to_shell
from credenet.cli.answers import end, exit_code, print_json
from credenet.cli.arguments.groups import LearnScoringFlags, LimitFlags, TableFlags
from credenet.cli.arguments.parameters import (
    AnyCase,
    Json,
    MethodArgument,
    Output,
    Seed,
    Switch,
    TestArgument,
    WholeOrNone,
    Written,
    apply_flags,
)
from credenet.cli.arguments.renaming import Rename, check_rename, described_names, list_names, safe_names_of
from credenet.cli.inputs import read_source
from credenet.cli.next_commands import LearnedNetwork, print_next_commands
from credenet.cli.outputs import check_output, write_output
from credenet.cli.progress_bar import progress_bar
from credenet.placement.device import Device
from credenet.settings.methods import METHODS, MMHC, PC, RAI, Auto
from credenet.settings.tests import TESTS, BayesFactor, DegreesOfFreedom

if TYPE_CHECKING:
    from credenet.data.dataset import Dataset
    from credenet.families.table import FamilyTable
    from credenet.learners.resampling import EdgeConfidence
    from credenet.learners.results import LearnResult
    from credenet.networks.bayesian import BayesianNetwork


_BOUNDED_KEYS = ("tree_width", "elimination_order", "bags", "unbounded_score")


def learn(
    data: Path,
    *,
    output: Output = None,
    method: MethodArgument = Auto(),
    scoring: LearnScoringFlags = LearnScoringFlags(),
    tree_width: WholeOrNone = None,
    cliques: Path | None = None,
    test: TestArgument | None = None,
    significance: float | None = None,
    threshold: float | None = None,
    df: Annotated[DegreesOfFreedom | None, AnyCase] = None,
    max_order: WholeOrNone = None,
    order: str | None = None,
    limits: LimitFlags = LimitFlags(),
    scratch_dir: Path | None = None,
    trace: Written = None,
    cpdag: Switch = False,
    rename: Rename = None,
    bootstrap: WholeOrNone = None,
    seed: Seed = 0,
    device: Annotated[Device, AnyCase] = "cpu",
    cluster: str | None = None,
    json: Json = False,
    options: TableFlags = TableFlags(),
) -> int:
    """Learn the best network of a table of data, or of a family table.

    Parameters
    ----------
    data
        A table of data, or a family table (.jkl .scores .jaa .pss .parquet; .gz of these).
    output
        The network to write: a graph (.json .txt .csv .dot .res), or with data a network fitted to them (.bif .xmlbif
        .xdsl .net .dsc .uai).
    method
        How to search, with settings as in "astar(heuristic=simple, pattern_size=4)". dp, astar, bfbnb and ilp prove the
        optimum; weighted_astar, ara_star and awa_star improve a network and its bound; order_search, hill_climb and
        tabu are local; chow_liu is the best tree; pc and rai use tests of independence, mmhc tests and a score. With
        --tree-width: exact proves the optimum; annealing, kmax, kg, s2, s2_plus, kp and kp_plus do not.
    tree_width
        The largest tree-width of the network, so that exact inference stays fast.
    cliques
        A JSON file with a list of lists of variables, or with such a list under "bags": each variable and its parents
        must lie in one of them.
    test
        The test of independence that pc, rai and mmhc use; bayes_factor if not given. "bayes_factor(setting=auto)"
        chooses its setting for the data.
    significance
        The significance level of g2 and chi2; 0.05 if not given.
    threshold
        The threshold of cmi (0.003 if not given), or of the log of the Bayes factor (0 if not given).
    df
        How g2 and chi2 count degrees of freedom; adjusted if not given.
    max_order
        The largest conditioning set of a test.
    order
        Variables, first to last, separated by commas: no edge from a later to an earlier one.
    limits.time_limit
        Stop after this long (90, 90s, 10m) with the best so far.
    scratch_dir
        A folder for the layers of bfbnb that exceed the memory.
    trace
        Where to write score and bound over time (.csv, or drawn as .svg .png .pdf).
    cpdag
        Print and write the Markov equivalence class, given the knowledge, instead of a DAG: an edge has a direction if
        all equivalent networks that obey the knowledge share it.
    rename
        Replace names that some formats or programs cannot read by safe ones in the network that is written, and print
        both.
    bootstrap
        Also learn from this many bootstrap samples of the rows, and report how often each edge was found.
    seed
        The seed of the local searches and of the bootstrap samples; fresh draws one and tells it.
    device
        Where rows are counted: cpu, cuda (an NVIDIA graphics processor) or auto, which takes cuda for large data.
    cluster
        The address of the scheduler of a Dask cluster whose workers count the data, such as tcp://10.0.0.1:8786.
    """
    import credenet
    from credenet._files.files import suffix_of

    start = perf_counter()
    if bootstrap is not None:
        from credenet.learners.resampling import MOST_SAMPLES

        whole_number("bootstrap", bootstrap, least=1, most=MOST_SAMPLES)
    check_output(output)
    check_output(trace, credenet.LearnResult.check_trace)
    given = scoring.arguments() | limits.arguments()
    table, states = read_source(data, options, n_threads=limits.n_threads)
    dataset = table if isinstance(table, credenet.Dataset) else None
    check_rename(rename, output, NETWORK_SUFFIXES.keys() - set(GRAPH_SUFFIXES), has_tables=dataset is not None)
    check_output(output, lambda path: _write_empty(table, path, cpdag=cpdag, rename=rename))
    if bootstrap is not None and dataset is None:
        raise credenet.errors.ArgumentError("--bootstrap draws rows, which a table of families does not have")
    settings: dict[str, Any] = {
        "method": apply_flags(METHODS, method, max_order=max_order, scratch_dir=scratch_dir),
        **given,
        "tree_width": tree_width,
        "cliques": None if cliques is None else _cliques(cliques),
        "test": _test(test, significance=significance, threshold=threshold, df=df),
        "states": None if isinstance(method, PC | RAI | MMHC) else states,  # Tests count the states that occur.
        "order": None if order is None else [name.strip() for name in order.split(",")],
        "seed": seed,
    }
    with progress_bar("learning") as on_progress:
        result = credenet.learn(table, device=device, cluster=cluster, on_progress=on_progress, **settings)
    remarks = tuple(map(translate_to_shell, result.remarks))
    told = replace(result, graph=result.cpdag if cpdag else result.graph, remarks=remarks)
    if not json:
        print(told)
    confidence = names = None
    try:
        if result.has_network:
            smoothing = credenet.scores.BDeu(1.0 if scoring.ess is None else scoring.ess)
            fitted_to = None if output is not None and suffix_of(output) == ".json" else dataset
            write_output(output, lambda path: told.save(path, data=fitted_to, smoothing=smoothing, rename=rename))
            names = None if dataset is None else safe_names_of(_empty_network(dataset), rename)
            if names is not None and not json:
                print(f"\n{list_names(names)}")
        write_output(trace, result.save_trace)
        is_interrupted = exit_code(result.status) == INTERRUPTED
        if bootstrap is not None and dataset is not None and not is_interrupted:
            with progress_bar("learning from samples") as on_progress:
                confidence = credenet.bootstrap(dataset, n_samples=bootstrap, on_progress=on_progress, **settings)
        if confidence is not None and not json:
            print(f"\nshares of {confidence.n_samples} samples\n{confidence}")
    finally:  # The network is printed even if something fails now.
        if json:
            print_json({**_describe(told, confidence, perf_counter() - start), **described_names(names)})
    code = end(result.status, "the network is the best that was found")
    if not json:
        is_renamed = rename is not None or (output is not None and suffix_of(output) == ".uai")
        labels = None if dataset is None or is_renamed else dataset.states
        families = None if isinstance(table, credenet.Dataset) else table
        print_next_commands(LearnedNetwork(result, sys.argv[2:], data, output, families, labels))
    return code or (0 if confidence is None else exit_code(confidence.status))


def _describe(result: LearnResult, confidence: EdgeConfidence | None, seconds: float) -> dict[str, Any]:
    described = result.to_dict()
    bounds = ("score", "bound", "gap", "scope", "families_bound", "families_max_parents", "status")
    graphs = ("edges", "undirected", "cpdag", "isolated")
    return {
        **{key: described[key] for key in (*bounds, *graphs, "remarks", "conflicts", "strengths")},
        **{key: described[key] for key in _BOUNDED_KEYS if key in described},
        "method": result.provenance.method,
        "reason": result.provenance.reason,
        "complete": result.provenance.complete,
        "max_parents": result.provenance.max_parents,
        "test": result.provenance.test,
        "tests": described["statistics"]["tests"],
        "statistics": described["statistics"],
        "provenance": described["provenance"],
        "seconds": seconds,
        **({} if confidence is None else {"bootstrap": confidence.to_dict()}),
    }


def _empty_network(data: Dataset) -> BayesianNetwork:
    """A network of the same variables without edges."""
    import credenet

    return credenet.fit(data.take(slice(1)), credenet.DAG(data.variables))


def _write_empty(table: Dataset | FamilyTable, path: Path, *, cpdag: bool, rename: Rename) -> None:
    """A network of the same variables without edges, in the format asked for."""
    import credenet
    from credenet._files.files import suffix_of

    empty = credenet.DAG(table.variables)
    if suffix_of(path) in GRAPH_SUFFIXES:
        credenet.save_graph(empty, path)
        return
    graphs = " ".join(GRAPH_SUFFIXES)
    if suffix_of(path) not in NETWORK_SUFFIXES:
        what = f"{path.name} is neither a graph ({graphs}) nor a network ({' '.join(NETWORK_SUFFIXES)})"
        raise credenet.errors.ArgumentError(f"{what}; credenet draw makes pictures of them")
    tables = f"{path.name} would hold tables"
    if cpdag:
        raise credenet.errors.ArgumentError(f"{tables}, which --cpdag does not give; write a graph ({graphs})")
    if not isinstance(table, credenet.Dataset):
        raise credenet.errors.ArgumentError(f"{tables}, which need data; families give a graph ({graphs})")
    _empty_network(table).save(path, rename=rename)


def _cliques(path: Path) -> list[list[str]]:
    """The lists of variables in a JSON file, by themselves or as the bags of a result."""
    from credenet._files.files import read_json
    from credenet.errors import FormatError

    contents = read_json(path)
    lists = contents.get("bags") if isinstance(contents, dict) else contents
    if not isinstance(lists, list) or not all(
        isinstance(names, list) and all(isinstance(name, str) for name in names) for names in lists
    ):
        raise FormatError('must be a list of lists of variables, or an object that has one under "bags"', path=path)
    return lists


def _test(test: TestArgument | None, **flags: float | str | None) -> TestArgument | str | None:
    """The test that the flags describe."""
    if all(value is None for value in flags.values()):
        return test
    return apply_flags(TESTS, test or BayesFactor(), **flags)
