"""The processors that can count."""

from __future__ import annotations

from typing import Literal

Device = Literal["cpu", "cuda", "auto"]
