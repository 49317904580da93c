"""A posterior as JSON values and as a frame."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from credenet.posteriors import wording
from credenet.structures.pairs import DRAWN, json_pairs

if TYPE_CHECKING:
    import polars as pl

    from credenet.posteriors.structure_posterior import StructurePosterior


def as_json(posterior: StructurePosterior) -> dict[str, Any]:
    """Everything as JSON values; see `StructurePosterior.to_dict`."""
    edges = pairs = errors = None
    is_told = posterior.has_probabilities
    if posterior._findings.edges is not None:
        edges = [[a, b, share] for (a, b), share in posterior.edge_probabilities().items()]
        errors = [[a, b, one if math.isfinite(one) else None] for (a, b), one in posterior.edge_errors().items()]
        pairs = json_pairs(posterior.pair_probabilities())
    return {
        "variables": list(posterior.variables),
        "status": posterior.status,
        "exact": posterior.is_exact,
        "log_evidence": posterior.log_evidence,
        "consistency": posterior.consistency,
        "edge_probabilities": edges if is_told else None,
        "edge_errors": errors if is_told else None,
        "pair_probabilities": pairs if is_told else None,
        "edge_shares_found": None if is_told else edges,
        "pair_shares_found": None if is_told else pairs,
        "directions_drawn": None if pairs is None else DRAWN,
        "diagnostics": [wording.diagnostics(chain) for chain in posterior.chains],
        "isolated": list(posterior.isolated),
        "remarks": list(posterior.remarks),
        "provenance": posterior.provenance.to_dict(),
        "seconds": posterior.statistics.seconds,
    }


def as_frame(posterior: StructurePosterior) -> pl.DataFrame:
    """A row for each pair, most probable first; see `StructurePosterior.to_polars`."""
    import polars as pl

    pairs = sorted(posterior.pair_probabilities().items(), key=lambda item: -item[1].joined)
    rows = [(a, b, one.joined, one.forward, one.backward, one.undetermined) for (a, b), one in pairs]
    suffix = "" if posterior.has_probabilities else "_found"
    shares = [f"{name}{suffix}" for name in ("joined", "forward", "backward", "undetermined")]
    schema = {"a": pl.String, "b": pl.String, **dict.fromkeys(shares, pl.Float64)}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    if posterior._findings.errors is None:
        return frame
    errors = [posterior.joined_error(a, b) for (a, b), _ in pairs]
    return frame.with_columns(pl.Series("joined_error", errors, dtype=pl.Float64))
