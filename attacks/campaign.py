"""A campaign: a function that draws one case and checks what must hold for it.

A case depends on the name of the campaign, the seed and the number of the case, and on nothing else. Its choices are
read from random bytes by hypothesis, so that campaigns and tests draw from the same strategies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from drawing import Draw

_MOST_BYTES = 1 << 20  # Bytes that all choices of a case are read from; a case takes a few thousand.


class SkippedError(Exception):
    """A campaign that cannot run on this machine; the message says why."""


@dataclass(frozen=True, slots=True)
class Case:
    """The choices of one case: drawn from strategies or from a generator, with an empty folder for files."""

    draw: Draw
    rng: np.random.Generator
    folder: Path


@dataclass(frozen=True, slots=True)
class Campaign:
    """A function that attacks with one case; whatever it raises is a fault."""

    attack: Callable[[Case], None]
    case_seconds: float = 120.0  # A case that takes longer hangs, which is a fault.
    address_space: int | None = None  # Bytes that the process may map.

    @property
    def name(self) -> str:
        """The name of the module."""
        return self.attack.__module__.rpartition(".")[2]

    def run_case(self, seed: int, number: int) -> None:
        """Attacks with the case of this number."""
        random = Random(f"{self.name} {seed} {number}")
        rng = np.random.default_rng(random.getrandbits(64))

        @settings(database=None, deadline=None)
        @given(st.data())
        def attack(data: st.DataObject) -> None:
            with TemporaryDirectory(prefix="credenet-attack-") as folder:
                self.attack(Case(data.draw, rng, Path(folder)))

        attack.hypothesis.fuzz_one_input(random.randbytes(_MOST_BYTES))  # type: ignore[attr-defined]
