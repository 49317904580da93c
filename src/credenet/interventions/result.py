"""The effects of interventions: P(y | do(x)) for pairs of variables, and how sure they are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from credenet._arguments import shown
from credenet._copies import copied_fields
from credenet._html import first_rows, paragraph
from credenet._json import AsJson
from credenet._text import count, probability, table
from credenet.errors import ArgumentError
from credenet.interventions.adjusting import Floats, Tables
from credenet.interventions.questions import Questions

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

ASSUMPTION = "Assumes that no two variables have a hidden common cause."

Interval = tuple[float, float]

_SHOWN = 40  # lines of a report
_MANY = 4  # variables or pairs that a note names


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect(AsJson):
    """What setting x does to y: distributions of y, by the state that x is set to.

    Attributes
    ----------
    means
        P(y | do(x)) as {state of x: {state of y: probability}}.
    intervals
        For each of these probabilities an interval that holds it with a probability of ``level``; None for a network
        with known tables.
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
    """

    x: str
    y: str
    means: dict[str, dict[str, float]]
    intervals: dict[str, dict[str, Interval]] | None
    range: dict[str, dict[str, Interval]]
    probability: float
    probability_error: float
    size: float
    size_interval: Interval | None
    by_parents: dict[tuple[str, ...], dict[str, dict[str, float]]] | None = None
    assumption: str = ASSUMPTION

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values."""
        return {
            "x": self.x,
            "y": self.y,
            "probability": self.probability,
            "probability_error": self.probability_error,
            "size": self.size,
            "size_interval": _as_list(self.size_interval),
            "means": self.means,
            "intervals": None if self.intervals is None else _as_lists(self.intervals),
            "range": _as_lists(self.range),
            "by_parents": None
            if self.by_parents is None
            else [{"parents": list(parents), "means": means} for parents, means in self.by_parents.items()],
            "assumption": self.assumption,
        }

    def summary(self) -> str:
        """The size and the probability of a path, in words."""
        if self.probability == 0 and self.size == 0:
            return "no effect, as no path leads from the one to the other"
        interval = "" if self.size_interval is None else f" ({_ends(self.size_interval, 4)})"
        path = "" if self.probability >= 1 else f"; a path with probability {probability(self.probability)}"
        return f"size {self.size:.4f}{interval}{path}"

    def __repr__(self) -> str:
        return f"<Effect of {self.x} on {self.y}, size {self.size:.3g}, probability {probability(self.probability)}>"


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Effects(AsJson):
    """Effects of setting variables, for many pairs (x, y); indexed by the pair, iterated as `Effect` objects.

    Attributes
    ----------
    among
        The network or networks that the effects are of, in words.
    method
        ``optimal`` or ``parents`` for the kind of adjustment sets, ``exact`` for inference in a network.
    is_average
        Whether the effects are averages over several networks.
    level, n_draws
        The level of the intervals, and the number of draws that they are made of. The share of the posterior that an
        interval holds has a standard error of about ``sqrt(level * (1 - level) / n_draws)``, 0.7 percent by default.
    ess
        The equivalent sample size of the prior of the tables.
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
    <Effects 7 pairs, averaged over the credible networks>
    >>> effect = effects["smoke", "bronc"]
    >>> [round(effect.means[state]["yes"], 2) for state in ("no", "yes")]
    [0.38, 0.57]
    """

    states: Mapping[str, tuple[str, ...]]
    among: str
    method: Literal["optimal", "parents", "exact"]
    is_average: bool = False
    level: float | None = None
    n_draws: int | None = None
    ess: float | None = None
    seed: int | None = None
    left_out: float = 0.0
    n_drawn_networks: int | None = None
    untold: tuple[tuple[str, str], ...] = ()
    assumption: str = ASSUMPTION
    _by_parents: Mapping[tuple[str, str], Mapping[tuple[str, ...], Floats]] | None = None
    _questions: Questions
    _tables: Tables
    _probabilities: Floats

    def __reduce__(self) -> tuple[Any, ...]:
        return copied_fields(self)

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
            raise ArgumentError(f"effects are indexed by a pair (x, y) that was asked for, got {shown(pair)}")
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
            else {parents: self._named(at, cells.tolist()) for parents, cells in self._by_parents[x, y].items()},
        )

    def _by_state(self, at: int, *columns: Floats | None) -> dict[str, dict[str, Any]]:
        """The cells of a pair: numbers of one column, or tuples of those of several."""
        cells = slice(self._begins[at], self._begins[at + 1])
        numbers = [column[cells].tolist() for column in columns if column is not None]
        return self._named(at, numbers[0] if len(numbers) == 1 else list(zip(*numbers, strict=True)))

    def _named(self, at: int, values: list[Any]) -> dict[str, dict[str, Any]]:
        """The cells of a pair by the states of x that are told of, and those of y."""
        x, y = self.pairs[at]
        labels, width = self.states[y], len(self.states[y])
        rows = ((state, self.states[x].index(state) * width) for state in self._questions.settings[x])
        return {state: dict(zip(labels, values[begin : begin + width], strict=True)) for state, begin in rows}

    def to_polars(self) -> pl.DataFrame:
        """A polars frame with a row for each pair, state of x and state of y.

        ``low`` and ``high`` are the ends of the interval, ``least`` and ``most`` those of the range over networks.
        """
        import polars as pl

        shown, tables = self._shown_cells(), self._tables
        pair_of = np.repeat(np.arange(len(self)), np.diff(self._begins))[shown]
        names = {
            "x": [x for x, y in self.pairs for _ in range(len(self._questions.settings[x]) * len(self.states[y]))],
            "do": [do for x, y in self.pairs for do in self._questions.settings[x] for _ in self.states[y]],
            "y": [y for x, y in self.pairs for _ in range(len(self._questions.settings[x]) * len(self.states[y]))],
            "state": [label for x, y in self.pairs for _ in self._questions.settings[x] for label in self.states[y]],
        }
        numbers = {
            "mean": tables.means[shown],
            "low": None if tables.low is None else tables.low[shown],
            "high": None if tables.high is None else tables.high[shown],
            "least": tables.least[shown],
            "most": tables.most[shown],
            "probability": self._probabilities[pair_of],
            "size": tables.sizes[pair_of, 0],
            "size_low": None if tables.low is None else tables.sizes[pair_of, 1],
            "size_high": None if tables.low is None else tables.sizes[pair_of, 2],
        }
        schema = dict.fromkeys(names, pl.String) | dict.fromkeys(numbers, pl.Float64)
        empty = [None] * len(pair_of)
        columns = names | {name: empty if values is None else values for name, values in numbers.items()}
        return pl.DataFrame(columns, schema=schema)

    def _shown_cells(self) -> NDArray[np.int64]:
        """The places of the cells whose states of x are told of, in the order of the frame."""
        found = []
        for (x, y), begin in zip(self.pairs, self._begins[:-1], strict=True):
            width = len(self.states[y])
            rows = [self.states[x].index(state) for state in self._questions.settings[x]]
            found += [begin + row * width + column for row in rows for column in range(width)]
        return np.array(found, dtype=np.int64)

    def to_pandas(self) -> Any:
        """The same for pandas, which must be installed."""
        from credenet.io.tables.frames import to_pandas

        return to_pandas(self.to_polars())

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values."""
        return {
            "assumption": self.assumption,
            "among": self.among,
            "method": self.method,
            "is_average": self.is_average,
            "level": self.level,
            "n_draws": self.n_draws,
            "ess": self.ess,
            "seed": self.seed,
            "left_out": self.left_out,
            "n_drawn_networks": self.n_drawn_networks,
            "untold": [list(pair) for pair in self.untold],
            "effects": [
                {name: value for name, value in effect.to_dict().items() if name != "assumption"} for effect in self
            ],
        }

    def __repr__(self) -> str:
        return f"<Effects {count(len(self), 'pair')}, {self._source()}>"

    def __str__(self) -> str:
        headers, rows = self._rows()
        more = f"\n… and {count(len(rows) - _SHOWN, 'more line')}" if len(rows) > _SHOWN else ""
        return "\n".join([self._title(), "", table(headers, rows[:_SHOWN]) + more, "", *self._notes()])

    def _repr_html_(self) -> str:
        headers, rows = self._rows()
        notes = "".join(map(paragraph, self._notes()))
        return first_rows(self._title(), headers, rows, numbers=range(2, len(headers))) + notes

    def _title(self) -> str:
        settings = self._questions.settings
        what = f"do({next(iter(settings))})" if len(settings) == 1 else "interventions"
        return f"Effects of {what}, {self._source()}"

    def _source(self) -> str:
        return f"averaged over {self.among}" if self.is_average else f"in {self.among}"

    def _rows(self) -> tuple[list[str], list[list[str]]]:
        """Each probability where there are few; else a line for each pair, the largest effects first."""
        return self._cell_rows() if len(self._shown_cells()) <= _SHOWN else self._pair_rows()

    def _cell_rows(self) -> tuple[list[str], list[list[str]]]:
        headers = ["do", "then", "probability"]
        with_intervals, with_range = self._tables.low is not None, self.is_average
        headers += [f"{100 * (self.level or 0):g} % interval"] * with_intervals + ["over networks"] * with_range
        rows = []
        for effect in self:
            for state, chances in effect.means.items():
                for label, mean in chances.items():
                    row = [f"{effect.x}={state}", f"{effect.y}={label}", f"{mean:.3f}"]
                    if effect.intervals is not None:
                        row.append(_ends(effect.intervals[state][label]))
                    rows.append(row + [_ends(effect.range[state][label])] * with_range)
        return headers, rows

    def _pair_rows(self) -> tuple[list[str], list[list[str]]]:
        headers = ["x", "y", "path", "size"]
        with_intervals = self._tables.low is not None
        headers += [f"{100 * (self.level or 0):g} % interval"] * with_intervals
        rows = []
        for at in np.argsort(-self._tables.sizes[:, 0], kind="stable").tolist():
            size, low, high = self._tables.sizes[at].tolist()
            row = [*self.pairs[at], probability(float(self._probabilities[at])), f"{size:.4f}"]
            rows.append(row + [f"{low:.4f} to {high:.4f}"] * with_intervals)
        return headers, rows

    def _notes(self) -> list[str]:
        notes = []
        if len(self) <= _SHOWN // 4:
            notes += [f"{effect.x} on {effect.y}: {effect.summary()}" for effect in self]
        if self._by_parents is not None and self.is_average:
            notes += self._notes_on_parents()
        elif self.is_average:
            notes.append("Path: the probability that x has a directed path to y; without one, x has no effect on y.")
        if self.n_drawn_networks is not None:
            number, error = f"{self.n_drawn_networks:,}", 0.5 / math.sqrt(self.n_drawn_networks)
            notes.append(f"Shares of networks are those of {number} networks drawn; standard error up to {error:.2g}.")
        if self.left_out > 1e-12:
            notes.append(f"Adjustment sets with up to {100 * self.left_out:.2g} % of the probability are left out.")
        return [*notes, self.assumption]

    def _notes_on_parents(self) -> list[str]:
        """Which parent sets there are, and which effects the graph does not tell."""
        assert self._by_parents is not None
        sets = {
            x: [", ".join(parents) or "none" for parents in several] for (x, _), several in self._by_parents.items()
        }
        notes = [f"Parents of {x} may be: {'; '.join(several)}." for x, several in sets.items() if len(sets) <= _MANY]
        if self.untold:
            pairs = [f"{x} on {y}" for x, y in self.untold[:_MANY]]
            more = f", and of {count(len(self.untold) - _MANY, 'other pair')}" if len(self.untold) > _MANY else ""
            notes.append(
                f"The graph does not tell the effect of {', '.join(pairs)}{more}: a causal path may begin with an edge "
                "without direction."
            )
        return [*notes, "Each parent set counts alike; path: the share of them with a directed path from x to y."]

    def plot(self, to: str | Path | Axes | None = None) -> Axes:
        """Matplotlib axes with the effects; needs the plot extra.

        For one x, the probabilities of each y with their intervals; for several, a heat map of the sizes of all pairs.

        Parameters
        ----------
        to
            A file (``.svg``, ``.png``, ``.pdf``), axes to draw into, or nothing for a new figure.
        """
        from credenet.drawing.effects import plot_effects

        return plot_effects(self, to)

    def save(self, path: str | Path) -> None:
        """Writes the effects to a file: ``.json``, or the frame as ``.csv`` or ``.parquet``."""
        from credenet.io.result_files import save_result

        save_result(self, path, "effects")


def _ends(interval: Interval, digits: int = 3) -> str:
    return f"{interval[0]:.{digits}f} to {interval[1]:.{digits}f}"


def _as_list(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)


def _as_lists(intervals: dict[str, dict[str, Interval]]) -> dict[str, dict[str, list[float]]]:
    return {state: {label: list(ends) for label, ends in each.items()} for state, each in intervals.items()}
