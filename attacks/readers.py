"""Mutants of files in every format: each is read or refused in words, within time and memory, and never crashes.

What is read must be usable: a table is scored, a network is asked, and both are written again.
"""

from __future__ import annotations

import gzip
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

import credenet
from attacks.campaign import Campaign, Case
from attacks.mutations import change_json, mutate, mutate_blocks
from attacks.sound_files import Kind, kinds
from credenet import BayesianNetwork, CredenetError, Dataset, FamilyTable, MarkovNetwork

MOST_VARIABLES = 40  # Of what is used after it was read, so that a case takes milliseconds.


def attack(case: Case) -> None:
    kind = case.draw(st.sampled_from(kinds()))
    contents = mutant(kind, case.draw(st.sampled_from(kind.contents)), case.rng)
    path = case.folder / f"mutant{kind.suffix}"
    path.write_bytes(contents)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            answer = kind.read(path)
            assert repr(answer)
            use(answer, path)
        except CredenetError as error:
            if not str(error).strip():
                raise AssertionError("the error says nothing") from error


def mutant(kind: Kind, sound: bytes, rng: np.random.Generator) -> bytes:
    """Changed contents; compressed files change inside or outside, and JSON files sometimes in one value."""
    if kind.suffix == ".cnb" and rng.random() < 0.8:
        return mutate_blocks(sound, rng)
    if kind.suffix.endswith(".gz") and rng.random() < 0.7:
        return gzip.compress(mutate(gzip.decompress(sound), rng), mtime=0)
    if kind.suffix == ".json" and rng.random() < 0.5:
        return change_json(sound, rng)
    return mutate(sound, rng)


def use(answer: Any, path: Path) -> None:
    """Uses an answer as a user would next."""
    if isinstance(answer, Dataset):
        assert answer.info().n_rows == len(answer)
        if 0 < answer.n_variables <= MOST_VARIABLES and not answer.missing:
            credenet.score_families(answer, score="bic", max_parents=1)
            answer.to_polars()
        answer.save(path.with_name("again.csv"))
    elif isinstance(answer, BayesianNetwork | MarkovNetwork) and len(answer.states) <= MOST_VARIABLES:
        answer.infer().marginals()
        if isinstance(answer, BayesianNetwork):
            answer.save(path.with_name("again.bif"))
    elif isinstance(answer, FamilyTable) and len(answer.variables) <= MOST_VARIABLES:
        credenet.learn(answer, time_limit=1.0)
        answer.save(path.with_name("again.jkl"))


CAMPAIGN = Campaign(attack, case_seconds=20.0, address_space=6 << 30)
