"""The command line: ``credenet VERB INPUT [flags]``.

Importing this package loads neither numpy nor a data-frame library; each verb loads what it needs when it runs.
"""

from credenet.cli.app import main

__all__ = ["main"]
