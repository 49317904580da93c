"""Reading munin.bif (1,041 variables, 80,592 parameters), against pyAgrum and pgmpy."""

from __future__ import annotations

import gzip
import logging
import tempfile
import warnings
from pathlib import Path

import credenet
from measure import DATA, Report, best_of


def main() -> None:
    import pyagrum

    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    from pgmpy.readwrite import BIFReader

    report = Report("bif", "How long does reading a BIF file take?", "pyagrum", "pgmpy")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("alarm", "munin", "mildew"):
            bif = Path(folder) / f"{name}.bif"
            bif.write_bytes(gzip.decompress((DATA / "networks" / f"{name}.bif.gz").read_bytes()))
            ours = best_of(lambda bif=bif: credenet.load(bif), 5)  # type: ignore[misc]
            report.add(name, "credenet", ours, note=f"{bif.stat().st_size / 1e6:.2f} MB")
            report.add(name, "pyagrum", best_of(lambda bif=bif: pyagrum.loadBN(str(bif)), 5), ours=ours)  # type: ignore[misc]
            read = best_of(lambda bif=bif: BIFReader(str(bif)).get_model(), 1)  # type: ignore[misc]
            report.add(name, "pgmpy", read, ours=ours, note="one run")
    report.save()


if __name__ == "__main__":
    main()
