"""Score and bound over time, drawn: the gap between the two is what is still unknown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from credenet.errors import ArgumentError
from credenet.io.files import atomic_writer

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from credenet.results import BoundPoint

_SUFFIXES = (".svg", ".png", ".pdf")


def plot_trace(traces: Mapping[str, Sequence[BoundPoint]], target: str | Path | Axes | None = None) -> Axes:
    """Matplotlib axes with a pair of step curves for each trace, named where there are several."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("plotting needs matplotlib: pip install credenet[plot]") from error
    figure = None
    if target is None:
        from matplotlib import pyplot

        axes = pyplot.figure(figsize=(6, 4)).add_subplot()
    elif isinstance(target, str | Path):
        if Path(target).suffix.lower() not in _SUFFIXES:
            raise ArgumentError(f"a trace is written as .csv, .svg, .png or .pdf, got {Path(target).name!r}")
        figure = Figure(figsize=(6, 4), layout="constrained")
        axes = figure.add_subplot()
    else:
        axes = target
    for number, (name, points) in enumerate(traces.items()):
        colour = f"C{number}"
        for which, style, label in (("bound", "--", "bound"), ("score", "-", "score")):
            known = [(point.seconds, getattr(point, which)) for point in points]
            known = [(seconds, value) for seconds, value in known if math.isfinite(value)]
            if known:
                end = max(point.seconds for point in points)
                seconds, values = zip(*known, (end, known[-1][1]), strict=True)
                axes.step(seconds, values, style, where="post", color=colour, label=f"{name} {label}".strip())
    axes.set_xlabel("seconds")
    axes.set_ylabel("log score")
    if axes.get_legend_handles_labels()[0]:
        axes.legend()
    if figure is not None and isinstance(target, str | Path):
        with atomic_writer(target) as file:
            figure.savefig(file, format=Path(target).suffix[1:].lower())
    return axes
