"""The command line: ``credenet VERB INPUT [flags]``.

Importing this package loads neither numpy nor a data-frame library; each verb loads what it needs when it runs.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

FAILED = 1
INTERRUPTED = 130
_ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line and exits with its code, also after Ctrl-C, SIGTERM or SIGHUP, however early they come."""
    signals: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        signals.append(number)
        raise KeyboardInterrupt

    handled = [number for number in _ENDING if signal.getsignal(number) != signal.SIG_IGN]
    code: int | None = None
    try:
        for number in handled:
            signal.signal(number, stop)
        from credenet.cli.app import run

        code = run(sys.argv[1:] if arguments is None else arguments)
    except BaseException as error:  # An interrupted import may raise any exception.
        if not signals:
            if not isinstance(error, ImportError):
                raise
            print(f"error: a library was not loaded, which happens where memory is limited: {error}", file=sys.stderr)
            code = FAILED
    while True:
        try:
            for number in handled:  # A second signal ends the process at once.
                signal.signal(number, signal.SIG_DFL)
            break
        except KeyboardInterrupt:
            continue
    if code is None:
        code = INTERRUPTED
        from credenet.cli.outputs import interruption_message

        print(interruption_message(), file=sys.stderr)
    # A KeyboardInterrupt in code that exec runs, such as that of a dataclass, marks the process as killed by Ctrl-C
    # although it was caught; running other code removes the mark.
    exec("")
    sys.exit(code)
