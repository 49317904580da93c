"""Figures of credible sets, with matplotlib."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from credenet._arguments import real_number, whole_number
from credenet._text import count, probability
from credenet.drawing.average_graph import Averaged, average_graph
from credenet.drawing.graphs import plot as plot_graph
from credenet.drawing.graphs import shared_sketches
from credenet.drawing.plotting import axes_for, check_suffix, new_figure, save_figure
from credenet.drawing.score_curves import FACTORS, deviations, edge_matrix

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from credenet.credible.credible_set import CredibleSet

_MOST_CLASSES = 100  # side by side


def _mark(credible: Averaged, axes: Axes) -> None:
    """Adds a title: which networks the numbers are about, and whether these are all that are meant."""
    axes.set_title(_among(credible), fontsize=9, wrap=True)


def _among(credible: Averaged) -> str:
    if credible.has_probabilities:
        return f"among {credible.among}"
    return "of the networks found, which are not all"


def plot_deviations(credible: CredibleSet, target: str | Path | Axes | None, limit: int) -> Axes:
    ranks, values = deviations(credible, whole_number("limit", limit, least=1))
    with axes_for(target, (6, 4)) as axes:
        last, most = max(float(ranks.max(initial=1)), 2.0), max(credible.slack, float(values.max(initial=0.0)), 1e-9)
        axes.step(ranks, values, where="post", color="C0", marker="." if len(ranks) == 1 else None)
        axes.set_xscale("log")
        axes.set_xlim(1, last)
        axes.set_ylim(0, 1.1 * most)
        axes.xaxis.set_major_formatter("{x:,.0f}")
        for factor in FACTORS:
            if math.log(factor) <= credible.slack * 1.05:
                axes.axhline(math.log(factor), color="0.6", linestyle="--", linewidth=0.8)
                axes.annotate(
                    f"Bayes factor {factor}",
                    (1, math.log(factor)),
                    (3, 2),
                    textcoords="offset points",
                    va="bottom",
                    fontsize=8,
                    color="0.4",
                )
        axes.set_xlabel("rank of the network")
        _mark(credible, axes)
        axes.set_ylabel("score below the best (nats)")
    return axes


def plot_edge_probabilities(credible: Averaged, target: str | Path | Axes | None) -> Axes:
    names = credible.variables
    side = max(3.0, 0.3 * len(names) + 1.5)
    with axes_for(target, (side + 0.8, side)) as axes:
        image = axes.imshow(edge_matrix(credible), cmap="Blues", vmin=0, vmax=1)
        axes.set_xticks(range(len(names)), names, rotation=90)
        axes.set_yticks(range(len(names)), names)
        axes.set_xlabel("child")
        axes.set_ylabel("parent")
        share = "probability of the edge" if credible.has_probabilities else "share of the networks found"
        label = f"{share}; equivalent networks count separately"
        axes.figure.colorbar(image, ax=axes, label=label, shrink=0.8)
        _mark(credible, axes)
    return axes


def plot_average(credible: Averaged, target: str | Path | Axes | None, threshold: float) -> Axes:
    real_number("threshold", threshold, least=0, most=1)
    directed, undirected, widths = average_graph(credible, threshold)
    title = _among(credible)
    return plot_graph(credible.variables, directed, undirected, target, widths=widths, title=title)


def plot_classes(credible: CredibleSet, target: str | Path | None, k: int) -> list[Axes]:
    k = whole_number("k", k, least=1, most=_MOST_CLASSES)
    if target is not None:
        check_suffix(target)
    best = credible.classes()[:k]
    size = (4.5 * max(len(best), 1), 4.0)
    figure = new_figure(size, is_shown=target is None)
    panels = []
    sketches = shared_sketches([one.cpdag for one in best]) if best else []
    for number, (one, sketch) in enumerate(zip(best, sketches, strict=True)):
        axes = figure.add_subplot(1, len(best), number + 1)
        sketch.plot(axes)
        share = "" if credible.has_probabilities else " of the networks found"
        axes.set_title(f"{probability(one.probability, 3)}{share}, {count(one.members, 'network')}")
        panels.append(axes)
    figure.suptitle(_among(credible), fontsize=9, wrap=True)
    if target is not None:
        save_figure(figure, target)
    return panels
