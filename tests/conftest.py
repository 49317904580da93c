"""What every test relies on."""

from __future__ import annotations

import atexit
import gc
import signal

# A shell that runs the tests in the background has Ctrl-C ignored, also in programs that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Hypothesis leaves a callback of the garbage collector, which Python drops after its last collection only. Through it
# the whole session of pytest would outlive the end, with all objects that tests have as parameters.
atexit.register(gc.callbacks.clear)
