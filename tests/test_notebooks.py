"""The notebooks run from top to bottom, and what they show below a cell is what the cell prints."""

from __future__ import annotations

import ast
import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "docs" / "notebooks"
NOTEBOOKS = [path for path in sorted(FOLDER.glob("*.md")) if path.name != "index.md"]
CELL = re.compile(r"^```python\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
MOST_LINES = 100


def output_of(cell: str, names: dict[str, object]) -> str:
    """What a cell prints in a notebook, which also shows the value of its last line."""
    tree = ast.parse(cell)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
            if value is not None:
                print(repr(value))
    return printed.getvalue()


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_print_what_is_shown(notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cells = CELL.findall(notebook.read_text())
    assert len(cells) >= 4
    names: dict[str, object] = {}
    for cell, shown in cells:
        assert output_of(cell, names) == shown, cell


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_short(notebook: Path) -> None:
    text = notebook.read_text()
    assert len(text.splitlines()) <= MOST_LINES
    assert set(re.findall(r"^```(\w+)$", text, re.MULTILINE)) == {"python", "text"}
