"""What a posterior says of itself: how it was found, and how sure that is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from credenet._text import count, duration, probability, table
from credenet.credible.output.wording import lines

if TYPE_CHECKING:
    from credenet.posteriors.chains import ChainResult
    from credenet.posteriors.structure_posterior import StructurePosterior

DISAGREEMENT = (
    "Markov chains from different networks do not agree, so that no probabilities are shown. Give more time\n"
    "(time_limit, --time-limit), or fewer parents (max_parents, --max-parents). What was found so far is in\n"
    "edge_probabilities() and, as shares found, in the JSON."
)

PAIR_HEADERS = ("variable", "with", "joined", "→", "←")

_UNSURE = 0.01
_SHOWN = 20  # pairs of a summary

_ENDINGS = {
    "time_limit": "time was up",
    "stopped": "it was stopped",
    "infeasible": "no network obeys the knowledge",
    "memory_limit": "memory was full",
    "iteration_limit": "not all families were scored",
}


def ending(status: str) -> str:
    """In a clause, why there is no posterior."""
    return _ENDINGS.get(status, status)


def summary_rows(posterior: StructurePosterior) -> list[tuple[str, str]]:
    """The lines of a summary, each with its name."""
    made = posterior.provenance
    rows = [("posterior", f"over all networks of {count(len(posterior.variables), 'variable')}")]
    if made.complete is False:
        rows[0] = ("posterior", f"over the networks made of {len(posterior._families):,} families that were scored")
    rows.append(("found by", made.reason))
    if posterior._findings.edges is None:
        return [*rows, ("status", ending(posterior.status)), ("time", duration(posterior.seconds))]
    if posterior.log_evidence is not None:
        rows.append(("log evidence", f"{posterior.log_evidence:.6f}, the log of the sum of exp(score)"))
    if posterior.consistency is not None:
        rows.append(("consistency", f"{posterior.consistency:.1e}, by which probabilities do not add up to 1"))
    for chain in posterior.chains:
        told = diagnostics(chain)
        verdict = {
            "converged": "the chains agree",
            "not_converged": "the chains do not agree",
        }.get(chain.status, f"the chains agree so far, but {ending(chain.status)}")
        if told["largest_rhat"] is None:
            rows.append(("convergence", "too few moves to tell whether the chains agree"))
            continue
        rows.append(("convergence", f"largest R-hat {told['largest_rhat']:.4f}: {verdict}"))
        rows.append(("standard error", f"{told['largest_error']:.4f} of the worst edge"))
        if told["smallest_ess"] is not None:
            rows.append(("effective size", f"{told['smallest_ess']:,.0f} independent networks for the worst edge"))
    score = f"{made.score_name or 'as in the table'}, prior {made.prior_name or 'not known'}"
    return [*rows, ("score", score), ("time", duration(posterior.seconds))]


def summary(posterior: StructurePosterior) -> str:
    """How it was found, how sure that is, and how the pairs of variables are joined."""
    rows = lines(summary_rows(posterior))
    if posterior._findings.edges is None:
        return rows
    if not posterior.has_probabilities:
        return f"{rows}\n\n{DISAGREEMENT}"
    pairs = pair_rows(posterior)
    more = f", the first {_SHOWN} of {len(pairs):,} pairs" if len(pairs) > _SHOWN else ""
    if not pairs:
        return f"{rows}\n\nNo two variables are joined."
    return f"{rows}\n\nProbabilities{more}\n{table(PAIR_HEADERS, pairs[:_SHOWN])}"


def diagnostics(chain: ChainResult) -> dict[str, Any]:
    """How well chains agree, as JSON values."""
    is_known = not math.isnan(chain.largest_rhat)
    return {
        "status": chain.status,
        "largest_rhat": float(np.nanmax(chain.edge_rhat, initial=1.0)) if is_known else None,
        "largest_error": float(np.nanmax(chain.edge_errors, initial=0.0)) if is_known else None,
        "smallest_ess": _smallest_size(chain),
        "chains": len(chain.log_scores),
        "moves": int(chain.moves),
        "seconds": chain.seconds,
    }


def _smallest_size(chain: ChainResult) -> float | None:
    """The smallest effective size of an edge that is neither nearly certain nor nearly impossible."""
    unsure = (chain.edge_probabilities > _UNSURE) & (chain.edge_probabilities < 1 - _UNSURE)
    sizes = chain.edge_ess[unsure & np.isfinite(chain.edge_ess)]
    return float(sizes.min()) if len(sizes) else None


def pair_rows(posterior: StructurePosterior) -> list[list[str]]:
    """Pairs that are joined, most probable first."""
    place = {name: at for at, name in enumerate(posterior.variables)}
    joined: dict[tuple[str, str], list[float]] = {}
    for (a, b), share in posterior.edge_probabilities().items():
        pair, at = ((a, b), 0) if place[a] < place[b] else ((b, a), 1)
        joined.setdefault(pair, [0.0, 0.0])[at] = share
    ordered = sorted(joined.items(), key=lambda item: -sum(item[1]))
    return [
        [a, b, *map(probability, (min(sum(shares), 1.0), *shares))] for (a, b), shares in ordered if sum(shares) > 1e-4
    ]
