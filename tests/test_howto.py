"""The recipes: short questions, each with code that the test of the docs runs, and a link to the guide."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "docs" / "howto"
RECIPES = {
    f"{page.stem}: {recipe.partition(chr(10))[0]}": recipe
    for page in sorted(FOLDER.glob("*.md"))
    for recipe in re.split(r"^## ", page.read_text(), flags=re.MULTILINE)[1:]
}
MOST_LINES = 12


def test_there_are_thirty_recipes_and_more() -> None:
    assert len(RECIPES) >= 30
    assert len({title.partition(": ")[2] for title in RECIPES}) == len(RECIPES)


@pytest.mark.parametrize("title", RECIPES)
def test_a_recipe_is_a_question_with_a_short_answer(title: str) -> None:
    recipe = RECIPES[title]
    assert title.endswith("?")
    code = "".join(re.findall(r"^```(?:python|sh|console)\n(.*?)^```$", recipe, re.MULTILINE | re.DOTALL))
    lines = re.findall(r"^(?:>>> |\.\.\. |credenet |\$ )", code, re.MULTILINE)
    assert 2 <= len(lines) <= MOST_LINES
    assert "](../guide/" in recipe.split("```")[-1]
