"""The settings of Edge and Data, which Eggeling and others (2019) sweep in their supplement."""

from __future__ import annotations

from pathlib import Path

from ..frame import Table
from ..store import Job, Scale, Store
from .grid import CELLS, GRIDS, jobs
from .means import by_rows, chosen, draw_curves, panel_name, panels
from .networks import Lines, proof_told, shd_table

BETAS = ("edge(beta=0.5)", "edge(beta=0.2)", "edge", "edge(beta=0.05)", "edge(beta=0.02)", "edge(beta=0.005)")
TAUS = ("data(tau=0)", "data(tau=0.25)", "data", "data(tau=0.75)", "data(tau=1)")
NAMES = {"edge": "β = 0.1", "data": "τ = 0.5"}


def name_of(prior: str) -> str:
    return NAMES.get(prior) or prior.replace("edge(beta=", "β = ").replace("data(tau=", "τ = ").removesuffix(")")


def sweep_jobs(scale: Scale) -> list[Job]:
    return jobs(GRIDS[scale], ("bdeu",), ("uniform", *BETAS, *TAUS))


def sweep_lines(store: Store, priors: tuple[str, ...]) -> Lines:
    every = ("uniform", *priors)
    found = {prior: chosen(store.cells.values(), score="bdeu", prior=prior) for prior in every}
    return {name_of(prior).replace("uniform", "Unif"): cells for prior, cells in found.items() if cells}


def best_told(lines: Lines) -> str:
    """For each network the setting with the smallest mean over the sizes."""
    told = []
    for network, limit in panels(cell for some in lines.values() for cell in some):
        means = {}
        for name, some in lines.items():
            by_size = by_rows(chosen(some, network=network, max_parents=limit))
            if by_size:
                means[name] = sum(mean.value for mean in by_size.values()) / len(by_size)
        best = min(means, key=means.__getitem__)
        told.append(f"{panel_name((network, limit))}: {best} ({means[best]:.1f})")
    return "Smallest mean SHD over the sizes: " + "; ".join(told) + ".\n"


def sweep_text(store: Store) -> str:
    edge, data = sweep_lines(store, BETAS), sweep_lines(store, TAUS)
    return "\n".join(
        [
            "Mean SHD for BDeu with other settings of Edge (β) and Data (τ). The paper says of its supplement: the "
            "defaults β = 0.1 and τ = 0.5 perform well, and only on water more sparsity would have been better (lower "
            "β, higher τ).\n",
            shd_table(edge),
            best_told(edge),
            shd_table(data),
            best_told(data),
            proof_told({**edge, **data}),
        ]
    )


def draw_sweep(store: Store, folder: Path) -> list[Path]:
    named = {}
    for what, priors in (("Edge", BETAS), ("Data", TAUS)):
        lines = sweep_lines(store, priors)
        for network, limit in panels(cell for some in lines.values() for cell in some):
            of_panel = {name: chosen(some, network=network, max_parents=limit) for name, some in lines.items()}
            means = {name: by_rows(some) for name, some in of_panel.items() if some}
            named[f"{what}: {panel_name((network, limit))}"] = means
    return draw_curves(named, folder / "priors_sweep.svg")


TABLES = (Table("priors_sweep", "Section 5.4: settings of Edge and Data", sweep_jobs, sweep_text, draw_sweep, CELLS),)
