"""This tree against another commit: both are built alike, then each case runs with the one and the other in turn.

    python benchmarks/compare_versions.py COMMIT [--repeats 3] [--rounds 3] [--only WORD]

A case is a process of its own (`version_cases`); of all rounds the least CPU seconds count, those of one thread where
the call takes threads. Answers (scores, numbers of networks, of edges) must agree. Rows go to
results/compare_versions.json.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

import credenet
from measure import DATA, Report, Timing
from version_cases import CASES

ROOT = Path(__file__).parents[1]
CASE = Path(__file__).with_name("version_cases.py")


def main() -> int:
    asked = _arguments()
    report = Report("compare_versions", f"Is this tree as fast as {asked.commit}?")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        credenet.load(DATA / "networks" / "alarm.bif.gz").sample(200_000, seed=1).save(folder / "alarm.csv")
        sites = {asked.commit: _built(folder, asked.commit), "this tree": _built(folder, None)}
        different = []
        for case in CASES:
            if asked.only in case:
                before, now = _in_turn(case, sites, folder, asked)
                report.add(case, asked.commit, Timing(before["cpu"], before["cpu"]))
                least = Timing(now["cpu"], now["cpu"])
                report.add(case, "this tree", least, ours=Timing(before["cpu"], before["cpu"]))
                if before["answer"] != now["answer"]:
                    different.append(f"{case}: {before['answer']} before, {now['answer']} now")
    print("\n".join(different) or "all answers agree")
    return 1 if different else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit")
    parser.add_argument("--repeats", type=int, default=3, help="of a case in one process")
    parser.add_argument("--rounds", type=int, default=3, help="of processes, one version after the other")
    parser.add_argument("--only", default="", help="cases with this word")
    return parser.parse_args()


def _built(folder: Path, commit: str | None) -> Path:
    """A folder with the package of a commit, or of the working tree, compiled as users get it."""
    site, source = folder / (commit or "now"), ROOT
    if commit is not None:
        source = folder / f"source-{commit}"
        _git("worktree", "add", "--detach", "--quiet", str(source), commit)
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    build = ["--config-settings", f"build-dir={folder / f'build-{site.name}'}"]
    try:
        subprocess.run([*install, *build, "--target", str(site), str(source)], check=True)
    finally:
        if commit is not None:
            _git("worktree", "remove", "--force", str(source))
    return site


def _git(*arguments: str) -> None:
    subprocess.run(["git", "-C", str(ROOT), *arguments], check=True)


def _in_turn(
    case: str, sites: dict[str, Path], folder: Path, asked: argparse.Namespace
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The least CPU seconds of each version, and its answer."""
    found: dict[str, dict[str, Any]] = {}
    for _ in range(asked.rounds):
        for version, site in sites.items():
            one = _run(case, site, folder, asked.repeats)
            found[version] = min(found.get(version, one), one, key=lambda row: row["cpu"])
    before, now = found.values()
    return before, now


def _run(case: str, site: Path, folder: Path, repeats: int) -> dict[str, Any]:
    command = [sys.executable, "-S", "-W", "ignore", str(CASE), case, str(DATA), str(folder), str(repeats)]
    # With -S Python does not see an editable install.
    path = os.pathsep.join([str(site), sysconfig.get_path("purelib")])
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{case}: {done.stderr}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


if __name__ == "__main__":
    sys.exit(main())
