"""``credenet credible``: all networks within a Bayes factor of the best, and what they say about each edge."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from credenet.cli.options import (
    DataOptions,
    Json,
    MemoryLimit,
    Output,
    Threads,
    WholeOrNone,
    exit_code,
    print_json,
    progress_bar,
    read_source,
    seconds_of,
)
from credenet.cli.score import PriorName, ScoreName

if TYPE_CHECKING:
    from credenet.credibility.class_set import CredibleClasses
    from credenet.credibility.credible_set import CredibleSet


def credible(
    source: Path,
    *,
    output: Output = None,
    bayes_factor: float | None = None,
    slack: float | None = None,
    ratio: float | None = None,
    k: WholeOrNone = None,
    classes: Annotated[bool, Parameter(negative=())] = False,
    covered_mass: bool | None = None,
    report: Path | None = None,
    score: ScoreName | None = None,
    ess: float | None = None,
    prior: PriorName | None = None,
    knowledge: Path | None = None,
    max_parents: WholeOrNone = None,
    time_limit: str | None = None,
    memory_limit: MemoryLimit = None,
    n_threads: Threads = None,
    json: Json = False,
    options: DataOptions | None = None,
) -> int:
    """List all networks of a table of data, or of families, that are within a Bayes factor of the best.

    Parameters
    ----------
    source
        A table of data, or a family table (.jkl .scores .jaa .pss .parquet; .gz of these).
    output
        Where to write the networks, or the classes, best first (.parquet).
    bayes_factor
        Keep a network if the best is at most this many times as probable; 20 if nothing else is given.
    slack
        The same as a difference of scores, in nats.
    ratio
        The same as a ratio of scores.
    k
        Instead, the k best networks (or classes) and those that score the same as the last of them.
    classes
        Find Markov equivalence classes and count their networks, without listing these where that can be.
    covered_mass
        Tell the share of the posterior that these have (at most 20 variables); if not said, where that is quick.
    report
        Where to write a page about the networks (.html), which opens offline.
    score
        The score; bdeu if not given.
    ess
        Equivalent sample size of bdeu and bds; 1 if not given.
    prior
        The structure prior; uniform if not given.
    knowledge
        A file of knowledge that the networks must obey (.json or GOBNILP constraints).
    max_parents
        The most parents of a variable.
    time_limit
        Stop after this long (90, 90s, 10m) with what was found so far.
    memory_limit
        What may be taken (8e9, 500MB, 8GB); three quarters of what is free if not given.
    n_threads
        Number of threads; all cores if not given.
    json
        Print one JSON object instead of text.
    """
    import credenet
    from credenet.credibility.covered_mass import check_number
    from credenet.io.files import check_writable

    start = perf_counter()
    if output is not None and output.suffix.lower() != ".parquet":
        raise credenet.ArgumentError(f"networks are written to a .parquet file, got {output.name}")
    if report is not None and report.suffix.lower() not in (".html", ".htm"):
        raise credenet.ArgumentError(f"a report is written to a .html file, got {report.name}")
    if report is not None and classes:
        raise credenet.ArgumentError("--report is a page about networks; give it without --classes")
    if k is not None and (bayes_factor, slack, ratio) != (None, None, None):
        raise credenet.ArgumentError("give one of --bayes-factor, --slack, --ratio and --k")
    for path in (output, report):
        if path is not None:
            check_writable(path)
    table, states = read_source(source, options, n_threads=n_threads)
    data = table if isinstance(table, credenet.Dataset) else None
    if covered_mass and data is None:
        raise credenet.ArgumentError("--covered-mass needs the data, not a table of families")
    if covered_mass and data is not None:
        check_number(data.n_variables - len(data.info().constant))
    with progress_bar("listing classes" if classes else "listing networks") as on_progress:
        given: dict[str, Any] = {
            "score": score,
            "ess": ess,
            "prior": prior,
            "knowledge": None if knowledge is None else credenet.Knowledge.read(knowledge),
            "max_parents": max_parents,
            "states": states,
            "time_limit": seconds_of(time_limit),
            "memory_limit": memory_limit,
            "n_threads": n_threads,
            "on_progress": on_progress,
        }
        found: CredibleSet | CredibleClasses
        if k is None:
            within = credenet.credible_classes if classes else credenet.credible_networks
            found = within(table, bayes_factor=bayes_factor, slack=slack, ratio=ratio, **given)
        else:
            best = credenet.k_best_classes if classes else credenet.k_best
            found = best(table, k, **given)
    if output is not None:
        found.to_parquet(output)
    if covered_mass is False:
        data = None
    elif data is not None and (covered_mass or found.covers_quickly()):
        with progress_bar("summing over all networks") as on_progress:
            limit = memory_limit if covered_mass else None  # what is quick takes little
            found.covered_mass(data, memory_limit=limit, n_threads=n_threads, on_progress=on_progress)
    if report is not None and isinstance(found, credenet.CredibleSet):
        found.report(report, data=data, command=shlex.join(["credenet", *sys.argv[1:]]))
    if json:
        print_json({**found.to_dict(data), "seconds": perf_counter() - start})
    else:
        print(found.summary(data))
        for path in (output, report):
            if path is not None:
                print(f"written to {path}", file=sys.stderr)
    if found.status == "memory_limit" and found:
        what = "classes" if classes else "networks"
        print(f"there are more {what} than fit into memory: ask for a smaller factor, or the best --k", file=sys.stderr)
    return exit_code(found.status)
