"""One piece of long work in a thread of its own, which tells its progress and can be cancelled."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from credenet.errors import CredenetError
from credenet.explorer.contract import JobProgress

if TYPE_CHECKING:
    from credenet._run.progress import OnProgress, Progress


class BackgroundWork:
    """Work that has begun.

    ``changed`` is called from the thread at each report of progress; ``ended`` once, with the message of an error or an
    empty text.
    """

    def __init__(
        self, what: str, work: Callable[[OnProgress], None], changed: Callable[[], None], ended: Callable[[str], None]
    ) -> None:
        self._job: JobProgress = {"what": what, "phase": "", "done": 0, "total": 0, "is_cancelled": False}
        self._cancelled = threading.Event()
        self._work, self._changed, self._ended = work, changed, ended
        self._thread = threading.Thread(target=self._run, name="credenet-work", daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def job(self) -> JobProgress:
        return {**self._job, "is_cancelled": self._cancelled.is_set()}

    def cancel(self) -> None:
        """Asks the work to end; its results so far are kept."""
        self._cancelled.set()
        self._changed()

    def wait(self) -> None:
        """Returns when the work has ended."""
        self._thread.join()

    def _run(self) -> None:
        message = ""
        try:
            self._work(self._report)
        except CredenetError as error:
            message = str(error)
        except MemoryError:
            message = "There is not enough memory."
        self._ended(message)

    def _report(self, progress: Progress) -> bool:
        phase = progress.phase or self._job["phase"]
        self._job = {**self._job, "phase": phase, "done": progress.done, "total": progress.total}
        self._changed()
        return not self._cancelled.is_set()
