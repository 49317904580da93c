"""The HTML report on a credible set: one file without links, drawings as inline SVG.

It begins with the explorer, which needs JavaScript; the rest does not, and only the rest is printed.
"""

from __future__ import annotations

import math
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from credenet import _later
from credenet._arguments import instance
from credenet._files.files import write_text
from credenet._text import count, duration, probability
from credenet.credible.output import wording
from credenet.credible.output.pair_table import credible_pairs
from credenet.drawing.graphs import write_shared_html
from credenet.drawing.reports import page
from credenet.drawing.score_curves import FACTORS, deviations
from credenet.errors import MissingExtraError

if TYPE_CHECKING:
    from credenet.credible.credible_set import CredibleSet
    from credenet.data.dataset import Dataset

_CLASSES = 4  # Classes that are drawn.
_OPEN = "Data cannot tell the direction of edges without an arrow."


def write_report(
    credible: CredibleSet, path: str | Path, *, data: Dataset | None, command: str | None, explorer: bool
) -> None:
    """Writes the page; see `CredibleSet.report`."""
    if command is not None:
        instance("command", command, str, "a text")
    write_text(path, html(credible, data=data, command=command, explorer=explorer))


def html(
    credible: CredibleSet, *, data: Dataset | None = None, command: str | None = None, explorer: bool = True
) -> str:
    title = f"Credible networks of {count(len(credible.variables), 'variable')}"
    rows = credible.listing.summary_rows(data, shell=command is not None)
    sections = [page.section("Summary", page.table((), rows))]
    if not credible.has_probabilities or credible.optimum is None:
        sections += [*_best_so_far(credible), *_classes(credible)]
        sections += [page.section("How the scores fall", _deviations(credible))] if credible else []
    else:
        sections += [
            page.section("The best network and the average", _networks(credible)),
            *_classes(credible),
            page.section("Pairs of variables", page.pair_section(credible, credible_pairs(credible))),
            page.section("Parent sets", page.parent_sets(credible)),
            page.section("How the scores fall", _deviations(credible)),
        ]
    others = [
        ("families searched", f"{credible.statistics.families:,}"),
        ("time", duration(credible.statistics.seconds)),
    ]
    sections.append(page.describe_run(command, credible.provenance, others))
    return page.whole_page(title, sections, _explorer(credible, data, shell=command is not None) if explorer else "")


def _explorer(credible: CredibleSet, data: Dataset | None, *, shell: bool) -> str:
    """The interactive part; empty if the library for many variables is missing."""
    try:
        return _later.explorer_contents.embed_explorer(credible, data, shell=shell)
    except MissingExtraError:
        return ""


def fragment(credible: CredibleSet) -> str:
    """The report in a notebook: summary, best network and average."""
    summary = page.table((), credible.listing.summary_rows(has_table=False))
    is_known = credible.optimum is not None and credible.has_probabilities
    return summary + (_networks(credible) if is_known else "".join(_best_so_far(credible)))


def _best_so_far(credible: CredibleSet) -> list[str]:
    """The class of the best network found, for a set that does not tell how sure its edges are."""
    best = credible.listing.best_found
    if best is None:
        return []
    score = (
        credible.listing.incumbent.score
        if credible.listing.incumbent is not None
        else next(credible.listing.networks()).score
    )
    caption = f"best network found so far, score {score:.6f}; how sure its edges are is not known. {_OPEN}"
    figure = page.figure(page.drawing(credible.class_of(best)), caption)
    return [page.section("The best network found so far", page.figures(figure))]


def _networks(credible: CredibleSet) -> str:
    best = next(credible.listing.networks())
    chance = f"probability {probability(best.probability)} among {credible.among}"
    drawn = credible.class_of(best.dag)
    caption = f"best network, {chance}. {_OPEN}" if drawn.undirected else f"best network, {chance}"
    return page.figures(page.figure(page.drawing(drawn), caption), page.average_figure(credible))


def _classes(credible: CredibleSet) -> list[str]:
    """The best classes, if they need no long enumeration."""
    if not credible or not credible.diagram.has_quick_classes:
        return []
    classes = credible.classes
    number = wording.how_many(credible, classes.n_classes, "class", "classes")
    best = classes[:_CLASSES]
    figures = [
        page.figure(drawing, f"{_chance(credible, one.probability)}{_members(one.members, one.size)}")
        for one, drawing in zip(best, write_shared_html([one.cpdag for one in best]), strict=True)
    ]
    shown = "" if classes.n_classes <= _CLASSES else f", of which the best {_CLASSES} are drawn"
    marks = " Red edges differ between the drawings; dotted edges are in another drawing only." if len(best) > 1 else ""
    among = f"Probabilities are among {escape(credible.among)}."
    body = f"<p>{number}{shown}. {among} {_OPEN}{marks}</p>{page.figures(*figures)}"
    return [page.section("Equivalence classes", body)]


def _chance(credible: CredibleSet, share: float) -> str:
    return f"probability {probability(share)}, " if credible.has_probabilities else ""


def _members(members: int, size: int) -> str:
    return count(members, "network") if members == size else f"{members:,} of its {count(size, 'network')}"


def _deviations(credible: CredibleSet) -> str:
    """Score below the best against the rank, with lines at the usual Bayes factors."""
    ranks, values = deviations(credible, limit=10**12)
    width, height, left, bottom = 560.0, 240.0, 46.0, 34.0
    top = max(credible.listing.slack, float(values[-1]), 1e-9) * 1.08
    decades = max(math.log10(float(ranks[-1])), 1e-9)

    def write_point(rank: float, value: float) -> str:
        x = left + (width - left - 8) * math.log10(rank) / decades
        return f"{x:.1f},{(height - bottom) * (1 - value / top) + 4:.1f}"

    points = []
    for number, (rank, value) in enumerate(zip(ranks.tolist(), values.tolist(), strict=True)):
        if number:
            points.append(write_point(rank, float(values[number - 1])))
        points.append(write_point(rank, value))
    base = height - bottom + 4
    shapes = [f'<polyline points="{" ".join(points)}" fill="none" stroke="#2160ac" stroke-width="1.5"/>']
    shapes.append(f'<path d="M{left},4 V{base} H{width - 8}" fill="none" stroke="#5b6b83"/>')
    for factor in FACTORS:
        if math.log(factor) <= top:
            y = write_point(1, math.log(factor)).split(",")[1]
            shapes.append(f'<path d="M{left},{y} H{width - 8}" stroke="#888" stroke-dasharray="4 3"/>')
            shapes.append(f'<text x="{width - 10}" y="{float(y) - 3:.1f}" text-anchor="end">factor {factor}</text>')
            shapes.append(f'<text x="{left - 5}" y="{y}" text-anchor="end">{math.log(factor):.2f}</text>')
    for power in range(int(decades) + 1):
        x = write_point(10.0**power, 0).split(",")[0]
        shapes.append(f'<text x="{x}" y="{base + 14}" text-anchor="middle">{10**power:,}</text>')
    shapes.append(f'<text x="{width / 2}" y="{height - 2}" text-anchor="middle">rank of the network</text>')
    drawing = f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" font-size="11" fill="#1d2733">'
    found = "" if credible.has_probabilities else " among the networks found"
    return page.figure(f"{drawing}{''.join(shapes)}</svg>", f"score below the best, in nats, against the rank{found}")
