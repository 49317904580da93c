"""Cells of published tables: what is kept of them, which are missing or stale, in which order they are measured."""

from __future__ import annotations

import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from papers import planning, running, sources, store
from papers.frame import Table
from papers.planning import Estimates, Plan, state_of, status_text
from papers.running import OldCoreError, run
from papers.sources import measures
from papers.store import Job, Made, Store, made_text

MAKER = {"cpu": "a", "cores": 1, "system": "b", "python": "3", "credenet": "1", "commit": "c0ffee", "scale": "quick"}


@measures()
def doubled(number: int, limit: float = 1.0) -> dict[str, Any]:
    return {"double": 2 * number, "limit used": limit}


def made(work: str = "doubled", digest: str = "now", **options: Any) -> Made:
    return Made(MAKER, {}, work, digest, **options)


@pytest.fixture(autouse=True)
def digests(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The digests of sources as they are now; all are the same unless a test changes them."""
    now = {"": ""}
    for module in (store, running):
        monkeypatch.setattr(module, "current_digest", lambda name: now.get(name, "now"))
    monkeypatch.setattr(running, "check_core", lambda tasks: None)
    return now


def table(*jobs: Job, name: str = "paper_table") -> Table:
    return Table(name, "A table", lambda scale: list(jobs), lambda cells: "text")


def test_a_cell_is_kept_with_what_made_it(tmp_path: Path) -> None:
    first, second = (
        Job(doubled, {"number": 1, "name": "a"}, {"limit": 2.0}),
        Job(doubled, {"number": 2}, {"limit": 3.0}),
    )
    kept = Store(tmp_path / "cells.json")
    kept.add(first, {"double": 2, "name": "found"}, made(seconds=1.5))
    kept.add(second, {"double": 4, "list": [1, 2]}, Made({**MAKER, "commit": ""}, {"limit": 3.0}, "doubled", "old"))
    again = Store(tmp_path / "cells.json")
    assert again.entries == kept.entries
    assert again.cells["number 1, name a"] == {"number": 1, "name": "found", "double": 2, "made": made(seconds=1.5)}
    assert [cell["double"] for cell in again.select(name="a")] == [
        2
    ]  # The argument counts, not the answer of the same name.
    assert [cell["number"] for cell in again.select(double=4)] == [2]
    assert again.csv_text() == (
        "number,name,double,name found,scale,commit,cpu\n1,a,2,found,quick,c0ffee,a\n2,,4,,quick,,a\n"
    )
    assert [cell["made"].is_stale for cell in again.cells.values()] == [False, True]
    assert made_text(again.cells.values()) == "quick c0ffee (1); quick, *stale* (1)"
    assert made_text(again.select(number=1)) == "quick c0ffee"
    assert "scale quick, commit unknown, limit 3, a, 1 cores" in again.select(number=2)[0]["made"].told


def test_cells_from_before_digests_are_stale(tmp_path: Path) -> None:
    path = tmp_path / "cells.json"
    path.write_text('{"makers": [{"cpu": "a"}], "cells": {"a 1": [{"a": 1}, {"b": 2}, {"maker": 0}]}}')
    (cell,) = Store(path).cells.values()
    assert cell["made"].is_stale
    assert cell["made"].label == "unknown"
    assert "scale unknown, commit unknown, settings unknown, a" in cell["made"].told


def test_states(tmp_path: Path, digests: dict[str, str]) -> None:
    kept = Store(tmp_path / "cells.json")
    job = Job(doubled, {"number": 1}, {"limit": 20.0})
    assert state_of(kept, job) == "missing"
    kept.add(job, {"double": 2}, made())
    assert state_of(kept, job) == state_of(kept, replace(job, settings={"limit": 90.0})) == "fresh"
    kept.add(job, {"limit": 20.0}, made())  # The cell was stopped by its limit.
    limits = (10.0, 20.0, 60.0)
    assert [state_of(kept, replace(job, settings={"limit": at})) for at in limits] == ["fresh", "fresh", "missing"]
    digests["doubled"] = "other sources"
    assert state_of(kept, job) == "stale"
    assert state_of(kept, replace(job, is_needed=lambda _: False)) == "not needed"


def test_estimates_are_those_of_the_nearest_cell(tmp_path: Path) -> None:
    kept = Store(tmp_path / "cells.json")
    for rows, taken in ((100, 2.0), (1000, 5.0)):
        kept.add(Job(doubled, {"what": "a", "rows": rows, "repetition": 1}), {}, made(seconds=taken))
    kept.add(Job(doubled, {"what": "b", "rows": 100, "repetition": 1}), {"status": "time_limit"}, made(seconds=7.0))
    guess = Estimates(kept)

    def seconds(what: str, rows: int, limit: float = 1000.0) -> float:
        return guess.seconds(
            Job(doubled, {"what": what, "rows": rows, "repetition": 2}, {"limit": limit}, seconds=77.0)
        )

    assert seconds("a", 100) == 2
    assert seconds("a", 900) == 5
    assert seconds("a", 2000) == 10
    assert seconds("a", 2000, limit=3.0) == 3
    assert seconds("b", 200) == 1000  # A stopped cell takes the whole limit.
    assert seconds("c", 100) == 77
    assert seconds("a", 10_000_000) == 77  # No cell of a near number of rows is known.


def test_the_best_value_per_hour_comes_first(tmp_path: Path) -> None:
    jobs = [
        Job(doubled, {"number": 1}, seconds=10.0, value=1.0),
        Job(doubled, {"number": 2}, seconds=1.0, value=1.0),
        Job(doubled, {"number": 3}, seconds=10.0, value=100.0),
        Job(doubled, {"number": 4}, seconds=1.0, value=0.0, batch="4 and 5"),
        Job(doubled, {"number": 5}, seconds=1.0, value=10.0, batch="4 and 5"),
    ]
    plan = Plan([table(*jobs)], "quick", tmp_path)
    assert [[job.arguments["number"] for job in task.jobs] for task in plan.tasks] == [[3], [4, 5], [2], [1]]
    assert plan.total * 3600 == pytest.approx(23)


def test_of_a_series_one_job_counts_its_limit(tmp_path: Path) -> None:
    kept = Store(tmp_path / "paper_table.json")
    kept.add(Job(doubled, {"rows": 100, "repetition": 1}), {"limit": 5.0}, made())
    every = [
        Job(doubled, {"rows": rows, "repetition": n}, {"limit": 50.0}, series="a")
        for rows in (100, 200)
        for n in (1, 2)
    ]
    plan = Plan([table(*every)], "quick", tmp_path)
    assert plan.total * 3600 == pytest.approx(50)
    assert len(plan.tasks) == 4


def test_a_run_measures_what_is_missing_and_goes_on(tmp_path: Path, digests: dict[str, str]) -> None:
    name = sources.work_name(doubled)
    both = table(Job(doubled, {"number": 1}, {"limit": 3.0}), Job(doubled, {"number": 2}))
    with ThreadPoolExecutor(2) as executor:
        run(Plan([both], "paper", tmp_path), "paper", executor=executor, hours=0.0)
        assert not (tmp_path / "paper_table.json").exists()
        run(Plan([both], "paper", tmp_path), "paper", executor=executor)
        first = Store(tmp_path / "paper_table.json")
        assert first.entries["number 1"].found == {"double": 2, "limit used": 3.0}
        assert first.entries["number 1"].made.settings == {"limit": 3.0}
        assert {entry.made.work for entry in first.entries.values()} == {name}
        assert {entry.made.maker["scale"] for entry in first.entries.values()} == {"paper"}
        assert "2 | 2 | 0 | 0 | 0" in status_text([both], "paper", tmp_path)
        assert not Plan([both], "paper", tmp_path).tasks
        digests[name] = "edited"
        assert "2 | 0 | 2 | 0 | 0" in status_text([both], "paper", tmp_path)
        run(Plan([both], "paper", tmp_path), "paper", executor=executor)
    assert {entry.made.digest for entry in Store(tmp_path / "paper_table.json").entries.values()} == {"edited"}


def test_a_cell_that_fails_is_not_stored_and_stops_no_other(tmp_path: Path) -> None:
    from credenet.errors import DataError

    @measures()
    def failing(number: int) -> dict[str, Any]:
        raise DataError("no such data")

    both = table(Job(failing, {"number": 1}, value=9.0), Job(doubled, {"number": 2}))
    with ThreadPoolExecutor(1) as executor:
        run(Plan([both], "quick", tmp_path), "quick", workers=1, executor=executor)
    assert list(Store(tmp_path / "paper_table.json").entries) == ["number 2"]


def test_what_another_cell_makes_needless_is_left_out(tmp_path: Path) -> None:
    def is_needed(cells: Store) -> bool:
        return "number 1" not in cells.entries

    both = table(Job(doubled, {"number": 1}, value=9.0), Job(doubled, {"number": 2}, is_needed=is_needed))
    with ThreadPoolExecutor(1) as executor:
        run(Plan([both], "quick", tmp_path), "quick", workers=1, executor=executor)
    assert list(Store(tmp_path / "paper_table.json").entries) == ["number 1"]
    assert "2 | 1 | 0 | 0 | 1" in status_text([both], "quick", tmp_path)


def test_what_was_measured_after_an_edit_is_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "changed_since", lambda name, moment: [Path("edited.py")])
    with ThreadPoolExecutor(1) as executor:
        run(Plan([table(Job(doubled, {"number": 1}))], "quick", tmp_path), "quick", executor=executor)
    (entry,) = Store(tmp_path / "paper_table.json").entries.values()
    assert entry.found["double"] == 2
    assert entry.made.is_stale


def test_cells_that_tables_share_count_once(tmp_path: Path) -> None:
    jobs = [Job(doubled, {"number": n}, cells="shared", seconds=1.0) for n in range(3)]
    some = [table(*jobs[:2], name="paper_a"), table(*jobs[1:], name="paper_b")]
    text = status_text(some, "quick", tmp_path)
    assert "each cell once: 3 planned, 0 fresh, 0 stale, 3 missing, 0 not needed" in text
    assert planning.Plan(some, "quick", tmp_path).total * 3600 == pytest.approx(3)


@measures()
def priority(number: int) -> dict[str, Any]:
    return {"priority": os.getpriority(os.PRIO_PROCESS, 0), "process": os.getpid()}


@measures()
def killed(number: int) -> dict[str, Any]:
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


@pytest.mark.skipif(sys.platform == "win32", reason="no priorities")
def test_cells_are_measured_in_processes_of_low_priority(tmp_path: Path) -> None:
    """A process that is killed takes no other cells with it but those under way."""
    both = table(Job(killed, {"number": 1}, value=9.0), Job(priority, {"number": 2}))
    run(Plan([both], "quick", tmp_path), "quick", workers=1)
    (entry,) = Store(tmp_path / "paper_table.json").entries.values()
    assert entry.found["priority"] == running.LOWEST_PRIORITY
    assert entry.found["process"] != os.getpid()


def test_a_core_that_is_older_than_its_sources_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    plan = Plan([table(Job(doubled, {"number": 1}))], "quick", tmp_path)
    monkeypatch.setattr(running, "changed_since", lambda name, moment: [Path("a.py"), Path("b.hpp")])
    with pytest.raises(OldCoreError, match=r"b\.hpp is newer than .*: build the core first"):
        run(plan, "quick", workers=1)
