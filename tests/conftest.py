"""What every test relies on."""

from __future__ import annotations

import atexit
import gc
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from credenet.settings.choices import ChoiceKind

# A shell that runs the tests in the background has Ctrl-C ignored, also in programs that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Hypothesis leaves a callback in the garbage collector, which Python drops only after its last collection. The callback
# would keep the whole session of pytest alive until then, with all objects that are parameters of tests.
atexit.register(gc.callbacks.clear)


@pytest.fixture
def forgotten_additions() -> Iterator[None]:
    """Scores, priors, tests, methods, formats and verbs that are added while it lives are gone afterwards."""
    from credenet._files.suffixes import NETWORK_SUFFIXES
    from credenet.cli.app import app
    from credenet.io.networks import formats
    from credenet.settings.methods import METHODS
    from credenet.settings.priors import PRIORS
    from credenet.settings.scores import SCORES
    from credenet.settings.tests import TESTS

    kinds: list[ChoiceKind[Any]] = [SCORES, PRIORS, TESTS, METHODS]
    choices = [(kind, kind.choices, kind.names) for kind in kinds]
    tables: list[dict[str, Any]] = [NETWORK_SUFFIXES, formats._FORMATS]
    entries = [dict(table) for table in tables]
    verbs = set(app)
    yield
    for kind, known, names in choices:
        kind.choices, kind.names = known, names
    for table, before in zip(tables, entries, strict=True):
        table.clear()
        table.update(before)
    for verb in set(app) - verbs:
        del app[verb]
