"""Measured cells of a table, each with what made it, kept as JSON."""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from credenet._files.files import atomic_writer
from measure import RESULTS

from .sources import current_digest

Cell = dict[str, Any]
"""What was asked and found, and under `made` who made it."""

Scale = Literal["quick", "paper"]
SCALES: tuple[Scale, ...] = ("quick", "paper")

FOLDER = RESULTS / "papers"
LIMITS = ("limit", "seconds")  # Arguments that limit a run, in seconds.
MACHINE = ("cpu", "cores", "system", "python", "credenet")


@dataclass(frozen=True, slots=True)
class Job:
    """A cell to measure: a function at the top of a module, made known by `measures`, and its arguments by name, which
    name the cell as well. Settings are arguments that do not name it.

    ``seconds`` is a guess of the time on one core where no cell like it is stored, ``value`` what the cell is worth
    beside others. Jobs of the same ``batch`` run one after the other in one process, which keeps what they share. Of a
    ``series`` only the first that a limit ends is run, which ``is_needed`` sees to: a job for which it says no is not
    run. ``cells`` is the file of the cell, if it is not that of the table.
    """

    work: Callable[..., Cell]
    arguments: Cell
    settings: Cell = field(default_factory=dict)
    seconds: float = 1.0
    value: float = 1.0
    batch: str = ""
    series: str = ""
    cells: str = ""
    is_needed: Callable[[Store], bool] | None = None

    @property
    def key(self) -> str:
        return ", ".join(f"{name} {value}" for name, value in self.arguments.items())

    @property
    def limit(self) -> float:
        """The time limit in seconds; infinite without one."""
        given = {**self.arguments, **self.settings}
        return min((float(given[name]) for name in LIMITS if name in given), default=math.inf)


@dataclass(frozen=True, slots=True)
class Made:
    """What made a cell: the machine, commit and scale, settings, function and digest of its sources, and how long it
    took. Of cells from before these were kept only the machine is known."""

    maker: Cell
    settings: Cell | None = None
    work: str = ""
    digest: str = ""
    seconds: float | None = None

    @property
    def is_stale(self) -> bool:
        """Whether the sources are no longer those that made the cell, as far as is known."""
        return not self.digest or self.digest != current_digest(self.work)

    @property
    def label(self) -> str:
        """Scale and commit."""
        return f"{self.maker.get('scale') or 'unknown'} {self.maker.get('commit') or ''}".strip()

    @property
    def told(self) -> str:
        """Scale, commit, settings and machine, in words."""
        known = {name: self.maker.get(name) for name in MACHINE}
        settings = "settings unknown" if self.settings is None else _settings_text(self.settings)
        return ", ".join(
            [
                f"scale {self.maker['scale']}" if self.maker.get("scale") else "scale unknown",
                f"commit {self.maker['commit']}" if self.maker.get("commit") else "commit unknown",
                *([settings] if settings else []),
                f"{known['cpu']}, {known['cores']} cores, {known['system']}, Python {known['python']}",
                f"credenet {known['credenet']}",
            ]
        )


def _settings_text(settings: Cell) -> str:
    return ", ".join(
        f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}" for name, value in settings.items()
    )


@dataclass(slots=True)
class Entry:
    """A cell as it is kept."""

    asked: Cell
    found: Cell
    made: Made

    @property
    def cell(self) -> Cell:
        return {**self.asked, **self.found, "made": self.made}

    @property
    def seconds(self) -> float | None:
        """How long it took, as far as is known."""
        if self.made.seconds is not None:
            return self.made.seconds
        parts = [self.found.get(name) for name in ("scoring_seconds", "seconds")]
        known = self.found.get("wall", sum(part for part in parts if part is not None))
        return float(known) if known else None

    @property
    def was_stopped(self) -> bool:
        """Whether a limit of time ended it."""
        return "limit" in self.found or self.found.get("status") == "time_limit" or bool(self.found.get("over_time"))


class Store:
    """Entries by key, written whenever one is added."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.entries: dict[str, Entry] = {}
        if path.exists():
            kept = json.loads(path.read_text())
            makers = kept["makers"]
            for key, (asked, found, made) in kept["cells"].items():
                self.entries[key] = Entry(asked, found, Made(makers[made["maker"]], *(made.get(n) for n in _MADE)))

    @cached_property
    def cells(self) -> dict[str, Cell]:
        return {key: entry.cell for key, entry in self.entries.items()}

    @cached_property
    def _indexes(self) -> dict[tuple[str, ...], dict[tuple[object, ...], list[Cell]]]:
        """Cells by the values of some arguments, for each selection of these."""
        return {}

    @cached_property
    def stopped(self) -> list[Entry]:
        """The entries that a limit of time ended."""
        return [entry for entry in self.entries.values() if entry.was_stopped]

    def add(self, job: Job, found: Cell, made: Made) -> None:
        self.entries[job.key] = Entry(job.arguments, found, made)
        for cached in ("cells", "stopped", "_indexes"):
            self.__dict__.pop(cached, None)
        self.write()

    def write(self) -> None:
        """Writes the whole file, a line for each cell."""
        makers: list[Cell] = []
        lines = []
        for key, entry in self.entries.items():
            if entry.made.maker not in makers:
                makers.append(entry.made.maker)
            known = {name: getattr(entry.made, name) for name in _MADE}
            made = {
                "maker": makers.index(entry.made.maker),
                **{name: value for name, value in known.items() if value not in (None, "")},
            }
            lines.append(f" {json.dumps(key)}: {json.dumps([entry.asked, entry.found, made])}")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_writer(self.path) as file:
            joined = ",\n".join(lines)
            file.write(f'{{"makers": {json.dumps(makers)}, "cells": {{\n{joined}\n}}}}\n'.encode())

    def select(self, **arguments: object) -> list[Cell]:
        """The cells that were asked for with these arguments; where one is no argument, that found it."""
        names = tuple(arguments)
        if names not in self._indexes:
            index: dict[tuple[object, ...], list[Cell]] = {}
            for entry in self.entries.values():
                known = {**entry.found, **entry.asked}
                index.setdefault(tuple(known.get(name) for name in names), []).append(entry.cell)
            self._indexes[names] = index
        return list(self._indexes[names].get(tuple(arguments.values()), ()))

    def csv_text(self) -> str:
        """A row for each cell; lists, like the points of a curve, are in the JSON only."""
        rows = []
        for entry in self.entries.values():
            found = {f"{name} found" if name in entry.asked else name: value for name, value in entry.found.items()}
            plain = {name: value for name, value in {**entry.asked, **found}.items() if is_plain(value)}
            rows.append({**plain, **{name: entry.made.maker.get(name, "") for name in ("scale", "commit", "cpu")}})
        columns = list(dict.fromkeys(name for row in rows for name in row))
        text = io.StringIO()
        writer = csv.DictWriter(text, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    def write_csv(self) -> Path:
        """The cells as a file beside the JSON."""
        path = self.path.with_suffix(".csv")
        with atomic_writer(path) as file:
            file.write(self.csv_text().encode())
        return path


_MADE = ("settings", "work", "digest", "seconds")


def is_plain(value: object) -> bool:
    return not isinstance(value, list | dict)


def made_text(cells: Iterable[Cell]) -> str:
    """The scale and commit of some cells, with their numbers where they differ, and which of them are stale."""
    counted = Counter((cell["made"].label, cell["made"].is_stale) for cell in cells)
    many = len(counted) > 1
    return "; ".join(
        f"{label}{', *stale*' if is_stale else ''}{f' ({n})' if many else ''}"
        for (label, is_stale), n in counted.items()
    )
