"""The tree-width of a network chosen by the likelihood of rows that it was not learned from."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from credenet._run.run import Run
from credenet._run.status import Status
from credenet.data.dataset import Dataset
from credenet.learners.results import LearnResult
from credenet.networks.bayesian import BayesianNetwork

HELD_OUT = 0.2  # Share of the rows that is held out.


@dataclass(frozen=True, slots=True)
class HeldOutWidth:
    """How well a network of some tree-width predicts rows that it was not learned from.

    Attributes
    ----------
    tree_width
        The largest tree-width that was allowed.
    log_likelihood
        The mean natural log of the probability of a row that was held out.
    standard_error
        The standard error of that mean, as if rows were independent.
    status
        How the learning ended.

    Examples
    --------
    >>> import credenet
    >>> model = credenet.sample_learn_infer(credenet.textbook.asia(), tree_width="auto", max_tree_width=2, n_rows=2000)
    >>> [point.tree_width for point in model.held_out]
    [1, 2]
    """

    tree_width: int
    log_likelihood: float
    standard_error: float
    status: Status


@dataclass(frozen=True, slots=True)
class WidthChoice:
    """The points of all tree-widths that were tried, and the result of the best of them."""

    points: tuple[HeldOutWidth, ...]
    best: int
    learned: LearnResult


def widths_to_try(most: int, n_variables: int) -> list[int]:
    """1, 2, 4 and so on, and the largest one; no network has a tree-width above the number of variables less 1.

    Examples
    --------
    >>> widths_to_try(6, 100), widths_to_try(8, 4), widths_to_try(1, 1)
    ([1, 2, 4, 6], [1, 2, 3], [1])
    """
    largest = max(min(most, n_variables - 1), 1)
    doubled = [1 << power for power in range(largest.bit_length())]
    return [*(width for width in doubled if width < largest), largest]


def split_rows(data: Dataset, stretches: Sequence[int], *, has_copies: bool) -> tuple[Dataset, Dataset]:
    """The rows to learn from and those held out: the end of each stretch, as neighbours in a chain are alike.

    A row is not held out if it may be a copy of one to learn from.
    """
    is_held_out = np.zeros(len(data), dtype=bool)
    first = 0
    for length in stretches:
        begin = first + math.ceil((1 - HELD_OUT) * length)
        if has_copies:
            while first < begin < first + length and np.array_equal(data.codes[begin], data.codes[begin - 1]):
                begin += 1
        is_held_out[begin : first + length] = True
        first += length
    return data.take(~is_held_out), data.take(is_held_out)


def choose_tree_width(
    data: Dataset,
    held_out: Dataset,
    widths: Sequence[int],
    learn_width: Callable[[Dataset, int, Run], LearnResult],
    fit_network: Callable[[LearnResult, Dataset], BayesianNetwork],
    run: Run,
) -> WidthChoice:
    """The tree-width whose network gives held-out rows the largest likelihood; of equal ones the smallest.

    Each tree-width has an equal share of the time, and one more is left for the network of all rows.
    """
    points: list[HeldOutWidth] = []
    best: tuple[float, int, LearnResult] | None = None
    for at, width in enumerate(widths):
        learned = learn_width(data, width, run.end_within(share=1 / (len(widths) + 1 - at)))
        if not learned.has_network:
            break
        rows = fit_network(learned, data).log_likelihood(held_out, per_row=True)
        mean = float(rows.mean()) if len(rows) else -math.inf
        error = float(rows.std(ddof=1) / math.sqrt(len(rows))) if len(rows) > 1 and math.isfinite(mean) else math.inf
        points.append(HeldOutWidth(width, mean, error, learned.status))
        if best is None or mean > best[0]:
            best = mean, width, learned
        if run.stop.is_asked or run.clock.is_over:
            break
    if best is None:
        return WidthChoice((), widths[0], learned)
    return WidthChoice(tuple(points), best[1], best[2])
