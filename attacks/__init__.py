"""Random campaigns against the library: programs that look for faults until their time is up.

``make attack`` runs all of them, ``python -m attacks NAME --seed S --case K`` repeats one case.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(ROOT / folder) for folder in ("tests", "tests/oracles", "tests/strategies")]
