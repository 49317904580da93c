"""Coverage-guided fuzzing of the C++ code that reads foreign bytes: text of tables, strings of tables, bit planes.

The harnesses are in ``cpp/fuzz`` and need clang++ with libFuzzer; without it this campaign is skipped. A case is a run
of one harness with a seed and a fixed number of inputs.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from attacks import ROOT
from attacks.campaign import Campaign, Case, SkippedError

INPUTS = {"delimited_fuzz": 6_000, "coded_strings_fuzz": 60_000, "block_table_fuzz": 1_000}
"""How many inputs a run of each harness tries; a few seconds."""

SEEDS = {
    "delimited_fuzz": [b'\0\1\x10a,"b ""c""",d\r\n1,2,"x\ny"\n,,\n', b"\4\0\3a b\tc\n1  2 3\n"],
    "coded_strings_fuzz": [bytes([3, 2, 0, 1, 5, *b"abcde", 1, 20, *range(20), 0])],
    "block_table_fuzz": [bytes([2, 100, 5, 3, *range(60)])],
}


def attack(case: Case) -> None:
    harness = case.draw(st.sampled_from(sorted(INPUTS)))
    seed = case.draw(st.integers(1, 2**31 - 1))
    corpus, artifacts = case.folder / "corpus", case.folder / "artifacts"
    for folder in (corpus, artifacts):
        folder.mkdir()
    for at, contents in enumerate(SEEDS[harness]):
        (corpus / str(at)).write_bytes(contents)
    words = [str(built() / harness), f"-seed={seed}", f"-runs={INPUTS[harness]}", "-max_len=3000", "-rss_limit_mb=4096"]
    words += [f"-artifact_prefix={artifacts}/", str(corpus)]
    done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
    found = [path.read_bytes() for path in artifacts.iterdir()]
    assert done.returncode == 0, f"{harness} fails for {found}:\n{done.stderr[-6000:]}"


@cache
def built() -> Path:
    """The folder with the harnesses, compiled if need be."""
    if shutil.which("clang++") is None:
        raise SkippedError("clang++ is not installed; fuzzing is skipped")
    folder, tools = ROOT / "build" / "fuzz", Path(sys.executable).parent
    generator = ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}", "-DCMAKE_CXX_COMPILER=clang++"]
    for words in (["-S", str(ROOT / "cpp" / "fuzz"), "-B", str(folder), *generator], ["--build", str(folder)]):
        done = subprocess.run([str(tools / "cmake"), *words], capture_output=True, text=True, check=False)
        messages = done.stdout + done.stderr
        if "libclang_rt" in messages:
            raise SkippedError("clang++ has no libFuzzer; fuzzing is skipped")
        assert done.returncode == 0, f"clang++ cannot build the harnesses:\n{messages[-6000:]}"
    return folder


CAMPAIGN = Campaign(attack, case_seconds=300.0)
