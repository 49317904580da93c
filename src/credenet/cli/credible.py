"""``credenet credible``: all networks within a Bayes factor of the best, and what they say about each edge."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from time import perf_counter
from typing import Annotated

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
from credenet.cli.score import PriorName, ScoreName


def credible(
    source: Path,
    *,
    output: Output = None,
    bayes_factor: float | None = None,
    slack: float | None = None,
    ratio: float | None = None,
    k: int | None = None,
    report: Path | None = None,
    score: ScoreName | None = None,
    ess: float | None = None,
    prior: PriorName | None = None,
    knowledge: Path | None = None,
    max_parents: int | None = None,
    time_limit: str | None = None,
    memory_limit: Annotated[float | None, Parameter(name="--memory-limit")] = None,
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
        Where to write the networks, best first (.parquet).
    bayes_factor
        Keep a network if the best is at most this many times as probable; 20 if nothing else is given.
    slack
        The same as a difference of scores, in nats.
    ratio
        The same as a ratio of scores.
    k
        Instead, the k best networks and those that score the same as the last of them.
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
        Bytes that may be taken; three quarters of what is free if not given.
    n_threads
        Number of threads; all cores if not given.
    json
        Print one JSON object instead of text.
    """
    import credenet

    start = perf_counter()
    if output is not None and output.suffix.lower() != ".parquet":
        raise credenet.ArgumentError(f"networks are written to a .parquet file, got {output.name}")
    if report is not None and report.suffix.lower() not in (".html", ".htm"):
        raise credenet.ArgumentError(f"a report is written to a .html file, got {report.name}")
    table, states = read_source(source, options, n_threads=n_threads)
    with progress_bar("listing networks") as on_progress:
        given = {
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
        if k is None:
            found = credenet.credible_networks(table, bayes_factor=bayes_factor, slack=slack, ratio=ratio, **given)  # type: ignore[arg-type]
        elif (bayes_factor, slack, ratio) == (None, None, None):
            found = credenet.k_best(table, k, **given)  # type: ignore[arg-type]
        else:
            raise credenet.ArgumentError("give one of --bayes-factor, --slack, --ratio and --k")
    if output is not None:
        found.to_parquet(output)
    if report is not None:
        data = table if isinstance(table, credenet.Dataset) else None
        found.report(report, data=data, command=shlex.join(["credenet", *sys.argv[1:]]))
    if json:
        print_json({**found.to_dict(), "seconds": perf_counter() - start})
    else:
        print(found)
        for path in (output, report):
            if path is not None:
                print(f"written to {path}", file=sys.stderr)
    return exit_code(found.status)
