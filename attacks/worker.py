"""The cases of a campaign in a process of their own, so that a crash or an endless case is known by its number.

The process writes a line when a case begins and one when it ends. A case that began and never ended is the fault: what
the process wrote to standard error, with the stacks of all threads, says where.
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

from attacks import ROOT
from attacks.campaign import Campaign, SkippedError


@dataclass(frozen=True, slots=True)
class Fault:
    """The exception of a case, or the way in which it ended the process."""

    case: int
    kind: str
    """One line; equal for faults that look alike."""
    text: str


@dataclass(frozen=True, slots=True)
class Batch:
    """The cases that one process ran."""

    n_cases: int
    faults: tuple[Fault, ...]
    skipped: str | None = None


def prepare(campaign: Campaign) -> None:
    """Sets up this process for cases: the limit of memory, and stacks if it crashes."""
    faulthandler.enable()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # A shell makes background processes ignore the signal.
    if campaign.address_space is not None:
        resource.setrlimit(resource.RLIMIT_AS, (campaign.address_space, resource.RLIM_INFINITY))


def attack(campaign: Campaign, seed: int, number: int) -> Fault | None:
    """Runs one case; None if all that must hold does."""
    faulthandler.dump_traceback_later(campaign.case_seconds, exit=True)
    try:
        campaign.run_case(seed, number)
    except (KeyboardInterrupt, SkippedError):
        raise
    except BaseException as error:  # A panic of a Rust library is no Exception.
        return fault_of(number, error)
    finally:
        faulthandler.cancel_dump_traceback_later()
    return None


def fault_of(number: int, error: BaseException) -> Fault:
    """The exception from the function of the campaign on, with the values drawn there."""
    frames = list(traceback.walk_tb(error.__traceback__))
    first = max((at for at, (frame, _) in enumerate(frames) if frame.f_code.co_name == "attack"), default=0)
    place = traceback.extract_tb(error.__traceback__)[-1]
    kind = f"{type(error).__name__} at {os.path.relpath(place.filename, ROOT)}:{place.lineno}"
    values = [f"{name} = {repr(value)[:500]}" for name, value in frames[first][0].f_locals.items() if name != "case"]
    lines = traceback.StackSummary.extract(iter(frames[first:])).format()
    return Fault(number, kind, "".join([*lines, *traceback.format_exception_only(error)]) + "\n".join(values))


def work(campaign: Campaign, seed: int, first: int, seconds: float, report: IO[str]) -> None:
    """Runs cases from a number on until the time is up, and reports each of them."""

    def say(**entry: object) -> None:
        print(json.dumps(entry), file=report, flush=True)

    prepare(campaign)
    end, number = time.monotonic() + seconds, first
    while number == first or time.monotonic() < end:
        say(begins=number)
        try:
            fault = attack(campaign, seed, number)
        except SkippedError as skipped:
            say(skipped=str(skipped))
            return
        say(ends=number, fault=None if fault is None else [fault.kind, fault.text])
        number += 1


def run_batch(name: str, seed: int, first: int, seconds: float) -> Batch:
    """Starts a process that runs cases from a number on, and follows it to its end."""
    reading, writing = os.pipe()
    words = [sys.executable, "-m", "attacks", name, "--seed", str(seed), "--seconds", f"{seconds:.3f}"]
    with tempfile.TemporaryFile("w+", errors="replace") as messages, os.fdopen(reading) as reports:
        process = subprocess.Popen(
            [*words, "--first", str(first), "--report", str(writing)],
            cwd=ROOT,
            pass_fds=[writing],
            stdin=subprocess.DEVNULL,
            stdout=messages,
            stderr=messages,
        )
        os.close(writing)
        try:
            entries = list(map(json.loads, reports))
            code = process.wait()
        finally:
            process.kill()
        messages.seek(0)
        return judged(entries, code, messages.read())


def judged(entries: list[dict[str, Any]], code: int, messages: str) -> Batch:
    """The faults of a process, from its entries on cases, its exit code and its messages."""
    faults, n_cases = [], 0
    for entry in entries:
        if "skipped" in entry:
            return Batch(0, (), str(entry["skipped"]))
        n_cases += "begins" in entry
        if isinstance(entry.get("fault"), list):
            kind, text = entry["fault"]
            faults.append(Fault(entry["ends"], kind, text))
    if not entries:
        raise RuntimeError(f"the campaign did not start:\n{messages}")
    if "begins" in entries[-1]:
        ended = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        frames = [line.strip() for line in messages.splitlines() if line.lstrip().startswith("File ")]
        place = next(_frames_of_credenet(frames), frames[0] if frames else "unknown place")
        kind = "hang" if "Timeout (" in messages else ended
        faults.append(Fault(entries[-1]["begins"], f"{kind} at {place}", f"{ended}\n{messages[-8000:]}"))
    return Batch(n_cases, tuple(faults))


def _frames_of_credenet(frames: list[str]) -> Iterator[str]:
    return (frame for frame in frames if "credenet/" in frame or "attacks/" in frame)
