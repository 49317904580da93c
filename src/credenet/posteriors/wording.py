"""Sentences about a posterior: how it was computed, and how sure it is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from credenet._run.status import why_unscored
from credenet._text import count, duration, listing, name_lines
from credenet.posteriors.findings import KNOWN_TO
from credenet.posteriors.sampling.stretches import ERRORS
from credenet.structures.pair_table import PairTable, pair_table
from credenet.structures.pairs import DRAWN_NOTE

if TYPE_CHECKING:
    from credenet.posteriors.sampling.chains import ChainResult
    from credenet.posteriors.structure_posterior import StructurePosterior

TOO_SHORT = (
    "The Markov chains were too short to tell how exact their shares are, so that no probabilities are shown. Give\n"
    "more time (time_limit, --time-limit), or fewer parents (max_parents, --max-parents). What was found so far is in\n"
    "edge_probabilities() and, as shares found, in the JSON."
)
_MARKED = 0.05  # Errors from which a number is marked as not known.
_UNKNOWN = "?"

_UNSURE = 0.01  # Distance from 0 and from 1 below which an edge is nearly impossible or nearly certain.

_ENDINGS = {
    "time_limit": "time was up",
    "stopped": "it was stopped",
    "infeasible": "no network obeys the knowledge",
    "memory_limit": "memory was full",
    "iteration_limit": "not all families were scored",
}


def ending(status: str) -> str:
    """A clause that says why there is no posterior."""
    return _ENDINGS.get(status, status)


def summary_rows(posterior: StructurePosterior) -> list[tuple[str, str]]:
    """The named lines of a summary."""
    made = posterior.provenance
    if posterior._findings.edges is None:
        rows = [("posterior", f"not known: {ending(posterior.status)}"), _score_row(posterior)]
        return [*rows, ("time", duration(posterior.statistics.seconds))]
    isolated = f", {len(posterior.isolated):,} of them isolated" if posterior.isolated else ""
    rows = [("posterior", f"over all networks of {count(len(posterior.variables), 'variable')}{isolated}")]
    if posterior.leaves_out_families:
        rows[0] = ("posterior", f"over the networks made of the {len(posterior._families):,} families that were scored")
        rows.append(("families", _left_out(posterior)))
    rows.append(("found by", made.reason))
    if posterior.log_evidence is not None:
        rows.append(("log evidence", f"{posterior.log_evidence:.6f}, the log of the sum of exp(score)"))
    if posterior.consistency is not None:
        rows.append(("consistency", f"{posterior.consistency:.1e}, by which probabilities do not add up to 1"))
    for chain in posterior.chains:
        told = diagnostics(chain)
        verdict = {
            "converged": "the chains agree",
            "not_converged": "the chains do not agree on all edges",
        }.get(chain.status, f"the chains agree so far, but {ending(chain.status)}")
        if told["largest_rhat"] is None:
            rows.append(("convergence", "too few moves to tell whether the chains agree"))
            continue
        rows.append(("convergence", f"{rhat_text(told['largest_rhat'])}: {verdict}"))
        rows.append(("standard error", f"{told['largest_error']:.4f} of the worst edge"))
        if told["smallest_effective_size"] is not None:
            rows.append(
                ("effective size", f"{told['smallest_effective_size']:,.0f} independent networks for the worst edge")
            )
    if posterior.chains and posterior.has_probabilities:
        rows.append(("known", _edges_known(posterior)))
    rows.append(_score_row(posterior))
    if made.knowledge is not None:
        rows.append(("knowledge", "; ".join(made.knowledge.consequences(posterior.variables))))
    if posterior.isolated:
        rows.append(("isolated", f"by rule: {listing(posterior.isolated)}"))
    rows += [("remark", remark) for remark in posterior.remarks]
    return [*rows, ("time", duration(posterior.statistics.seconds))]


def _score_row(posterior: StructurePosterior) -> tuple[str, str]:
    return "score", posterior.provenance.judged_by or "score and prior as in the table"


def _left_out(posterior: StructurePosterior) -> str:
    """A phrase that says which families are missing and why."""
    made = posterior._families.made
    if made.complete is not False:
        assert made.slack is not None
        return f"without parent sets that score {made.slack:.3g} less than one of their subsets, or lower"
    most = "" if made.max_parents is None else f"of at most {count(made.max_parents, 'parent')}; "
    return f"{most}not all were scored{why_unscored(made.status)}"


def summary(posterior: StructurePosterior) -> str:
    """The text of a summary: how the posterior was computed, how sure it is, and how pairs are joined."""
    rows = name_lines(summary_rows(posterior))
    if posterior._findings.edges is None:
        return rows
    if not posterior.has_probabilities:
        return f"{rows}\n\n{TOO_SHORT}"
    return f"{rows}\n\n{posterior_pairs(posterior).text()}"


def posterior_pairs(posterior: StructurePosterior) -> PairTable:
    """The table of the joined pairs. Where networks were sampled, it has the errors of its numbers."""
    shown = pair_table(posterior, directions_note(posterior))
    errors = posterior._findings.errors
    if errors is None or not posterior.has_probabilities:
        return shown
    place = {name: at for at, name in enumerate(posterior.variables)}
    rows = []
    for a, b, joined, *directions in shown.rows:
        turned = errors.edges[place[b], place[a]], errors.edges[place[a], place[b]]
        rows.append([a, b, joined, _error(posterior.joined_error(a, b)), *directions, _error(max(turned))])
    headers = [*shown.headers[:3], "±", *shown.headers[3:], "± of → and ←"]
    note = f"± is three standard errors. {_UNKNOWN} marks what the chains do not know to {_MARKED}. {shown.note}"
    return shown._replace(headers=headers, rows=rows, note=note)


def _error(standard_error: float) -> str:
    """Three standard errors, marked if they are large."""
    if math.isinf(standard_error):
        return _UNKNOWN
    error = ERRORS * standard_error
    return f"{max(error, 0.001):.3f}{f' {_UNKNOWN}' if error > _MARKED else ''}" if error >= 0.001 else "<0.001"


def _edges_known(posterior: StructurePosterior) -> str:
    """A phrase that says of how many edges the probability is known, and how well."""
    n_all = len(posterior.edge_probabilities())
    known = {within: n_all - len(posterior.unsettled_edges(within)) for within in (KNOWN_TO, _MARKED)}
    told = ", ".join(f"{number:,} to {within}" for within, number in known.items())
    return f"of {count(n_all, 'edge')} the probability is known: {told}"


def directions_note(posterior: StructurePosterior) -> str:
    """A sentence on the networks from which the probabilities of directions are estimated."""
    if posterior.chains:
        return "Directions are those of networks that the chains visited; neighbours in a chain depend on each other."
    return DRAWN_NOTE


def diagnostics(chain: ChainResult) -> dict[str, Any]:
    """The diagnostics of chains as JSON values."""
    is_known = not math.isnan(chain.largest_rhat)
    return {
        "status": chain.status,
        "largest_rhat": chain.largest_rhat if is_known else None,
        "largest_error": float(np.nanmax(chain.edge_errors, initial=0.0)) if is_known else None,
        "smallest_effective_size": _smallest_size(chain),
        "chains": len(chain.log_scores),
        "moves": int(chain.moves),
        "seconds": chain.seconds,
    }


def rhat_text(value: float) -> str:
    """The largest R-hat in words; it is infinite if a chain has not moved and another one is elsewhere."""
    return f"largest R-hat {value:.4f}" if math.isfinite(value) else "R-hat is infinite, as a chain stays where it is"


def _smallest_size(chain: ChainResult) -> float | None:
    """The smallest effective size of an edge that is neither nearly certain nor nearly impossible."""
    unsure = (chain.edge_probabilities > _UNSURE) & (chain.edge_probabilities < 1 - _UNSURE)
    sizes = chain.effective_sizes[unsure & np.isfinite(chain.effective_sizes)]
    return float(sizes.min()) if len(sizes) else None
