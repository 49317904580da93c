"""``credenet posterior``: the probability of every edge, over all networks."""

from __future__ import annotations

import shlex
import sys
from functools import partial
from pathlib import Path
from time import perf_counter

from credenet.cli.advice import in_shell
from credenet.cli.kinds import ModularPriorArgument, PosteriorArgument, ScoreArgument, scored_by
from credenet.cli.options import (
    DataOptions,
    Json,
    MemoryLimit,
    Output,
    Seed,
    Threads,
    WholeOrNone,
    Written,
    exit_code,
    print_json,
    progress_bar,
    read_source,
    say_stopped,
    seconds_of,
)
from credenet.cli.outputs import check_output, check_page, write_output


def posterior(
    data: Path,
    *,
    output: Output = None,
    method: PosteriorArgument = "auto",
    score: ScoreArgument | None = None,
    ess: float | None = None,
    prior: ModularPriorArgument | None = None,
    knowledge: Path | None = None,
    max_parents: WholeOrNone = None,
    isolate_constant: bool = True,
    plot: Written = None,
    report: Written = None,
    time_limit: str | None = None,
    memory_limit: MemoryLimit = None,
    seed: Seed = 0,
    n_threads: Threads = None,
    json: Json = False,
    options: DataOptions | None = None,
) -> int:
    """Find the probability of every edge, over all networks of a table of data or of families.

    Parameters
    ----------
    data
        A table of data, or a family table (.jkl .scores .jaa .pss .parquet; .gz of these).
    output
        Where to write the probabilities of edges (.csv .parquet .json).
    method
        exact sums over all networks (at most 26 variables), order sums over all orders, mcmc draws networks by Markov
        chains, with settings such as "mcmc(chains=8)"; auto is exact for up to 20 variables.
    score
        The score; bdeu if not given.
    ess
        Equivalent sample size of bdeu, bds and bde; 1 if not given.
    prior
        The structure prior; uniform if not given.
    knowledge
        A file of knowledge that the networks must obey (.json or GOBNILP constraints).
    max_parents
        The largest number of parents of a variable.
    isolate_constant
        Whether variables with one observed state get no edges; otherwise the score decides.
    plot
        Where to draw the average network (.svg .png .pdf).
    report
        Where to write an HTML report on the posterior (.html), which needs no internet access.
    time_limit
        Stop after this long (90, 90s, 10m); Markov chains that do not agree by then say so.
    memory_limit
        The memory that may be used (8e9, 500MB, 8GB); three quarters of the free memory if not given.
    seed
        The seed of the Markov chains; fresh draws one and tells it.
    n_threads
        Number of threads; all cores if not given.
    json
        Print one JSON object instead of text.
    """
    import credenet
    from credenet.drawing.plotting import check_plot
    from credenet.io.result_files import check_suffix

    start = perf_counter()
    check_output(output, lambda path: check_suffix(path, "probabilities"))
    check_output(plot, check_plot)
    check_output(report, check_page)
    rules = None if knowledge is None else credenet.Knowledge.load(knowledge)
    table, states = read_source(data, options, n_threads=n_threads)
    with progress_bar("summing over networks") as on_progress:
        found = credenet.posterior(
            table,
            method=method,
            **scored_by(score, ess),
            prior=prior,
            knowledge=rules,
            max_parents=max_parents,
            isolate_constant=isolate_constant,
            states=states,
            time_limit=seconds_of(time_limit),
            memory_limit=memory_limit,
            n_threads=n_threads,
            seed=seed,
            on_progress=on_progress,
        )
    if found.has_probabilities:
        write_output(output, found.save)
        write_output(plot, found.plot_average)
    if json:
        told = found.to_dict()
        remarks = list(map(in_shell, told["remarks"]))
        print_json({**told, "remarks": remarks, "seconds": perf_counter() - start})
    else:
        print(in_shell(found.summary()))
    write_output(report, partial(found.report, command=shlex.join(["credenet", *sys.argv[1:]])))
    so_far = (
        "the probabilities are those of the chains so far" if found.has_probabilities else "there are no probabilities"
    )
    say_stopped(found.status, so_far)
    return exit_code("time_limit" if found.status == "not_converged" else found.status)
