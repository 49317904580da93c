"""``credenet validate``: which score, prior or method to use on a table of data."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

from credenet.cli.advice import translate_to_shell
from credenet.cli.answers import end, print_answer
from credenet.cli.arguments.groups import LimitFlags, TableFlags, load_knowledge, seconds_of
from credenet.cli.arguments.parameters import (
    Json,
    MethodArguments,
    PriorArguments,
    ScoreArguments,
    Seed,
    TestArgument,
    Whole,
    WholeOrNone,
    Written,
)
from credenet.cli.inputs import read_data
from credenet.cli.outputs import check_output, write_output
from credenet.cli.progress_bar import progress_bar


def validate(
    data: Path,
    *,
    methods: MethodArguments | None = None,
    scores: ScoreArguments | None = None,
    priors: PriorArguments | None = None,
    candidates: Path | None = None,
    fractions: str | None = None,
    repetitions: Whole = 10,
    knowledge: Path | None = None,
    max_parents: WholeOrNone = None,
    tree_width: WholeOrNone = None,
    test: TestArgument | None = None,
    time_limit_each: str | None = None,
    plot: Written = None,
    seed: Seed = 0,
    limits: LimitFlags = LimitFlags(),
    json: Json = False,
    options: TableFlags = TableFlags(),
) -> int:
    """Rank scores, priors or methods by how well they find, in few rows, what all of them find in all rows.

    No true network is needed.

    Parameters
    ----------
    data
        A table of data.
    methods
        Methods of learning, separated by commas, with settings as in "pc,tabu(restarts=5)"; auto if not given.
    scores
        Scores, separated by commas; bdeu if not given. Every method with a score is tried with each.
    priors
        Structure priors, separated by commas; uniform if not given. Every score is tried with each.
    candidates
        Instead of these three, a JSON file with the options of each candidate by its name:
        {"sparse": {"prior": "fair"}, "tests": {"method": "pc"}}.
    fractions
        The sizes of the subsamples as fractions of the rows, separated by commas; 1/2,1/4,1/8,1/16 if not given.
    repetitions
        The number of subsamples of each size.
    knowledge
        A file of knowledge that all networks must obey (.json or GOBNILP constraints).
    max_parents
        The largest number of parents of a variable.
    tree_width
        The largest tree-width of the networks.
    test
        The test of independence that pc, rai and mmhc use; bayes_factor if not given.
    limits.time_limit
        Stop after this long (90, 90s, 10m) with the subsamples that are finished.
    time_limit_each
        Stop each learning after this long with its best network so far.
    plot
        Where to draw the distances by number of rows (.svg .png .pdf).
    seed
        The seed of the subsamples and of the local searches; fresh draws one and tells it.
    """
    import credenet
    from credenet._files.files import read_json
    from credenet.drawing.plotting import check_plot

    start = perf_counter()
    check_output(plot, check_plot)
    rules = load_knowledge(knowledge)
    named = None if candidates is None else read_json(candidates)
    sizes: dict[str, Any] = (
        {} if fractions is None else {"fractions": [_fraction(text) for text in fractions.split(",")]}
    )
    common: dict[str, Any] = {"knowledge": rules, "max_parents": max_parents, "tree_width": tree_width, "test": test}
    table = read_data(data, options, n_threads=limits.n_threads)
    with progress_bar("validating") as on_progress:
        result = credenet.validate(
            table,
            named,
            methods=methods,
            scores=scores,
            priors=priors,
            repetitions=repetitions,
            time_limit_each=seconds_of(time_limit_each),
            seed=seed,
            on_progress=on_progress,
            **limits.arguments(),
            **sizes,
            **{name: value for name, value in common.items() if value is not None},
        )
    told = replace(result, remarks=tuple(map(translate_to_shell, result.remarks)))
    print_answer(json, lambda: {**told.to_dict(), "seconds": perf_counter() - start}, told)
    if result.distances:
        write_output(plot, result.plot)
    elif plot is not None:
        print(f"no subsample was finished, so {plot} was not written", file=sys.stderr)
    return end(result.status, "the distances are of the subsamples that were finished")


def _fraction(text: str) -> float:
    """A number as ``0.25`` or ``1/4``."""
    from fractions import Fraction

    from credenet.errors import ArgumentError

    try:
        return float(Fraction(text.strip()))
    except (ValueError, ZeroDivisionError):
        raise ArgumentError(
            f"--fractions must be numbers such as 0.25 or 1/4, separated by commas, got {text!r}"
        ) from None
