"""p(y | do(x)) estimated from data by adjustment sets, averaged over several of them.

For a set Z of joint states z, p(y | do(x)) = sum over z of p(z) p(y | x, z). With ess spread evenly over the cells of
the table, the posterior of p(z) and of each p(y | x, z) is a Dirichlet distribution. So the mean is exact, and
intervals come from independent draws (categorical Bayesian IDA: Kvisgaard and Pensar 2025, after Pensar et al. 2020).
If y is in Z, x has no effect on y, and p(y | do(x)) = p(y).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.run import Run
from credenet._run.status import require_end
from credenet.errors import DataError

if TYPE_CHECKING:
    from credenet.data.dataset import Dataset

Floats = NDArray[np.float64]
Weighted = Mapping[tuple[str, ...], float]

_TOGETHER = 64  # Pairs whose draws are made at a time.


class AdjustmentGroup(NamedTuple):
    """One x and several y with the adjustment sets that they share, whose weights sum to 1."""

    x: str
    targets: Sequence[str]
    sets: Weighted


class EffectSettings(NamedTuple):
    """The prior of the tables, the level of intervals, and the number of draws for intervals."""

    ess: float
    level: float
    n_draws: int


class AdjustedTables(NamedTuple):
    """Answers for pairs, one after another: a table (rows are states of x, columns states of y) for each.

    ``sizes`` has the mean and the interval of the Jensen-Shannon divergence. Without draws there are no intervals.
    """

    means: Floats
    least: Floats
    most: Floats
    low: Floats | None
    high: Floats | None
    sizes: Floats


@dataclass(frozen=True)
class TableEstimates:
    """The parts from which the draws of a pair can be repeated; a seed gives the same draws."""

    data: Dataset
    groups: Sequence[AdjustmentGroup]
    settings: EffectSettings
    seed: int

    @cached_property
    def _group_of(self) -> dict[tuple[str, str], AdjustmentGroup]:
        return {(group.x, y): group for group in self.groups for y in group.targets}

    def draws(self, pairs: Sequence[tuple[str, str]]) -> Iterator[Floats]:
        """For each pair its draws of p(y | do(x)): by draw, state of x and state of y, in a random order."""
        n_draws, shapes = self.settings.n_draws, [self._shape(*pair) for pair in pairs]
        run = Run.from_limits(None, None, None, None, seed=self.seed)
        order = np.random.default_rng(self.seed).permutation(n_draws)
        for first in range(0, len(pairs), _TOGETHER):
            some, shapes_of = pairs[first : first + _TOGETHER], shapes[first : first + _TOGETHER]
            ends = np.cumsum([math.prod(shape) * n_draws for shape in shapes_of]).tolist()
            numbers = np.empty(ends[-1])
            groups = [AdjustmentGroup(x, [y], self._group_of[x, y].sets) for x, y in some]
            adjust_for_sets(self.data, groups, self.settings, run, numbers)
            for shape, begin, end in zip(shapes_of, [0, *ends], ends, strict=False):
                yield numbers[begin:end].reshape(*shape, n_draws)[:, :, order].transpose(2, 0, 1)

    def _shape(self, x: str, y: str) -> tuple[int, int]:
        return len(self.data.states[x]), len(self.data.states[y])


def adjust_for_sets(
    data: Dataset, groups: Sequence[AdjustmentGroup], settings: EffectSettings, run: Run, draws: Floats | None = None
) -> AdjustedTables:
    """The answers for all pairs, in the order of the groups and their y; ``draws`` receives the draws of each cell."""
    place = {name: at for at, name in enumerate(data.variables)}
    sets = [sorted(place[name] for name in members) for group in groups for members in group.sets]
    cells = [len(data.states[group.x]) * len(data.states[y]) for group in groups for y in group.targets]
    means, least, most, low, high = (np.empty(sum(cells)) for _ in range(5))
    sizes = np.empty(3 * len(cells))
    status = _core.estimate_effects(
        source=data._count_source(),
        n_states=data.n_states,
        x=_places([place[group.x] for group in groups]),
        y_begins=_begins([len(group.targets) for group in groups]),
        y=_places([place[y] for group in groups for y in group.targets]),
        set_begins=_begins([len(group.sets) for group in groups]),
        set_weights=np.array([weight for group in groups for weight in group.sets.values()], dtype=np.float64),
        member_begins=_begins([len(members) for members in sets]),
        members=_places([at for members in sets for at in members]),
        ess=settings.ess,
        level=settings.level,
        n_draws=settings.n_draws,
        seed=run.seed,
        n_threads=run.n_threads,
        means=means,
        least=least,
        most=most,
        low=low,
        high=high,
        sizes=sizes,
        draws=np.empty(0) if draws is None else draws,
        on_progress=run.callback(),
    )
    require_end(status, DataError("the estimation of effects was stopped"))
    return AdjustedTables(means, least, most, low, high, sizes.reshape(-1, 3))


def keep_probable(sets: Weighted, mass: float) -> tuple[dict[tuple[str, ...], float], float]:
    """The most probable sets that together have a share of the probability, as weights that sum to 1; and the rest."""
    ordered = sorted(sets.items(), key=lambda item: -item[1])
    sums = np.cumsum([share for _, share in ordered])
    total = float(sums[-1])
    number = len(ordered) if mass >= 1 else int(np.searchsorted(sums, mass * total)) + 1
    chosen = ordered[:number]
    weight = float(sums[len(chosen) - 1])
    return {members: share / weight for members, share in chosen}, 1.0 - weight / total


def _begins(lengths: Sequence[int]) -> NDArray[np.int64]:
    return np.cumsum([0, *lengths], dtype=np.int64)


def _places(values: Sequence[int]) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32)
