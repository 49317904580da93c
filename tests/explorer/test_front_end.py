"""The front end as text: one module for pages without a server, and the contract written twice."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_type_hints, is_typeddict

import pytest

from credenet.explorer import contract
from credenet.explorer.front_end import STATIC, modules, page_part, script, style

SOURCES = {path.name: path.read_text(encoding="utf-8") for path in sorted(STATIC.glob("*.js"))}
MOST_BYTES = 700_000


def test_size() -> None:
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) <= MOST_BYTES
    assert len((script() + style()).encode()) <= MOST_BYTES


def test_one_module_has_all_others() -> None:
    assert set(modules()) == set(SOURCES) - {"main.js", "contract.js"}
    for name, text in SOURCES.items():
        for needed in re.findall(r'from "\./([a-z_]+\.js)"', text):
            order = [*modules(), "main.js"]
            assert order.index(needed) < order.index(name)
    joined = "\n".join(script().rsplit("globalThis);", 1)[1:])
    assert not re.search(r"^(import|export)\b", joined, re.MULTILINE)


def test_top_level_names_differ() -> None:
    pattern = re.compile(r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)
    names = [name for module in modules() for name in pattern.findall(SOURCES[module])]
    assert len(names) > 50
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("name", SOURCES)
def test_modules_are_checked_and_set_text_only(name: str) -> None:
    text = SOURCES[name]
    assert text.startswith("// @ts-check\n")
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "//cdn"):
        assert word not in text


def test_names_with_markup_stay_in_their_script() -> None:
    page = page_part({"state": {"name": "</script><script>alert(1)</script>"}})
    assert page.count("<script") == 2
    assert page.count("</script") == 2


def test_the_contract_is_the_same_in_both_languages() -> None:
    text = SOURCES["contract.js"]
    kinds = {name: kind for name, kind in vars(contract).items() if is_typeddict(kind) and name != "RuleCheck"}
    assert len(kinds) > 15
    for name, kind in kinds.items():
        written = re.search(rf"@typedef \{{\{{((?:(?!@typedef).)*?)\}}\}} {name}\b", text, re.DOTALL)
        assert written is not None, name
        assert set(re.findall(r"(\w+)\??:", written[1])) == set(get_type_hints(kind)), name


def test_the_library_has_its_licence() -> None:
    assert (
        "MIT" in (STATIC / "vendor" / "cytoscape.LICENSE.txt").read_text()
        or "Permission is hereby granted" in (STATIC / "vendor" / "cytoscape.LICENSE.txt").read_text()
    )
    assert Path(STATIC / "vendor" / "cytoscape.min.js").stat().st_size > 100_000
