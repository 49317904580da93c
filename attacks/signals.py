"""Commands that are sent SIGINT or SIGTERM at a random moment.

A command that was interrupted ends with exit code 130 in about a second, says what became of its work, and leaves its
output whole or as it was.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

from hypothesis import strategies as st

from attacks.campaign import Campaign, Case
from attacks.workbench import LONG, OLD, Command, check_output, start, workbench

INTERRUPTED = 130
LONGEST_END = 1.5  # Seconds from the signal to the end, on an idle machine.


def attack(case: Case) -> None:
    command = case.draw(st.sampled_from(LONG))
    number = case.draw(st.sampled_from([signal.SIGINT, signal.SIGTERM]))
    delay = 2.5 * case.draw(st.floats(0, 1)) ** 2
    output = case.folder / f"out{command.suffix}"
    if case.draw(st.booleans()) and command.suffix:
        output.write_bytes(OLD)
    process = start(command.words(workbench(), output), case.folder)
    wait_for_handler(process.pid)
    time.sleep(delay)
    process.send_signal(number)
    sent = time.monotonic()
    try:
        out, messages = process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    seconds = time.monotonic() - sent
    check_ending(process.returncode, number, command, messages)
    allowed = LONGEST_END * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    assert seconds < allowed, f"ended after {seconds:.1f} s, with {messages[-200:]}"
    if "--json" in command.text and out.strip() and "nothing was written" not in messages:
        json.loads(out)
    check_output(output, may_be_new=True)


def wait_for_handler(pid: int) -> None:
    """Waits until the program has taken over the signals; before that they end the interpreter as usual."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            status = Path(f"/proc/{pid}/status").read_text()
        except FileNotFoundError:
            return
        caught = next((line.split()[1] for line in status.splitlines() if line.startswith("SigCgt")), "0")
        if int(caught, 16) >> (signal.SIGTERM - 1) & 1:
            return
        time.sleep(0.005)


def check_ending(code: int, number: int, command: Command, messages: str) -> None:
    """The exit code of an interrupted command, or that of one that had just ended."""
    assert "Traceback" not in messages, messages
    if code == -number and ("written to" in messages or not command.suffix):
        return  # The work was done, and the ending interpreter had restored the signals.
    assert code >= 0, f"{command.text} died of {signal.Signals(-code).name}: {messages}"
    if code == INTERRUPTED:
        assert "interrupted" in messages, f"nothing is said of the interruption: {messages!r}"
    else:
        assert code == 0, f"exit code {code}: {messages}"


CAMPAIGN = Campaign(attack, case_seconds=120.0)
