"""What the docs name in backticks is in the tree: paths, modules, classes, functions and their attributes."""

from __future__ import annotations

import ast
import builtins
import importlib
import re
import runpy
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
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
ABOVE_PATHS = [ROOT, PACKAGE, ROOT / "cpp", ROOT / "cpp/include/credenet", ROOT / "cpp/src", PACKAGE / "explorer"]
OUR_PAGES = [page for page in PAGES if page.parent.name != "coming_from"]  # The others name calls of other programs.
BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"\.(py|cpp|hpp|cu|js|toml)$")
CLASS = r"[A-Z]\w*[a-z]\w*"  # What looks like a class: METHODS does not, and BDs does.
CORE_CLASS = rf"\b(?:class|struct|using) ({CLASS})"
OF_OTHERS = {"BrokenProcessPool", "CMakeLists", "Client", "Executor", "Int64", "LocalCluster"}
LABELS = {"Mild", "NaN", "NaT", "Severe"}


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


@cache
def class_names() -> set[str]:
    """Every class, type and alias of the package, of its front end and of the headers, and the names of Python."""
    import credenet

    found = {name for module in (credenet, credenet.types, builtins) for name in dir(module)}
    for path in tracked():
        if path.suffix == ".py" and path.is_relative_to(PACKAGE):
            tree = ast.parse(path.read_text())
            found |= {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
            targets = [each for node in tree.body if isinstance(node, ast.Assign) for each in node.targets]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
        elif path.suffix == ".hpp":
            found |= set(re.findall(CORE_CLASS, path.read_text()))
        elif path.suffix == ".js":
            found |= set(re.findall(rf"@typedef .* ({CLASS})$", path.read_text(), re.MULTILINE))
    return found


def binding_classes(page: Path) -> set[str]:
    """The classes of the bindings whose files a page names."""
    files = (ROOT / name for name in names(page) if re.fullmatch(r"bindings/\w+\.cpp", name))
    return {found for file in files for found in re.findall(CORE_CLASS, file.read_text())}


def classes_named(page: Path) -> Iterator[str]:
    """What looks like a class in backticks, and before the name of an attribute or a call in a drawing."""
    text = BLOCK.sub("", page.read_text())
    for name in re.findall(r"`([^`\n]+)`", text):
        parts = re.split(r"\.|::", re.sub(r"\(.*\)$", "", name))
        if not CODE.search(name):
            yield from (part for part in parts if re.fullmatch(CLASS, part))
    drawings = "\n".join(re.findall(r"^ {4}.*$", text, re.MULTILINE))
    yield from re.findall(rf"(?<![\w.])({CLASS})(?:\.|::)[a-z_]+\(", drawings)


@cache
def parameters_by_function() -> dict[str, list[set[str]]]:
    """For each name of a function the parameters of every function of this name, besides verbs of the command line."""
    found: dict[str, list[set[str]]] = {}
    for path in tracked():
        if path.suffix == ".py" and path.is_relative_to(PACKAGE) and not path.is_relative_to(PACKAGE / "cli"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.FunctionDef):
                    given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                    found.setdefault(node.name, []).append({each.arg for each in given})
    return found


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


@pytest.mark.parametrize("page", OUR_PAGES, ids=lambda page: page.name)
def test_classes_exist(page: Path) -> None:
    in_examples = set(re.findall(r"class (\w+)", page.read_text()))
    missing = set(classes_named(page)) - class_names() - binding_classes(page) - in_examples - OF_OTHERS - LABELS
    assert not missing


@pytest.mark.parametrize("page", OUR_PAGES, ids=lambda page: page.name)
def test_calls_in_tables_name_parameters(page: Path) -> None:
    """The calls that a table lists in its first column, as in `sample(n_rows, seed=0)`."""
    wrong = []
    for cell in re.findall(r"^\| ([^|]*`[^|]*) \|", BLOCK.sub("", page.read_text()), re.MULTILINE):
        for call in re.findall(r"`([a-z_]+\([^`]*\))`", cell):
            node = ast.parse(call, mode="eval").body
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            named = {each.arg for each in node.keywords if each.arg}
            named |= {each.id for each in node.args if isinstance(each, ast.Name)}
            if not any(named <= each for each in parameters_by_function().get(node.func.id, [])):
                wrong.append(call)
    assert not wrong


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


@pytest.mark.parametrize("page", ABOUT_THE_TREE, ids=lambda page: page.name)
def test_the_order_of_includes_is_that_of_the_check(page: Path) -> None:
    check = runpy.run_path(str(ROOT / "cpp" / "check_includes.py"))
    order = [folder.split("/")[0] for folder in check["ORDER"]]
    told = re.search(r"util(?:\s+→\s+\w+)+", page.read_text())
    assert told is not None
    assert re.split(r"\s+→\s+", told.group()) == list(dict.fromkeys(order))


def test_the_folders_that_need_less_are_those_of_the_check() -> None:
    check = runpy.run_path(str(ROOT / "cpp" / "check_includes.py"))
    expected: dict[str, set[str]] = {}
    for folder, needs in check["NEEDS"].items():
        room = folder.split("/")[0]
        expected.setdefault(room, set()).update({each.split("/")[0] for each in needs} - {"util", room})
    text = re.search(r"some need less: (.*?)\.\n", (ROOT / "docs" / "architecture.md").read_text(), re.DOTALL)
    assert text is not None
    told: dict[str, set[str]] = {}
    for clause in re.split(r";\s+", text.group(1)):
        rooms, _, needs = re.sub(r"\s+", " ", clause).partition(" need")
        for room in re.findall(r"`(\w+)`", rooms):
            told[room] = set(re.findall(r"\w+", needs.removeprefix("s"))) - {"and", "only", "util"}
    assert told == expected


def test_the_list_of_packages_is_whole() -> None:
    listed = re.search(r"^    _text .*?\n\n", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE | re.DOTALL)
    assert listed is not None
    heads = [re.split(r"  +", line.strip())[0] for line in listed.group().splitlines() if line.strip()]
    found = {name for head in heads for name in head.split()}
    there = {path.stem for path in PACKAGE.iterdir() if (path / "__init__.py").is_file() or path.suffix == ".py"}
    assert found == there - {"__init__", "__main__"}
