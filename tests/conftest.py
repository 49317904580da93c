"""What every test relies on."""

from __future__ import annotations

import signal

# A shell that runs the tests in the background has Ctrl-C ignored, also in programs that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
