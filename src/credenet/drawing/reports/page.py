"""The common parts of HTML reports: the page, its sections, and averages over networks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from credenet._html import html_table
from credenet._json import json_text
from credenet._text import probability
from credenet.drawing.graphs import to_html
from credenet.graphs import DAG, PDAG
from credenet.learners.results import Provenance
from credenet.structures.average_graph import average_graph
from credenet.structures.pair_table import PairTable
from credenet.structures.weighted_networks import WeightedNetworks

MOST_ROWS = 200  # Rows of a table at most.
_MOST_CELLS = 60  # Variables of the heat map at most.
_LARGEST_CELL, _WIDTH_OF_CELLS = 1.4, 52.0  # Rem: largest cell, and total width of the cells, of the heat map.
_THRESHOLD = 0.05
_AVERAGE = (
    f"the width of a line is the probability that two variables are joined, from {_THRESHOLD:g}; "
    "an arrow means that, if they are, data and knowledge determine this direction with a probability above one half"
)
_BLUE, _AMBER = (33, 96, 172), (217, 138, 0)
_COLOURS = (
    "Blue: data and knowledge determine the direction. Amber: data cannot tell it, and both cells of the pair have it."
)
_PARENTS = (
    "Equivalent networks count separately: where data cannot tell a direction, either of the two may be the parent."
)
_NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'  # HTML does not need the namespace, which looks like a link.
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


def whole_page(title: str, sections: Iterable[str], explorer: str = "") -> str:
    """The whole page; an interactive part comes first."""
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
    body = "\n".join(sections).replace(_NAMESPACE, "")
    body = f"<h1>{escape(title)}</h1>\n{explorer}{body}"
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'


def section(title: str, body: str) -> str:
    return f"<section><h2>{escape(title)}</h2>\n{body}</section>"


def table(headers: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Sequence[int] = ()) -> str:
    return f'<div class="tall">{html_table(headers, rows, numbers=numbers)}</div>'


def figures(*several: str) -> str:
    return f'<div class="figures">{"".join(several)}</div>'


def figure(image: str, caption: str) -> str:
    return f"<figure>{image}<figcaption>{escape(caption)}</figcaption></figure>"


def drawing(graph: DAG | PDAG) -> str:
    image: str = graph._repr_html_()
    return image


def average_figure(networks: WeightedNetworks) -> str:
    """The average network with its caption."""
    directed, undirected, widths = average_graph(networks, _THRESHOLD)
    image = to_html(networks.variables, directed, undirected, caption="average network", widths=widths)
    return figure(image, f"average network, among {networks.among}: {_AVERAGE}")


def more(number: int) -> str:
    return f"<p class='note'>The first {MOST_ROWS} of {number:,}.</p>" if number > MOST_ROWS else ""


def pair_section(networks: WeightedNetworks, shown: PairTable) -> str:
    """The section on joined pairs of variables, with a table and a heat map."""
    parts = [f"<p>{escape(shown.among)}: that two variables are joined, and how.</p>"]
    rows = table(shown.headers, shown.rows[:MOST_ROWS], numbers=range(2, len(shown.headers)))
    parts += [rows, more(len(shown.rows))]
    if shown.note:
        parts.append(f"<p class='note'>{escape(shown.note)}</p>")
    return "\n".join([*parts, pair_map(networks)])


def pair_map(networks: WeightedNetworks) -> str:
    """A heat map of the pairs, with a note; empty if there are too many variables."""
    if len(networks.variables) > _MOST_CELLS:
        return ""
    note = f"Probabilities among {escape(networks.among)}: parents are rows, children columns. {_COLOURS}"
    return f"{_heat_map(networks)}<p class='note'>{note}</p>"


def _heat_map(networks: WeightedNetworks) -> str:
    names, pairs = networks.variables, networks.pair_probabilities()
    cells = {pair: (shares.forward, shares.undetermined) for pair, shares in pairs.items()}
    cells |= {pair[::-1]: (shares.backward, shares.undetermined) for pair, shares in pairs.items()}
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    side = min(_LARGEST_CELL, _WIDTH_OF_CELLS / len(names))
    start = f'<table class="heat" style="--side: {side:.2f}rem">'
    lines = [f'<div class="scroll">{start}<thead><tr><th></th>{head}</tr></thead><tbody>']
    for name in names:
        row = "".join(_cell(name, child, *cells.get((name, child), (0.0, 0.0))) for child in names)
        lines.append(f"<tr><th>{escape(name)}</th>{row}</tr>")
    return "\n".join([*lines, "</tbody></table></div>"])


def _cell(parent: str, child: str, determined: float, undetermined: float) -> str:
    """A cell of the heat map: as dark as the pair may be joined so, as blue as this direction is then determined."""
    share = min(determined + undetermined, 1.0)
    sure = determined / share if share > 0 else 0.0
    colour = ",".join(f"{open_ + (blue - open_) * sure:.0f}" for open_, blue in zip(_AMBER, _BLUE, strict=True))
    told = f"{escape(parent)} → {escape(child)}: {probability(determined)}"
    told += f"; joined, but data cannot tell the direction: {probability(undetermined)}" if undetermined > 0 else ""
    return f'<td style="background:rgba({colour},{share:.3f})" title="{told}"></td>'


def parent_sets(networks: WeightedNetworks) -> str:
    rows = [
        (name, ", ".join(parents) or "none", probability(share))
        for name, sets in networks.parent_set_probabilities().items()
        for parents, share in list(sets.items())[:3]
    ]
    note = f"<p class='note'>The three most probable of each variable, among {escape(networks.among)}. {_PARENTS}</p>"
    return note + table(("variable", "parents", "probability"), rows[:MOST_ROWS], numbers=(2,)) + more(len(rows))


def describe_run(command: str | None, provenance: Provenance, others: Sequence[tuple[str, str]]) -> str:
    """The last section: the command, what was asked for, and further rows."""
    known = {name: value for name, value in provenance.to_dict().items() if value not in (None, "")}
    rows = [(name, value if isinstance(value, str) else json_text(value)) for name, value in known.items()]
    body = "" if command is None else f"<pre>{escape(command)}</pre>"
    return section("What was run", body + table((), [*rows, *others]))
