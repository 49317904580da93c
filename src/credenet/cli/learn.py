"""``credenet learn``: the best network of a table of data or of families."""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from credenet.cli.options import (
    DataOptions,
    Json,
    Output,
    Threads,
    exit_code,
    print_json,
    progress_bar,
    read_source,
    seconds_of,
)
from credenet.cli.score import ScoreName

if TYPE_CHECKING:
    from credenet.data import Dataset
    from credenet.results import LearnResult

MethodName = Literal[
    "auto",
    "dp",
    "astar",
    "bfbnb",
    "ilp",
    "weighted_astar",
    "ara_star",
    "awa_star",
    "order_search",
    "hill_climb",
    "tabu",
    "chow_liu",
]
LearnPriorName = Literal["uniform", "edge", "fair", "data", "fact", "ssp"]
_GRAPH_SUFFIXES = (".json", ".txt", ".edges", ".dag", ".pdag", ".csv", ".dot", ".gv")


def learn(
    source: Path,
    *,
    output: Output = None,
    method: MethodName = "auto",
    score: ScoreName | None = None,
    ess: float | None = None,
    prior: LearnPriorName | None = None,
    knowledge: Path | None = None,
    max_parents: int | None = None,
    order: Annotated[str | None, Parameter(name="--order")] = None,
    time_limit: str | None = None,
    memory_limit: Annotated[float | None, Parameter(name="--memory-limit")] = None,
    scratch_dir: Path | None = None,
    trace: Path | None = None,
    seed: int = 0,
    n_threads: Threads = None,
    json: Json = False,
    options: DataOptions | None = None,
) -> int:
    """Learn the best network of a table of data, or of families that were scored before.

    Parameters
    ----------
    source
        A table of data, or a family table (.jkl .scores .jaa .pss .parquet; .gz of these).
    output
        The network to write: a graph (.json .txt .csv .dot), or with data a network fitted to them (.bif .xmlbif .xdsl
        .net .dsc .uai).
    method
        How to search: dp, astar, bfbnb and ilp prove the optimum; weighted_astar, ara_star and awa_star improve a
        network and its bound; order_search, hill_climb and tabu are local; chow_liu is the best tree.
    score
        The score; bdeu if not given.
    ess
        Equivalent sample size of bdeu and bds; 1 if not given.
    prior
        The structure prior; uniform if not given.
    knowledge
        A file of knowledge that the network must obey (.json or GOBNILP constraints).
    max_parents
        The most parents of a variable.
    order
        Variables, first to last, separated by commas: no edge leads backwards.
    time_limit
        Stop after this long (90, 90s, 10m) with the best so far.
    memory_limit
        Bytes that may be taken; three quarters of what is free if not given.
    scratch_dir
        A folder for what bfbnb does not keep in memory.
    trace
        Where to write score and bound over time (.csv, or drawn as .svg .png .pdf).
    seed
        Of the local searches.
    n_threads
        Number of threads; all cores if not given.
    json
        Print one JSON object instead of text.
    """
    import credenet
    from credenet.learners.methods import BFBnB, Method

    start = perf_counter()
    table, states = read_source(source, options, n_threads=n_threads)
    data = table if isinstance(table, credenet.Dataset) else None
    if data is None and output is not None and not _is_graph(output):
        raise credenet.ArgumentError(
            f"{output.name} would hold tables, which need data; families give a graph ({' '.join(_GRAPH_SUFFIXES)})"
        )
    if scratch_dir is not None and method != "bfbnb":
        raise credenet.ArgumentError(f"--scratch-dir belongs to bfbnb, not to {method}")
    chosen: Method | str = BFBnB(scratch_dir=scratch_dir) if method == "bfbnb" else method
    with progress_bar("learning") as on_progress:
        result = credenet.learn(
            table,
            method=chosen,
            score=score,
            ess=ess,
            prior=prior,
            knowledge=None if knowledge is None else credenet.Knowledge.read(knowledge),
            max_parents=max_parents,
            states=states,
            order=None if order is None else [name.strip() for name in order.split(",")],
            time_limit=seconds_of(time_limit),
            memory_limit=memory_limit,
            seed=seed,
            n_threads=n_threads,
            on_progress=on_progress,
        )
    if trace is not None:
        result.save_trace(trace)
    if output is not None and result.has_network:
        _write(result, data, output, ess)
    if json:
        described = result.to_dict()
        keys = ("score", "bound", "status", "edges", "undirected", "isolated")
        print_json(
            {
                **{key: described[key] for key in keys},
                "method": result.provenance.method,
                "reason": result.provenance.reason,
                "complete": result.provenance.complete,
                "max_parents": result.provenance.max_parents,
                "statistics": described["statistics"],
                "seconds": perf_counter() - start,
            }
        )
    else:
        print(result)
        if output is not None and result.has_network:
            print(f"written to {output}", file=sys.stderr)
    return exit_code(result.status)


def _is_graph(path: Path) -> bool:
    from credenet.io.files import suffix_of

    return suffix_of(path) in _GRAPH_SUFFIXES


def _write(result: LearnResult, data: Dataset | None, output: Path, ess: float | None) -> None:
    import credenet

    if _is_graph(output):
        credenet.save_graph(result.graph, output)
        return
    assert data is not None
    credenet.fit(data, result.dag, smoothing=credenet.BDeu(1.0 if ess is None else ess)).save(output)
