"""Samples and score files of bn-slim: scores of networks of tree-width 2, 4 and 8, and how they rose over time."""

from __future__ import annotations

from pathlib import Path

from ..frame import Table, number, save_figure, table_text
from ..store import Job, Scale, Store
from .runs import PUBLISHED, learning, threads_told

SAMPLES = ("child", "insurance", "alarm", "hailfinder", "munin1", "pathfinder")
SCORE_FILES = ("pathfinder", "munin1", "pigs", "munin")
WIDTHS = (2, 4, 8)
SLIM_COLUMNS = (
    *("file", "score", "tree-width", "s", "families"),
    *("ours", "published", "by", "difference", "passed (s)"),
)


def slim_jobs(scale: Scale) -> list[Job]:
    widths, seconds = (WIDTHS, 60.0) if scale == "paper" else ((4,), 10.0)
    paths = [f"datasets/{name}-5000.dat.gz" for name in SAMPLES]
    paths += [f"scores/{name}-5000.jkl.gz" for name in SCORE_FILES]
    return [learning(path, "auto", seconds, tree_width=width) for path in paths for width in widths]


def slim_text(store: Store) -> str:
    rows, behind = [], []
    for cell in sorted(store.cells.values(), key=lambda cell: (cell["path"], cell["seconds"], cell["tree_width"])):
        kind, name = str(cell["path"]).removesuffix(".gz").split("/")
        score = "BDeu" if kind == "datasets" else "BIC"
        theirs, what = published_slim(kind, name.partition("-")[0], cell["tree_width"])
        passed = next((at for at, reached in cell["trace"] if theirs is not None and reached >= theirs), None)
        difference = "" if theirs is None or cell["score"] is None else f"{cell['score'] - theirs:+.3f}"
        ours = number(cell["score"]) + (", proven" if cell["status"] == "optimal" else "")
        where = [name, score, str(cell["tree_width"]), f"{cell['seconds']:g}", f"{cell['families']:,}"]
        rows.append([*where, ours, number(theirs), what, difference, "" if passed is None else f"{passed:.2f}"])
        behind.append([cell])
    return "\n".join(
        [
            f"auto on {threads_told(store.cells.values())}. The published numbers: for data, the better of k-G and "
            "k-MAX of BLIP (one thread of a busy machine, 60 s of scoring and 60 s of search, at most 4 parents); for "
            "score files, the best of k-MAX and BN-SLIM at tree-width 50, which is wider than ours. The difference is "
            "ours less theirs; the last column says after how many seconds the published score was reached.\n",
            table_text(SLIM_COLUMNS, rows, behind),
        ]
    )


def published_slim(kind: str, name: str, width: int) -> tuple[float | None, str]:
    """The published score to compare with, and the program that found it."""
    if kind == "scores":
        return PUBLISHED["slim, BIC, tree-width 50"][name], "tree-width 50"
    both = PUBLISHED["slim, BDeu, tree-width 4"].get(name)
    if both is None or width != 4:
        return None, ""
    best = max(both, key=both.__getitem__)
    return both[best], best


def draw_curves(store: Store, folder: Path) -> list[Path]:
    """Score over time, a panel for each file and a curve for each tree-width."""
    from matplotlib.figure import Figure

    drawn = []
    for kind, title in (("datasets", "BDeu"), ("scores", "BIC")):
        in_order = sorted(store.cells.values(), key=lambda cell: float(cell["seconds"]))
        longest = {(cell["path"], cell["tree_width"]): cell for cell in in_order}
        some = [cell for cell in longest.values() if str(cell["path"]).startswith(kind) and cell["trace"]]
        paths = list(dict.fromkeys(str(cell["path"]) for cell in some))
        if not paths:
            continue
        n_rows = -(-len(paths) // 3)
        figure = Figure(figsize=(11, 3.2 * n_rows), layout="constrained")
        panels = figure.subplots(n_rows, 3, squeeze=False).ravel()
        for axes, path in zip(panels, paths, strict=False):
            lowest = []
            for cell in sorted((cell for cell in some if cell["path"] == path), key=lambda cell: cell["tree_width"]):
                seconds, scores = zip(*cell["trace"], strict=True)
                axes.step([*seconds, cell["wall"]], [*scores, scores[-1]], where="post", label=str(cell["tree_width"]))
                early = [score for at, score in cell["trace"] if at <= 0.05 * cell["seconds"]]
                lowest.append(early[-1] if early else scores[0])
            axes.set_ylim(bottom=min(lowest))
            axes.set_xscale("log")
            axes.set_title(Path(path).name.partition(".")[0], fontsize=10)
            axes.set_xlabel("seconds")
            axes.grid(visible=True, alpha=0.3)
        for axes in panels[len(paths) :]:
            axes.set_visible(False)
        panels[0].set_ylabel(title)
        panels[0].legend(title="tree-width", fontsize=8)
        drawn.append(save_figure(figure, folder / f"treewidth_slim_{kind}.svg"))
    return drawn


TABLES = (Table("treewidth_slim", "Samples and score files of bn-slim", slim_jobs, slim_text, draw_curves),)
