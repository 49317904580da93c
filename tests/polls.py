"""Stops without waiting: callbacks and signals that come at a poll, and a clock that is moved by hand."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from credenet import _core
from credenet._run import clock
from credenet.types import Progress


@contextmanager
def every_poll() -> Iterator[None]:
    """The core asks at every poll whether to go on, not ten times a second."""
    _core.set_poll_interval(0)
    try:
        yield
    finally:
        _core.set_poll_interval(0.1)


@dataclass
class Polls:
    """Counts the calls of a progress callback, and acts at one of them: the first, if no other is named."""

    at: int = 1
    seen: list[Progress] = field(default_factory=list)

    def __call__(self, progress: Progress) -> bool | None:
        self.seen.append(progress)
        return self.act() if len(self.seen) == self.at else None

    def act(self) -> bool | None:
        return None


class Stop(Polls):
    """Returns False, once, which stops the work."""

    def act(self) -> bool:
        return False


class CtrlC(Polls):
    """Sends the signal of Ctrl-C."""

    def act(self) -> None:
        signal.raise_signal(signal.SIGINT)


class TimeByHand(Polls):
    """A clock that stands still until a poll, and then is a day later."""

    @contextmanager
    def set(self) -> Iterator[TimeByHand]:
        """In the place of the clock of all runs."""
        usual, self.now, self.waited = (clock.now, clock.seconds_waited), 0.0, 0.0
        clock.now = lambda: self.now
        clock.seconds_waited = lambda thread: self.waited
        try:
            yield self
        finally:
            clock.now, clock.seconds_waited = usual

    def act(self) -> None:
        self.wait(86_400.0)

    def wait(self, seconds: float, *, working: float | None = None) -> None:
        """It is so much later; the call has worked for so long of it, by default all of it."""
        self.now += seconds
        self.waited += 0.0 if working is None else seconds - working


SIGNALLED = """
import contextlib, os, sys
from credenet import _core
from credenet.cli import main, progress_bar

during, at, number, *arguments = sys.argv[1:]

@contextlib.contextmanager
def told(what):
    calls = []
    def on_progress(progress):
        calls.append(progress)
        if what == during and len(calls) == int(at):
            os.kill(os.getpid(), int(number))
    yield on_progress

progress_bar.progress_bar = told
_core.set_poll_interval(0)
main(arguments)
"""


def signalled(
    *arguments: object, cwd: Path, during: str, at: int = 1, number: signal.Signals = signal.SIGINT
) -> subprocess.CompletedProcess[str]:
    """A command that is sent a signal at a poll of the work that its progress bar names so."""
    words = [sys.executable, "-c", SIGNALLED, during, str(at), str(int(number)), *map(str, arguments)]
    return subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False, timeout=120)
