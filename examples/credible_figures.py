"""What credible networks say, drawn: docs/figures/credible_set.svg and docs/figures/credible_classes.svg.

500 rows of the chest-clinic network, BIC, all networks within a Bayes factor of 150.
"""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure

import credenet
from credenet.drawing.plotting import save_figure


def main() -> None:
    folder = Path(__file__).parents[1] / "docs" / "figures"
    data = credenet.datasets.asia(500, seed=1)
    credible = credenet.credible_networks(data, score="bic", bayes_factor=150)
    print(credible)
    print(f"covers {credible.covered_mass(data):.4f} of the posterior")
    figure = Figure(figsize=(14, 4.2), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    credible.listing.plot(left)
    credible.plot_edge_probabilities(middle)
    credible.plot_average(right)
    save_figure(figure, folder / "credible_set.svg")
    credible.classes.plot(folder / "credible_classes.svg", k=3)


if __name__ == "__main__":
    main()
