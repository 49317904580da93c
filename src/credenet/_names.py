"""Public names and their modules, read from the modules and stubs that list them without importing the objects."""

from __future__ import annotations

import re
from importlib import import_module

_IMPORTED = re.compile(r"^from (\S+) import (\w+) as (\w+)", re.MULTILINE)
_DEFINED = re.compile(r"^class (\w+)", re.MULTILINE)


def homes(path: str) -> dict[str, tuple[str, str]]:
    """The module and the name in it for each name that a file of re-exports lists."""
    with open(path, encoding="utf-8") as listing:  # noqa: PTH123 (pathlib would have to be loaded)
        return {public: (module, name) for module, name, public in _IMPORTED.findall(listing.read())}


def public_value(module: str, name: str) -> object:
    """A name of a module; where the module is a package, this may be one of its modules."""
    if module == __package__:
        return import_module(f"{module}.{name}")
    loaded = import_module(module)
    return getattr(loaded, name) if hasattr(loaded, name) else import_module(f"{module}.{name}")


def namespace_of(name: str, folder: str) -> str | None:
    """The namespace, such as ``credenet.scores``, that has a public name."""
    from pathlib import Path

    for space in (space for module, space in homes(f"{folder}/__init__.pyi").values() if module == __package__):
        stub = Path(folder, f"{space}.pyi")
        path = stub if stub.exists() else stub.with_suffix(".py")
        if name in homes(str(path)) or name in _DEFINED.findall(path.read_text(encoding="utf-8")):
            return f"{__package__}.{space}"
    return None
