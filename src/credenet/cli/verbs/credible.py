"""``credenet credible``: all networks within a Bayes factor of the best, and the probability of each edge."""

from __future__ import annotations

import shlex
import sys
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from credenet.cli.answers import end, exit_code, print_json
from credenet.cli.arguments.groups import LimitFlags, ListingFlags, NetworkScoringFlags, TableFlags
from credenet.cli.arguments.parameters import Json, Output, Switch, Written
from credenet.cli.inputs import read_source
from credenet.cli.outputs import check_output, check_page, write_output
from credenet.cli.posterior_command import print_posterior_command
from credenet.cli.progress_bar import progress_bar

if TYPE_CHECKING:
    from credenet.credible.class_set import CredibleClasses
    from credenet.credible.credible_set import CredibleSet
    from credenet.data.dataset import Dataset
    from credenet.knowledge.knowledge import Knowledge


_LITTLE_MEMORY = 3.2e7  # Bytes below which memory is little.


def credible(
    data: Path,
    *,
    output: Output = None,
    limit: ListingFlags = ListingFlags(),
    classes: Switch = False,
    covered_mass: bool | None = None,
    report: Written = None,
    scoring: NetworkScoringFlags = NetworkScoringFlags(),
    limits: LimitFlags = LimitFlags(),
    json: Json = False,
    options: TableFlags = TableFlags(),
) -> int:
    """List all networks of a table of data, or of families, that are within a Bayes factor of the best.

    Parameters
    ----------
    data
        A table of data, or a family table (.jkl .scores .jaa .pss .parquet; .gz of these).
    output
        Where to write the networks, or the classes, best first (.parquet .json .txt; .gz of the last two).
    classes
        Find Markov equivalence classes and count their networks, without listing the networks where possible.
    covered_mass
        Compute the share of the posterior that the networks cover (at most 26 variables), in the time that is left;
        by default only if that takes no more than a few seconds (at most 20 variables).
    report
        Where to write an HTML report on the networks (.html), which needs no internet access.
    """
    import credenet

    start = perf_counter()
    if report is not None and classes:
        raise credenet.errors.ArgumentError("--report is a page about networks; give it without --classes")
    if sum(value is not None for value in vars(limit).values()) > 1:
        raise credenet.errors.ArgumentError("give one of --bayes-factor, --slack, --ratio, --mass and --k")
    _check_files(output, report)
    given = scoring.arguments() | limits.arguments()
    table, states = read_source(data, options, n_threads=limits.n_threads)
    dataset = table if isinstance(table, credenet.Dataset) else None
    if covered_mass:
        _check_covered_mass(dataset, given["knowledge"], isolate_constant=scoring.isolate_constant)
    begin = perf_counter()
    with progress_bar("listing classes" if classes else "listing networks") as on_progress:
        given |= {"states": states, "on_progress": on_progress}
        credible_set: CredibleSet | CredibleClasses
        if limit.k is None:
            within = credenet.credible_classes if classes else credenet.credible_networks
            credible_set = within(table, **limit.limit_arguments(), **given)
        else:
            best = credenet.k_best_classes if classes else credenet.k_best
            credible_set = best(table, limit.k, **given)
    if covered_mass is False:
        dataset = None
        credible_set.forget_data()
    command = ["credenet", *sys.argv[1:]]
    try:  # The networks are written or printed even if something fails now.
        if dataset is not None and _is_summed(credible_set, dataset, covered_mass, limits.memory_limit):
            allowed = limits.arguments()
            if allowed["time_limit"] is not None:
                allowed["time_limit"] = max(allowed["time_limit"] - (perf_counter() - begin), 1e-3)
            if not covered_mass:
                allowed["memory_limit"] = _memory_for(limits.memory_limit)
            with progress_bar("summing over all networks") as on_progress:
                credible_set.covered_mass(dataset, **allowed, on_progress=on_progress)
    finally:
        try:
            if credible_set.optimum is not None or credible_set.complete:
                write_output(output, credible_set.save)
            elif output is not None:
                print(f"nothing is written to {output}: no network was listed", file=sys.stderr)
        finally:
            if json:
                print_json({**credible_set.to_dict(dataset, shell=True), "seconds": perf_counter() - start})
                _say_what_is_missing(credible_set)
            else:
                print(credible_set.summary(dataset, shell=True))
                print_posterior_command(credible_set, command)
            sys.stdout.flush()
    if isinstance(credible_set, credenet.CredibleSet):
        write_output(report, partial(credible_set.report, data=dataset, command=shlex.join(command)))
    code = end(credible_set.status, "the networks are those found so far")
    ended = credible_set.listing.sum_ended
    if ended is not None and (covered_mass or ended == "stopped"):
        return code or exit_code(ended)
    return code


def _is_summed(
    credible_set: CredibleSet | CredibleClasses, data: Dataset, covered_mass: bool | None, memory_limit: float | None
) -> bool:
    """Whether the sum over all networks is made: it was asked for, or takes seconds; not after Ctrl-C."""
    if credible_set.status == "stopped" or credible_set.optimum is None:
        return False
    return bool(covered_mass) or credible_set.listing.covers_quickly(data, _memory_for(memory_limit))


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
    from credenet.families.scoring.child_rules import find_isolated
    from credenet.families.sources import add_constant_rule
    from credenet.search.dag_sums import check_number

    if data is None:
        raise ArgumentError("--covered-mass needs the data, not a table of families")
    isolated = find_isolated(data, add_constant_rule(rules, isolate_constant))
    check_number(data.n_variables - len(isolated))


def _say_what_is_missing(credible_set: CredibleSet | CredibleClasses) -> None:
    """Says on stderr why a JSON answer is not complete."""
    from credenet.credible.output import wording

    if credible_set.listing.ended_in is not None:
        tried = "; ".join(wording.advice(credible_set, wording.flag))
        print(f"not complete: {wording.ending(credible_set)}; try {tried}", file=sys.stderr)
