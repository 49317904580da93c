"""The command line as ``python -m credenet``."""

from credenet.cli import main

main()
