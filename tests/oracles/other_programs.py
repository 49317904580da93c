"""Other programs to compare with, imported where their warnings are not errors."""

from __future__ import annotations

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import pgmpy.readwrite
    import pyagrum

__all__ = ["pgmpy", "pyagrum"]
