"""Advice in a shell speaks of flags."""

from __future__ import annotations

import pytest

from credenet.cli.advice import translate_to_shell


@pytest.mark.parametrize(
    ("python", "shell"),
    [
        ("pass missing='drop' (or missing='state')", "pass --missing drop (or --missing state)"),
        ("leave them out with drop=['id', 'a b']", "leave them out with --drop 'id,a b'"),
        ("drop=['a', ...]", "--drop 'a,…'"),
        ("drop=['a,b']", "--drop '\"a,b\"'"),
        ('drop=["it\'s"]', "--drop 'it'\"'\"'s'"),
        ("pass decimal=',' if so, decimal='.' if not", "pass --decimal , if so, --decimal . if not"),
        ("discretize={'age': 'frequency:5', 'b': 'median'}", "--discretize age=frequency:5 --discretize b=median"),
        ("header=False, header=True", "--no-header, --header"),
        ("score='bic' or max_parents=2", "--score bic or --max-parents 2"),
        ("pass max_states=2000.", "pass --max-states 2000."),
        ("na_values=['None']; (encoding='cp1252')", "--na-values None; (--encoding cp1252)"),
    ],
)
def test_arguments_become_flags(python: str, shell: str) -> None:
    assert translate_to_shell(python) == shell


@pytest.mark.parametrize(
    "text", ["column 'a=b' holds x", "needs kind='required'", "missing=5x='a'", "drop=[1", "p=0.5 of the rows", ""]
)
def test_what_is_no_flag_stays(text: str) -> None:
    assert translate_to_shell(text) == text
