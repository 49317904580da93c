"""What a credible set was made with, as far as it is known."""

from __future__ import annotations

from credenet.families.priors import PRIORS, Prior
from credenet.learners.results import Provenance


def known_prior(made: Provenance) -> Prior | None:
    """The prior; of a table read from a file, what its text says."""
    return made.prior or PRIORS.known(made.prior_name)


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
