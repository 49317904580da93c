"""Family tables for hypothesis, a hard one, and what every text format of them must do."""

from __future__ import annotations

import math
from itertools import combinations
from types import ModuleType

import numpy as np
from hypothesis import strategies as st

from credenet.data.dataset import Dataset
from credenet.errors import FormatError
from credenet.families.info import FamilyTableInfo
from credenet.families.table import FamilyTable

PATH = "file"

ODD_NAMES = [
    "a b",
    "#a",
    "1",
    "0",
    "2",
    "-1.5",
    "1e5",
    "meta",
    "VAR",
    "x\ty",
    "\u00a0",
    "é",
    "\x1c",
    "\x85",
    "a\nb",
    '"',
    "\ud800",
]
SCORES = st.one_of(
    st.floats(-20, 5).map(lambda score: round(score, 1)),
    st.floats(allow_nan=False, allow_infinity=False),
)
INFOS = st.builds(
    FamilyTableInfo,
    score=st.sampled_from([None, "BIC", "BDeu(ess=1.0)", "a\nb"]),
    prior=st.sampled_from([None, "uniform"]),
    slack=st.sampled_from([None, 0.0, math.log(20), math.inf]),
    max_parents=st.sampled_from([None, 0, 3]),
    knowledge=st.sampled_from([None, {}, {"required": [("a", "b")], "tiers": [["é", "#"]]}]),
    complete=st.sampled_from([None, True, False]),
    isolated=st.sampled_from([(), ("a b",)]),
    duplicates=st.sampled_from([(), (("a", "b"), ("c", "\n"))]),
    n_rows=st.sampled_from([None, 0, 12.5, 1e6]),
    states=st.sampled_from([None, "declared", "observed"]),
    evaluated=st.sampled_from([None, 0, 10**12]),
    status=st.sampled_from([None, "complete"]),
    unproven_bounds=st.sampled_from([None, True, False]),
    data_digest=st.sampled_from([None, "5a"]),
    version=st.sampled_from([None, "1.0"]),
)
NAMES = st.one_of(
    st.integers(0, 5).map(lambda n: [str(place) for place in range(n)]),
    st.integers(0, 5).map(lambda n: list("abcde"[:n])),
    st.lists(st.one_of(st.sampled_from(ODD_NAMES), st.text(min_size=1, max_size=3)), unique=True, max_size=4),
)

Lists = dict[str, list[tuple[float, tuple[str, ...]]]]


@st.composite
def family_lists(draw: st.DrawFn, names: st.SearchStrategy[list[str]] = NAMES) -> Lists:
    """For every variable some of its possible families."""
    variables = draw(names)
    lists: Lists = {}
    for child in variables:
        others = [name for name in variables if name != child]
        sets = draw(st.lists(st.sets(st.sampled_from(others)) if others else st.just(set()), max_size=8))
        distinct = dict.fromkeys(map(frozenset, sets))
        lists[child] = [(draw(SCORES), tuple(several)) for several in distinct]
    return lists


@st.composite
def family_tables(draw: st.DrawFn, names: st.SearchStrategy[list[str]] = NAMES) -> FamilyTable:
    return FamilyTable.from_lists(draw(family_lists(names)), made=draw(INFOS))


def small_data(seed: int) -> Dataset:
    """Five variables, of which d is the sum of a and b, and e nearly the same as d."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, (60, 5))
    codes[:, 3] = (codes[:, 0] + codes[:, 1] + (rng.random(60) < 0.1)) % 2
    codes[:, 4] = np.where(rng.random(60) < 0.2, codes[:, 4], codes[:, 3])
    return Dataset({name: ["0", "1"] for name in "abcde"}, codes)


def hard_families(seed: int, n: int = 60) -> FamilyTable:
    """Families that form one component; with 60 variables every method takes minutes."""
    rng = np.random.default_rng(seed)
    lists: dict[str, list[tuple[float, list[str]]]] = {}
    for child in range(n):
        sets: set[tuple[int, ...]] = {()}
        others = [k for k in range(n) if k != child]
        while len(sets) < 300:
            sets.add(tuple(sorted(int(k) for k in rng.choice(others, size=int(rng.integers(1, 7)), replace=False))))
        lists[str(child)] = [(float(rng.normal() * 5 + 6 * len(s) - 100), [str(k) for k in s]) for s in sorted(sets)]
    return FamilyTable.from_lists(lists)


def check_any_text(module: ModuleType, text: str) -> None:
    """Checks that reading any text gives a table that survives writing, or a FormatError with a place."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")  # Reading a file does the same.
    result = _parsed(module, text)
    if isinstance(result, FormatError):
        assert result.path == PATH
        assert result.line is not None
        assert 1 <= result.line <= text.count("\n") + 1
    else:
        assert module.parse(module.render(result, PATH), PATH) == result


def check_prefixes(module: ModuleType, table: FamilyTable) -> None:
    """A file of ours that is cut off anywhere is refused."""
    text = module.render(table, PATH)
    for end in range(len(text)):
        error = _parsed(module, text[:end])
        assert isinstance(error, FormatError), text[:end]
        assert error.line is not None


def _parsed(module: ModuleType, text: str) -> FamilyTable | FormatError:
    try:
        table: FamilyTable = module.parse(text, PATH)
    except FormatError as error:
        return error
    return table


@st.composite
def tempting_tables(draw: st.DrawFn, *, max_size: int = 5, lacking: bool = True) -> FamilyTable:
    """All or some families of a few variables, with scores in which larger sets are often better."""
    n = draw(st.integers(2, max_size))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    names = list("abcde"[:n])
    lists: dict[str, list[tuple[float, tuple[str, ...]]]] = {}
    for child in names:
        others = [name for name in names if name != child]
        sets = [several for size in range(n) for several in combinations(others, size)]
        kept = [several for several in sets if not (lacking and several) or rng.random() < 0.7]
        lists[child] = [(float(rng.normal() * 3 + 2 * len(several)), several) for several in kept]
    return FamilyTable.from_lists(lists)
