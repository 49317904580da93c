"""The options of an inference, the same for every kind of model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from credenet.progress import OnProgress


class InferenceOptions(TypedDict, total=False):
    """What ``infer`` takes beside the evidence; see `BayesianNetwork.infer`."""

    elimination_order: Sequence[str] | None
    memory_limit: float | None
    time_limit: float | None
    n_threads: int | None
    on_progress: OnProgress | None
