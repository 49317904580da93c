"""Sampling 1,000,000 rows of alarm and 100,000 of munin, against pyAgrum and pgmpy, all with every core."""

from __future__ import annotations

import gzip
import logging
import tempfile
import warnings
from pathlib import Path

import credenet
from measure import DATA, N_THREADS, Report, best_of


def main() -> None:
    import pyagrum

    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    from pgmpy.readwrite import BIFReader
    from pgmpy.sampling import BayesianModelSampling

    report = Report("sampling", "How long does forward sampling take?", "pyagrum", "pgmpy")
    pyagrum.setNumberOfThreads(N_THREADS)
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in (("alarm", 1_000_000), ("munin", 100_000)):
            bif = Path(folder) / f"{name}.bif"
            bif.write_bytes(gzip.decompress((DATA / "networks" / f"{name}.bif.gz").read_bytes()))
            task = f"{name}, {rows:,} rows"
            network = credenet.load(bif)
            ours = best_of(lambda network=network, rows=rows: network.sample(rows, seed=1), 5)  # type: ignore[misc]
            report.add(task, "credenet", ours, note="coded table in memory")

            model = pyagrum.loadBN(str(bif))  # The variable keeps the model alive, which the generator does not.
            generator = pyagrum.BNDatabaseGenerator(model)
            drawn = best_of(lambda generator=generator, rows=rows: generator.drawSamples(rows), 2)  # type: ignore[misc]
            report.add(task, "pyagrum", drawn, ours=ours, note="drawSamples, in its own memory")

            sampler = BayesianModelSampling(BIFReader(str(bif)).get_model())
            simulated = best_of(
                lambda sampler=sampler, rows=rows: sampler.forward_sample(rows, seed=1, show_progress=False),  # type: ignore[misc]
                1,
            )
            report.add(task, "pgmpy", simulated, ours=ours, note="forward_sample, a pandas frame; one run")
    report.save()


if __name__ == "__main__":
    main()
