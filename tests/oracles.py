"""Other programs to compare with. pyAgrum's module dies where the warnings of its import are errors."""

from __future__ import annotations

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import pyagrum

__all__ = ["pyagrum"]
