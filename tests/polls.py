"""Stops without waiting: callbacks that act at a poll, and a clock that is moved by hand."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from credenet import Progress, _core
from credenet._run import clock


@contextmanager
def every_poll() -> Iterator[None]:
    """The core asks at every poll whether to go on, not ten times a second."""
    _core.set_poll_interval(0)
    try:
        yield
    finally:
        _core.set_poll_interval(100)


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
    """Returns False from then on, which stops the work."""

    def __call__(self, progress: Progress) -> bool:
        self.seen.append(progress)
        return len(self.seen) < self.at


class CtrlC(Polls):
    """Sends the signal of Ctrl-C."""

    def act(self) -> None:
        signal.raise_signal(signal.SIGINT)


class TimeByHand(Polls):
    """A clock that stands still until a poll, and then is a day later."""

    @contextmanager
    def set(self) -> Iterator[TimeByHand]:
        """In the place of the clock of all runs."""
        usual, self.now = clock.now, 0.0
        clock.now = lambda: self.now
        try:
            yield self
        finally:
            clock.now = usual

    def act(self) -> None:
        self.now += 86_400.0
