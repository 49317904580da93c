"""The HTML report on a posterior: one file without scripts and links, drawings as inline SVG."""

from __future__ import annotations

import math
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from credenet._arguments import instance
from credenet._files.files import write_text
from credenet._text import count, duration
from credenet.drawing.reports import page
from credenet.posteriors import wording

if TYPE_CHECKING:
    from credenet.posteriors.sampling.chains import ChainResult
    from credenet.posteriors.structure_posterior import StructurePosterior

_MOST_POINTS = 400  # Points of a trace at most.
_COLOURS = ("#2160ac", "#c8641e", "#2f8f4e", "#8a4fb0", "#b03a3a", "#5b6b83")


def write_report(posterior: StructurePosterior, path: str | Path, *, command: str | None) -> None:
    """Writes the page; see `StructurePosterior.report`."""
    if command is not None:
        instance("command", command, str, "a text")
    write_text(path, html(posterior, command=command))


def html(posterior: StructurePosterior, *, command: str | None = None) -> str:
    title = f"Posterior over the networks of {count(len(posterior.variables), 'variable')}"
    sections = [page.section("Summary", page.table((), wording.summary_rows(posterior)))]
    if posterior.has_probabilities:
        sections += [
            page.section("The average network", page.figures(page.average_figure(posterior))),
            page.section("Pairs of variables", page.pair_section(posterior, wording.posterior_pairs(posterior))),
            page.section("Parent sets", page.parent_sets(posterior)),
        ]
    elif posterior.chains:
        sections.append(page.section("No probabilities", f"<p>{escape(wording.TOO_SHORT)}</p>"))
    if posterior.chains:
        sections.append(page.section("Markov chains", "".join(map(_chains, posterior.chains))))
    sections.append(
        page.describe_run(command, posterior.provenance, [("time", duration(posterior.statistics.seconds))])
    )
    return page.whole_page(title, sections)


def _chains(chains: ChainResult) -> str:
    """Diagnostics of one component, and the scores of its networks over the moves."""
    found = {name: value for name, value in wording.diagnostics(chains).items() if value is not None}
    rows = [(name.replace("_", " "), _number(value)) for name, value in found.items()]
    caption = "log score of the network over the moves of each chain; chains that agree overlap"
    return page.table((), rows) + (page.figure(_traces(chains), caption) if chains.log_scores.size else "")


def _number(value: float | str) -> str:
    if not isinstance(value, float):
        return f"{value}"
    return f"{value:.5g}" if math.isfinite(value) else "infinite: a chain stays where it is"


def _traces(chains: ChainResult) -> str:
    width, height, left, bottom = 560.0, 220.0, 76.0, 20.0
    low, high = float(chains.log_scores.min()), float(chains.log_scores.max())
    scale = (height - bottom - 8) / max(high - low, 1e-9)
    lines = []
    for number, scores in enumerate(chains.log_scores):
        places = np.unique(np.linspace(0, len(scores) - 1, _MOST_POINTS).astype(int))
        across = left + (width - left - 8) * places / max(len(scores) - 1, 1)
        points = " ".join(
            f"{x:.1f},{4 + (high - y) * scale:.1f}"
            for x, y in zip(across.tolist(), scores[places].tolist(), strict=True)
        )
        colour = _COLOURS[number % len(_COLOURS)]
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="0.8"/>')
    base = height - bottom - 4
    labels = [f'<path d="M{left},4 V{base} H{width - 8}" fill="none" stroke="#5b6b83"/>']
    labels += [
        f'<text x="{left - 5}" y="{y:.1f}" text-anchor="end">{value:.1f}</text>'
        for y, value in ((14.0, high), (base, low))
    ]
    labels.append(f'<text x="{width / 2}" y="{height - 4}" text-anchor="middle">moves</text>')
    start = f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" font-size="11" fill="#1d2733">'
    return f"{start}{''.join(lines + labels)}</svg>"
