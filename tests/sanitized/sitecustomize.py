"""Loads the core that a sanitizer watches, in every Python process that has this folder in ``PYTHONPATH``."""

from __future__ import annotations

import importlib.util
import os
import sys

import credenet


def load(path: str) -> None:
    """Takes a file as the core, in the place of the one that is installed."""
    spec = importlib.util.spec_from_file_location("credenet._core", path)
    assert spec is not None
    assert spec.loader is not None
    core = importlib.util.module_from_spec(spec)
    sys.modules["credenet._core"] = core
    spec.loader.exec_module(core)
    credenet._core = core


load(os.environ["CREDENET_SANITIZED_CORE"])
