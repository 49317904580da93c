"""Files that belong to a UAI model: evidence, in either of its two forms, queries, and results."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from credenet._files.files import read_text
from credenet.data.states import Label, StateLabels
from credenet.errors import FormatError
from credenet.inference.inference import Marginals, MostProbable
from credenet.io.numerals import whole

States = StateLabels


def load_evidence(path: str | Path, states: States) -> list[tuple[str, Label]]:
    """The evidence in a ``.evid`` file: ``m v x v x …``, or the same after a first line with the number of samples, 1.

    Variables and states are given by their numbers. The two forms differ in the number of words, which is odd in the
    first and even in the second.
    """
    words, lines = _numbers(path)
    if len(words) % 2 == 0 and words:
        if words[0] != 1:
            raise FormatError(f"has {words[0]} samples of evidence; only one can be used", path=path, line=lines[0])
        words, lines = words[1:], lines[1:]
    if not words:
        return []
    if len(words) != 1 + 2 * words[0]:
        message = f"announces evidence for {words[0]} variables, but {len(words) - 1} numbers follow"
        raise FormatError(message, path=path, line=lines[0])
    pairs = []
    for variable, state, line_number in zip(words[1::2], words[2::2], lines[1::2], strict=True):
        name = _name(variable, states, path, line_number)
        labels = states[name]
        if state >= len(labels):
            message = f"the states of variable {variable} are 0 to {len(labels) - 1}, got {state}"
            raise FormatError(message, path=path, line=line_number)
        pairs.append((name, labels[state]))
    return pairs


def load_query(path: str | Path, states: States) -> list[str]:
    """The variables in a ``.query`` file: ``m v v …``, by their numbers."""
    words, lines = _numbers(path)
    if not words or len(words) != 1 + words[0]:
        announced = f"announces {words[0]} variables, but {len(words) - 1} follow" if words else "is empty"
        raise FormatError(announced, path=path, line=lines[0] if lines else 1)
    names = [_name(variable, states, path, line) for variable, line in zip(words[1:], lines[1:], strict=True)]
    for at, name in enumerate(names):
        if name in names[:at]:
            raise FormatError(f"has variable {words[1 + at]} twice", path=path, line=lines[1 + at])
    return names


def _numbers(path: str | Path) -> tuple[list[int], list[int]]:
    """All words of a file as numbers, and their lines."""
    words: list[int] = []
    lines: list[int] = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        for word in line.split():
            value = whole(word)
            if value is None:
                raise FormatError(f"expected a number, got {word[:20]}", path=path, line=number)
            words.append(value)
            lines.append(number)
    return words, lines


def _name(variable: int, states: States, path: str | Path, line: int) -> str:
    if variable >= len(states):
        raise FormatError(f"the variables are 0 to {len(states) - 1}, got {variable}", path=path, line=line)
    return list(states)[variable]


def render_mar(marginals: Marginals) -> str:
    """Marginals as the ``MAR`` result: the number of variables, then number of states and probabilities of each."""
    parts = [f"{len(values)} {' '.join(map(repr, values.values()))}" for values in marginals.values()]
    return f"MAR\n{len(marginals)} {' '.join(parts)}\n"


def render_pr(log_evidence: float) -> str:
    """The ``PR`` result, a log to base 10."""
    return f"PR\n{log_evidence / math.log(10)!r}\n"


def render_mpe(best: MostProbable, states: Mapping[str, Sequence[Label]]) -> str:
    """The ``MPE`` result: the number of variables and their states, by number."""
    numbers = [labels.index(best.assignment[name]) for name, labels in states.items()]
    return f"MPE\n{len(numbers)} {' '.join(map(str, numbers))}\n"


def render_mmap(best: MostProbable, states: Mapping[str, Sequence[Label]]) -> str:
    """The ``MMAP`` result: the number of variables asked for, then for each its number and the number of its state."""
    numbers = {name: at for at, name in enumerate(states)}
    pairs = [f"{numbers[name]} {states[name].index(state)}" for name, state in best.assignment.items()]
    return f"MMAP\n{len(pairs)} {' '.join(pairs)}\n"
