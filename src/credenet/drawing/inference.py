"""Answers of inference in notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING

from credenet._html import MOST_ROWS, first_rows, paragraph
from credenet._text import probability
from credenet.errors import CredenetError

if TYPE_CHECKING:
    from credenet.inference.approximate import ApproximateInference
    from credenet.inference.explanation import Explanations
    from credenet.inference.inference import Inference, Marginals, MostProbable

_BAR = "display:inline-block;height:.7em;background:{colour};width:{width:.2f}em"
_LONGEST = 8.0  # Length in em of the bar for probability 1.
_FILL, _KNOWN = "#7c93b8", "#d08770"


def answers_html(answers: Inference | ApproximateInference) -> str:
    """A line for every state with a bar; evidence has another colour."""
    title = repr(answers)[1:-1]
    try:
        marginals = answers.marginals()
        errors = None if answers.exact else answers.standard_errors()
        ended = "" if answers.exact else "; ".join(filter(None, (answers.status, answers.reason)))
    except CredenetError as error:  # The evidence is impossible, or memory does not suffice.
        return paragraph(f"{title}: {error}")
    note = paragraph(ended) if ended else ""
    return f"{paragraph(title)}{note}{_bars(marginals, answers.evidence, errors)}"


def _bars(marginals: Marginals, known: Mapping[str, object], errors: Marginals | None) -> str:
    heads = ["variable", "state", "probability", *(["standard error"] if errors is not None else []), ""]
    lines = []
    for name, distribution in list(marginals.items())[:MOST_ROWS]:
        colour = _KNOWN if name in known else _FILL
        for at, (state, share) in enumerate(distribution.items()):
            style = _BAR.format(colour=colour, width=_LONGEST * share)
            cells = [name if at == 0 else "", str(state), probability(share)]
            cells += [] if errors is None else [f"{errors[name][state]:.4f}"]
            written = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
            lines.append(f'<tr>{written}<td style="text-align:left"><span style="{style}"></span></td></tr>')
    more = len(marginals) - MOST_ROWS
    note = paragraph(f"… and {more:,} more variables") if more > 0 else ""
    head = "".join(f"<th>{head}</th>" for head in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>{note}"


def most_probable_html(best: MostProbable) -> str:
    bound = "" if best.status == "optimal" else f", at most {best.log_bound:.6f} ({best.status.replace('_', ' ')})"
    title = f"log probability {best.log_probability:.6f}{bound}"
    return first_rows(title, ["variable", "state"], [[name, str(state)] for name, state in best.assignment.items()])


def explanations_html(explanations: Explanations) -> str:
    rows = [[f"{one.gbf:.4f}", str(one)] for one in explanations]
    return first_rows(
        f"explanations: {explanations.status.replace('_', ' ')}", ["factor", "explanation"], rows, numbers=(0,)
    )
