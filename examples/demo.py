"""The main job from end to end: sample a textbook network, look at the data, learn the best network and all credible
ones, and write a report about these.

Run by ``make demo``; every step shows the command line that does the same. The report is left in the folder named on
the command line, by default this one.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import credenet


def run(command: str, folder: Path) -> None:
    """Runs one ``credenet`` command as a user would and shows it."""
    print(f"\n$ {command}", flush=True)
    program = Path(sys.executable).with_name("credenet")
    subprocess.run([str(program), *shlex.split(command)[1:]], cwd=folder, check=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        truth = credenet.textbook.asia()
        truth.save(folder / "asia.bif")
        print(f"The chest-clinic network of Lauritzen and Spiegelhalter: {truth}")
        run("credenet sample asia.bif --rows 5000 --seed 1 -o patients.csv", folder)
        run("credenet info patients.csv", folder)
        run("credenet learn patients.csv --score bic -o learned.bif", folder)
        run("credenet credible patients.csv --score bic --bayes-factor 20 --report credible.html", folder)
        run("credenet compare asia.bif learned.bif --data patients.csv", folder)

        simpler = truth.dag.without_edge("smoke", "bronc")
        credenet.save_graph(simpler, folder / "simpler.txt")
        print("\nThe same data without the edge from smoking to bronchitis:")
        run("credenet fit patients.csv --graph simpler.txt -o simpler.bif", folder)
        run("credenet compare asia.bif simpler.bif --data patients.csv", folder)

        report = Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "credible.html"
        shutil.copyfile(folder / "credible.html", report)
        print(f"\nA report about the credible networks: {report}")
        print("To see, question and correct the networks of your own data in a browser: credenet explore DATA")


if __name__ == "__main__":
    main()
