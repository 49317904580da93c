"""The effects of interventions: P(y | do(x)) for pairs of variables, and how sure they are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from credenet import _later
from credenet._arguments import one_of, show_value
from credenet._copies import copy_fields
from credenet._json import AsJson
from credenet._run.status import Status
from credenet._text import byte_count, count, probability
from credenet.data.states import Label, StateLabels, text_keys
from credenet.errors import ArgumentError
from credenet.interventions import wording
from credenet.interventions.adjusting import AdjustedTables, Floats, TableEstimates
from credenet.interventions.contrasts import Contrast, Kind, Risks, contrast
from credenet.interventions.frames import frame
from credenet.interventions.questions import Questions, check_label
from credenet.learners.results import Provenance, Statistics

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

ASSUMPTION = "Assumes that no two variables have a hidden common cause."

Interval = tuple[float, float]
Cell = TypeVar("Cell")
Cells = dict[Label, dict[Label, Cell]]

_MOST_NUMBERS = 1 << 27  # Numbers in the draws of all pairs together, at most.


@dataclass(frozen=True, kw_only=True, repr=False)
class Effect(AsJson):
    """The effect of setting x on y: distributions of y by the state that x is set to.

    Attributes
    ----------
    means
        P(y | do(x)) as {state of x: {state of y: probability}}.
    intervals
        For each of these probabilities an interval that holds it with a probability of ``level``; None for a network
        with known tables. An end is 0 or 1 where no row speaks against that limit, and rows hardly tell the two apart.
    range
        The smallest and the largest estimate by a single network.
    probability
        The probability of a directed path from x to y. Without such a path, x has no effect on y.
    probability_error
        The standard error of this probability, where it is the share of networks that were drawn; else 0.
    size
        The Jensen-Shannon divergence of the distributions, in nats: 0 if all are equal, at most the logarithm of the
        number of states of x.
    size_interval
        An interval for the size, as for the probabilities.
    by_parents
        For a graph and ``adjust="parents"``, P(y | do(x)) for each parent set of x that the graph allows (IDA).
    contrasts
        Risk differences, risk ratios and odds ratios of the states that were asked for: each state that x is set to
        against the state ``against``; see `Contrast`.

    Examples
    --------
    >>> import credenet
    >>> effects = credenet.effects(credenet.textbook.sprinkler(), "sprinkler", "wet_grass")
    >>> effect = effects["sprinkler", "wet_grass"]
    >>> round(effect.means["true"]["true"], 3)
    0.945
    """

    x: str
    y: str
    means: Cells[float]
    intervals: Cells[Interval] | None
    range: Cells[Interval]
    probability: float
    probability_error: float
    size: float
    size_interval: Interval | None
    by_parents: dict[tuple[str, ...], Cells[float]] | None = None
    assumption: str = ASSUMPTION
    _all: Effects = field(repr=False, compare=False)

    @cached_property
    def contrasts(self) -> tuple[Contrast, ...]:
        return next(self._all._contrasts([(self.x, self.y)]))

    def contrast(self, do: Label, against: Label, state: Label, *, kind: Kind = "difference") -> Contrast:
        """P(y = state | do(x = do)) against P(y = state | do(x = against)), for any states.

        Parameters
        ----------
        kind
            ``"difference"`` (risk difference), ``"ratio"`` (risk ratio) or ``"odds_ratio"``.

        Examples
        --------
        >>> import credenet
        >>> effect = credenet.textbook.asia().effects("smoke", "lung")["smoke", "lung"]
        >>> round(effect.contrast("yes", "no", "yes", kind="ratio").estimate, 3)
        10.0
        """
        one_of("kind", kind, get_args(Kind))
        do, against = (check_label(self.x, label, self._all.states[self.x]) for label in (do, against))
        state = check_label(self.y, state, self._all.states[self.y])
        if do == against:
            raise ArgumentError(f"do and against must be different states of {self.x!r}, both are {do!r}")
        return self._all._contrast((self.x, self.y), kind, (do, against, state), self._cells)

    def draws(self) -> Cells[NDArray[np.float64]]:
        """Draws of P(y | do(x)) as {state of x: {state of y: array of n_draws}}, for all states.

        The i-th numbers of all arrays are one draw: of a network, and of its tables. So any function of them, number by
        number, gives draws of that function, and quantiles of these are an interval. The same seed gives the same
        draws; their order is random. Draws of different pairs are not joint.

        Examples
        --------
        >>> import credenet
        >>> data = credenet.datasets.asia(1000, seed=1)
        >>> effect = credenet.effects(credenet.textbook.asia().dag, "smoke", "bronc", data=data)["smoke", "bronc"]
        >>> draws = effect.draws()
        >>> avoided = 1 - draws["no"]["yes"] / draws["yes"]["yes"]  # the share of cases that would not be
        >>> avoided.shape, bool(0.3 < avoided.mean() < 0.6)
        ((1000,), True)
        """
        _, cells = self._cells
        if cells is None:
            raise ArgumentError("effects in a network with tables are exact: there are no draws, only means")
        return {
            do: {state: cells[:, row, column].copy() for column, state in enumerate(self._all.states[self.y])}
            for row, do in enumerate(self._all.states[self.x])
        }

    @property
    def _cells(self) -> tuple[Floats, Floats | None]:
        return next(self._all._cells([(self.x, self.y)]))

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values."""
        return {**self._to_dict(self.contrasts), "assumption": self.assumption}

    def _to_dict(self, contrasts: tuple[Contrast, ...]) -> dict[str, Any]:
        return {
            "x": self.x,
            "y": self.y,
            "contrasts": [each.to_dict() for each in contrasts],
            "probability": self.probability,
            "probability_error": self.probability_error,
            "size": self.size,
            "size_interval": _as_list(self.size_interval),
            "means": _write_cells(self.means),
            "intervals": None if self.intervals is None else _as_lists(self.intervals),
            "range": _as_lists(self.range),
            "by_parents": None
            if self.by_parents is None
            else [
                {"parents": list(parents), "means": _write_cells(means)} for parents, means in self.by_parents.items()
            ],
        }

    def summary(self) -> str:
        """The differences in words, or that there is no effect."""
        return "\n".join(wording.sentences(self))

    def __repr__(self) -> str:
        return f"<Effect of {self.x} on {self.y}, size {self.size:.3g}, probability {probability(self.probability)}>"


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Effects(AsJson):
    """Effects of setting variables, for many pairs (x, y); indexed by the pair, iterated as `Effect` objects.

    Attributes
    ----------
    among
        The network or networks that the effects are of, in words.
    covered_mass
        The share of the posterior over all networks that these networks hold; None where it is not known, or where the
        effects are those of one graph or network.
    judged_by
        The score and the prior that the networks have their probabilities from.
    method
        ``optimal`` or ``parents`` for the kind of adjustment sets, ``exact`` for inference in a network.
    is_average
        Whether the effects are averages over several networks.
    level, n_draws
        The level of the intervals, and the number of draws that they are made of. The share of the posterior that an
        interval holds has a standard error of about ``sqrt(level * (1 - level) / n_draws)``, 0.7 percent by default.
    ess
        The equivalent sample size of the prior of the tables.
    provenance, statistics
        The data, the seed and the version of this library; what the work took.
    left_out
        The largest share of the adjustment sets of a pair that was left out.
    untold
        The pairs whose effect the graph does not tell, as a causal path may begin with an undirected edge (it is not
        amenable).
    assumption
        What must hold for these numbers to be effects.

    Examples
    --------
    >>> import credenet
    >>> data = credenet.datasets.asia(1000, seed=1)
    >>> effects = credenet.credible_networks(data, bayes_factor=20).effects("smoke", data=data)
    >>> effects
    <Effects 7 pairs, averaged over the credible networks, which hold 25 % of the posterior>
    >>> effect = effects["smoke", "bronc"]
    >>> [round(effect.means[state]["yes"], 2) for state in ("no", "yes")]
    [0.38, 0.57]
    """

    states: StateLabels
    among: str
    method: Literal["optimal", "parents", "exact"]
    is_average: bool = False
    covered_mass: float | None = None
    judged_by: str | None = None
    level: float | None = None
    n_draws: int | None = None
    ess: float | None = None
    provenance: Provenance
    statistics: Statistics
    left_out: float = 0.0
    n_drawn_networks: int | None = None
    untold: tuple[tuple[str, str], ...] = ()
    assumption: str = ASSUMPTION
    _by_parents: Mapping[tuple[str, str], Mapping[tuple[str, ...], Floats]] | None = None
    _estimates: TableEstimates | None = None
    _questions: Questions
    _tables: AdjustedTables
    _probabilities: Floats

    def __reduce__(self) -> tuple[Any, ...]:
        return copy_fields(self)

    @property
    def status(self) -> Status:
        """``complete``: effects that a limit ends are an error."""
        return "complete"

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs (x, y)."""
        return self._questions.pairs

    @cached_property
    def _places(self) -> dict[tuple[str, str], int]:
        return {pair: at for at, pair in enumerate(self.pairs)}

    @cached_property
    def _begins(self) -> list[int]:
        cells = [len(self.states[x]) * len(self.states[y]) for x, y in self.pairs]
        return [0, *accumulate(cells)]

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Effect]:
        return (self._effect(at) for at in range(len(self)))

    def __getitem__(self, pair: tuple[str, str]) -> Effect:
        if not isinstance(pair, tuple) or pair not in self._places:
            raise ArgumentError(f"effects are indexed by a pair (x, y) that was asked for, got {show_value(pair)}")
        return self._effect(self._places[pair])

    def _effect(self, at: int) -> Effect:
        (x, y), tables = self.pairs[at], self._tables
        share, (size, low, high) = float(self._probabilities[at]), tables.sizes[at].tolist()
        has_intervals = tables.low is not None and tables.high is not None
        return Effect(
            x=x,
            y=y,
            means=self._by_state(at, tables.means),
            intervals=self._by_state(at, tables.low, tables.high) if has_intervals else None,
            range=self._by_state(at, tables.least, tables.most),
            probability=share,
            probability_error=math.sqrt(share * (1 - share) / self.n_drawn_networks) if self.n_drawn_networks else 0.0,
            size=size,
            size_interval=(low, high) if has_intervals else None,
            by_parents=None
            if self._by_parents is None
            else {parents: self._name_cells(at, cells.tolist()) for parents, cells in self._by_parents[x, y].items()},
            _all=self,
        )

    def draws(self) -> dict[tuple[str, str], Cells[NDArray[np.float64]]]:
        """The draws of each pair (x, y); see `Effect.draws`."""
        numbers = self._begins[-1] * (self.n_draws or 0)
        if numbers > _MOST_NUMBERS:
            size = byte_count(8 * numbers)
            raise ArgumentError(f"the draws of {count(len(self), 'pair')} take {size}; ask for those of one Effect")
        return {(effect.x, effect.y): effect.draws() for effect in self}

    def _cells(self, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[Floats, Floats | None]]:
        """For each pair the means by state of x and state of y, and the draws, if there are any."""
        drawn = repeat(None, len(pairs)) if self._estimates is None else self._estimates.draws(pairs)
        for pair, draws in zip(pairs, drawn, strict=True):
            yield self._means_of(pair), draws

    def _means_of(self, pair: tuple[str, str]) -> Floats:
        """The means by state of x and state of y, for all states."""
        at = self._places[pair]
        cells = self._tables.means[self._begins[at] : self._begins[at + 1]]
        return cells.reshape(len(self.states[pair[0]]), len(self.states[pair[1]]))

    def _contrasts(self, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[Contrast, ...]]:
        """The contrasts that were asked for, of each of some pairs."""
        for pair, cells in zip(pairs, self._cells(pairs), strict=True):
            comparisons, states = self._questions.comparisons(pair[0]), self._questions.targets[pair[1]]
            yield tuple(
                self._contrast(pair, kind, (do, against, state), cells)
                for do, against in comparisons
                for state in states
                for kind in get_args(Kind)
            )

    def _contrast(
        self, pair: tuple[str, str], kind: Kind, labels: tuple[Label, Label, Label], cells: tuple[Floats, Floats | None]
    ) -> Contrast:
        (x, y), (do, against, state), (means, draws) = pair, labels, cells
        places = self.states[x].index(do), self.states[x].index(against), self.states[y].index(state)
        drawn = None if draws is None else Risks.from_table(draws, *places)
        return contrast(kind, labels, pair, Risks.from_table(means, *places), drawn, self.level or 0.0)

    def _by_state(self, at: int, *columns: Floats | None) -> Cells[Any]:
        """The cells of a pair: numbers of one column, or tuples of the numbers of several columns."""
        cells = slice(self._begins[at], self._begins[at + 1])
        numbers = [column[cells].tolist() for column in columns if column is not None]
        return self._name_cells(at, numbers[0] if len(numbers) == 1 else list(zip(*numbers, strict=True)))

    def _name_cells(self, at: int, values: list[Any]) -> Cells[Any]:
        """The cells of a pair by the reported states of x and of y."""
        x, y = self.pairs[at]
        labels, width = self.states[y], len(self.states[y])
        rows = ((state, self.states[x].index(state) * width) for state in self._questions.settings[x])
        columns = [(label, labels.index(label)) for label in self._questions.targets[y]]
        return {do: {label: values[begin + column] for label, column in columns} for do, begin in rows}

    def to_polars(self) -> pl.DataFrame:
        """A polars frame with a row for each pair, state of x and state of y.

        ``low`` and ``high`` are the ends of the interval, ``least`` and ``most`` those of the range over networks.
        ``difference``, ``ratio`` and ``odds_ratio`` compare with the state ``against`` of x, each with its interval;
        they are null in the rows of that state.
        """
        return frame(self)

    def to_pandas(self) -> Any:
        """The frame of `to_polars` for pandas, which must be installed."""
        return _later.io_tables_frames.to_pandas(self.to_polars())

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values."""
        return {
            "assumption": self.assumption,
            "among": self.among,
            "covered_mass": self.covered_mass,
            "judged_by": self.judged_by,
            "method": self.method,
            "is_average": self.is_average,
            "level": self.level,
            "n_draws": self.n_draws,
            "ess": self.ess,
            "provenance": self.provenance.to_dict(),
            "left_out": self.left_out,
            "n_drawn_networks": self.n_drawn_networks,
            "untold": [list(pair) for pair in self.untold],
            "effects": [
                effect._to_dict(contrasts) for effect, contrasts in zip(self, self._contrasts(self.pairs), strict=True)
            ],
        }

    def __repr__(self) -> str:
        return f"<Effects {count(len(self), 'pair')}, {wording.source(self)}>"

    def __str__(self) -> str:
        return wording.report(self)

    def _repr_html_(self) -> str:
        return wording.html(self)

    def plot(self, to: str | Path | Axes | None = None) -> Axes:
        """Matplotlib axes with the effects; needs the plot extra.

        For one x, the probabilities of each y with their intervals; for several, a heat map of the sizes of all pairs.

        Parameters
        ----------
        to
            A file (``.svg``, ``.png``, ``.pdf``), axes to draw into, or nothing for a new figure.
        """
        return _later.drawing_effects.plot_effects(self, to)

    def save(self, path: str | Path) -> None:
        """Writes the effects as ``.json``, which `load` reads, or the frame as ``.csv`` or ``.parquet``.

        The ``.json`` of effects that were estimated from data holds the rows of these data, which `draws` needs.
        """
        _later.io_result_files.save_result(self, path, "effects")

    @classmethod
    def load(cls, path: str | Path) -> Effects:
        """The effects in a ``.json`` file that `save` wrote."""
        return _later.io_results_files.load_result(path, cls)


def _as_list(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)


def _as_lists(intervals: Cells[Interval]) -> dict[str, dict[str, list[float]]]:
    return _write_cells(
        {state: {label: list(ends) for label, ends in each.items()} for state, each in intervals.items()}
    )


def _write_cells(cells: Cells[Cell]) -> dict[str, dict[str, Cell]]:
    return {str(state): text_keys(each) for state, each in cells.items()}
