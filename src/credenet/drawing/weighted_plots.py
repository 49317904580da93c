"""Figures of networks with probabilities, with matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from credenet._arguments import real_number
from credenet.drawing.graphs import plot as plot_graph
from credenet.drawing.plotting import axes_for
from credenet.drawing.score_curves import edge_matrix
from credenet.structures.average_graph import average_graph

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from credenet.credible.class_set import CredibleClasses
    from credenet.structures.weighted_networks import WeightedNetworks


def mark(networks: WeightedNetworks, axes: Axes) -> None:
    """Adds a title: which networks the numbers are about, and whether these are all that are meant."""
    axes.set_title(among_text(networks), fontsize=9, wrap=True)


def among_text(networks: WeightedNetworks | CredibleClasses) -> str:
    if networks.has_probabilities:
        return f"among {networks.among}"
    return "of the networks found, which are not all"


def plot_edge_probabilities(networks: WeightedNetworks, target: str | Path | Axes | None) -> Axes:
    names = networks.variables
    side = max(3.0, 0.3 * len(names) + 1.5)
    with axes_for(target, (side + 0.8, side)) as axes:
        image = axes.imshow(edge_matrix(networks), cmap="Blues", vmin=0, vmax=1)
        axes.set_xticks(range(len(names)), names, rotation=90)
        axes.set_yticks(range(len(names)), names)
        axes.set_xlabel("child")
        axes.set_ylabel("parent")
        share = "probability of the edge" if networks.has_probabilities else "share of the networks found"
        bar = axes.figure.colorbar(image, ax=axes, shrink=0.8)
        bar.set_label(f"{share};\nequivalent networks count separately", fontsize=8)
        mark(networks, axes)
    return axes


def plot_average(networks: WeightedNetworks, target: str | Path | Axes | None, threshold: float) -> Axes:
    real_number("threshold", threshold, least=0, most=1)
    directed, undirected, widths = average_graph(networks, threshold)
    title = among_text(networks)
    return plot_graph(networks.variables, directed, undirected, target, widths=widths, title=title)
