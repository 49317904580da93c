"""A plot of a validation: mean distances of all candidates by number of rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from credenet._arguments import flag
from credenet.drawing.plotting import axes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from credenet.validation.result import IntersectionValidation


def plot_distances(
    validation: IntersectionValidation, target: str | Path | Axes | None = None, *, per_pair: bool = False
) -> Axes:
    """Matplotlib axes with a curve for each candidate; bars are standard errors."""
    scale = 1.0
    if flag("per_pair", per_pair) and validation.agreement is not None:
        scale = 1.0 / max(validation.agreement.n_pairs, 1)
    means = validation.means()
    with axes_for(target, (6, 4)) as axes:
        for number, name in enumerate(validation.candidates):
            points = [each for each in means if each.candidate == name]
            if points:
                axes.errorbar(
                    [each.n_rows for each in points],
                    [scale * each.mean for each in points],
                    yerr=[scale * (each.standard_error or 0.0) for each in points],
                    color=f"C{number}",
                    marker=".",
                    capsize=2,
                    label=name,
                )
        axes.set_xscale("log", base=2)
        sizes = sorted({each.n_rows for each in means})
        axes.set_xticks(sizes, [f"{n_rows:,}" for n_rows in sizes])
        axes.set_ylim(bottom=0)
        axes.set_xlabel("rows")
        axes.set_ylabel("partial Hamming distance" + (" per agreed pair" if per_pair else ""))
        if means:
            axes.legend()
            if not validation.can_rank:
                axes.set_title("no ranking: the candidates agree on no edge", fontsize="medium")
    return axes
