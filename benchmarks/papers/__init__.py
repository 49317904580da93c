"""The tables and figures of five papers, run again: ``python -m benchmarks.papers NAME [--scale quick|paper]``."""

import sys
from pathlib import Path

# The path allows imports of measure and others, which are in no package.
sys.path.insert(0, str(Path(__file__).parents[1]))
