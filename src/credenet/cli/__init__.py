"""The command line: ``credenet VERB INPUT [flags]``.

Importing this package loads neither numpy nor a data-frame library; each verb loads what it needs when it runs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line and exits with its code; Ctrl-C is one, however early it comes."""
    try:
        from credenet.cli.app import run

        code = run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        code = INTERRUPTED
    sys.exit(code)
