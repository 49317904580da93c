"""The front end as one piece of text: for pages without a server, and for notebooks.

The modules of `static` import each other by name and export top-level functions. Joined in the order of their imports,
without the import and export words, they are one module. Their top-level names differ, which a test checks.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from credenet._json import json_text

STATIC = Path(__file__).parent / "static"
ENTRIES = ("api.js", "app.js")
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([a-z_]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class)\b)", re.MULTILINE)
# The function hides from the library other module loaders, which a notebook may have.
_LIBRARY = "(function (define, module, exports) {{\n{}\n}}).call(globalThis);\n"


@cache
def modules() -> tuple[str, ...]:
    """The names of the modules, each after those that it imports."""
    names: list[str] = []

    def add(name: str) -> None:
        for needed in _IMPORT.findall((STATIC / name).read_text(encoding="utf-8")):
            if needed not in names:
                add(needed)
        if name not in names:
            names.append(name)

    for entry in ENTRIES:
        add(entry)
    return tuple(names)


@cache
def script() -> str:
    """The library and all modules."""
    library = (STATIC / "vendor" / "cytoscape.min.js").read_text(encoding="utf-8")
    parts = [_LIBRARY.format(library)]
    for name in modules():
        text = (STATIC / name).read_text(encoding="utf-8")
        parts.append(_EXPORT.sub("", _IMPORT.sub("", text)))
    return "".join(parts)


@cache
def style() -> str:
    return (STATIC / "style.css").read_text(encoding="utf-8")


def page_part(contents: dict[str, Any]) -> str:
    """The explorer in a page of its own contents, which works without a server."""
    data = json_text(contents).replace("<", "\\u003c")
    start = (
        'start(document.getElementById("credenet"), embedded(JSON.parse(document.getElementById("contents").text)));'
    )
    return (
        f'<style>{style()}</style><div id="credenet"></div>\n'
        f'<script type="application/json" id="contents">{data}</script>\n'
        f'<script type="module">\n{script()}\n{start}\n</script>'
    )
