"""A bar on stderr that shows how far a call has come."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from credenet._run.progress import OnProgress, Progress


@contextmanager
def progress_bar(what: str) -> Iterator[OnProgress | None]:
    """A progress bar on stderr if that is a terminal, with the score and the bound of a search."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TextColumn("{task.fields[bounds]}"))
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(what, total=None, bounds="")

        steps = _Steps(what)

        def show(progress: Progress) -> None:
            shown = steps.step_at(progress)
            bars.update(
                task, description=shown.title, completed=shown.done, total=shown.total, bounds=_bounds(progress)
            )

        yield show


class _Step(NamedTuple):
    """A bar: its title, the work done, and the total; None if the total is not known."""

    title: str
    done: int
    total: int | None


class _Steps:
    """Work in several steps, each of which counts from 0: a bar for each, named by its phase or numbered.

    A bar never moves back. A full bar becomes one without a total while the work continues.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._number = 0
        self._phase: str | None = None
        self._total = -1
        self._done = 0

    def step_at(self, progress: Progress) -> _Step:
        if progress.phase != self._phase:
            self._number = 0
        if progress.phase != self._phase or progress.total != self._total or progress.done < self._done:
            self._number += 1
        self._phase, self._total, self._done = progress.phase, progress.total, progress.done
        what = progress.phase or self._what
        title = what if self._number == 1 else f"{what}, step {self._number}"
        return _Step(title, progress.done, progress.total if progress.done < progress.total else None)


def _bounds(progress: Progress) -> str:
    score, bound = _finite(progress.score), _finite(progress.bound)
    parts = [f"{name} {value:.4f}" for name, value in (("score", score), ("bound", bound)) if value is not None]
    if progress.order is not None:
        parts.append(f"order {progress.order}")
    if score is not None and bound is not None:
        parts.append(f"gap {bound - score:.4g}")
    return "  ".join(parts)


def _finite(value: float | None) -> float | None:
    """A number that can be shown; an infinite one becomes None."""
    return value if value is not None and math.isfinite(value) else None
