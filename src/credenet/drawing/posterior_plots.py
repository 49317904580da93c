"""Figures of Markov chains over networks, with matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from credenet.drawing.plotting import axes_for
from credenet.errors import ArgumentError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from credenet.posteriors.sampling.chains import ChainResult
    from credenet.posteriors.structure_posterior import StructurePosterior

AGREEMENT = 1.01  # Largest R-hat of chains that agree.


def _chains(posterior: StructurePosterior) -> tuple[ChainResult, ...]:
    if not posterior.chains:
        raise ArgumentError("no network was drawn, so there are no Markov chains to show")
    return posterior.chains


def plot_traces(posterior: StructurePosterior, target: str | Path | Axes | None) -> Axes:
    found = _chains(posterior)
    with axes_for(target, (7, 4)) as axes:
        for part, chains in enumerate(found):
            for number, scores in enumerate(chains.log_scores):
                label = f"chain {number + 1}" if part == 0 else None
                axes.plot(np.linspace(0, 1, len(scores)), scores, linewidth=0.6, color=f"C{number}", label=label)
        axes.set_xlabel("share of the moves")
        axes.set_ylabel("log score of the network")
        axes.legend(fontsize=8)
    return axes


def plot_rhat(posterior: StructurePosterior, target: str | Path | Axes | None) -> Axes:
    found = _chains(posterior)
    with axes_for(target, (6, 4)) as axes:
        for chains in found:
            known = np.isfinite(chains.edge_rhat)
            axes.plot(chains.edge_probabilities[known], chains.edge_rhat[known], ".", markersize=4, color="C0")
        axes.axhline(AGREEMENT, color="0.6", linestyle="--", linewidth=0.8)
        axes.set_xlim(0, 1)
        axes.set_xlabel("probability of the edge")
        axes.set_ylabel("split R-hat")
    return axes
