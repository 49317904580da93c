"""``python -m attacks``."""

from attacks.run import main

if __name__ == "__main__":
    raise SystemExit(main())
