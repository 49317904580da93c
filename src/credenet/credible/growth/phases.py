"""Progress of a search for credible networks by named phases; no count starts again within a phase."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from credenet._run.progress import OnProgress, Progress
from credenet._run.run import Run

Phase = Literal["scoring families", "finding the best network", "listing networks", "summing over all networks"]


class Phases:
    """Passes progress on with the name of the phase.

    Some phases consist of several searches that each count from 0, and the number of searches is not known before. As
    soon as a count would fall, the total becomes 0 for the rest of the phase.
    """

    def __init__(self, on_progress: OnProgress) -> None:
        self._on_progress = on_progress
        self._phase: Phase | None = None
        self._done = 0
        self._share = 0.0
        self._is_counted = True

    def begin(self, phase: Phase) -> None:
        if phase != self._phase:
            self._phase, self._done, self._share, self._is_counted = phase, 0, 0.0, True

    def __call__(self, progress: Progress) -> bool | None:
        share = progress.done / progress.total if progress.total else 0.0
        if share < self._share:
            self._is_counted = False
        self._done, self._share = max(self._done, progress.done), max(self._share, share)
        shown = replace(progress, phase=self._phase)
        if not self._is_counted:
            shown = replace(shown, done=self._done, total=0)
        return self._on_progress(shown)


def run_with_phases(
    time_limit: float | None, memory_limit: float | None, n_threads: int | None, on_progress: OnProgress | None
) -> Run:
    """The limits of one call whose progress names its phases."""
    run = Run.from_limits(time_limit, memory_limit, n_threads, on_progress)
    return run if on_progress is None else replace(run, on_progress=Phases(on_progress))


def begin(phase: Phase, run: Run) -> None:
    """Tells the progress callback, if any, which phase begins."""
    if isinstance(run.on_progress, Phases):
        run.on_progress.begin(phase)
