"""What a credible set was made with, as far as it is known."""

from __future__ import annotations

from credenet.learners.results import Provenance


def treats_classes_alike(made: Provenance) -> bool:
    """Whether equivalent networks are known to score the same, and none of them is left out."""
    return (
        made.score is not None
        and made.score.is_equivalent
        and made.prior is not None
        and made.prior.is_equivalent
        and made.max_parents is None
        and (made.knowledge is None or not made.knowledge.restricts_networks)
        and bool(made.complete)
    )
