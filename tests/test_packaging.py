"""A release: the version has one home, wheels are described right, and the example that tries them runs."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from email.parser import HeaderParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VERSION: str = PROJECT["project"]["version"]


def run_script(name: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "packaging" / name, *words], capture_output=True, text=True, check=False
    )


def test_citation_has_version_of_project() -> None:
    done = run_script("citation.py", "--check", "--tag", f"v{VERSION}")
    assert (done.returncode, done.stderr) == (0, "")
    assert f'version: "{VERSION}"' in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert run_script("citation.py", "--check", "--tag", "v0.0.1").returncode == 1


def test_changelog_has_version_of_project() -> None:
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[:2] == ["Unreleased", VERSION]


def test_metadata_of_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build = pytest.importorskip("scikit_build_core.build")
    monkeypatch.chdir(ROOT)
    info = tmp_path / build.prepare_metadata_for_build_wheel(str(tmp_path))
    metadata = HeaderParser().parsestr((info / "METADATA").read_text(encoding="utf-8"))
    assert (metadata["Name"], metadata["Version"]) == ("credenet", VERSION)
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Description-Content-Type"] == "text/markdown"
    entries = (info / "entry_points.txt").read_text(encoding="utf-8")
    assert re.search(r"^credenet ?= ?credenet\.cli:main$", entries, re.MULTILINE)
    licences = {path.name for path in (info / "licenses").rglob("*") if path.is_file()}
    assert licences == {"LICENSE", "cytoscape.LICENSE.txt"}


def test_stable_interface_is_asked_for_in_all_three_places() -> None:
    """Without one of them the module is that of one Python version, in a wheel whose name says otherwise."""
    bindings = (ROOT / "bindings" / "CMakeLists.txt").read_text(encoding="utf-8")
    assert PROJECT["tool"]["scikit-build"]["wheel"]["py-api"] == "cp312"
    assert re.search(r"find_package\(Python [^)]*\$\{SKBUILD_SABI_COMPONENT\}", bindings)
    assert re.search(r"nanobind_add_module\(_core STABLE_ABI ", bindings)


def test_no_instructions_of_this_machine() -> None:
    flags = [ROOT / "CMakeLists.txt", *ROOT.glob("bindings/CMakeLists.txt"), ROOT / "pyproject.toml"]
    assert not [path for path in flags if re.search(r"-m(arch|cpu|tune|avx|bmi)", path.read_text(encoding="utf-8"))]


def test_what_systems_lack_is_in_one_header() -> None:
    special = re.compile(r"__int128|__builtin_|__attribute__|\bjthread|_WIN32|<(sys/\w+|unistd|fcntl|windows)\.h>")
    using = {
        path.name
        for path in sorted((ROOT / "cpp").rglob("*.[ch]pp"))
        if "tests" not in path.parts and special.search(re.sub(r"//.*", "", path.read_text(encoding="utf-8")))
    }
    systems = {name for name in using if name.endswith(("_posix.cpp", "_win32.cpp"))}
    assert using - systems == {"bitmap_tally.cpp", "log_gamma.hpp", "portable.hpp", "scratch_file.cpp"}


def test_example_of_wheels_runs() -> None:
    done = run_script("smoke.py", "--readme", ROOT / "README.md")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the command line learns" in done.stdout


def test_example_of_wheels_fails_on_wrong_output(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("```python\n>>> 1 + 1\n3\n```\n", encoding="utf-8")
    assert run_script("smoke.py", "--readme", readme).returncode == 1
    readme.write_text("```python\nprint(2)\n```\n", encoding="utf-8")
    assert run_script("smoke.py", "--readme", readme).returncode == 1
