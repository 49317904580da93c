"""The one way up: modules of later packages, which earlier objects call to save, load, draw, explore and report.

A dataset can be saved and a network drawn, although files and drawings are made by packages that know datasets and
networks. The modules are listed in ``_later.pyi``, where type checkers find the functions with their types. A module is
imported when it is first asked for:

    _later.drawing_graphs.draw(graph, path)
"""

import re
from importlib import import_module
from types import ModuleType

with open(f"{__file__}i", encoding="utf-8") as _stub:  # noqa: PTH123 (pathlib would have to be loaded)
    HOMES = {
        name: f"{package}.{module}"
        for package, module, name in re.findall(r"^from (\S+) import (\w+) as (\w+)$", _stub.read(), re.MULTILINE)
    }


def __getattr__(name: str) -> ModuleType:
    if name not in HOMES:
        raise AttributeError(f"module 'credenet._later' has no attribute {name!r}", name=name)
    module = import_module(HOMES[name])
    globals()[name] = module
    return module
