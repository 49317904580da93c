"""Bayesian networks learned from discrete data, with a statement of how sure they are.

The public names are listed in ``__init__.pyi``. They are loaded on first use, so that importing the package (and
``credenet --help``) costs little.
"""

import re
from importlib import import_module

with open(f"{__file__}i", encoding="utf-8") as _stub:  # noqa: PTH123 (pathlib would have to be loaded)
    _HOMES = {name: home for home, name in re.findall(r"^from (\S+) import (\w+) as", _stub.read(), re.MULTILINE)}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    if name in _HOMES:
        home = import_module(_HOMES[name])
        value: object = getattr(home, name, None) or import_module(f"{_HOMES[name]}.{name}")
    elif name == "__version__":
        from importlib.metadata import version

        value = version("credenet")
    else:
        from credenet._peers import package_advice

        raise AttributeError(f"module 'credenet' has no attribute {name!r}{package_advice(name, __all__)}", name=name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
