"""Approximate inference by a simpler network that is learned from samples.

The method is that of Nie, de Campos and Ji (2016): sample the network, learn one of bounded tree-width from the
samples, and infer in the learned one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from credenet._advised import check_keywords
from credenet._arguments import instance, one_of
from credenet._run.progress import OnProgress, read_seed
from credenet.data.states import Label
from credenet.inference.evidence import EvidenceLike, check_evidence
from credenet.inference.inference import Inference
from credenet.inference.row_sampling import Sampler, draw_rows
from credenet.learners.learning import learn
from credenet.networks.bayesian import BayesianNetwork
from credenet.networks.interop import network_of_library
from credenet.networks.markov import MarkovNetwork
from credenet.settings.methods import METHODS
from credenet.settings.scores import BDeu, Smoothing, smoothing_from

if TYPE_CHECKING:
    from credenet.learners.results import LearnResult
    from credenet.settings.methods import Method


@dataclass(frozen=True, slots=True)
class SampledModel:
    """A simpler network that approximates another one.

    Attributes
    ----------
    network
        The learned network.
    answers
        Its answers given the evidence: exact for itself, approximate for the network that was sampled.
    learned
        The result of learning.
    n_rows
        The number of rows that it was learned from.
    exact_rows
        Whether the rows were independent draws; False if they came from Gibbs chains.

    Examples
    --------
    >>> import credenet
    >>> model = credenet.sample_learn_infer(credenet.textbook.asia(), {"xray": "yes"}, n_rows=2000)
    >>> model.n_rows, model.exact_rows
    (2000, True)
    """

    network: BayesianNetwork
    answers: Inference
    learned: LearnResult
    n_rows: int
    exact_rows: bool


@check_keywords
def sample_learn_infer(
    network: BayesianNetwork | MarkovNetwork,
    evidence: EvidenceLike | None = None,
    *,
    n_rows: int = 10_000,
    tree_width: int | None = None,
    method: Method | str | None = None,
    smoothing: Smoothing | str | None = BDeu(1.0),
    condition: Literal["before", "after"] = "before",
    sampler: Sampler = "auto",
    time_limit: float | None = None,
    memory_limit: float | None = None,
    seed: int | None = 0,
    n_threads: int | None = None,
    on_progress: OnProgress | None = None,
) -> SampledModel:
    """A simpler network learned from samples of another one, and its answers given evidence.

    Parameters
    ----------
    tree_width, method
        The largest tree-width and the method that learns the structure, as for `learn`. By default a tree
        (``chow_liu``), or with ``tree_width`` the method ``auto``.
    smoothing
        The prior of the tables, as for `fit`.
    condition
        ``before``: the rows are drawn given the evidence. ``after``: they are drawn without it, and the learned network
        is conditioned on it; one network then serves many queries, but few rows agree with rare evidence.
    sampler
        How rows are drawn; ``auto`` is exact if that fits into memory and Gibbs sampling otherwise. A Bayesian network
        without evidence is sampled forward.
    time_limit
        The limit of the learning, in seconds.

    Examples
    --------
    >>> import credenet
    >>> asia = credenet.textbook.asia()
    >>> simpler = sample_learn_infer(asia, {"xray": "yes"}, n_rows=20_000)
    >>> credenet.marginal_errors(asia.infer({"xray": "yes"}), simpler.answers).max_absolute_error < 0.01
    True
    """
    foreign = network_of_library(network)
    network = network if foreign is None else foreign
    instance("network", network, (BayesianNetwork, MarkovNetwork), "a BayesianNetwork or a MarkovNetwork")
    one_of("condition", condition, ("before", "after"))
    if method is None:
        method = "chow_liu" if tree_width is None else "auto"
    chosen, prior, seed = METHODS.get(method), smoothing_from(smoothing), read_seed(seed)
    given = check_evidence(evidence, network.states).given
    drawn_given = given if condition == "before" else {}
    if isinstance(network, BayesianNetwork) and not drawn_given and isinstance(sampler, str) and sampler == "auto":
        data, exact_rows = network.sample(n_rows, seed=seed, n_threads=n_threads, on_progress=on_progress), True
    else:
        drawn = draw_rows(
            network._factor_model(),
            drawn_given,
            n_rows,
            method=sampler,
            memory_limit=memory_limit,
            seed=seed,
            n_threads=n_threads,
            on_progress=on_progress,
        )
        data, exact_rows = drawn.data, drawn.exact
    learned = learn(
        data,
        tree_width=tree_width,
        method=chosen,
        time_limit=time_limit,
        memory_limit=memory_limit,
        seed=seed,
        n_threads=n_threads,
        on_progress=on_progress,
    )
    simpler = learned.fit(data, smoothing=prior, n_threads=n_threads)
    # Rows drawn given the evidence already reflect its likelihoods, so only observed states are asked again.
    asked = {name: value for name, value in given.items() if condition == "after" or isinstance(value, Label)}
    answers = simpler.infer(asked, memory_limit=memory_limit, n_threads=n_threads)
    return SampledModel(simpler, answers, learned, n_rows, exact_rows)
