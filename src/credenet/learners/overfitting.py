"""Two quick checks of whether a network overfits its data.

First, if the parents of a variable have more joint states than the data have rows, parts of its table rest on no data.
Second, tables fitted to one half of the rows should predict the other half better than a network without edges does.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from credenet._text import count
from credenet.graphs import DAG
from credenet.networks.fitting import fit

if TYPE_CHECKING:
    from credenet.data.dataset import Dataset

_CURE = "try score='bic', prior='edge' or max_parents=2"
_FEW_ROWS = 10  # Rows per parameter above which the second check is not needed.
_MOST_CELLS = 1_000_000  # Cells of all tables together up to which fitting is quick.
_LEAST_ROWS = 4  # Rows below which the data cannot be split into halves.
_FITTING_SECONDS = 4e-4  # Seconds to fit the four tables of a variable and to predict with them.
_QUICK_SECONDS = 0.1  # Seconds by which the check may exceed a time limit.


def overfitting_remarks(data: Dataset, dag: DAG, seconds: float = math.inf) -> tuple[str, ...]:
    """Sentences on signs of overfitting, as far as the checks fit into ``seconds``."""
    if not dag.n_edges:
        return ()
    n_states = {name: len(labels) for name, labels in data.states.items()}
    parent_states = {name: math.prod(n_states[parent] for parent in dag.parents(name)) for name in dag.variables}
    n_cells = sum(n_states[name] * number for name, number in parent_states.items())
    crowded = [name for name, number in parent_states.items() if number > len(data)]
    remarks = []
    if crowded:
        worst = max(crowded, key=lambda name: parent_states[name])
        have, their = ("has", "its") if len(crowded) == 1 else ("have", "their")
        most = f"{worst!r} with {count(len(dag.parents(worst)), 'parent')}"
        remarks.append(
            f"{count(len(crowded), 'variable')} of {len(dag)} {have} more joint states of {their} parents than there "
            f"are rows (most: {most}), a sign of overfitting; {_CURE}"
        )
    is_quick = n_cells <= _MOST_CELLS and len(dag) * _FITTING_SECONDS <= max(seconds, 0.0) + _QUICK_SECONDS
    if len(data) >= _LEAST_ROWS and len(data) < _FEW_ROWS * n_cells and is_quick:
        learned, empty = _score_held_out(data, dag), _score_held_out(data, DAG(dag.variables))
        if learned < empty:
            remarks.append(
                f"tables fitted to half of the rows predict the other half worse than a network without edges does "
                f"({learned:.4g} against {empty:.4g} nats a row), so the network overfits; {_CURE}"
            )
    return tuple(remarks)


def _score_held_out(data: Dataset, dag: DAG) -> float:
    """The mean log-likelihood of a row under tables fitted to the other half of the rows."""
    rows = np.random.default_rng(0).permutation(len(data))
    halves = [data.take(np.sort(half)) for half in np.array_split(rows, 2)]
    total = math.fsum(fit(halves[at], dag).log_likelihood(halves[1 - at]) for at in range(2))
    return total / max(data.total_weight, 1e-300)
