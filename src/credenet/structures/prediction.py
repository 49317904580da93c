"""Prediction of one variable, averaged over networks.

The tables of each network are fitted to the data, and the predictions for a row are averaged with the probabilities of
the networks. In a complete row only the families of the target and of its children matter. Networks that share these
are treated together, and each family is fitted and looked up once. Rows with missing cells need inference in every
network.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credenet._arguments import show_value
from credenet._run.memory import check_memory
from credenet._text import listing
from credenet.data.dataset import Dataset
from credenet.data.sources import as_dataset
from credenet.errors import ArgumentError, DataError, NetworkError
from credenet.networks.fitting import MAX_TABLE_CELLS, fit, probabilities_of
from credenet.structures.network_averages import family_around
from credenet.structures.weighted_choices import WeightedChoices

if TYPE_CHECKING:
    from credenet.data.sources import DataLike
    from credenet.settings.scores import Smoothing


MOST_INFERRED = 10_000  # Networks at most in which inference runs one by one.
_BLOCK_CELLS = 1 << 23  # Probabilities in memory at a time, one per family, row and state of the target.
_NONE = -1  # Place that stands for a family that does not affect the target.


def predict_proba(
    averaged: WeightedChoices,
    rows: DataLike,
    target: str,
    data: DataLike,
    smoothing: Smoothing | None,
    n_threads: int | None,
) -> NDArray[np.float64]:
    """The probabilities of the target's states, one row for each of ``rows``.

    ``rows`` may have missing cells, but then inference runs in each network. The tables are fitted to ``data``.
    """
    names = averaged.families.variables
    data = as_dataset(data)
    rows = as_dataset(rows, "rows", missing="keep", only=data.states, known=data.states)
    if not isinstance(target, str) or target not in names:
        raise ArgumentError(f"target must be a variable of the networks, got {show_value(target)}")
    unknown = [name for name in names if name not in data.states]
    if unknown:
        raise DataError(f"the networks have variables that the data do not have: {listing(unknown)}")
    if averaged.n_networks == 0:
        raise ArgumentError("there are no networks to predict with")
    states = {name: data.states[name] for name in names}
    n_states = len(states[target])
    check_memory(8 * len(rows) * n_states, f"a prediction of {len(rows)} rows", "predict fewer rows at a time")
    result = np.zeros((len(rows), n_states))
    around = _TargetTables(averaged, target, data, smoothing)
    complete = _complete_rows(rows, around.needed)
    if complete.any():
        used = _some(rows, complete).aligned({name: states[name] for name in around.needed})
        result[complete] = around.predict(used)
    if not complete.all():
        rest = _some(rows, ~complete)
        result[~complete] = _predict_by_inference(averaged, rest, target, data, smoothing, n_threads)
    return result


def _some(rows: Dataset, chosen: NDArray[np.bool_]) -> Dataset:
    """Some of the rows; errors still count rows as in the source."""
    at = np.flatnonzero(chosen)
    return rows.take(at)._number_rows(at if rows._source_rows is None else rows._source_rows[at])


def _complete_rows(rows: Dataset, needed: list[str]) -> NDArray[np.bool_]:
    if any(name not in rows.states for name in needed):
        return np.zeros(len(rows), dtype=np.bool_)
    columns = [rows.index(name) for name in needed]
    return np.asarray((rows.codes[:, columns] != rows.missing_code).all(axis=1))


def _predict_by_inference(
    averaged: WeightedChoices,
    rows: Dataset,
    target: str,
    data: Dataset,
    smoothing: Smoothing | None,
    n_threads: int | None,
) -> NDArray[np.float64]:
    if averaged.n_networks > MOST_INFERRED:
        raise ArgumentError(
            f"rows with missing cells need inference in each of the {averaged.n_networks:,} networks, more than "
            f"{MOST_INFERRED:,}; complete the rows, or predict with listing.first({MOST_INFERRED})"
        )
    result = np.zeros((len(rows), len(data.states[target])))
    for network in averaged.networks():
        fitted = fit(data, network.dag, smoothing=smoothing, n_threads=n_threads)
        result += network.probability * fitted.predict_proba(rows, target, n_threads=n_threads)
    return result


@dataclass(frozen=True, slots=True)
class _TargetTable:
    """The table of a family, with the target's axis last, and the variables of the other axes."""

    others: tuple[str, ...]
    log_table: NDArray[np.float64]

    def log_likelihoods(self, codes: dict[str, NDArray[Any]]) -> NDArray[np.float64]:
        """For each row and state of the target, log P(child | parents)."""
        return np.asarray(self.log_table[tuple(codes[name] for name in self.others)])


class _TargetTables:
    """The predictions of the networks for a target, given all other variables."""

    def __init__(self, averaged: WeightedChoices, target: str, data: Dataset, smoothing: Smoothing | None) -> None:
        families = averaged.families
        self._names, self._flat = families.variables, families.flat()
        self._target, self._data, self._smoothing = target, data, smoothing
        place = self._names.index(target)
        columns = family_around(families, place)
        bears = np.zeros(len(self._flat.scores), dtype=np.bool_)
        bears[self._flat.starts[place] : self._flat.starts[place + 1]] = True
        with_target = np.flatnonzero(self._flat.parents == place)
        bears[np.searchsorted(self._flat.offsets, with_target, side="right") - 1] = True
        # The shares of networks by the families that affect the target.
        self._shares: dict[tuple[int, ...], float] = {}
        for choices, shares in averaged.blocks_around(columns, "prediction"):
            chosen = choices[:, columns]
            chosen = np.where(bears[chosen], chosen, _NONE)
            several, inverse = np.unique(chosen, axis=0, return_inverse=True)
            sums = np.bincount(inverse.reshape(-1), weights=shares, minlength=len(several))
            for key, share in zip(map(tuple, several.tolist()), sums.tolist(), strict=True):
                self._shares[key] = self._shares.get(key, 0.0) + share
        used = sorted({at for key in self._shares for at in key} - {_NONE})
        self._families = {at: self._fit(at) for at in used}
        names = {name for family in self._families.values() for name in family.others}
        self.needed = [name for name in self._names if name in names]

    def _fit(self, at: int) -> _TargetTable:
        """The table of a family, counted in the data and smoothed."""
        flat, data = self._flat, self._data
        child = self._names[int(flat.children[at])]
        parents = [self._names[p] for p in flat.parents_of(at)]
        family = (*parents, child)
        shape = [len(data.states[name]) for name in family]
        if np.prod(shape, dtype=np.float64) > MAX_TABLE_CELLS:
            raise NetworkError(f"the table of {child!r} with {len(parents)} parents would be too large")
        if any(name in data.missing for name in family):
            raise DataError(f"fitting needs complete rows; cells are missing in {', '.join(data.missing)}")
        cells = np.ravel_multi_index([data.codes[:, data.index(name)] for name in family], shape)
        counts = np.bincount(cells, weights=data.weights, minlength=int(np.prod(shape))).astype(np.float64)
        table = probabilities_of(counts.reshape(shape), self._smoothing, family, data.states)
        axis = family.index(self._target)
        with np.errstate(divide="ignore"):
            log_table = np.log(np.moveaxis(table, axis, -1))
        return _TargetTable(tuple(name for name in family if name != self._target), log_table)

    def predict(self, rows: Dataset) -> NDArray[np.float64]:
        n_states = len(self._data.states[self._target])
        result = np.zeros((len(rows), n_states))
        step = max(1, _BLOCK_CELLS // (n_states * len(self._families)))
        for first in range(0, len(rows), step):
            block = slice(first, min(first + step, len(rows)))
            codes = {name: rows.codes[block, at] for at, name in enumerate(rows.variables)}
            size = block.stop - block.start
            likelihoods = {
                at: np.broadcast_to(family.log_likelihoods(codes), (size, n_states))
                for at, family in self._families.items()
            }
            for key, share in self._shares.items():
                logs = sum(likelihoods[at] for at in key if at != _NONE)
                assert not isinstance(logs, int)  # The target always has a family.
                highest = logs.max(axis=1, keepdims=True)
                if np.isneginf(highest).any():
                    row = first + int(np.argmax(np.isneginf(highest)))
                    raise NetworkError(f"row {rows._row_number(row)} has probability 0 in one of the networks")
                weights = np.exp(logs - highest)
                result[block] += share * weights / weights.sum(axis=1, keepdims=True)
        return result
