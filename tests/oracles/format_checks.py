"""Checks of every network format, and comparison of networks that went through other programs."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType

import numpy as np
import pytest
from hypothesis import strategies as st

from credenet.errors import FormatError
from credenet.networks.bayesian import BayesianNetwork

PATH = "file"


def refusal(module: ModuleType, text: str) -> FormatError | None:
    """The error that a text is refused with, if it is."""
    try:
        module.parse(text, PATH)
    except FormatError as error:
        return error
    return None


def check_error(module: ModuleType, text: str, message: str, line: int) -> None:
    """A text is refused with a message at a line."""
    with pytest.raises(FormatError, match=message) as caught:
        module.parse(text, PATH)
    assert caught.value.line == line
    assert caught.value.path == PATH
    check_short(caught.value)


def check_short(error: FormatError) -> None:
    """Checks that a message is one short line, whatever it quotes."""
    assert "\n" not in str(error)
    assert len(str(error)) < 600


def check_any_text(module: ModuleType, text: str) -> None:
    """Checks that reading any text gives a network or a FormatError with a place."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")  # Reading a file does the same.
    for error in filter(None, [refusal(module, text)]):
        check_short(error)
        assert error.path == PATH
        assert error.line is not None
        assert 1 <= error.line <= text.count("\n") + 1


def check_prefixes(module: ModuleType, network: BayesianNetwork) -> None:
    """A file cut off anywhere is refused, unless nothing is missing but its last blanks."""
    text = module.render(network, PATH)
    whole = len(text.rstrip())
    for end in range(len(text)):
        if end >= whole:
            assert module.parse(text[:end], PATH) == network
        else:
            error = refusal(module, text[:end])
            assert error is not None, text[:end]
            assert error.line is not None


def cannot_hold(module: ModuleType, network: BayesianNetwork, format: str) -> bool:
    """Whether a network is refused because of a name, and the message says so."""
    try:
        module.render(network, PATH)
    except FormatError as error:
        words = [*network.variables, *(label for labels in network.states.values() for label in labels)]
        return any(error.message.startswith(f"{format} cannot hold the name {word!r}") for word in words)
    return False


def mutated(texts: Iterable[str], pieces: str) -> st.SearchStrategy[str]:
    """Valid texts with parts removed or replaced by pieces of the syntax and other things."""
    odd = [
        "",
        "\n",
        '"',
        "0",
        "-1",
        "nan",
        "infinity",
        "1e999",
        "1_0",
        "9" * 5000,
        "\x00",
        "\u0661",
        "\ud800",
        "[" * 99,
    ]
    replacement = st.one_of(st.sampled_from([*pieces.split(), *odd]), st.text(max_size=3))
    changes = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 8), replacement), min_size=1, max_size=4)
    return st.builds(_mutate, st.sampled_from(list(texts)), changes)


def _mutate(text: str, changes: list[tuple[float, int, str]]) -> str:
    for where, removed, inserted in changes:
        at = int(where * len(text))
        text = text[:at] + inserted + text[at + removed :]
    return text


def assert_same(network: BayesianNetwork, other: BayesianNetwork, *, tolerance: float = 0.0) -> None:
    """Checks for equal variables, states, parents and tables; the order of the variables does not matter."""
    assert set(network.variables) == set(other.variables)
    for name in network.variables:
        assert network.states[name] == other.states[name]
        assert set(network.parents(name)) == set(other.parents(name))
        axes = [other.parents(name).index(parent) for parent in network.parents(name)]
        theirs = other.table(name).transpose([*axes, len(axes)])
        np.testing.assert_allclose(network.table(name), theirs, rtol=0, atol=tolerance)
