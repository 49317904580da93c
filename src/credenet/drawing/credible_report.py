"""The HTML report on a credible set: one file without links, drawings as inline SVG.

It begins with the explorer, which needs JavaScript; the rest, which is also what is printed, does not.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from credenet._arguments import instance
from credenet._files.files import write_text
from credenet._html import html_table
from credenet._text import count, duration, probability
from credenet.credible.output import wording
from credenet.credible.output.pair_table import pair_table
from credenet.drawing.average_graph import average_graph
from credenet.drawing.graphs import shared_html, to_html
from credenet.drawing.score_curves import FACTORS, deviations, edge_matrix
from credenet.errors import MissingExtraError
from credenet.graphs import DAG, PDAG

if TYPE_CHECKING:
    from credenet.credible.credible_set import CredibleSet
    from credenet.data.dataset import Dataset

_MOST_ROWS = 200  # of a table
_MOST_CELLS = 60  # variables of the heat map
_LARGEST_CELL, _WIDTH_OF_CELLS = 1.4, 52.0  # rem, of the heat map
_CLASSES = 4  # that are drawn
_THRESHOLD = 0.05
_AVERAGE = (
    f"average network: the width of a line is the probability that two variables are adjacent, from {_THRESHOLD:g}; "
    "arrows have a probability above one half"
)
_AVERAGE_FOUND = (
    f"average of the networks found, which are not all: the width of a line is the share with the edge, from "
    f"{_THRESHOLD:g}; an arrow is in more than half"
)
_NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'  # not needed inside HTML, and looks like a link
_STYLE = """
body { font: 15px/1.45 sans-serif; color: #1d2733; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
table { border-collapse: collapse; } td, th { padding: .15rem .7rem .15rem 0; text-align: left; vertical-align: top; }
th { font-weight: 600; } td.number { text-align: right; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; } .tall { max-height: 48rem; overflow-y: auto; border-bottom: 1px solid #e6ebf2; }
.tall th { position: sticky; top: 0; background: #fff; } @media print { .tall { max-height: none; } }
.heat td { padding: 0; border: 1px solid #e6ebf2; min-width: var(--side); height: var(--side); }
.heat th { font-weight: 400; font-size: calc(.6 * var(--side)); line-height: 1.1; padding: 0 .3rem; }
.heat thead th { writing-mode: vertical-rl; transform: rotate(180deg); padding: .3rem 0; }
.figures { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: flex-start; }
figure { margin: 0; max-width: 100%; } figcaption { font-size: .85rem; color: #5b6b83; max-width: 22rem; }
p.note { color: #5b6b83; font-size: .9rem; }
pre { background: #eef2f8; padding: .7rem; overflow-x: auto; white-space: pre-wrap; }
"""


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
    rows = credible.summary_rows(data, shell=command is not None)
    sections = [_section("Summary", _table((), rows))]
    if credible.optimum is None:
        sections += _best_so_far(credible)
    else:
        sections += [
            _section("The best network and the average", _networks(credible)),
            *_classes(credible),
            _section("Pairs of variables", _pairs(credible)),
            _section("Parent sets", _parent_sets(credible)),
            _section("How the scores fall", _deviations(credible)),
        ]
    sections.append(_section("What was run", _provenance(credible, command)))
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
    body = "\n".join(sections).replace(_NAMESPACE, "")
    part = _explorer(credible, data, shell=command is not None) if explorer else ""
    body = f"<h1>{escape(title)}</h1>\n{part}{body}"
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'


def _explorer(credible: CredibleSet, data: Dataset | None, *, shell: bool) -> str:
    """The interactive part; nothing where a library for many variables is missing."""
    from credenet.explorer.contents import embedded_explorer

    try:
        return embedded_explorer(credible, data, shell=shell)
    except MissingExtraError:
        return ""


def fragment(credible: CredibleSet) -> str:
    """The report in a notebook: summary, best network and average."""
    summary = _table((), credible.summary_rows())
    return summary + ("".join(_best_so_far(credible)) if credible.optimum is None else _networks(credible))


def _best_so_far(credible: CredibleSet) -> list[str]:
    """The best network found, if it is not proven to be optimal."""
    if credible.incumbent is None:
        return []
    dag, score, _ = credible.incumbent
    figure = _figure(_drawing(dag), f"best network so far, score {score:.6f}; it is not proven to be the best")
    return [_section("The best network so far", _figures(figure))]


def _share(credible: CredibleSet, *, of: str = "") -> str:
    """The heading of a column of shares."""
    return f"probability{of}" if credible.has_probabilities else f"share{of} of the networks found"


def _section(title: str, body: str) -> str:
    return f"<section><h2>{escape(title)}</h2>\n{body}</section>"


def _table(headers: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Sequence[int] = ()) -> str:
    return f'<div class="tall">{html_table(headers, rows, numbers=numbers)}</div>'


def _figures(*figures: str) -> str:
    return f'<div class="figures">{"".join(figures)}</div>'


def _figure(drawing: str, caption: str) -> str:
    return f"<figure>{drawing}<figcaption>{escape(caption)}</figcaption></figure>"


def _networks(credible: CredibleSet) -> str:
    best = next(credible.networks())
    directed, undirected, widths = average_graph(credible, _THRESHOLD)
    average = to_html(credible.variables, directed, undirected, caption="average network", widths=widths)
    return _figures(
        _figure(_drawing(best.dag), f"best network, {_share(credible)} {probability(best.probability)}"),
        _figure(average, _AVERAGE if credible.has_probabilities else _AVERAGE_FOUND),
    )


def _drawing(graph: DAG | PDAG) -> str:
    drawing: str = graph._repr_html_()
    return drawing


def _classes(credible: CredibleSet) -> list[str]:
    """The best classes, if they are found without a long enumeration."""
    if not credible.has_quick_classes:
        return []
    classes = credible.classes()
    number = credible._how_many(classes.n_classes, "class", "classes")
    best = classes[:_CLASSES]
    figures = [
        _figure(drawing, f"{_share(credible)} {probability(one.probability)}, {_members(one.members, one.size)}")
        for one, drawing in zip(best, shared_html([one.cpdag for one in best]), strict=True)
    ]
    shown = "" if classes.n_classes <= _CLASSES else f", of which the best {_CLASSES} are drawn"
    marks = " Red edges differ between the drawings; dotted edges are in another drawing only." if len(best) > 1 else ""
    body = f"<p>{number}{shown}. Edges without an arrow can be directed either way.{marks}</p>{_figures(*figures)}"
    return [_section("Equivalence classes", body)]


def _members(members: int, size: int) -> str:
    return count(members, "network") if members == size else f"{members:,} of its {count(size, 'network')}"


def _pairs(credible: CredibleSet) -> str:
    """The probabilities of the edges between pairs of variables."""
    pairs = pair_table(credible, _MOST_ROWS)
    kind = "Probabilities" if credible.has_probabilities else "Shares, which are not probabilities,"
    parts = [f"<p>{kind} among {escape(wording.among(credible) or '')}: that two variables are adjacent.</p>"]
    parts += [_table(pairs.headers, pairs.rows, numbers=range(2, len(pairs.headers))), _more(pairs.n_pairs)]
    if pairs.note:
        parts.append(f"<p class='note'>{escape(pairs.note)}</p>")
    if len(credible.variables) <= _MOST_CELLS:
        note = f"{_share(credible, of=' of each edge').capitalize()}: parents are rows, children columns. "
        note += "Equivalent networks are counted separately, so that an edge may have shares in both directions."
        parts.append(f"{_heat_map(credible)}<p class='note'>{note}</p>")
    return "\n".join(parts)


def _more(number: int) -> str:
    return f"<p class='note'>The first {_MOST_ROWS} of {number:,}.</p>" if number > _MOST_ROWS else ""


def _heat_map(credible: CredibleSet) -> str:
    names = credible.variables
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    side = min(_LARGEST_CELL, _WIDTH_OF_CELLS / len(names))
    table = f'<table class="heat" style="--side: {side:.2f}rem">'
    lines = [f'<div class="scroll">{table}<thead><tr><th></th>{head}</tr></thead><tbody>']
    for name, shares in zip(names, edge_matrix(credible).tolist(), strict=True):
        cells = "".join(
            f'<td style="background:rgba(33,96,172,{share:.3f})" '
            f'title="{escape(name)} → {escape(child)}: {probability(share)}"></td>'
            for child, share in zip(names, shares, strict=True)
        )
        lines.append(f"<tr><th>{escape(name)}</th>{cells}</tr>")
    return "\n".join([*lines, "</tbody></table></div>"])


def _parent_sets(credible: CredibleSet) -> str:
    rows = [
        (name, ", ".join(parents) or "none", probability(share))
        for name, sets in credible.parent_set_probabilities().items()
        for parents, share in list(sets.items())[:3]
    ]
    note = "<p class='note'>The three most probable of each variable.</p>"
    return note + _table(("variable", "parents", _share(credible)), rows[:_MOST_ROWS], numbers=(2,)) + _more(len(rows))


def _deviations(credible: CredibleSet) -> str:
    """Score below the best against the rank, with lines at the usual Bayes factors."""
    ranks, values = deviations(credible, limit=10**12)
    width, height, left, bottom = 560.0, 240.0, 46.0, 34.0
    top = max(credible.slack, float(values[-1]), 1e-9) * 1.08
    decades = max(math.log10(float(ranks[-1])), 1e-9)

    def at(rank: float, value: float) -> str:
        x = left + (width - left - 8) * math.log10(rank) / decades
        return f"{x:.1f},{(height - bottom) * (1 - value / top) + 4:.1f}"

    points = []
    for number, (rank, value) in enumerate(zip(ranks.tolist(), values.tolist(), strict=True)):
        if number:
            points.append(at(rank, float(values[number - 1])))
        points.append(at(rank, value))
    base = height - bottom + 4
    shapes = [f'<polyline points="{" ".join(points)}" fill="none" stroke="#2160ac" stroke-width="1.5"/>']
    shapes.append(f'<path d="M{left},4 V{base} H{width - 8}" fill="none" stroke="#5b6b83"/>')
    for factor in FACTORS:
        if math.log(factor) <= top:
            y = at(1, math.log(factor)).split(",")[1]
            shapes.append(f'<path d="M{left},{y} H{width - 8}" stroke="#888" stroke-dasharray="4 3"/>')
            shapes.append(f'<text x="{width - 10}" y="{float(y) - 3:.1f}" text-anchor="end">factor {factor}</text>')
            shapes.append(f'<text x="{left - 5}" y="{y}" text-anchor="end">{math.log(factor):.2f}</text>')
    for power in range(int(decades) + 1):
        x = at(10.0**power, 0).split(",")[0]
        shapes.append(f'<text x="{x}" y="{base + 14}" text-anchor="middle">{10**power:,}</text>')
    shapes.append(f'<text x="{width / 2}" y="{height - 2}" text-anchor="middle">rank of the network</text>')
    drawing = f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" font-size="11" fill="#1d2733">'
    found = "" if credible.has_probabilities else " among the networks found"
    return _figure(f"{drawing}{''.join(shapes)}</svg>", f"score below the best, in nats, against the rank{found}")


def _provenance(credible: CredibleSet, command: str | None) -> str:
    known = {name: value for name, value in credible.provenance.to_dict().items() if value not in (None, "")}
    rows = [(name, value if isinstance(value, str) else json.dumps(value)) for name, value in known.items()]
    statistics = credible.statistics
    rows += [("families searched", f"{statistics.families:,}"), ("time", duration(statistics.seconds))]
    return ("" if command is None else f"<pre>{escape(command)}</pre>") + _table((), rows)
