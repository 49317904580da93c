"""The command line: ``credenet VERB INPUT [flags]``.

Importing this package loads neither numpy nor a data-frame library; each verb loads what it needs when it runs.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line and exits with its code, also after Ctrl-C or SIGTERM, however early they come."""
    signals: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        signals.append(number)
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)
    try:
        from credenet.cli.app import run

        code = run(sys.argv[1:] if arguments is None else arguments)
    except BaseException:
        if not signals:
            raise
        # an interrupted import may raise any exception
        from credenet.cli.outputs import interrupted

        print(interrupted(), file=sys.stderr)
        code = INTERRUPTED
    sys.exit(code)
