"""Runs campaigns one after the other for some minutes, and tells which cases show a fault.

Each fault is printed with the command that repeats it. Exit code 1 if there is any.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from dataclasses import dataclass, field
from importlib import import_module

from attacks import worker
from attacks.campaign import Campaign, SkippedError
from attacks.worker import Fault

CAMPAIGNS = (
    "learners",
    "posteriors",
    "credible_sets",
    "tree_width",
    "effects",
    "inference",
    "readers",
    "signals",
    "storage",
    "limits",
    "fuzzing",
)


@dataclass(slots=True)
class Outcome:
    """The outcome of a campaign."""

    name: str
    n_cases: int = 0
    seconds: float = 0.0
    faults: list[Fault] = field(default_factory=list)
    skipped: str | None = None


def campaign_of(name: str) -> Campaign:
    campaign = import_module(f"attacks.{name}").CAMPAIGN
    assert isinstance(campaign, Campaign)
    return campaign


def run_campaign(name: str, seed: int, seconds: float) -> Outcome:
    """Cases of one campaign until the time is up; a process that dies is followed by another."""
    outcome, start = Outcome(name), time.monotonic()
    while outcome.skipped is None and (outcome.n_cases == 0 or outcome.seconds < seconds):
        batch = worker.run_batch(name, seed, outcome.n_cases, seconds - outcome.seconds)
        outcome.n_cases += batch.n_cases
        outcome.faults += batch.faults
        outcome.skipped = batch.skipped
        outcome.seconds = time.monotonic() - start
    return outcome


def command_of(name: str, seed: int, case: int) -> str:
    return f"python -m attacks {name} --seed {seed} --case {case}"


def show(outcome: Outcome, seed: int) -> None:
    """The first fault in full, and of each other kind the first case."""
    if outcome.skipped is not None:
        print(f"{outcome.name}: {outcome.skipped}", flush=True)
        return
    print(f"{outcome.name}: {outcome.n_cases} cases, {len(outcome.faults)} faults", flush=True)
    kinds: dict[str, list[Fault]] = {}
    for fault in outcome.faults:
        kinds.setdefault(fault.kind, []).append(fault)
    for faults in kinds.values():
        print(f"  {len(faults)} x {faults[0].kind}\n    {command_of(outcome.name, seed, faults[0].case)}")
    if outcome.faults:
        print("\n".join(f"    | {line}" for line in outcome.faults[0].text.splitlines()), flush=True)


def print_table(outcomes: list[Outcome]) -> None:
    print(f"\n{'campaign':<16}{'cases':>8}{'faults':>8}{'seconds':>9}")
    for outcome in outcomes:
        faults = "skipped" if outcome.skipped is not None else str(len(outcome.faults))
        print(f"{outcome.name:<16}{outcome.n_cases:>8}{faults:>8}{outcome.seconds:>9.0f}")


def repeat_case(name: str, seed: int, case: int) -> int:
    """Runs one case in this process."""
    campaign = campaign_of(name)
    worker.prepare(campaign)
    try:
        fault = worker.attack(campaign, seed, case)
    except SkippedError as skipped:
        print(skipped)
        return 0
    print(f"{name}: case {case} of seed {seed} shows {'no fault' if fault is None else 'this fault'}")
    if fault is not None:
        print(fault.text)
    return int(fault is not None)


def main() -> int:
    """The command line; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m attacks", description=__doc__.partition("\n")[0])
    parser.add_argument("campaigns", nargs="*", choices=[[], *CAMPAIGNS], help="all if none is named")
    parser.add_argument("--minutes", type=float, default=10.0, help="for all campaigns together (default: 10)")
    parser.add_argument("--seed", type=int, default=None, help="of the cases; a new one each time if not given")
    parser.add_argument("--case", type=int, help="run this case only, in this process")
    for inner in ("--seconds", "--first", "--report"):  # These options are for the process that runs the cases.
        parser.add_argument(inner, type=float if inner == "--seconds" else int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    names, seed = options.campaigns or CAMPAIGNS, options.seed
    if seed is None:
        seed = int(time.time()) % 1_000_000
    if options.report is not None:
        with os.fdopen(options.report, "w") as report:
            worker.work(campaign_of(names[0]), seed, options.first, options.seconds, report)
        return 0
    if options.case is not None:
        if len(options.campaigns) != 1:
            parser.error("--case needs the name of one campaign")
        return repeat_case(names[0], seed, options.case)
    print(f"seed {seed}, {options.minutes:g} minutes", flush=True)
    outcomes = []
    for name in names:
        outcomes.append(run_campaign(name, seed, 60 * options.minutes / len(names)))
        show(outcomes[-1], seed)
    print_table(outcomes)
    sys.stdout.flush()
    return int(any(outcome.faults for outcome in outcomes))
