"""Figures of credible sets, with matplotlib."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from credenet._arguments import whole_number
from credenet._text import count, probability
from credenet.drawing.graphs import draw_shared
from credenet.drawing.plotting import axes_for, check_suffix, new_figure, save_figure
from credenet.drawing.score_curves import FACTORS, deviations
from credenet.drawing.weighted_plots import among_text, mark

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from credenet.credible.class_set import CredibleClasses
    from credenet.credible.credible_set import CredibleSet

_MOST_CLASSES = 100  # Classes that are drawn side by side at most.


def plot_deviations(credible: CredibleSet, target: str | Path | Axes | None, limit: int) -> Axes:
    slack = credible.listing.slack
    ranks, values = deviations(credible, whole_number("limit", limit, least=1))
    with axes_for(target, (6, 4)) as axes:
        last, most = (
            max(float(ranks.max(initial=1)), 2.0),
            max(slack, float(values.max(initial=0.0)), 1e-9),
        )
        axes.step(ranks, values, where="post", color="C0", marker="." if len(ranks) == 1 else None)
        axes.set_xscale("log")
        axes.set_xlim(1, last)
        axes.set_ylim(0, 1.1 * most)
        axes.xaxis.set_major_formatter("{x:,.0f}")
        for factor in FACTORS:
            if math.log(factor) <= slack * 1.05:
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
        mark(credible, axes)
        axes.set_ylabel("score below the best (nats)")
    return axes


def plot_classes(classes: CredibleClasses, target: str | Path | None, k: int) -> list[Axes]:
    k = whole_number("k", k, least=1, most=_MOST_CLASSES)
    if target is not None:
        check_suffix(target)
    best = classes[:k]
    size = (4.5 * max(len(best), 1), 4.0)
    figure = new_figure(size, is_shown=target is None)
    panels = []
    sketches = draw_shared([one.cpdag for one in best]) if best else []
    for number, (one, sketch) in enumerate(zip(best, sketches, strict=True)):
        axes = figure.add_subplot(1, len(best), number + 1)
        sketch.plot(axes)
        share = "" if classes.has_probabilities else " of the networks found"
        axes.set_title(f"{probability(one.probability, 3)}{share}, {count(one.members, 'network')}")
        panels.append(axes)
    figure.suptitle(among_text(classes), fontsize=9, wrap=True)
    if target is not None:
        save_figure(figure, target)
    return panels
