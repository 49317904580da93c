"""What a cell depends on, as a digest: the sources of the library and of the benchmark that make it.

Of the benchmark these are the function that measures and what it names in its modules. Of the library they are the
modules that it imports, directly or through others, without those that the table declares to have no part in it, and
the files of the core that these modules reach: the bindings that define what they take from ``credenet._core``, the
folders whose headers those include, and the flags of the compiler. A digest is that of the syntax: comments,
docstrings and layout are no part of it. A test runs a small job of each table and sees that no function of a module
that is left out is called.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from credenet import _names

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"
LIBRARY = ROOT / "src" / "credenet"
PUBLISHED = BENCHMARKS / "papers" / "published"
# Modules that plan, store and show cells, and so have no part in what is measured.
HARNESS = {BENCHMARKS / "papers" / f"{name}.py" for name in ("frame", "parts", "sources", "store")}
# Modules that change no number: names, words of messages, hypertext, pictures and other ways in.
NO_PART = (
    *("_advice", "_advised", "_html", "_json", "_later", "_names", "_peers", "_text", "_warnings", "errors"),
    *("cli", "drawing", "explorer", "sklearn"),
)
_TOKEN = re.compile(
    r"""(?P<gap>\s+|//[^\n]*|/\*.*?\*/)|R"(?P<mark>[^()\s\\]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'"""
    r"""|\d(?:'?[\w.])*|\w+|(?P<directive>(?<=\n)[ \t]*\#)|.""",
    re.DOTALL,
)
_INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
_DEFINED = re.compile(r'(?:\.(?:def(?:_\w+)?|attr)\(|(?:class_|enum_|exception)<[^;{]*?>\s*\w*\(\s*\w+,)\s*"(\w+)"')


@dataclass(frozen=True, slots=True)
class Work:
    """A function that measures cells, and which modules of the library it depends on: those that it imports, directly
    or through others, and ``also`` some that it reaches in other ways, ``without`` those that have no part in it."""

    function: Callable[..., Any]
    also: tuple[str, ...]
    without: tuple[str, ...]


WORKS: dict[str, Work] = {}
Function = TypeVar("Function", bound=Callable[..., Any])


def measures(*, also: Iterable[str] = (), without: Iterable[str] = ()) -> Callable[[Function], Function]:
    """Makes a function known by its name and declares what it depends on; modules without the ``credenet.``."""

    def declared(function: Function) -> Function:
        WORKS[work_name(function)] = Work(function, tuple(also), tuple(without))
        return function

    return declared


def work_name(function: Callable[..., Any]) -> str:
    """The name of a function that measures, such as rai.learned."""
    return f"{function.__module__.partition('papers.')[2]}.{function.__name__}"


def work_of(name: str) -> Work | None:
    """The function with a name, whose module is loaded if need be; None if there is no such function any more."""
    if name not in WORKS:
        with suppress(ModuleNotFoundError):
            importlib.import_module(f"{__package__}.{name.rpartition('.')[0]}")
    return WORKS.get(name)


@cache
def current_digest(name: str) -> str:
    """The digest of the sources of a function as they are now; empty if there is no such function."""
    work = work_of(name)
    if work is None:
        return ""
    pieces, roots, _ = measuring(work.function)
    modules = declared_modules(work, roots)
    parts = [*pieces, *(syntax(module_path(name)) for name in modules), *(plain(path) for path in core_files(modules))]
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()[:16]


def declared_modules(work: Work, roots: Iterable[str]) -> list[str]:
    """All modules that a function depends on; a package in ``also`` stands for all its modules."""
    also = [inner for name in work.also for inner in modules_in(f"credenet.{name}")]
    return library_modules([*roots, *also], work.without)


def modules_in(module: str) -> list[str]:
    """A module, or a package and all in it."""
    path = module_path(module)
    if path.name != "__init__.py":
        return [module]
    inner = (one.relative_to(LIBRARY.parent).with_suffix("") for one in path.parent.rglob("*.py"))
    return [".".join(one.parts).removesuffix(".__init__") for one in inner]


def changed_since(name: str, moment: float) -> list[Path]:
    """The sources of a function that were written after a moment, in seconds of the epoch."""
    work = WORKS[name]
    _, roots, paths = measuring(work.function)
    modules = declared_modules(work, roots)
    every = [*paths, *map(module_path, modules), *core_files(modules)]
    return [path for path in every if path.stat().st_mtime > moment]


# The benchmark


@cache
def measuring(work: Callable[..., Any]) -> tuple[list[str], set[str], set[Path]]:
    """The syntax of a function and of all that it names in modules of the benchmarks, the modules of the library that
    these import or take public names of, and the files. Published numbers that it reads are a part of it."""
    pieces, roots, seen = list[str](), set[str](), set[tuple[Path, str]]()
    waiting = [(Path(work.__code__.co_filename), work.__name__)]
    while waiting:
        place = waiting.pop()
        path, name = place
        if place in seen:
            continue
        seen.add(place)
        for node in definitions(path).get(name, ()):
            if isinstance(node, ast.Import | ast.ImportFrom):
                for module, imported in imports(node, path):
                    inner = benchmark_path(module)
                    if inner is not None and inner not in HARNESS:
                        waiting.append((inner, imported))
                    elif module.partition(".")[0] == "credenet":
                        roots |= homes_of(module, imported)
                continue
            pieces.append(shape(node))
            for part in _running(node):
                if isinstance(part, ast.Name):
                    waiting.append((path, part.id))
                elif isinstance(part, ast.Attribute):
                    roots |= public_chain(part)
                elif isinstance(part, ast.Call) and ast.unparse(part.func) == "published":
                    pieces.append(plain(PUBLISHED / f"{ast.literal_eval(part.args[0])}.json"))
                elif isinstance(part, ast.ImportFrom | ast.Import):
                    for module, imported in imports(part, path):
                        if module.partition(".")[0] == "credenet":
                            roots |= homes_of(module, imported)
    return pieces, roots, {path for path, _ in seen}


@cache
def definitions(path: Path) -> dict[str, list[ast.stmt]]:
    """The statements at the top of a module that define each name."""
    found: dict[str, list[ast.stmt]] = {}
    for node in parsed(path).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.asname or alias.name.partition(".")[0] for alias in node.names]
        else:
            names = [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        for name in names:
            found.setdefault(name, []).append(node)
    return found


def benchmark_path(module: str) -> Path | None:
    path = BENCHMARKS / f"{module.replace('.', '/')}.py"
    return path if path.is_file() else None


def public_chain(node: ast.Attribute) -> set[str]:
    """The modules of ``credenet.learn`` or ``credenet.random.dag``."""
    names = [node.attr]
    while isinstance(node.value, ast.Attribute):
        node = node.value
        names.insert(0, node.attr)
    if not isinstance(node.value, ast.Name) or node.value.id != "credenet":
        return set()
    found = homes_of("credenet", names[0])
    return found if len(names) == 1 else found | homes_of(f"credenet.{names[0]}", names[1])


# The library


def library_modules(roots: Iterable[str], without: Iterable[str]) -> list[str]:
    """All modules that some import, directly or through others; those left out are not entered."""
    left_out = (*NO_PART, *without)
    seen: set[str] = set()
    waiting = sorted(roots)
    while waiting:
        name = waiting.pop()
        if name not in seen and not is_within(name, left_out) and module_path(name).is_file():
            seen.add(name)
            waiting += imported_modules(name)
    return sorted(seen)


def is_within(module: str, some: Iterable[str]) -> bool:
    """Whether a module, such as credenet.io.reading, is one of some, such as io.reading, or in one, such as io."""
    return any(f"{module}.".startswith(f"credenet.{name}.") for name in some)


@cache
def imported_modules(module: str) -> set[str]:
    path = module_path(module)
    found: set[str] = set()
    for node in _running(parsed(path)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for home, name in imports(node, path):
                if home.partition(".")[0] == "credenet":
                    found |= homes_of(home, name)
    return found - {module}


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes within one but those for type checkers."""
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            is_for_types = name == "returns" or (name == "annotation" and isinstance(node, ast.arg))
            is_for_types |= isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
            if isinstance(child, ast.AST) and not is_for_types:
                yield child
                yield from _running(child)


def homes_of(module: str, name: str) -> set[str]:
    """The modules that a name of a module or package comes from."""
    inner = f"{module}.{name}"
    if module_path(inner).is_file():
        return {inner}
    home = _public(module).get(name)
    return {module} if home is None or home[0] == module else {module} | homes_of(*home)


@cache
def _public(module: str) -> dict[str, tuple[str, str]]:
    stub, path = module_path(module).with_suffix(".pyi"), module_path(module)
    return _names.homes(str(stub if stub.is_file() else path)) if path.is_file() else {}


@cache
def module_path(module: str) -> Path:
    place = LIBRARY.parent / module.replace(".", "/")
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def imports(node: ast.Import | ast.ImportFrom, path: Path) -> list[tuple[str, str]]:
    """The module and the name of each import."""
    if isinstance(node, ast.Import):
        return [(alias.name, "") for alias in node.names]
    module = node.module or ""
    if node.level:
        above = path.parents[node.level - 1].relative_to(BENCHMARKS).parts
        module = ".".join([*above, *([module] if module else [])])
    return [(module, alias.name) for alias in node.names]


# The core


def core_files(modules: Iterable[str]) -> list[Path]:
    """The bindings that define what the modules take from the core, all files of the folders that these include, and
    what sets the flags of the compiler."""
    taken = {name for module in modules for name in core_names(module)}
    waiting = [path for name in taken for path in binding_files().get(name, ())]
    seen: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path in seen or not path.is_file():
            continue
        seen.add(path)
        for name in _INCLUDE.findall(path.read_text()):
            if name.startswith("credenet/"):
                waiting += folder_files(name.removeprefix("credenet/").rpartition("/")[0])
            else:
                waiting += [path.parent / name, (path.parent / name).with_suffix(".cpp")]
    return [*sorted(seen), ROOT / "CMakeLists.txt", ROOT / "bindings" / "CMakeLists.txt"] if seen else []


@cache
def core_names(module: str) -> set[str]:
    nodes = ast.walk(parsed(module_path(module)))
    return {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "_core"
    }


@cache
def binding_files() -> dict[str, list[Path]]:
    """The files that define each name of the core."""
    found: dict[str, list[Path]] = {}
    for path in (ROOT / "bindings").glob("*.cpp"):
        for name in _DEFINED.findall(path.read_text()):
            found.setdefault(name, []).append(path)
    return found


@cache
def folder_files(folder: str) -> list[Path]:
    places = (ROOT / "cpp" / "include" / "credenet" / folder, ROOT / "cpp" / "src" / folder)
    return [path for place in places for path in place.glob("*.[ch]pp")]


# Syntax


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def syntax(path: Path) -> str:
    return hashlib.sha256(shape(parsed(path)).encode()).hexdigest()


def shape(node: ast.AST) -> str:
    """The syntax of Python without docstrings, layout and types of arguments, the same for all versions of Python."""
    fields = []
    for name, value in ast.iter_fields(node):
        if name in ("ctx", "kind", "type_comment", "returns") or value is None or value == []:
            continue
        if name == "annotation" and isinstance(node, ast.arg):
            continue
        if isinstance(value, list):
            kept = value[1:] if name == "body" and _is_docstring(node, value[0]) else value
            shown = f"[{','.join(shape(one) if isinstance(one, ast.AST) else repr(one) for one in kept)}]"
        else:
            shown = shape(value) if isinstance(value, ast.AST) else repr(value)
        fields.append(f"{name}={shown}")
    return f"{type(node).__name__}({','.join(fields)})"


def _is_docstring(owner: ast.AST, first: ast.AST) -> bool:
    return (
        isinstance(owner, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    )


@cache
def plain(path: Path) -> str:
    """A digest of C++ without comments and layout; of other files, without lines that are comments."""
    text = path.read_text()
    if path.suffix in (".cpp", ".hpp"):
        text = " ".join(tokens(text))
    else:
        text = "\n".join(line.partition(" #")[0].rstrip() for line in text.splitlines() if line.lstrip()[:1] != "#")
    return hashlib.sha256(text.encode()).hexdigest()


def tokens(text: str) -> Iterator[str]:
    """The words and signs of C++. A directive ends with its line, so the line break after it is kept."""
    in_directive = False
    for match in _TOKEN.finditer(f"\n{text.replace(chr(92) + chr(10), '')}"):
        if match["directive"]:
            in_directive = True
            yield "\n#"
        elif match["gap"] is None:
            yield match[0]
        elif in_directive and "\n" in match[0]:
            in_directive = False
            yield "\n"
