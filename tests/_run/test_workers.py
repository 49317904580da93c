"""Pieces of work on several threads."""

from __future__ import annotations

import threading

import pytest

from credenet._run.workers import map_in_threads


@pytest.mark.parametrize("n_threads", [1, 3, 50])
def test_results_are_in_order(n_threads: int) -> None:
    assert map_in_threads(n_threads, lambda item: item * item, range(20)) == [item * item for item in range(20)]


def test_no_items() -> None:
    assert map_in_threads(3, lambda item: item, []) == []


def test_after_an_error_no_other_piece_begins() -> None:
    begun: list[int] = []

    def fail_first(item: int) -> None:
        begun.append(item)
        if item == 0:
            raise ZeroDivisionError
        threading.Event().wait(0.01)

    with pytest.raises(ZeroDivisionError):
        map_in_threads(2, fail_first, range(1000))
    assert len(begun) < 500
