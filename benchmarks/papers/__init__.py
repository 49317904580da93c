"""The tables and figures of five papers, run again: ``python -m benchmarks.papers NAME [--scale quick|full]``."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # for measure and the like, which are no package
