"""Threads and progress callbacks in the form that the core takes."""

from __future__ import annotations

import math
import time

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
    assert callback(1, 5, math.nan, math.nan) is True
    assert callback(2, 5, -7.0, -6.0) is False
    assert seen == [Progress(1, 5), Progress(2, 5, score=-7.0, bound=-6.0)]
    assert step(None) is None


def test_time_limit() -> None:
    callback = step(None, time_limit=0.02)
    assert callback is not None
    assert callback(0, 1, math.nan, math.nan) is True
    time.sleep(0.03)
    assert callback(0, 1, math.nan, math.nan) is False
