"""Plots of effects: intervals for one variable that is set, or a heat map of the largest differences of all pairs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from credenet.drawing.plotting import axes_for
from credenet.interventions.wording import largest_difference, signed_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from credenet.interventions.result import Effect, Effects

_MOST_LINES = 200  # Lines of a plot of intervals at most.


def plot_effects(effects: Effects, target: str | Path | Axes | None = None) -> Axes:
    """Intervals if one variable is set, else a heat map."""
    several = {x for x, _ in effects.pairs}
    lines = sum(len(next(iter(effect.means.values()))) for effect in effects)
    return _intervals(effects, target) if len(several) == 1 and lines <= _MOST_LINES else _heat_map(effects, target)


def _intervals(effects: Effects, target: str | Path | Axes | None) -> Axes:
    """A line for each state of each y, and a colour for each state of x; thin grey lines are ranges over networks."""
    effects_shown = list(effects)
    labels = [f"{effect.y}={state}" for effect in effects_shown for state in next(iter(effect.means.values()))]
    with axes_for(target, (6.8, 1.6 + 0.35 * len(labels))) as axes:
        settings = list(effects_shown[0].means)
        for number, do in enumerate(settings):
            offset = 0.6 * ((number + 0.5) / len(settings) - 0.5)
            at = 0
            for effect in effects_shown:
                for state, mean in effect.means[do].items():
                    least, most = effect.range[do][state]
                    axes.plot([least, most], [at + offset] * 2, color="0.7", linewidth=5, solid_capstyle="butt")
                    if effect.intervals is not None:
                        axes.plot(effect.intervals[do][state], [at + offset] * 2, color=f"C{number}", linewidth=1.5)
                    axes.plot(mean, at + offset, "o", color=f"C{number}", markersize=4, label=None if at else do)
                    at += 1
        axes.set_yticks(range(len(labels)), labels)
        right = _write_differences(axes, effects_shown)
        axes.set_ylim(len(labels) - 0.5, -0.5)
        axes.set_xlim(0, 1)
        x = effects_shown[0].x
        axes.set_xlabel(f"probability after do({x}){right}\n{effects.assumption}", fontsize=9)
        axes.legend(title=x, fontsize=8, title_fontsize=8)
        level = "" if effects.level is None else f"{100 * effects.level:g} % intervals"
        ranges = ", grey: range over networks" if effects.is_average else ""
        axes.set_title(f"effects in {effects.among}\n{level}{ranges}".strip(), fontsize=9)
    return axes


def _write_differences(axes: Axes, effects: list[Effect]) -> str:
    """Writes the difference of each probability to the right of its state of y, if two states of x are compared.

    Returns the name of these numbers, for the label of the axis.
    """
    contrasts = [each for effect in effects for each in effect.contrasts if each.kind == "difference"]
    if len({(each.do, each.against) for each in contrasts}) != 1:
        return ""
    for at, each in enumerate(contrasts):
        text = f" {each.estimate:+.3f}{signed_interval(each)}"
        axes.text(1.0, at, text, transform=axes.get_yaxis_transform(), va="center", fontsize=8)
    return f"; right: difference for {contrasts[0].do} rather than {contrasts[0].against}"


def _heat_map(effects: Effects, target: str | Path | Axes | None) -> Axes:
    rows, columns = ([name for name in effects.states if name in names] for names in zip(*effects.pairs, strict=True))
    table = np.full((len(rows), len(columns)), np.nan)
    for x, y in effects.pairs:
        table[rows.index(x), columns.index(y)] = largest_difference(effects, (x, y))[1]
    size = (max(3.0, 0.3 * len(columns) + 1.5) + 0.8, max(3.0, 0.3 * len(rows) + 1.5))
    with axes_for(target, size) as axes:
        image = axes.imshow(table, cmap="Blues", vmin=0, vmax=1)
        axes.set_xticks(range(len(columns)), columns, rotation=90)
        axes.set_yticks(range(len(rows)), rows)
        axes.set_xlabel(f"y\n{effects.assumption}", fontsize=8)
        axes.set_ylabel("x, which is set")
        axes.figure.colorbar(image, ax=axes, label="largest difference of a probability of y", shrink=0.8)
        axes.set_title(f"effects in {effects.among}", fontsize=9)
    return axes
