"""``credenet posterior``: the probability of every edge, over all networks."""

from __future__ import annotations

import shlex
import sys
from functools import partial
from pathlib import Path
from time import perf_counter

from credenet.cli.advice import translate_to_shell
from credenet.cli.answers import end, print_json
from credenet.cli.arguments.groups import LimitFlags, NetworkScoringFlags, TableFlags
from credenet.cli.arguments.parameters import Json, Output, PosteriorArgument, Seed, Written
from credenet.cli.inputs import read_source
from credenet.cli.outputs import check_output, check_page, write_output
from credenet.cli.progress_bar import progress_bar


def posterior(
    data: Path,
    *,
    output: Output = None,
    method: PosteriorArgument = "auto",
    scoring: NetworkScoringFlags = NetworkScoringFlags(),
    plot: Written = None,
    report: Written = None,
    seed: Seed = 0,
    limits: LimitFlags = LimitFlags(),
    json: Json = False,
    options: TableFlags = TableFlags(),
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
    plot
        Where to draw the average network (.svg .png .pdf).
    report
        Where to write an HTML report on the posterior (.html), which needs no internet access.
    limits.time_limit
        Stop after this long (90, 90s, 10m); Markov chains that do not agree by then say so.
    seed
        The seed of the Markov chains; fresh draws one and tells it.
    """
    import credenet
    from credenet.drawing.plotting import check_plot
    from credenet.io.result_files import check_suffix

    start = perf_counter()
    check_output(output, lambda path: check_suffix(path, "probabilities"))
    check_output(plot, check_plot)
    check_output(report, check_page)
    given = scoring.arguments() | limits.arguments()
    table, states = read_source(data, options, n_threads=limits.n_threads)
    with progress_bar("summing over networks") as on_progress:
        summed = credenet.posterior(table, method=method, states=states, seed=seed, on_progress=on_progress, **given)
    if summed.has_probabilities:
        write_output(output, summed.save)
        write_output(plot, summed.plot_average)
    if json:
        print_json({**summed.to_dict(), "seconds": perf_counter() - start})
    else:
        print(translate_to_shell(summed.summary()))
    write_output(report, partial(summed.report, command=shlex.join(["credenet", *sys.argv[1:]])))
    so_far = "the probabilities are those of the chains so far"
    status = "time_limit" if summed.status == "not_converged" else summed.status
    return end(status, so_far if summed.has_probabilities else "there are no probabilities")
