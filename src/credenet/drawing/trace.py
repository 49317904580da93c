"""A plot of score and bound over time; between them is the gap."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from credenet.drawing.plotting import axes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from credenet._run.ledger import BoundPoint


def plot_trace(traces: Mapping[str, Sequence[BoundPoint]], target: str | Path | Axes | None = None) -> Axes:
    """Matplotlib axes with a pair of step curves for each trace, named if there are several."""
    with axes_for(target, (6, 4), "a trace is written as .csv,") as axes:
        for number, (name, points) in enumerate(traces.items()):
            colour = f"C{number}"
            for which, style, label in (("bound", "--", "bound"), ("score", "-", "score")):
                known = [(point.seconds, getattr(point, which)) for point in points]
                known = [(seconds, value) for seconds, value in known if math.isfinite(value)]
                if known:
                    end = max(point.seconds for point in points)
                    seconds, values = zip(*known, (end, known[-1][1]), strict=True)
                    label = f"{name} {label}".strip()
                    # Points have marks, as a single point makes no line.
                    axes.step(seconds, values, style, where="post", marker=".", color=colour, label=label)
        axes.set_xlim(left=0)
        axes.set_xlabel("seconds")
        axes.set_ylabel("log score")
        if axes.get_legend_handles_labels()[0]:
            axes.legend()
    return axes
