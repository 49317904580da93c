"""Commands on a full disk and with little memory, and programs that end while threads still learn.

A command that cannot write says so in words, ends with exit code 1 and leaves the old file. One that has too little
memory says that, too. Nothing crashes.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import strategies as st

from attacks import ROOT
from attacks.campaign import Campaign, Case
from attacks.workbench import LONG, OLD, WRITING, Command, check_output, start, workbench

PAGE = 4096  # Bytes that a disk in memory gives at once.
MEGABYTE = 1 << 20


def attack(case: Case) -> None:
    case.draw(st.sampled_from([full_disk, full_disk, short_file, little_memory, daemon_threads]))(case)


def full_disk(case: Case) -> None:
    """The output lies on a disk in memory with few free pages."""
    if not can_mount():
        short_file(case)
        return
    command = case.draw(st.sampled_from(WRITING))
    free = case.draw(st.sampled_from([0, 1, 2, 4, 8, 16]))
    with small_disk(case.folder / "disk", 64 * PAGE) as disk:
        output = old_output(disk / "own", command)
        with (disk / "filler").open("wb") as filler:
            filler.write(bytes((os.statvfs(disk).f_bavail - free) * PAGE))
        run_and_check(command, output, case.folder)


def short_file(case: Case) -> None:
    """No file may grow beyond a few bytes."""
    command = case.draw(st.sampled_from(WRITING))
    most = case.draw(st.sampled_from([0, 10, 100, 1000, 10_000, 100_000]))
    run_and_check(command, old_output(case.folder / "own", command), case.folder, limit(resource.RLIMIT_FSIZE, most))


def little_memory(case: Case) -> None:
    """The address space ends somewhat above what the program needs to start."""
    command = case.draw(st.sampled_from(WRITING + LONG))
    most = start_size() + case.draw(st.integers(0, 400)) * MEGABYTE
    output = old_output(case.folder / "own", command)
    process = start(command.words(workbench(), output), case.folder, preexec_fn=limit(resource.RLIMIT_AS, most))
    try:
        _, messages = process.communicate(timeout=8)
    except subprocess.TimeoutExpired:  # A long command may have enough memory.
        process.send_signal(signal.SIGINT)
        _, messages = process.communicate(timeout=60)
    check_words(process.returncode, messages, (0, 1, 2, 3, 130))
    if process.returncode >= 0:  # An aborted process cannot remove its temporary file.
        check_output(output, may_be_new=True)


DAEMONS = """
import sys, threading, time, credenet
data = credenet.read(sys.argv[1])
work = {
    "learn": lambda: credenet.learn(data),
    "score": lambda: credenet.score_families(data, search="best_first", max_families=10**6),
    "posterior": lambda: credenet.posterior(data, max_parents=2),
    "callback": lambda: credenet.learn(data, on_progress=lambda progress: None),
}[sys.argv[2]]
for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
time.sleep(float(sys.argv[3]))
"""


def daemon_threads(case: Case) -> None:
    """Ends the main thread while other threads are in the core."""
    work = case.draw(st.sampled_from(["learn", "score", "posterior", "callback"]))
    words = [sys.executable, "-c", DAEMONS, str(workbench() / "large.csv"), work, str(case.draw(st.floats(0, 1)))]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, f"{work}: exit code {done.returncode}: {done.stderr[-2000:]}"
    assert not done.stderr, done.stderr[-2000:]


def old_output(folder: Path, command: Command) -> Path:
    """An existing file, alone in its folder."""
    folder.mkdir()
    output = folder / f"out{command.suffix}"
    output.write_bytes(OLD)
    return output


def run_and_check(command: Command, output: Path, cwd: Path, prepare: Callable[[], None] | None = None) -> None:
    """Checks that the whole file is written, or that the old one is left and a message gives the reason."""
    process = start(command.words(workbench(), output), cwd, preexec_fn=prepare)
    _, messages = process.communicate(timeout=100)
    check_words(process.returncode, messages, (0, 1))
    if process.returncode == 1:
        assert output.read_bytes() == OLD, f"{output.name} is not the old file: {messages}"
    check_output(output, may_be_new=True)


def check_words(code: int, messages: str, expected: tuple[int, ...]) -> None:
    if code == -signal.SIGABRT and "memory allocation of" in messages:
        return  # A Rust library prints the reason and aborts, which cannot be caught.
    assert code >= 0, f"died of {signal.Signals(-code).name}: {messages}"
    assert "Traceback" not in messages, messages
    assert code in expected, f"exit code {code}: {messages}"
    assert code != 1 or "error: " in messages, f"no error is told: {messages!r}"


def limit(kind: int, most: int) -> Callable[[], None]:
    """Sets a limit of the operating system, in the process to come."""
    return lambda: resource.setrlimit(kind, (most, most))


SMALL_COMMAND = """
import pathlib, sys
from credenet.cli.app import run
run(["info", sys.argv[1]])
print(pathlib.Path("/proc/self/status").read_text())
"""


@cache
def start_size() -> int:
    """The address space that a small command takes at most."""
    words = [sys.executable, "-c", SMALL_COMMAND, str(workbench() / "asia.csv")]
    lines = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return 1024 * int(next(line.split()[1] for line in lines if line.startswith("VmPeak")))


@cache
def can_mount() -> bool:
    """Whether this process may make disks in memory, as root may."""
    with TemporaryDirectory() as folder:
        try:
            with small_disk(Path(folder) / "disk", PAGE):
                return True
        except (OSError, subprocess.CalledProcessError):
            return False


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    subprocess.run(words, check=True, capture_output=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


CAMPAIGN = Campaign(attack, case_seconds=150.0)
