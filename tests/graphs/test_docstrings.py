"""The examples in the docstrings of the graph modules."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

from credenet.graphs import dag, pdag
from credenet.networks import comparison


@pytest.mark.parametrize("module", [dag, pdag, comparison])
def test_examples(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
