"""What is to be optimised, from data: options with their defaults filled in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from credenet._run.run import Run
from credenet.families.priors import Prior
from credenet.families.scores import Score
from credenet.knowledge.knowledge import Knowledge
from credenet.learners.results import Provenance
from credenet.search.methods import Method

if TYPE_CHECKING:
    from credenet.data.coding import States
    from credenet.data.dataset import Dataset


@dataclass(frozen=True, slots=True)
class Options:
    """The score, the prior and the rules of one call."""

    score: Score
    prior: Prior
    knowledge: Knowledge | None
    max_parents: int | None
    states: States

    def provenance(
        self,
        data: Dataset,
        method: Method,
        run: Run,
        *,
        max_parents: int | None,
        complete: bool | None = None,
        reason: str = "",
    ) -> Provenance:
        """How a result was made from data; ``max_parents`` is the limit that was kept to in the end."""
        return Provenance(
            method=str(method),
            reason=reason,
            score=self.score,
            prior=self.prior,
            score_name=str(self.score),
            prior_name=str(self.prior),
            states=self.states,
            max_parents=max_parents,
            knowledge=self.knowledge,
            complete=complete,
            n_rows=float(len(data) if data.weights is None else data.weights.sum()),
            data_digest=data.digest(),
            seed=run.seed,
            version=version(),
        )


def version() -> str:
    """The version of this library."""
    from importlib.metadata import version as installed

    return installed("credenet")
