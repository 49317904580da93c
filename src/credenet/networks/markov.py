"""Markov networks: a product of non-negative factors over discrete variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credenet import _later
from credenet._advised import check_keywords
from credenet._arguments import list_values, name_list, show_value
from credenet._files.files import read_text
from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet._text import count
from credenet._warnings import warn_caller
from credenet.data.states import Label, StateLabels
from credenet.errors import ArgumentError, NetworkError
from credenet.inference.model import FactorModel
from credenet.inference.row_sampling import draw_rows
from credenet.networks.checks import check_states
from credenet.networks.queryable import Queryable
from credenet.settings.inference import ROW_METHODS, row_sampler

if TYPE_CHECKING:
    from credenet.data.dataset import Dataset
    from credenet.settings.inference import RowSampler, RowSamplerName


class MarkovNetwork(Queryable):
    """Non-negative factors over discrete variables; their product is a distribution up to a constant. Immutable.

    Attributes
    ----------
    states
        State labels of each variable.
    factors
        The variables of each factor and its table, with an axis for each of them.

    Examples
    --------
    >>> agree = [[2.0, 1.0], [1.0, 2.0]]
    >>> friends = MarkovNetwork(
    ...     states={"ann": ["no", "yes"], "bob": ["no", "yes"]}, factors=[(["ann", "bob"], agree)]
    ... )
    >>> friends
    <MarkovNetwork 2 variables, 1 factor>
    >>> round(friends.infer({"ann": "yes"}).marginals()["bob"]["yes"], 4)
    0.6667
    """

    __slots__ = ("_model", "factors", "states")

    states: StateLabels
    factors: tuple[tuple[tuple[str, ...], NDArray[np.float64]], ...]
    _model: FactorModel

    def __init__(self, states: Mapping[str, Sequence[Label]], factors: Sequence[tuple[Sequence[str], Any]]) -> None:
        named = check_states(states)
        index = {name: at for at, name in enumerate(named)}
        pairs = list_values("factors", factors, "pairs (variables, table)")
        for pair in pairs:
            if not isinstance(pair, tuple | list) or len(pair) != 2:
                raise ArgumentError(f"factors must be a list of pairs (variables, table), but has {show_value(pair)}")
        checked = tuple(_check_factor(at, scope, table, named) for at, (scope, table) in enumerate(pairs))
        flat = np.concatenate([table.reshape(-1) for _, table in checked]) if checked else np.empty(0)
        scopes = [[index[name] for name in scope] for scope, _ in checked]
        set_field = object.__setattr__
        set_field(self, "states", MappingProxyType(named))
        set_field(self, "factors", checked)
        set_field(self, "_model", FactorModel.from_tables(self.states, scopes, flat, directed=False))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a MarkovNetwork cannot be changed")

    def __reduce__(self) -> tuple[Any, ...]:
        return MarkovNetwork, (dict(self.states), self.factors)

    @staticmethod
    def load(path: str | Path) -> MarkovNetwork:
        """The factors in a UAI file, MARKOV or BAYES, or in a ``.gz`` of one."""
        return _later.io_networks_uai.parse_factors(read_text(path), path)

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(self.states)

    @property
    def n_states(self) -> NDArray[np.int32]:
        """The number of states of each variable."""
        return self._model.n_states.copy()

    @check_keywords
    def sample(
        self,
        n_rows: int,
        *,
        method: RowSampler | RowSamplerName | str = "auto",
        memory_limit: float | None = None,
        seed: int | None = 0,
        n_threads: int | None = None,
        on_progress: OnProgress | None = None,
    ) -> Dataset:
        """Rows drawn from the distribution; the same for a seed with any number of threads.

        Parameters
        ----------
        method
            ``exact``: independent rows, drawn in a clique tree. ``gibbs`` or ``Gibbs(...)``: rows of Gibbs chains.
            These are not independent, and a warning says if the chains disagree; ``samples`` is ignored.
            ``importance_sampling`` or ``ImportanceSampling(...)``: rows resampled by importance weights, which reach
            states that Gibbs chains may not; rows of little weight are left out, and the others have a row weight
            below 1 if they are worth fewer independent rows. ``auto`` is exact if that fits into memory, else gibbs.
        seed
            A second call with the same seed, by default 0, repeats the rows. None draws a fresh one.

        Examples
        --------
        >>> coin = MarkovNetwork({"a": ["0", "1"], "b": ["0", "1"]}, [(["a", "b"], [[1.0, 0.0], [0.0, 1.0]])])
        >>> coin.sample(5, seed=1)
        <Dataset 5 rows, 2 variables>
        """
        chosen = row_sampler(ROW_METHODS, method)
        run = Run.from_limits(None, memory_limit, n_threads, on_progress, seed=seed)
        rows = draw_rows(self._model, None, n_rows, method=chosen, run=run)
        if rows.sampling.status == "not_converged":
            warn_caller(rows.sampling.reason)
        return rows.data

    def _factor_model(self) -> FactorModel:
        return self._model

    def __repr__(self) -> str:
        return f"<MarkovNetwork {count(len(self.states), 'variable')}, {count(len(self.factors), 'factor')}>"


def _check_factor(
    number: int, scope: Sequence[str], values: Any, states: StateLabels
) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    names = tuple(name_list(f"the variables of factor {number}", scope))
    for name in names:
        if name not in states:
            raise NetworkError(f"factor {number} names {name!r}, but there is no such variable", variable=name)
    if len(set(names)) < len(names):
        raise NetworkError(f"factor {number} has a variable twice: {', '.join(names)}")
    shape = tuple(len(states[name]) for name in names)
    try:
        table = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise NetworkError(f"the table of factor {number} is not made of numbers") from None
    if table.shape != shape:
        raise NetworkError(f"the table of factor {number} must have shape {shape}, got {table.shape}")
    if not np.isfinite(table).all() or (table < 0).any():
        raise NetworkError(f"the table of factor {number} must be finite and not negative")
    table.flags.writeable = False
    return names, table
