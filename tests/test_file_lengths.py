"""A file holds one idea: none that is written by hand has more than 500 lines. A package holds few modules."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("attacks", "benchmarks", "bindings", "cpp", "docs", "examples", "src", "tests")
SUFFIXES = {".cpp", ".css", ".cu", ".hpp", ".js", ".py", ".pyi"}
MOST_LINES = 500
# Not written by hand: the stub that nanobind makes of the bindings, and the work of others.
MADE = {"src/credenet/_core.pyi"}
VENDORED = "vendor"


def lengths() -> dict[str, int]:
    """The number of lines of each file that is written by hand."""
    return {
        name: len(path.read_text(encoding="utf-8").splitlines())
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in SUFFIXES
        and VENDORED not in path.parts
        and (name := path.relative_to(ROOT).as_posix()) not in MADE
    }


def test_no_file_is_long() -> None:
    found = lengths()
    assert len(found) > 1000
    assert {name: n_lines for name, n_lines in found.items() if n_lines > MOST_LINES} == {}


def test_what_is_made_exists() -> None:
    assert all((ROOT / name).is_file() for name in MADE)


# A folder of one file for each verb, and the package itself, whose modules are its namespaces.
MANY_MODULES = {"src/credenet", "src/credenet/cli/verbs"}
MOST_MODULES = 15


def test_no_package_has_many_modules() -> None:
    packages = [path.parent for path in (ROOT / "src").rglob("__init__.py")]
    sizes = {each.relative_to(ROOT).as_posix(): len(list(each.glob("[!_]*.py"))) for each in packages}
    assert {name: size for name, size in sizes.items() if size > MOST_MODULES and name not in MANY_MODULES} == {}
