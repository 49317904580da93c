"""Questions about the provenance of a credible set."""

from __future__ import annotations

from credenet.learners.results import Provenance


def treats_classes_alike(made: Provenance) -> bool:
    """Whether equivalent networks are known to have equal scores and no rule or limit excludes some of them."""
    return (
        made.score is not None
        and made.score.is_equivalent
        and made.prior is not None
        and made.prior.is_equivalent
        and made.max_parents is None
        and (made.knowledge is None or not made.knowledge.restricts_networks)
        and bool(made.complete)
    )
