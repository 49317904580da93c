"""What structure priors believe about the number of parents: draws docs/figures/in_degree_priors.svg.

The same curves as Figure 1 of Eggeling, Viinikka, Vuoksenmaa and Koivisto (AISTATS 2019): the probability that a
variable has r parents under five priors, for 32 and 128 variables, with at most 5 parents and without a limit.
"""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure

import credenet
from credenet._files.files import atomic_writer

PRIORS: dict[
    str,
    credenet.priors.Uniform
    | credenet.priors.Edge
    | credenet.priors.Fair
    | credenet.priors.DataPrior
    | credenet.priors.Fact,
] = {
    "Uniform": credenet.priors.Uniform(),
    "Edge(0.1)": credenet.priors.Edge(),
    "Fair": credenet.priors.Fair(),
    "DataPrior(0.5), 200 rows": credenet.priors.DataPrior(),
    "Fact": credenet.priors.Fact(),
}


def main() -> None:
    figure = Figure(figsize=(10, 7), layout="constrained")
    panels = figure.subplots(2, 2)
    for row, n in enumerate((32, 128)):
        for column, limit in enumerate((5, None)):
            axes = panels[row][column]
            for name, prior in PRIORS.items():
                chances = credenet.priors.in_degree_distribution(prior, n, n_rows=200, max_parents=limit)
                shown = [(size, chance) for size, chance in enumerate(chances) if chance > 1e-12]
                axes.plot(*zip(*shown, strict=True), marker="o" if limit else "", markersize=4, label=name)
            axes.set_yscale("log")
            axes.set_title(f"{n} variables, {'at most 5 parents' if limit else 'no limit'}")
            axes.set_xlabel("number of parents")
            axes.set_ylabel("probability")
    panels[0][0].legend(fontsize=8)
    target = Path(__file__).parents[1] / "docs" / "figures" / "in_degree_priors.svg"
    target.parent.mkdir(exist_ok=True)
    with atomic_writer(target) as file:
        figure.savefig(file, format="svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
