"""What the docs name in backticks is in the tree: paths, modules, classes, functions and their attributes."""

from __future__ import annotations

import importlib
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "credenet"
ABOUT_THE_TREE = [ROOT / "CONTRIBUTING.md", ROOT / "docs" / "architecture.md"]
PAGES = [ROOT / "README.md", *ABOUT_THE_TREE, *sorted((ROOT / "docs").rglob("*.md"))]
ABOVE_PATHS = [ROOT, PACKAGE, ROOT / "cpp", ROOT / "cpp/include/credenet", ROOT / "cpp/src", PACKAGE / "explorer"]
BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"\.(py|cpp|hpp|cu|js|toml)$")


def names(page: Path) -> list[str]:
    """What stands in backticks in the text of a page."""
    return re.findall(r"`([^`\n]+)`", BLOCK.sub("", page.read_text()))


@cache
def tracked() -> list[Path]:
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    files = done.stdout.split() if done.returncode == 0 else []
    return [ROOT / name for name in files] or [path for path in ROOT.rglob("*") if path.is_file()]


@cache
def file_names() -> set[str]:
    return {part for path in tracked() for part in (path.name, *path.relative_to(ROOT).parts)}


@cache
def words() -> set[str]:
    """Every word of the sources and of the files that build them."""
    text = [
        path.read_text() for path in tracked() if path.suffix in {".py", ".pyi", ".cpp", ".hpp", ".js", ".txt", ".toml"}
    ]
    stems = [path.stem for path in tracked()]
    return set(re.findall(r"\w+", "\n".join([*text, *stems, (ROOT / "Makefile").read_text()])))


def is_path(name: str) -> bool:
    """Whether a name in backticks is a path of the repository: it begins with one of its folders, or is a code file."""
    first, *rest = name.split("/")
    if not rest:
        return CODE.search(name) is not None and re.fullmatch(r"[\w.]+", name) is not None
    return re.fullmatch(r"[\w./*-]+", name) is not None and any((above / first).is_dir() for above in ABOVE_PATHS)


def path_exists(name: str) -> bool:
    if "/" not in name:
        return name in file_names()
    found = (above.glob(name.rstrip("/") + ending) for above in ABOVE_PATHS for ending in ("", ".*"))
    return any(True for paths in found for _ in paths)


def packages(name: str) -> Iterator[str]:
    """The packages of the library with a name; credenet itself stands for all public names."""
    if name == "credenet":
        yield name
    for folder in PACKAGE.rglob(name):
        if (folder / "__init__.py").is_file():
            yield ".".join(folder.relative_to(PACKAGE.parent).parts)


def resolves(owner: Any, attributes: list[str]) -> bool:
    for at, name in enumerate(attributes):
        if isinstance(owner, ModuleType) and not hasattr(owner, name):
            try:
                owner = importlib.import_module(f"{owner.__name__}.{name}")
            except ModuleNotFoundError:
                return False
            continue
        if not hasattr(owner, name):
            # A field of a dataclass without a default is in its annotations only.
            return at == len(attributes) - 1 and name in getattr(owner, "__annotations__", {})
        owner = getattr(owner, name)
    return True


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_paths_exist(page: Path) -> None:
    missing = [name for name in names(page) if is_path(name) and not path_exists(name)]
    assert not missing


@pytest.mark.parametrize("page", ABOUT_THE_TREE, ids=lambda page: page.name)
def test_modules_exist(page: Path) -> None:
    """Also `package.module` and `package.module.name`, without the name of the library."""
    missing = []
    for name in names(page):
        first, *rest = name.split(".")
        above = [*packages(first)] if re.fullmatch(r"\w+(\.\w+)+", name) and not CODE.search(name) else []
        if above and not any(resolves(importlib.import_module(package), rest) for package in above):
            missing.append(name)
    assert not missing


@pytest.mark.parametrize("page", ABOUT_THE_TREE, ids=lambda page: page.name)
def test_words_are_in_the_sources(page: Path) -> None:
    missing = [name for name in names(page) if re.fullmatch(r"[A-Za-z_]\w+", name) and name not in words()]
    assert not missing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_public_names_exist(page: Path) -> None:
    """`credenet.name`, and `Class.attribute` of a public class."""
    import credenet

    missing = []
    for name in names(page):
        plain = re.sub(r"\(.*\)$", "", name)
        if not re.fullmatch(r"\w+(\.\w+)+", plain) or CODE.search(plain):
            continue
        first, *rest = plain.split(".")
        if (first == "credenet" and not resolves(credenet, rest)) or (
            first in credenet.__all__ and first[0].isupper() and not resolves(getattr(credenet, first), rest[:1])
        ):
            missing.append(name)
    assert not missing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_name_is_an_old_one(page: Path) -> None:
    from credenet._peers import _RENAMED

    assert _RENAMED
    assert not [name for name in names(page) if name in _RENAMED]


def test_the_list_of_packages_is_whole() -> None:
    listed = re.search(r"^    _text .*?\n\n", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE | re.DOTALL)
    assert listed is not None
    heads = [re.split(r"  +", line.strip())[0] for line in listed.group().splitlines() if line.strip()]
    found = {name for head in heads for name in head.split()}
    there = {path.stem for path in PACKAGE.iterdir() if (path / "__init__.py").is_file() or path.suffix == ".py"}
    assert found == there - {"__init__", "__main__"}
