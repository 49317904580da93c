"""How the work of chains is divided among their moves: by what the moves cost, and by where the chains disagree.

Costs are counted in steps, so the same seed always leads to the same moves. The division depends on what the chains did
before. It is changed early and whenever the chains have become twice as long, until they agree, and never again:
only moves whose kind does not depend on the networks leave the posterior as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.posteriors.sampling.diagnostics import Floats
from credenet.posteriors.sampling.stretches import ChainAgreement

_WINDOWS = 0.2  # Share of the steps for windows if the chains agree.
_MORE_WINDOWS = 0.4  # Their share if the chains disagree.
_FOCUS = 0.6  # Share of the windows that begin where the errors are large.
_COUNTS = 0.3  # Share of the steps for the probabilities that are counted, at most.
_AGREEMENT = 1.05  # R-hat up to which chains agree well enough for their moves to stay as they are.
_EARLY = (4, 8)  # Stretches after which the division is changed for the first times.
_SWEEPS_BETWEEN = (1, 2, 4, 8)  # Sweeps from one that counts to the next.


@dataclass(frozen=True, slots=True)
class Pace:
    """How often chains draw windows and count probabilities."""

    n_windows: float
    """Windows for each visit of a variable."""
    focus: Floats
    """For each variable the weight with which windows begin there."""
    count_every: int
    """Sweeps from one that counts to the next."""


class Pacing:
    """The changes of the pace of some chains."""

    def __init__(self, n_variables: int, pairs: NDArray[np.int64]) -> None:
        self._n_variables = n_variables
        self._pairs = pairs
        self._n_halvings = 0
        self._is_final = False

    def change(
        self,
        steps: Sequence[_core.ChainSteps],
        agreement: ChainAgreement | None,
        n_stretches: int,
        n_halvings: int,
        within: float,
    ) -> Pace | None:
        """The pace from now on; None if it stays.

        Parameters
        ----------
        steps
            What each chain did so far.
        n_stretches, n_halvings
            The number of stretches of each chain, and how often these have become twice as long.
        within
            The precision asked for: edges on which chains differ by less do not count.
        """
        is_early = n_halvings == 0 and n_stretches in _EARLY
        if self._is_final or agreement is None or not (is_early or n_halvings > self._n_halvings):
            return None
        self._n_halvings = n_halvings
        n_windows, n_visits = sum(each.n_windows for each in steps), sum(each.n_visits for each in steps)
        if n_windows == 0:
            return None
        agrees = agreement.largest_rhat(within) <= _AGREEMENT
        self._is_final = agrees and not is_early
        share = _WINDOWS if agrees else _MORE_WINDOWS
        for_window = sum(each.windows for each in steps) / n_windows
        for_visit = sum(each.others for each in steps) / n_visits
        for_count = sum(each.counts for each in steps) / max(sum(each.n_counted for each in steps), 1)
        most = _COUNTS / (1 - _COUNTS) * for_visit
        return Pace(
            n_windows=share / (1 - share) * for_visit / for_window,
            focus=self._focus(agreement.errors),
            count_every=next((every for every in _SWEEPS_BETWEEN if for_count <= every * most), _SWEEPS_BETWEEN[-1]),
        )

    def _focus(self, errors: Floats) -> Floats:
        """Weights of the variables by the errors of the edges into and out of each."""
        n = self._n_variables
        squares = np.zeros(n)
        for ends in np.divmod(self._pairs, n):
            np.add.at(squares, ends, errors**2)
        whole = squares.sum()
        return np.full(n, 1 / n) if whole == 0 else (1 - _FOCUS) / n + _FOCUS * squares / whole
