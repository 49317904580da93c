"""The reference: every public name has an entry on one page, and an example that the test of docstrings runs."""

from __future__ import annotations

import doctest
import inspect
from functools import cache
from importlib import import_module

import pytest

from public import public_names
from reference_pages import PAGES, aliases, every_name, names_on, plain_name, reference_pages

PUBLIC = public_names()


def test_every_public_name_is_on_one_page() -> None:
    assert sorted(every_name()) == sorted(PUBLIC)


@pytest.mark.parametrize("stem", PAGES)
def test_pages_have_an_entry_and_a_row_for_each_name(stem: str) -> None:
    text = reference_pages()[f"reference/api/{stem}.md"]
    for name in names_on(PAGES[stem]):
        assert f":: credenet.{name}\n" in text
        assert f"`{name} <credenet.{name}>`" in text


@cache
def examples(module: str) -> dict[str, int]:
    """The number of examples that the test of docstrings finds for each name of a module."""
    found = doctest.DocTestFinder().find(import_module(module))
    return {test.name.removeprefix(f"{module}."): len(test.examples) for test in found}


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_has_an_example_that_is_run(name: str) -> None:
    value = PUBLIC[name]
    assert "\nExamples\n--------\n" in (inspect.getdoc(value) or "")
    assert examples(value.__module__)[name.rpartition(".")[2]] > 0


def test_types_in_signatures_are_explained() -> None:
    assert {"DataLike", "GraphLike", "OnProgress", "Score", "Status"} <= set(aliases())
    assert ".. py:type:: DataLike\n   :canonical: Dataset |" in reference_pages()["reference/api/signatures.md"]


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("credenet.learn", "learn"),
        ("learn(data)", "learn"),
        ("DAG.parse", "DAG.parse"),
        ("BDeu", "BDeu"),
        ("learn", None),
        ("credenet learn data.csv", None),
        ("max_parents=3", None),
    ],
)
def test_names_in_code(code: str, name: str | None) -> None:
    assert plain_name(code) == name
