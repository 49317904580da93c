"""Problems that the tests of learners share."""

from __future__ import annotations

import pytest

from credenet import FamilyTable
from family_strategies import hard_families


@pytest.fixture(scope="session")
def hard() -> FamilyTable:
    """One component of 60 variables that no method finishes in a second."""
    return hard_families(5)
