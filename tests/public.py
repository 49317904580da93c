"""The public names: those of the package and those of its namespaces."""

from __future__ import annotations

import inspect
from types import ModuleType

import credenet

NAMESPACES: dict[str, ModuleType] = {
    name: value for name in credenet.__all__ if inspect.ismodule(value := getattr(credenet, name))
}


def _names_of(module: ModuleType) -> list[str]:
    """What a namespace lists; modules of their own list what they define."""
    listed = getattr(module, "__all__", None)
    return listed or [
        name for name, value in vars(module).items() if getattr(value, "__module__", "")[:8] == "credenet"
    ]


def public_names() -> dict[str, object]:
    """Everything that users can name, by its name after ``credenet.``; namespaces themselves are left out."""
    names = {name: getattr(credenet, name) for name in credenet.__all__ if name not in NAMESPACES}
    for space, module in NAMESPACES.items():
        names |= {f"{space}.{name}": getattr(module, name) for name in _names_of(module) if name not in names}
    return names


def public_classes() -> dict[str, type]:
    """The public classes by their own names, which are different from each other."""
    return {value.__name__: value for value in public_names().values() if inspect.isclass(value)}
