"""The random campaigns: cases depend on their number only, and a fault is known by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from attacks import ROOT
from attacks.campaign import Campaign, Case
from attacks.mutations import mutate
from attacks.run import CAMPAIGNS, Outcome, campaign_of, show
from attacks.worker import attack, judged


def test_every_campaign_is_listed() -> None:
    found = {path.stem for path in (ROOT / "attacks").glob("*.py") if "\nCAMPAIGN = " in path.read_text()}
    assert found == set(CAMPAIGNS)
    assert all(campaign_of(name).name == name for name in CAMPAIGNS)


def test_a_case_depends_on_its_number_only() -> None:
    seen: list[tuple[list[int], int, Path]] = []

    def draw(case: Case) -> None:
        numbers = case.draw(st.lists(st.integers(0, 10**6), min_size=3))
        seen.append((numbers, int(case.rng.integers(10**9)), case.folder))

    for number in (3, 4, 3):
        Campaign(draw).run_case(7, number)
    first, other, again = ((numbers, more) for numbers, more, _ in seen)
    assert first == again != other
    assert not any(folder.exists() for *_, folder in seen)


def test_what_a_case_raises_is_a_fault() -> None:
    def fail(case: Case) -> None:
        chosen = case.draw(st.just(5))
        assert chosen == 6, "it is five"

    found = attack(Campaign(fail), 1, 12)
    assert found is not None
    assert found.case == 12
    assert found.kind.startswith("AssertionError at tests/test_attacks.py:")
    assert "it is five" in found.text


def test_a_process_that_dies_shows_its_last_case(capsys: pytest.CaptureFixture[str]) -> None:
    told: list[dict[str, Any]] = [{"begins": 0}, {"ends": 0, "fault": None}, {"begins": 1}]
    batch = judged(told, -11, 'Fatal Python error\n  File "src/credenet/x.py", line 3 in f\n')
    assert batch.n_cases == 2
    (fault,) = batch.faults
    assert (fault.case, fault.kind) == (1, 'SIGSEGV at File "src/credenet/x.py", line 3 in f')
    show(Outcome("readers", 2, 1.0, list(batch.faults)), 9)
    assert "python -m attacks readers --seed 9 --case 1" in capsys.readouterr().out


def test_a_campaign_that_cannot_run_says_why() -> None:
    assert judged([{"begins": 0}, {"skipped": "no compiler"}], 0, "").skipped == "no compiler"
    with pytest.raises(RuntimeError, match="did not start"):
        judged([], 1, "ImportError")


def test_mutants_differ_and_repeat() -> None:
    made = [mutate(b"a,b\n1,2\n3,4\n" * 5, np.random.default_rng(seed)) for seed in (*range(30), *range(30))]
    assert made[:30] == made[30:]
    assert len(set(made[:30])) > 20
