"""Threads and progress callbacks in the form that the core takes."""

from __future__ import annotations

import math

import pytest

import credenet
from credenet._run.progress import MAX_THREADS, Progress, thread_count
from credenet._run.run import Run
from credenet.credible.growth.phases import Phases
from credenet.errors import ArgumentError
from polls import TimeByHand


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

    callback = Run.from_limits(None, None, 1, stop_late).callback(tells_score=True)
    assert callback(1, 5, math.nan, math.nan) is True
    assert callback(2, 5, -7.0, -6.0) is False
    assert seen == [Progress(1, 5), Progress(2, 5, score=-7.0, bound=-6.0)]
    seen.clear()
    untold = Run.from_limits(None, None, 1, stop_late).callback()
    assert untold(1, 5, -7.0, -6.0) is True
    assert seen == [Progress(1, 5)]


def test_time_limit() -> None:
    with TimeByHand().set() as hand:
        run = Run.from_limits(60.0, None, 1, None)
        assert run.callback()(0, 1, math.nan, math.nan) is True
        assert run.status_of("stopped") == "stopped"
        hand.wait(61.0)
        assert run.callback()(0, 1, math.nan, math.nan) is False
        assert run.status_of("stopped") == "time_limit"
        assert run.status_of("interrupted") == "stopped"
        assert run.restart().callback()(0, 1, math.nan, math.nan) is True


def test_phases_never_count_backwards() -> None:
    seen: list[Progress] = []
    phases = Phases(seen.append)
    phases.begin("scoring families")
    for done, total in ((1, 4), (4, 4), (1, 9), (8, 9)):
        phases(Progress(done, total))
    phases.begin("listing networks")
    phases(Progress(1, 3))
    first, second = "scoring families", "listing networks"
    assert seen == [
        Progress(1, 4, phase=first),
        Progress(4, 4, phase=first),
        Progress(4, 0, phase=first),  # The count began again, and the number of repetitions is not known.
        Progress(8, 0, phase=first),
        Progress(1, 3, phase=second),
    ]


def test_a_callback_that_says_no_is_remembered() -> None:
    answers = [True, False, True]
    run = Run.from_limits(None, None, 1, lambda progress: answers.pop(0))
    assert [run.callback()(0, 1, math.nan, math.nan) for _ in range(3)] == [True, False, False]
    assert answers == [True]
    assert run.stop.is_asked
    assert run.restart().callback()(0, 1, math.nan, math.nan) is True


def test_phases_of_a_search() -> None:
    names = [f"v{k}" for k in range(12)]
    lists = {
        name: [(-0.1 * at, []), *((-0.2 * at, [other]) for other in names if other != name)]
        for at, name in enumerate(names)
    }
    seen: list[Progress] = []
    credenet.credible_networks(
        credenet.FamilyTable.from_lists(lists), slack=3.0, time_limit=2.0, on_progress=seen.append
    )
    assert "listing networks" in {progress.phase for progress in seen}
    before: dict[str | None, float] = {}
    for progress in seen:
        share = progress.done / progress.total if progress.total else math.inf
        assert share >= before.get(progress.phase, 0.0)
        before[progress.phase] = share
