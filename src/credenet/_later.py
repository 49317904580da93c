"""The one way up: modules of later packages, which earlier objects call to save, load, draw, explore and report.

A dataset can be saved and a network drawn, although files and drawings are made by packages that know datasets and
networks. The modules are listed in ``_later.pyi``, where type checkers find the functions with their types. A module is
imported when it is first asked for:

    _later.drawing_graphs.draw(graph, path)
"""

from importlib import import_module
from types import ModuleType

from credenet import _names

HOMES = {name: f"{package}.{module}" for name, (package, module) in _names.homes(f"{__file__}i").items()}


def __getattr__(name: str) -> ModuleType:
    if name not in HOMES:
        raise AttributeError(f"module 'credenet._later' has no attribute {name!r}", name=name)
    module = import_module(HOMES[name])
    globals()[name] = module
    return module
