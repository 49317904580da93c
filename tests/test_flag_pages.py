"""Every flag of every verb, and every setting of every choice, is on a page."""

from __future__ import annotations

import re
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import settings_page
from credenet.cli.app import VERBS, run
from credenet.cli.arguments.flags import arguments_of
from credenet.settings.choices import ChoiceKind
from flag_pages import flag_pages, flags_of

PAGES = flag_pages()
SETTINGS = (Path(__file__).parents[1] / "docs" / "reference" / "settings.md").read_text()
SECTIONS = re.split(r"^## ", SETTINGS, flags=re.MULTILINE)


@pytest.mark.parametrize("verb", VERBS)
def test_every_flag_is_on_the_page_of_its_verb(verb: str) -> None:
    page = PAGES[f"reference/verbs/{verb}.md"]
    arguments = list(arguments_of(getattr(import_module(f"credenet.cli.verbs.{verb}"), verb)))
    assert arguments
    for argument in arguments:
        assert f"`{argument.written}`" in page
    assert all(flag.what for flag in flags_of(verb)), "a flag without a help"


@pytest.mark.parametrize("verb", VERBS)
def test_what_the_help_lists_is_on_the_page(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([verb, "--help"]) == 0
    listed = re.findall(r"^│ +\*? *(?:[A-Z-]+ )?(--[a-z-]+)", capsys.readouterr().out, re.MULTILINE)
    assert listed
    assert not [name for name in listed if f"`{name}`" not in PAGES[f"reference/verbs/{verb}.md"]]


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_is_on_the_page_of_the_command_line(verb: str) -> None:
    page = Path(__file__).parents[1] / "docs" / "reference" / "command_line.md"
    assert re.search(rf"^\| `{verb}\b", page.read_text(), re.MULTILINE)


@pytest.mark.parametrize("kind", settings_page.KINDS, ids=lambda kind: kind[0])
def test_every_setting_is_on_the_page_of_settings(kind: tuple[str, str, ChoiceKind[Any]]) -> None:
    title, _, choices = kind
    section = next(text for text in SECTIONS if text.startswith(f"{title}\n"))
    for choice in choices.choices:
        rows = re.search(rf"^\| `{choice.short_name}`:.*\n(?:\|  \|.*\n)*", section, re.MULTILINE)
        assert rows is not None, choice.short_name
        assert not [field.name for field in fields(choice) if f"| `{field.name}` |" not in rows.group()]


def test_every_kind_of_choice_has_a_section() -> None:
    from credenet.settings import inference, methods, posterior, priors, scores, tests

    modules = (inference, methods, posterior, priors, scores, tests)
    kinds = [value for module in modules for value in vars(module).values() if isinstance(value, ChoiceKind)]
    listed = [kind for _, _, kind in settings_page.KINDS]
    for kind in kinds:  # Smoothings are some of the scores.
        assert any(set(kind.choices) <= set(each.choices) for each in listed)
