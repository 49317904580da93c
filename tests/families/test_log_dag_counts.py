"""The log of the number of DAGs against the exact number."""

from __future__ import annotations

import math
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credenet.families.dag_counts import count_dags
from credenet.families.log_dag_counts import log_count_dags
from credenet.families.nested_penalties import log_penalty
from credenet.priors import SSP


@settings(max_examples=150, deadline=None)
@given(n=st.integers(0, 120), share=st.floats(0, 1))
def test_few_variables(n: int, share: float) -> None:
    most = round(share * max(n - 1, 0))
    assert log_count_dags(n, most) == pytest.approx(math.log(count_dags(n, most)), rel=1e-13, abs=1e-13)


@pytest.mark.parametrize(("n", "most"), [(400, 2), (400, 7), (400, 200), (400, 399), (700, 1), (700, 3), (1000, 2)])
def test_many_variables(n: int, most: int) -> None:
    assert log_count_dags(n, most) == pytest.approx(math.log(count_dags(n, most)), rel=1e-12)


@pytest.mark.parametrize("most", [2, 4, 4095])
def test_the_most_variables_take_a_moment(most: int) -> None:
    begin = time.process_time()
    log_count = log_count_dags(4096, most)
    assert time.process_time() - begin < 10
    # Each variable has at most so many parent sets; and a DAG of a fixed order is counted once.
    log_sets = math.log(sum(math.comb(4095, s) for s in range(most + 1)))
    sets = [sum(math.comb(t, s) for s in range(min(t, most) + 1)) for t in range(4096)] if most < 9 else [1]
    assert math.fsum(map(math.log, sets)) < log_count < 4096 * log_sets


@pytest.mark.parametrize("d", [1, 2, 5, 150, 298])
def test_penalties_of_many_variables(d: int) -> None:
    within, fewer = count_dags(300, d), count_dags(300, d - 1)
    assert log_penalty(SSP(), 300, d) == pytest.approx(-math.log(within), rel=1e-12)
    assert log_penalty(SSP(exclusive=True), 300, d) == pytest.approx(-math.log(within - fewer), rel=1e-12)
