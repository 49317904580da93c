"""Effects as a frame: a row for each pair, state of x and state of y."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from numpy.typing import NDArray

from credenet.data.states import Label
from credenet.interventions.contrasts import Contrast, Kind

if TYPE_CHECKING:
    import polars as pl

    from credenet.interventions.result import Effects

_KINDS: tuple[Kind, ...] = get_args(Kind)
_COLUMNS = {kind: (kind, f"{kind}_low", f"{kind}_high") for kind in _KINDS}


def cells_to_show(effects: Effects) -> NDArray[np.int64]:
    """The positions of the shown cells, in the order of the frame."""
    found, states, questions = [], effects.states, effects._questions
    for (x, y), begin in zip(effects.pairs, effects._begins[:-1], strict=True):
        rows = [states[x].index(state) for state in questions.settings[x]]
        columns = [states[y].index(state) for state in questions.targets[y]]
        found += [begin + row * len(states[y]) + column for row in rows for column in columns]
    return np.array(found, dtype=np.int64)


def frame(effects: Effects) -> pl.DataFrame:
    import polars as pl

    names, numbers = _names(effects), _numbers(effects)
    contrasts = _contrasts(effects)
    schema = dict.fromkeys(names, pl.String) | dict.fromkeys(numbers, pl.Float64)
    schema |= {"against": pl.String} | dict.fromkeys(list(contrasts)[1:], pl.Float64)
    return pl.DataFrame(names | numbers | contrasts, schema=schema)


def _names(effects: Effects) -> dict[str, list[str]]:
    questions = effects._questions
    rows = [
        (x, str(do), y, str(state))
        for x, y in effects.pairs
        for do in questions.settings[x]
        for state in questions.targets[y]
    ]
    return {name: [row[at] for row in rows] for at, name in enumerate(("x", "do", "y", "state"))}


def _numbers(effects: Effects) -> dict[str, Any]:
    """The columns of means with intervals and ranges, and of facts about each pair; without draws no intervals."""
    shown, tables = cells_to_show(effects), effects._tables
    pair_of = np.repeat(np.arange(len(effects)), np.diff(effects._begins))[shown]
    empty = [None] * len(shown)
    has_draws = tables.low is not None and tables.high is not None
    return {
        "mean": tables.means[shown],
        "low": empty if tables.low is None else tables.low[shown],
        "high": empty if tables.high is None else tables.high[shown],
        "least": tables.least[shown],
        "most": tables.most[shown],
        "probability": effects._probabilities[pair_of],
        "size": tables.sizes[pair_of, 0],
        "size_low": tables.sizes[pair_of, 1] if has_draws else empty,
        "size_high": tables.sizes[pair_of, 2] if has_draws else empty,
    }


def _contrasts(effects: Effects) -> dict[str, list[Any]]:
    """The columns of the baseline state of x and of each kind of contrast with its interval."""
    questions = effects._questions
    columns: dict[str, list[Any]] = {"against": [], **{name: [] for kind in _KINDS for name in _COLUMNS[kind]}}
    for (x, y), contrasts in zip(effects.pairs, effects._contrasts(effects.pairs), strict=True):
        by_row: dict[tuple[Label, Label], list[Contrast]] = {}
        for each in contrasts:
            by_row.setdefault((each.do, each.state), []).append(each)
        for do in questions.settings[x]:
            for state in questions.targets[y]:
                row = by_row.get((do, state), [])
                columns["against"].append(str(row[0].against) if row else None)
                _add(columns, row)
    return columns


def _add(columns: dict[str, list[Any]], row: list[Contrast]) -> None:
    found = {each.kind: (each.estimate, each.low, each.high) for each in row}
    for kind, names in _COLUMNS.items():
        for name, value in zip(names, found.get(kind, (None, None, None)), strict=True):
            columns[name].append(value)
