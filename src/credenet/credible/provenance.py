"""What a credible set was made with, as far as it is known."""

from __future__ import annotations

from credenet.families.priors import NAMED_PRIORS, Prior, describe_prior, prior_from
from credenet.learners.results import Provenance


def known_prior(made: Provenance) -> Prior | None:
    """The prior; of a table read from a file, what its name says, if it is one with its usual settings."""
    if made.prior is not None or made.prior_name is None:
        return made.prior
    usual = (prior_from(name) for name in NAMED_PRIORS)
    return next((prior for prior in usual if describe_prior(prior) == made.prior_name), None)


def treats_classes_alike(made: Provenance) -> bool:
    """Whether equivalent networks are known to score the same, and none of them is left out."""
    score, prior = made.score, known_prior(made)
    return (
        score is not None
        and score.is_equivalent
        and prior is not None
        and prior.is_equivalent
        and made.max_parents is None
        and made.knowledge is None
        and bool(made.complete)
    )
