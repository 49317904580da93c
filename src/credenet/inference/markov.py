"""Markov networks: a product of non-negative factors over discrete variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credenet.errors import NetworkError
from credenet.inference.evidence import EvidenceLike
from credenet.inference.inference import Inference
from credenet.inference.model import FactorModel
from credenet.progress import OnProgress
from credenet.text import count


class MarkovNetwork:
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

    states: Mapping[str, tuple[str, ...]]
    factors: tuple[tuple[tuple[str, ...], NDArray[np.float64]], ...]
    _model: FactorModel

    def __init__(self, states: Mapping[str, Sequence[str]], factors: Sequence[tuple[Sequence[str], Any]]) -> None:
        from credenet.network import checked_states

        named = checked_states(states)
        index = {name: at for at, name in enumerate(named)}
        checked = tuple(_checked_factor(at, scope, table, named) for at, (scope, table) in enumerate(factors))
        flat = np.concatenate([table.reshape(-1) for _, table in checked]) if checked else np.empty(0)
        scopes = [[index[name] for name in scope] for scope, _ in checked]
        set_field = object.__setattr__
        set_field(self, "states", MappingProxyType(named))
        set_field(self, "factors", checked)
        set_field(self, "_model", FactorModel.of(self.states, scopes, flat, directed=False))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a MarkovNetwork cannot be changed")

    def __reduce__(self) -> tuple[Any, ...]:
        return MarkovNetwork, (dict(self.states), self.factors)

    @staticmethod
    def load(path: str | Path) -> MarkovNetwork:
        """The factors in a UAI file, MARKOV or BAYES, or in a ``.gz`` of one."""
        from credenet.io.files import read_text
        from credenet.io.uai import parse_factors

        return parse_factors(read_text(path), path)

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(self.states)

    @property
    def n_states(self) -> NDArray[np.int32]:
        """The number of states of each variable."""
        return self._model.n_states.copy()

    def infer(
        self,
        evidence: EvidenceLike | None = None,
        *,
        elimination_order: Sequence[str] | None = None,
        memory_limit: float | None = None,
        time_limit: float | None = None,
        n_threads: int | None = None,
        on_progress: OnProgress | None = None,
    ) -> Inference:
        """What the network says given evidence; see `BayesianNetwork.infer`.

        ``log_evidence`` is here the log of the partition function, restricted to the evidence.
        """
        return Inference(
            self._model,
            evidence,
            elimination_order=elimination_order,
            memory_limit=memory_limit,
            time_limit=time_limit,
            n_threads=n_threads,
            on_progress=on_progress,
        )

    def __repr__(self) -> str:
        return f"<MarkovNetwork {count(len(self.states), 'variable')}, {count(len(self.factors), 'factor')}>"


def _checked_factor(
    number: int, scope: Sequence[str], values: Any, states: Mapping[str, tuple[str, ...]]
) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    names = tuple(scope)
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
