"""Rows drawn from a model given evidence: exactly if that fits into memory, otherwise by Gibbs sampling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from credenet._arguments import choice
from credenet._run.memory import sample_size
from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet._run.status import require_end
from credenet.data.dataset import Dataset
from credenet.errors import NetworkError
from credenet.inference.approximate import start_plan
from credenet.inference.evidence import EvidenceLike, check_evidence, impossible
from credenet.inference.inference import Inference
from credenet.inference.model import FactorModel
from credenet.settings.inference import Gibbs

Sampler = Literal["auto", "exact", "gibbs"] | Gibbs
_NAMES = ("auto", "exact", "gibbs")


@dataclass(frozen=True, slots=True)
class SampledRows:
    """Rows, and whether they are independent draws (exact) or come from Gibbs chains."""

    data: Dataset
    exact: bool


def draw_rows(
    model: FactorModel,
    evidence: EvidenceLike | None,
    n_rows: int,
    *,
    method: Sampler = "auto",
    memory_limit: float | None = None,
    seed: int | None = 0,
    n_threads: int | None = None,
    on_progress: OnProgress | None = None,
) -> SampledRows:
    """Rows drawn given the evidence; the same for a seed with any number of threads."""
    n_rows = sample_size(n_rows, 5 * len(model.states))
    run = Run.from_limits(None, memory_limit, n_threads, on_progress, seed=seed)
    chains = method if isinstance(method, Gibbs) else Gibbs(samples=max(n_rows, 8))
    named = "gibbs" if isinstance(method, Gibbs) else choice("method", method, _NAMES, also="Gibbs(...) or ")
    if named != "gibbs":
        inference = Inference(model, evidence, memory_limit=memory_limit, n_threads=n_threads, on_progress=on_progress)
        if named == "exact" or inference.memory_problem() is None:
            return SampledRows(inference.sample(n_rows, seed=run.seed), exact=True)
    checked = check_evidence(evidence, model.states)
    plan = start_plan(model, checked, n_threads=run.n_threads)
    if not plan.is_possible:
        raise impossible(checked)
    answer, drawn = plan.gibbs_rows(
        n_rows, chains.burn_in, chains.restarts, chains.thin, run.seed, run.n_threads, run.callback()
    )
    if answer.status == "infeasible":
        raise impossible(checked)
    require_end(answer.status, NetworkError("Gibbs sampling was stopped, or a chain found no initial state"))
    return SampledRows(Dataset(model.states, drawn.reshape(len(model.states), n_rows).T), exact=False)
