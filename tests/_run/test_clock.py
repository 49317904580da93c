"""The clock of a call: limits on the wall, and phases that end by the work done."""

from __future__ import annotations

import math
import os
import pickle
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from credenet._run.clock import MOST_STRETCH, Clock
from credenet._run.run import Run
from polls import TimeByHand

WHILE_ANOTHER_SPINS = """
import os, subprocess, sys, time
from credenet._run.clock import Clock
core = min(os.sched_getaffinity(0))
os.sched_setaffinity(0, {core})
other = subprocess.Popen([sys.executable, "-c", "while True: pass"])
try:
    clock, begin = Clock(), time.thread_time()
    phase = clock.end_within(seconds=0.4)
    while not phase.is_over:
        pass
    print(clock.seconds_passed, clock.seconds_worked, time.thread_time() - begin)
finally:
    other.kill()
"""


def run_of(time_limit: float | None = None) -> Run:
    return Run.from_limits(time_limit, None, 1, None)


def is_over(run: Run) -> bool:
    return run.clock.is_over


def test_on_a_free_machine_work_is_time() -> None:
    with TimeByHand().set() as hand:
        whole = run_of(60.0)
        hand.wait(20.0)
        assert whole.clock.seconds_worked == whole.clock.seconds_passed == 20.0
        assert whole.clock.work_left == whole.clock.seconds_left == 40.0
        phase = whole.end_within(seconds=10.0)
        half = whole.end_within(share=0.5)
        hand.wait(9.0)
        assert phase.clock.seconds_left == 1.0
        hand.wait(1.0)
        assert is_over(phase)
        assert half.clock.seconds_left == 10.0
        assert whole.clock.seconds_left == 30.0


def test_on_a_busy_machine_a_phase_ends_later() -> None:
    with TimeByHand().set() as hand:
        whole = run_of(60.0)
        phase = whole.end_within(seconds=10.0)
        hand.wait(20.0, working=5.0)
        assert phase.clock.seconds_worked == 5.0
        assert not is_over(phase)
        hand.wait(20.0, working=5.0)
        assert is_over(phase)
        assert whole.clock.seconds_left == 20.0


def test_a_share_is_one_of_the_work_that_the_machine_allows() -> None:
    with TimeByHand().set() as hand:
        whole = run_of(1000.0)
        hand.wait(399.0, working=99.0)
        assert whole.clock.work_left == pytest.approx(601 / 4)
        phase = whole.end_within(share=0.5)
        hand.wait(300.0, working=75.0)
        assert not is_over(phase)
        hand.wait(4.0, working=1.0)
        assert is_over(phase)


def test_no_phase_ends_after_the_whole() -> None:
    with TimeByHand().set() as hand:
        whole = run_of(60.0)
        phase = whole.end_within(seconds=50.0)
        hand.wait(60.0, working=1.0)
        assert is_over(whole)
        assert is_over(phase)
        assert phase.status_of("stopped") == "time_limit"


def test_a_phase_of_a_call_without_a_limit_ends_on_a_full_machine() -> None:
    with TimeByHand().set() as hand:
        phase = run_of().end_within(seconds=2.0)
        hand.wait(2 * MOST_STRETCH - 1, working=0.0)
        assert not is_over(phase)
        hand.wait(1.0, working=0.0)
        assert is_over(phase)


def test_what_changes_nothing() -> None:
    with TimeByHand().set():
        for whole in (run_of(), run_of(60.0), run_of(math.inf)):
            assert whole.end_within().clock is whole.clock
            assert whole.end_within(share=1.0).clock is whole.clock
        assert run_of(60.0).end_within(seconds=0.0).clock.is_over
        assert run_of(math.inf).end_within(seconds=5.0).clock.seconds_left == 5.0


def test_a_phase_within_a_phase_and_one_that_is_prolonged() -> None:
    with TimeByHand().set() as hand:
        whole = run_of(60.0)
        outer = whole.end_within(seconds=20.0)
        assert outer.end_within(seconds=30.0).clock is outer.clock
        inner = outer.end_within(share=0.5)
        hand.wait(30.0, working=10.0)
        assert is_over(inner)
        later = inner.prolong(5.0, whole)
        hand.wait(12.0, working=4.0)
        assert not is_over(later)
        hand.wait(3.0, working=1.0)
        assert is_over(later)
        assert not whole.prolong(5.0, whole).clock.is_over
        assert run_of().prolong(5.0, whole).clock.time_limit is None


def test_a_share_in_a_callback() -> None:
    with TimeByHand().set() as hand:
        report = run_of(60.0).callback(share=0.5)
        hand.wait(40.0, working=20.0)
        assert report(1, 2, 0.0, 0.0)
        hand.wait(10.0)
        assert not report(1, 2, 0.0, 0.0)


def test_a_copy_in_another_process_has_the_time_left() -> None:
    with TimeByHand().set() as hand:
        clock = Clock(60.0)
        hand.wait(20.0)
        assert pickle.loads(pickle.dumps(clock)).seconds_left == 40.0


def test_another_thread_asks_for_the_work_of_the_call() -> None:
    clock = Clock()
    begin = time.thread_time()
    while clock.seconds_passed < 0.2:
        pass
    seen: list[float] = []
    asking = threading.Thread(target=lambda: seen.append(clock.seconds_worked))
    asking.start()
    asking.join()
    assert time.thread_time() - begin <= seen[0] + 0.05


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="the system does not tell who waits")
def test_while_another_program_has_the_core() -> None:
    """What counts as work is what the kernel counts as the processor time of a thread that never sleeps."""
    command = [sys.executable, "-c", WHILE_ANOTHER_SPINS]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, env=dict(os.environ))
    passed, worked, processor = map(float, done.stdout.split())
    assert worked == pytest.approx(processor, rel=0.15)
    assert worked < 0.8 * passed
