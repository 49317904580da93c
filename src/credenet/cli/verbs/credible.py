"""``credenet credible``: all networks within a Bayes factor of the best, and the probability of each edge."""

from __future__ import annotations

import shlex
import sys
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from credenet.cli.kinds import ModularPriorArgument, ScoreArgument, scored_by
from credenet.cli.options import (
    DataOptions,
    Json,
    MemoryLimit,
    Output,
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
from credenet.cli.posterior_command import print_posterior_command

if TYPE_CHECKING:
    from credenet.credible.class_set import CredibleClasses
    from credenet.credible.credible_set import CredibleSet
    from credenet.data.dataset import Dataset
    from credenet.knowledge.knowledge import Knowledge


_LITTLE_MEMORY = 3.2e7  # bytes


def credible(
    data: Path,
    *,
    output: Output = None,
    bayes_factor: float | None = None,
    slack: float | None = None,
    ratio: float | None = None,
    mass: float | None = None,
    k: WholeOrNone = None,
    classes: Annotated[bool, Parameter(negative=())] = False,
    covered_mass: bool | None = None,
    report: Written = None,
    score: ScoreArgument | None = None,
    ess: float | None = None,
    prior: ModularPriorArgument | None = None,
    knowledge: Path | None = None,
    max_parents: WholeOrNone = None,
    isolate_constant: bool = True,
    time_limit: str | None = None,
    memory_limit: MemoryLimit = None,
    n_threads: Threads = None,
    json: Json = False,
    options: DataOptions | None = None,
) -> int:
    """List all networks of a table of data, or of families, that are within a Bayes factor of the best.

    Parameters
    ----------
    data
        A table of data, or a family table (.jkl .scores .jaa .pss .parquet; .gz of these).
    output
        Where to write the networks, or the classes, best first (.parquet .json .txt; .gz of the last two).
    bayes_factor
        Keep a network if the best is at most this many times as probable; 20 if nothing else is given.
    slack
        The same limit as a difference of scores, in nats.
    ratio
        The same limit as a ratio of scores.
    mass
        Instead, the share of the posterior that the networks must hold, such as 0.95, with the least Bayes factor that
        covers it (at most 26 variables).
    k
        Instead, the k best networks (or classes) and those that score the same as the last of them.
    classes
        Find Markov equivalence classes and count their networks, without listing the networks where possible.
    covered_mass
        Compute the share of the posterior that the networks cover (at most 26 variables), in the time that is left;
        by default only if that takes no more than a few seconds (at most 20 variables).
    report
        Where to write an HTML report on the networks (.html), which needs no internet access.
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
    time_limit
        Stop after this long (90, 90s, 10m) with what was found so far.
    memory_limit
        The memory that may be used (8e9, 500MB, 8GB); three quarters of the free memory if not given.
    n_threads
        Number of threads; all cores if not given.
    json
        Print one JSON object instead of text.
    """
    import credenet

    start = perf_counter()
    if report is not None and classes:
        raise credenet.ArgumentError("--report is a page about networks; give it without --classes")
    if sum(value is not None for value in (bayes_factor, slack, ratio, mass, k)) > 1:
        raise credenet.ArgumentError("give one of --bayes-factor, --slack, --ratio, --mass and --k")
    _check_files(output, report)
    rules = None if knowledge is None else credenet.Knowledge.load(knowledge)
    table, states = read_source(data, options, n_threads=n_threads)
    dataset = table if isinstance(table, credenet.Dataset) else None
    if covered_mass:
        _check_covered_mass(dataset, rules, isolate_constant=isolate_constant)
    limit = seconds_of(time_limit)
    begin = perf_counter()
    with progress_bar("listing classes" if classes else "listing networks") as on_progress:
        given: dict[str, Any] = {
            **scored_by(score, ess),
            "prior": prior,
            "knowledge": rules,
            "max_parents": max_parents,
            "isolate_constant": isolate_constant,
            "states": states,
            "time_limit": limit,
            "memory_limit": memory_limit,
            "n_threads": n_threads,
            "on_progress": on_progress,
        }
        found: CredibleSet | CredibleClasses
        if k is None:
            within = credenet.credible_classes if classes else credenet.credible_networks
            found = within(table, bayes_factor=bayes_factor, slack=slack, ratio=ratio, mass=mass, **given)
        else:
            best = credenet.k_best_classes if classes else credenet.k_best
            found = best(table, k, **given)
    if covered_mass is False:
        dataset = None
        found.forget_data()
    command = ["credenet", *sys.argv[1:]]
    try:  # even if something fails now, the networks are written or printed
        if dataset is not None and _is_summed(found, dataset, covered_mass, memory_limit):
            left = None if limit is None else max(limit - (perf_counter() - begin), 1e-3)
            with progress_bar("summing over all networks") as on_progress:
                memory = memory_limit if covered_mass else _memory_for(memory_limit)
                found.covered_mass(
                    dataset, time_limit=left, memory_limit=memory, n_threads=n_threads, on_progress=on_progress
                )
    finally:
        try:
            if found.optimum is not None or found.complete:
                write_output(output, found.save)
            elif output is not None:
                print(f"nothing is written to {output}: no network was listed", file=sys.stderr)
        finally:
            if json:
                print_json({**found.to_dict(dataset, shell=True), "seconds": perf_counter() - start})
                _say_what_is_missing(found)
            else:
                print(found.summary(dataset, shell=True))
                print_posterior_command(found, command)
            sys.stdout.flush()
    if isinstance(found, credenet.CredibleSet):
        write_output(report, partial(found.report, data=dataset, command=shlex.join(command)))
    say_stopped(found.status, "the networks are those found so far")
    code = exit_code(found.status)
    if found.listing.sum_ended is not None and (covered_mass or found.listing.sum_ended == "stopped"):
        return code or exit_code(found.listing.sum_ended)
    return code


def _is_summed(
    found: CredibleSet | CredibleClasses, data: Dataset, covered_mass: bool | None, memory_limit: float | None
) -> bool:
    """Whether the sum over all networks is made: it was asked for, or takes seconds; not after Ctrl-C."""
    if found.status == "stopped" or found.optimum is None:
        return False
    return bool(covered_mass) or found.listing.covers_quickly(data, _memory_for(memory_limit))


def _memory_for(memory_limit: float | None) -> float | None:
    """What a sum may take that nobody asked for: a little more than the limit where that is very low."""
    return None if memory_limit is None else max(memory_limit, _LITTLE_MEMORY)


def _check_files(output: Path | None, report: Path | None) -> None:
    """Raises an error now for files that could not be written later."""
    from credenet.credible.output.files import check_suffix

    if output is not None:
        check_suffix(output)
    check_output(output)
    check_output(report, check_page)


def _check_covered_mass(data: Dataset | None, rules: Knowledge | None, *, isolate_constant: bool) -> None:
    from credenet.errors import ArgumentError
    from credenet.families.child_rules import isolated_variables
    from credenet.families.sources import with_constant_rule
    from credenet.search.dag_sums import check_number

    if data is None:
        raise ArgumentError("--covered-mass needs the data, not a table of families")
    isolated = isolated_variables(data, with_constant_rule(rules, isolate_constant))
    check_number(data.n_variables - len(isolated))


def _say_what_is_missing(found: CredibleSet | CredibleClasses) -> None:
    """Says on stderr why a JSON answer is not complete."""
    from credenet.credible.output import wording

    if found.listing.ended_in is not None:
        tried = "; ".join(wording.advice(found, wording.flag))
        print(f"not complete: {wording.ending(found)}; try {tried}", file=sys.stderr)
