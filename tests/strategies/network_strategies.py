"""Random small networks for hypothesis, with plain or odd names, and networks for comparison with other programs."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from credenet.networks.bayesian import BayesianNetwork

PLAIN_NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,6}", fullmatch=True)

# Blanks, quotes, brackets, digits, comment signs, other alphabets, controls: whatever a syntax may trip over.
ODD_NAMES = st.one_of(
    PLAIN_NAMES,
    st.text(max_size=6),
    st.text(alphabet="ab1 \t\n\r\"'<>&|,;:(){}[]=%/*\\#.-+~\u00a0\u00e9\u2028", max_size=6),
    st.sampled_from(["", " ", "a b", " a", "a ", "0", "1e5", "node", "table", "//", "/*", "*/", "%", "]]>", "&amp;"]),
)


def networks(names: st.SearchStrategy[str] = PLAIN_NAMES) -> st.SearchStrategy[BayesianNetwork]:
    """Networks of up to four variables with up to four states, parents in any direction, zeros and tiny numbers."""
    return st.composite(_network)(names)


def _network(draw: st.DrawFn, names: st.SearchStrategy[str]) -> BayesianNetwork:
    variables = draw(st.lists(names.filter(bool), min_size=1, max_size=4, unique=True))
    states = {name: draw(st.lists(names, min_size=1, max_size=4, unique=True)) for name in variables}
    order = draw(st.permutations(variables))
    parents = {
        name: draw(st.lists(st.sampled_from(order[:at]), unique=True, max_size=3)) if at else []
        for at, name in enumerate(order)
    }
    tables: dict[str, NDArray[np.float64]] = {}
    for name in variables:
        shape = [len(states[member]) for member in (*parents[name], name)]
        rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
        weights = rng.random(shape) ** draw(st.sampled_from([1, 8, 60]))
        weights[..., -1] += 1e-300
        if draw(st.booleans()):
            weights[..., 0] = 0.0
            weights[..., -1] += 1.0
        tables[name] = weights / weights.sum(axis=-1, keepdims=True)
    return BayesianNetwork(states, parents, tables)


def asymmetric_network() -> BayesianNetwork:
    """Parents of different cardinalities, given out of order, and tables of which no two entries agree.

    All numbers have four digits, which pyAgrum writes in full.
    """
    states = {"c": ["u", "v", "w", "z"], "a": ["x", "y"], "b": ["r", "s", "t"], "d": ["k", "l"]}
    parents = {"c": ["b", "a"], "d": ["a", "c", "b"]}
    rng = np.random.default_rng(7)
    tables: dict[str, Any] = {}
    for name, labels in states.items():
        sizes = [len(states[parent]) for parent in parents.get(name, [])]
        count = int(np.prod(sizes, dtype=np.int64))
        rows = []
        for _ in range(count):
            cuts = np.sort(rng.choice(np.arange(1, 9999), len(labels) - 1, replace=False))
            rows.append([int(part) / 10000 for part in np.diff([0, *cuts, 10000])])
        tables[name] = np.array(rows).reshape(*sizes, len(labels))
    return BayesianNetwork(states, parents, tables)
