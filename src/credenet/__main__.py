"""The command line as ``python -m credenet``."""

from credenet.cli import main

if __name__ == "__main__":
    main()
