"""Compiles the core for other compilers, C libraries and systems, without making anything; run by ``make portable``.

It takes those that are here: ``clang++``, GCC for Windows (``x86_64-w64-mingw32-g++``), GCC for musl
(``x86_64-linux-musl-g++``) and, if the package ``ziglang`` is installed, its Clang with libc++ for musl, ARM, macOS and
Windows. Every warning of the core is an error.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wno-sign-conversion", "-Wshadow", "-Werror")
FLAGS = ("-std=c++20", "-ffp-contract=off", f"-I{ROOT / 'cpp' / 'include'}", *WARNINGS)
ZIG_TARGETS = ("x86_64-linux-musl", "aarch64-linux-gnu", "aarch64-macos", "x86_64-windows-gnu")
Compiler = tuple[str, ...]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many files are compiled at once")
    parser.add_argument("names", nargs="*", help="only these, of those that are here")
    options = parser.parse_args()
    present = compilers()
    if unknown := [name for name in options.names if name not in present]:
        print(f"not here: {', '.join(unknown)}; here are {', '.join(present)}", file=sys.stderr)
        return 2
    failures = 0
    for name in options.names or present:
        failed = compile_core(present[name], is_windows="windows" in name, n_jobs=options.jobs)
        print(f"{name}: {'compiles' if not failed else f'{len(failed)} files do not compile'}", flush=True)
        for message in failed:
            print(message, file=sys.stderr, flush=True)
        failures += len(failed)
    if not present:
        print("no other compiler is here, so nothing was checked")
    return 1 if failures else 0


def compilers() -> dict[str, Compiler]:
    """The compilers that are here, by what is made with them."""
    found: dict[str, Compiler] = {}
    for name, programs in {
        "clang": ("clang++",),
        "gcc-windows": ("x86_64-w64-mingw32-g++-posix", "x86_64-w64-mingw32-g++"),
        "gcc-musl": ("x86_64-linux-musl-g++",),
    }.items():
        if (program := next(filter(None, map(shutil.which, programs)), None)) is not None:
            found[name] = (program, "-fsyntax-only")
    if importlib.util.find_spec("ziglang") is not None:  # It takes -fsyntax-only, but then misses the file.
        zig = (sys.executable, "-m", "ziglang", "c++", "-c", "-target")
        found |= {f"zig-{target}": (*zig, target) for target in ZIG_TARGETS}
    return found


def sources(*, is_windows: bool) -> list[Path]:
    """The sources of the core for a system."""
    other = "_posix" if is_windows else "_win32"
    return sorted(path for path in (ROOT / "cpp" / "src").rglob("*.cpp") if not path.stem.endswith(other))


def compile_core(compiler: Compiler, *, is_windows: bool, n_jobs: int) -> list[str]:
    """What the compiler says of each file that it does not take."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(n_jobs) as pool:

        def compile_one(item: tuple[int, Path]) -> str:
            number, source = item
            out = () if "-fsyntax-only" in compiler else ("-o", str(Path(folder) / f"{number}.o"))
            words = [*compiler, *FLAGS, *out, str(source)]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            return "" if done.returncode == 0 else f"{source.relative_to(ROOT)}:\n{done.stderr or done.stdout}"

        messages: Iterable[str] = pool.map(compile_one, enumerate(sources(is_windows=is_windows)))
        return [message for message in messages if message]


if __name__ == "__main__":
    sys.exit(main())
