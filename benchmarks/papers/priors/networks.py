"""Figures 2 to 5 of Eggeling and others (2019): optimal networks from samples of known ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ..frame import Table, table_text
from ..store import Cell, Job, Scale, Store
from .grid import CELLS, FEW_ROWS, GRIDS, PRIORS, REALISTIC, SCORES, jobs
from .means import by_rows, chosen, difference, draw_curves, mean_of, panel_name, panels

PARTS = {"extra": "spurious", "missing": "missing", "misdirected": "misdirected", "shd": "SHD"}
UTOPIAN = ("uniform", "fair", "utop", "utop+")
COMPARED = ("uniform", "fair")

Lines = dict[str, list[Cell]]
"""Cells by the name of their line in a figure."""


def lines_of(cells: Iterable[Cell], scores: Iterable[str], priors: Iterable[str]) -> Lines:
    """Cells by score and prior, whichever of the two there are several of."""
    scores, priors, cells = list(scores), list(priors), list(cells)
    found = {}
    for score in scores:
        for prior in priors:
            parts = [SCORES[score]] * (len(scores) > 1) + [PRIORS.get(prior, prior)] * (len(priors) > 1)
            some = chosen(cells, score=score, prior=prior)
            if some:
                found[" ".join(parts)] = some
    return found


def shd_table(lines: Lines) -> str:
    """The mean SHD by network and number of rows."""
    everything = [cell for some in lines.values() for cell in some]
    rows, behind = [], []
    for network, limit in panels(everything):
        of_panel = {name: chosen(some, network=network, max_parents=limit) for name, some in lines.items()}
        means = {name: by_rows(some) for name, some in of_panel.items()}
        for size in sorted({size for some in means.values() for size in some}):
            at_size = [some.get(size) for some in means.values()]
            n = max(mean.n for mean in at_size if mean is not None)
            written = ["" if mean is None else mean.written() for mean in at_size]
            rows.append([panel_name((network, limit)), f"{size:,}", str(n), *written])
            behind.append([cell for some in of_panel.values() for cell in some if cell["rows"] == size])
    return table_text(["network", "rows", "data sets", *lines], rows, behind)


def differences_told(lines: Lines, first: str, second: str, **wanted: object) -> str:
    """The mean difference of two lines on small samples of each network, as a sentence."""
    told = []
    for network, limit in panels(lines.get(first, [])):
        panel = {"network": network, "max_parents": limit, "rows_at_most": FEW_ROWS, **wanted}
        both = chosen(lines[first], **panel), chosen(lines.get(second, []), **panel)
        found = difference(*both)
        if found is not None:
            told.append(f"{network} {found.written(sign=True)}")
    return f"SHD of {first} less that of {second} at up to {FEW_ROWS} rows: {', '.join(told)}." if told else ""


def proof_told(lines: Lines) -> str:
    """How many networks are proven optimal, and what else is not as in the paper."""
    cells = [cell for some in lines.values() for cell in some]
    proven = sum(cell["status"] == "optimal" and cell["complete"] for cell in cells)
    return (
        f"{proven:,} of {len(cells):,} networks are proven optimal for their limit on the number of parents (the "
        "paper's is 5). The paper prints curves and no numbers, and its samples are others, so only what it says of "
        "them can be compared.\n"
    )


def drawn(lines: Lines, path: Path) -> list[Path]:
    every = [cell for some in lines.values() for cell in some]
    named = {}
    for network, limit in panels(every):
        of_panel = {name: chosen(some, network=network, max_parents=limit) for name, some in lines.items()}
        named[panel_name((network, limit))] = {name: by_rows(some) for name, some in of_panel.items() if some}
    return draw_curves(named, path)


def figure2_jobs(scale: Scale) -> list[Job]:
    return jobs(GRIDS[scale], ("bdeu",), REALISTIC)


def shd_text(what: str, lines: Lines, compared: Sequence[str]) -> str:
    """What is shown and what the paper says of it, the table, differences, and what is not proven."""
    return "\n".join([f"{what}\n", shd_table(lines), " ".join(compared) + "\n", proof_told(lines)])


def figure2_text(store: Store) -> str:
    lines = lines_of(store.cells.values(), ("bdeu",), REALISTIC)
    compared = [differences_told(lines, PRIORS[prior], "Unif") for prior in REALISTIC[1:]]
    return shd_text(
        "Mean SHD of the CPDAGs and its standard error, BDeu with equivalent sample size 1. The paper: all priors "
        "improve on Unif when the sample is small; Fair, Data and Edge are better than SSP and alike.",
        lines,
        compared,
    )


def draw_figure2(store: Store, folder: Path) -> list[Path]:
    return drawn(lines_of(store.cells.values(), ("bdeu",), REALISTIC), folder / "priors_figure2.svg")


def figure3_jobs(scale: Scale) -> list[Job]:
    return jobs(GRIDS[scale], ("bdeu",), COMPARED, ("alarm",))


def error_lines(store: Store) -> Lines:
    return lines_of(chosen(store.cells.values(), network="alarm"), ("bdeu",), COMPARED)


def figure3_text(store: Store) -> str:
    lines = error_lines(store)
    rows, behind = [], []
    for panel in panels(cell for some in lines.values() for cell in some):
        wanted = {"network": panel[0], "max_parents": panel[1]}
        sizes = sorted({cell["rows"] for cell in chosen(lines.get("Unif", []), **wanted)})
        for size in sizes:
            unif, fair = (chosen(lines.get(name, []), rows=size, **wanted) for name in ("Unif", "Fair"))
            row = [panel_name(panel), f"{size:,}"]
            for part in PARTS:
                means = mean_of(unif, part), mean_of(fair, part), difference(fair, unif, part)
                row += ["" if mean is None else mean.written(mean is means[2]) for mean in means]
            rows.append(row)
            behind.append([*unif, *fair])
    columns = [f"{name} {part}" for part in PARTS.values() for name in ("Unif", "Fair", "Fair - Unif")]
    return "\n".join(
        [
            "The parts of the SHD for BDeu: spurious, missing and misdirected edges. The paper: Fair reduces spurious "
            "edges dramatically, increases missing ones slightly, and reduces wrong directions.\n",
            table_text(["network", "rows", *columns], rows, behind),
            proof_told(lines),
        ]
    )


def draw_figure3(store: Store, folder: Path) -> list[Path]:
    lines = error_lines(store)
    every = [cell for some in lines.values() for cell in some]
    named = {}
    for network, limit in panels(every):
        of_panel = {name: chosen(some, network=network, max_parents=limit) for name, some in lines.items()}
        for part, shown in PARTS.items():
            named[f"{panel_name((network, limit))}: {shown}"] = {
                name: by_rows(some, part) for name, some in of_panel.items()
            }
    return draw_curves(named, folder / "priors_figure3.svg", "pairs of variables")


def figure4_jobs(scale: Scale) -> list[Job]:
    return jobs(GRIDS[scale], ("bdeu",), UTOPIAN)


def figure4_text(store: Store) -> str:
    lines = lines_of(store.cells.values(), ("bdeu",), UTOPIAN)
    compared = [differences_told(lines, *names) for names in (("Utop", "Unif"), ("Utop", "Fair"), ("Utop+", "Fair"))]
    return "\n".join(
        [
            "Mean SHD for BDeu with priors that know the true numbers of parents: exactly so many (Utop), or at most "
            "(Utop+). The paper: Utop may increase the SHD substantially, and Utop+ is never substantially better than "
            "Fair.\n",
            shd_table(lines),
            " ".join(compared) + "\n",
            "A variable that is constant in a sample has no parents under Utop. " + proof_told(lines),
        ]
    )


def draw_figure4(store: Store, folder: Path) -> list[Path]:
    return drawn(lines_of(store.cells.values(), ("bdeu",), UTOPIAN), folder / "priors_figure4.svg")


def figure5_jobs(scale: Scale) -> list[Job]:
    return jobs(GRIDS[scale], SCORES, COMPARED)


def figure5_text(store: Store) -> str:
    lines = lines_of(store.cells.values(), SCORES, COMPARED)
    compared = [differences_told(lines, f"{score} Fair", f"{score} Unif") for score in SCORES.values()]
    return shd_text(
        "Mean SHD of four scores with Unif and Fair. The paper: the prior decreases the SHD dramatically for fNML, "
        "moderately for qNML, and not visibly for BIC; BIC is not the best, above all on alarm.",
        lines,
        compared,
    )


def draw_figure5(store: Store, folder: Path) -> list[Path]:
    return drawn(lines_of(store.cells.values(), SCORES, COMPARED), folder / "priors_figure5.svg")


TABLES = (
    Table("priors_figure2", "Figure 2: structure priors for BDeu", figure2_jobs, figure2_text, draw_figure2, CELLS),
    Table("priors_figure3", "Figure 3: error types for alarm", figure3_jobs, figure3_text, draw_figure3, CELLS),
    Table("priors_figure4", "Figure 4: utopian priors", figure4_jobs, figure4_text, draw_figure4, CELLS),
    Table("priors_figure5", "Figure 5: other scores", figure5_jobs, figure5_text, draw_figure5, CELLS),
)
