"""Threads and progress callbacks in the form that the core takes."""

from __future__ import annotations

import pytest

from credenet.errors import ArgumentError
from credenet.progress import MAX_THREADS, Progress, step, thread_count


def test_threads() -> None:
    assert thread_count(1) == 1
    assert thread_count(3) == 3
    assert thread_count(10**12) == MAX_THREADS
    assert thread_count(None) >= 1
    for wrong in (0, -2):
        with pytest.raises(ArgumentError, match=f"n_threads must be at least 1, got {wrong}"):
            thread_count(wrong)


def test_steps() -> None:
    seen: list[Progress] = []

    def stop_late(progress: Progress) -> bool:
        seen.append(progress)
        return progress.done < 2

    callback = step(stop_late)
    assert callback is not None
    assert callback(1, 5) is True
    assert callback(2, 5) is False
    assert seen == [Progress(1, 5), Progress(2, 5)]
    assert step(None) is None
