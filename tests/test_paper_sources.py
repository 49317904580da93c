"""The digest of the sources that a cell of a published table depends on."""

from __future__ import annotations

import ast
import inspect
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import credenet
from measure import DATA
from papers import sources
from papers.frame import all_tables
from papers.sources import LIBRARY, ROOT, WORKS, core_files, declared_modules, is_within, measuring, shape, tokens

all_tables()


def python(text: str) -> str:
    return shape(ast.parse(text))


def test_comments_docstrings_layout_and_types_of_arguments_do_not_count() -> None:
    plain = python("def f(a, b=1):\n    return [a,\n        b]\nclass C:\n    x: int = 1\n    def g(self): pass\n")
    told = '"""M."""\ndef f(a: int, b: int = 1) -> list[int]:\n    """F."""\n    # why\n    return [a, b]\n'
    assert (
        python(f'{told}\n\nclass C:\n    """C."""\n\n    x: int = 1\n\n    def g(self) -> None:\n        pass\n')
        == plain
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a + b", "a - b"),
        ("f(1)", "f(1.0)"),
        ("x = 'a'", "x = 'b'"),
        ("def f(a, b=1): return a", "def f(a, b=2): return a"),
        ("def f(): return 1", "def f(): yield 1"),
        ("class C:\n    x: int = 1", "class C:\n    x: 'ClassVar[int]' = 1"),
        ("'text'", "b'text'"),
        ("from a import b", "from c import b"),
        ("from .a import b", "from ..a import b"),
        ("x[1:2]", "x[1]"),
        ("async def f(): pass", "def f(): pass"),
        ("def f(): 'a'", "def f(): return 'a'"),
        ("if a: b", "while a: b"),
        ("f(*a)", "f(a)"),
        ("x: int", "x: int = 1"),
    ],
)
def test_all_else_of_python_counts(one: str, other: str) -> None:
    assert python(one) != python(other)


def cpp(text: str) -> list[str]:
    return list(tokens(text))


def test_comments_and_layout_of_cpp_do_not_count() -> None:
    plain = cpp('#include "a.hpp"\nint f(int a) { return a + 1\'000; }\n')
    assert cpp('// Why.\n#include "a.hpp"  // this\n\nint f(\n    int a) {\n  /* b */ return a + 1\'000;\n}\n') == plain
    assert cpp("#define A \\\n  1\nint b;") == cpp("#define A 1\nint b;")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('f("a // b");', 'f("a // c");'),
        ('f("a /* b */");', 'f("a /* c */");'),
        ('f("a  b");', 'f("a b");'),
        ('f(R"x(a // b)x");', 'f(R"x(a // c)x");'),
        ("f('\"'); // a\ng();", "f('\"'); // a\nh();"),
        ("a = 1'000; b = 2'000;", "a = 1'000; b = 3'000;"),
        ("int a; long b;", "inta; longb;"),
        ("#define A 1\nint b;", "#define A 1 int b;"),
        ("a /b;// c", "a b;// c"),
        ("x < y", "x <= y"),
    ],
)
def test_all_else_of_cpp_counts(one: str, other: str) -> None:
    assert cpp(one) != cpp(other)


def changed(name: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the digest of a function is another one after a change of a file."""
    before = sources.current_digest.__wrapped__(name)
    measuring.cache_clear()
    with monkeypatch.context() as patch:
        for reader in ("syntax", "plain"):
            read = getattr(sources, reader)
            patch.setattr(sources, reader, lambda one, read=read: "edited" if one == path else read(one))
        return sources.current_digest.__wrapped__(name) != before


@pytest.mark.parametrize(
    ("name", "path", "expected"),
    [
        ("rai.learned", "src/credenet/learners/constraint_based/learning.py", True),
        ("rai.learned", "src/credenet/settings/tests.py", True),
        ("rai.learned", "cpp/src/independence/rai.cpp", True),
        ("rai.learned", "cpp/src/counts/bit_planes.cpp", True),
        ("rai.learned", "cpp/include/credenet/scores/score.hpp", True),
        ("rai.learned", "bindings/bind_independence.cpp", True),
        ("rai.learned", "CMakeLists.txt", True),
        ("rai.learned", "src/credenet/search/ilp/tree.py", False),
        ("rai.learned", "cpp/src/treewidth/bag_states.cpp", False),
        ("priors.grid.learned", "cpp/src/scores/qnml.cpp", True),
        ("priors.grid.learned", "src/credenet/search/ilp/tree.py", True),
        ("priors.grid.learned", "src/credenet/families/structure_priors.py", True),
        ("priors.grid.learned", "cpp/src/independence/rai.cpp", False),
        ("priors.grid.learned", "src/credenet/learners/constraint_based/learning.py", False),
        ("treewidth.runs.learned", "cpp/src/treewidth/bag_states.cpp", True),
        ("credible.runs.listed", "cpp/src/credible/credible_search.cpp", True),
        ("treewidth.table3.inferred", "cpp/src/inference/approximate/loopy.cpp", None),
        ("treewidth.table2.simplified", "benchmarks/papers/published/treewidth.json", True),
    ],
)
def test_a_change_of_a_source_that_has_a_part_changes_the_digest(
    name: str, path: str, expected: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = ROOT / path
    if expected is None:  # Any file of the folder will do.
        place, expected = min(place.parent.glob("*.cpp")), True
    assert place.exists()
    assert changed(name, place, monkeypatch) == expected
    measuring.cache_clear()


def test_of_the_benchmark_what_measures_counts_and_not_what_writes() -> None:
    pieces, roots, paths = measuring(WORKS["rai.learned"].function)
    text = "\n".join(pieces)
    for name in ("'learned'", "'sampled'", "'truth_of'", "'with_two_states'", "'ALGORITHMS'", "'TESTS'", "'warm_up'"):
        assert name in text
    for name in ("'table3_text'", "'by_rows'", "'jobs'", "'GUESSES'", "'PUBLISHED'"):
        assert name not in text
    assert "credenet.learners.learning" in roots
    assert {path.name for path in paths} == {"rai.py", "measure.py"}


def test_every_function_that_measures_is_declared() -> None:
    for table in all_tables().values():
        for scale in ("quick", "paper"):
            assert {sources.work_name(job.work) for job in table.jobs(scale)} <= WORKS.keys()


def test_parts_that_are_left_out_exist() -> None:
    for work in WORKS.values():
        for name in (*work.also, *work.without):
            assert sources.module_path(f"credenet.{name}").is_file(), name


def test_every_name_of_the_core_has_its_binding() -> None:
    """So that what a module takes from the core leads to the files that define it."""
    modules = [".".join(path.relative_to(LIBRARY.parent).with_suffix("").parts) for path in LIBRARY.rglob("*.py")]
    taken = {name for module in modules for name in sources.core_names(module.removesuffix(".__init__"))}
    assert len(taken) > 100
    assert not taken - sources.binding_files().keys()


TREE = {"path": "treewidth/nursery.dat.gz", "seconds": 0.5}
WINE = {"data": "datasets/wine.csv", "score": "bic", "max_parents": 2, "seconds": 2.0}
TIC = {"data": "tic-tac-toe", "limit": 5.0}
RAI = {"network": "cancer", "rows": 500, "repetition": 1, "limit": 10.0, "n_threads": 1}
GRID = {"network": "child", "max_parents": 2, "rows": 50, "repetition": 1, "seconds": 10.0}
PAIRS = (("bdeu", "uniform"), ("bic", "fair"), ("fnml", "data"), ("qnml", "ssp"), ("bdeu", "utop"), ("bdeu", "utop+"))
SMALL: dict[str, list[dict[str, Any]]] = {  # A few small jobs for each function that measures.
    "rai.learned": [
        {**RAI, "algorithm": algorithm, "test": test}
        for algorithm in ("rai", "rai published", "mmhc", "pc")
        for test in ("natori", "steck", "g2", "cmi")
    ],
    "rai_networks.counted": [{"network": "cancer"}],
    "data_sizes.sized": [{"folder": "datasets", "data": "tic-tac-toe"}, {"folder": "treewidth", "data": "nursery"}],
    "priors.table2.counted": [{"network": "child"}],
    "priors.figure1.distribution": [
        {"prior": prior, "variables": 8, "max_parents": most} for prior in ("fair", "data") for most in (2, None)
    ],
    "priors.grid.learned": [{**GRID, "score": score, "prior": prior} for score, prior in PAIRS],
    "priors.figure6.climbed": [
        {"network": "hailfinder", "rows": 50, "repetition": 1, "score": "bdeu", "prior": prior}
        for prior in ("uniform", "ssp", "fair")
    ],
    "priors.figure7.of_real_data": [
        {"data": "nursery", "max_parents": 1, "score": "bdeu", "repetitions": 1, "seconds": 5.0}
    ],
    "priors.ranking.of_sample": [
        {"network": "child", "max_parents": 1, "repetition": 1, "sizes": "50", "repetitions": 1, "seconds": 2.0}
    ],
    "credible.runs.listed": [
        {**TIC, "score": "bic", "factor": 3},
        {**TIC, "score": "bdeu", "factor": 3},
        {**TIC, "data": "alarm1000", "score": "bic", "factor": 3, "max_parents": 1},
    ],
    "credible.runs.best_of": [{**TIC, "k": 5, "what": "networks"}, {**TIC, "k": 5, "what": "classes"}],
    "credible.classes.counted": [{"data": "tic-tac-toe", "score": "bic", "factor": 3}],
    "credible.figure2.falling": [TIC],
    "credible.parent_bounds.pruned": [{"network": "child", "rows": 100}],
    "treewidth.runs.learned": [
        *(
            {**TREE, "method": f"{method}(iterations=0)", "seed": 0, "n_threads": 1, "tree_width": 2}
            for method in ("s2", "s2_plus", "kp", "kp_plus", "kmax", "kg")
        ),
        *({**TREE, "method": method, "seed": 0, "n_threads": 1, "tree_width": 2} for method in ("auto", "exact")),
        {**TREE, "method": "auto", "seed": 0, "n_threads": 1, "max_parents": 2},
    ],
    "treewidth.scatter.k_trees": [{**TREE, "method": "kp(iterations=5)", "tree_width": 2}],
    "treewidth.table2.simplified": [{"network": "rand50", "repetition": 1, "seconds": 1.0}],
    "treewidth.community.completed": [{"dropped": "v127", "method": "s2_plus", "iterations": 1}],
    "tutorial.conventions.pruned": [{"data": "car", "coding": "mean", "score": "bic", "rule": "base2"}],
    "treewidth.table3.inferred": [
        {"case": "CSP_12", "method": method, "seconds": 2.0}
        for method in ("loopy_bp", "importance_sampling", "s2_plus", "auto", "auto_resampled", "auto_exact_rows")
    ],
    "tutorial.runs.listed": [WINE],
    "tutorial.runs.searched": [
        *(
            {**WINE, "method": method}
            for method in ("dp", "astar", "bfbnb", "ilp", "weighted_astar", "ara_star", "awa_star")
        ),
        {**WINE, "data": "random 6 2 50", "method": "dp"},
        {**WINE, "data": "networks/insurance.bif.gz 50", "score": "bdeu(ess=1)", "max_parents": 1, "method": "ilp"},
    ],
    "tutorial.gobnilp.all_columns": [{"data": "networks/insurance.bif.gz 50", "max_parents": 1}],
    "tutorial.order_graph.layer_sizes": [{"data": "random 6 2 50", "score": "bic", "max_parents": 2, "samples": 2}],
}
SLOW = (
    "treewidth.table2.simplified",
    "treewidth.table3.inferred",
    "treewidth.runs.learned",
    "priors.ranking.of_sample",
)
FOLDER = str(Path(credenet.__file__).parent)


def test_every_function_that_measures_has_small_jobs() -> None:
    measured = {sources.work_name(job.work) for table in all_tables().values() for job in table.jobs("paper")}
    assert measured == SMALL.keys()


@pytest.mark.skipif(not DATA.exists(), reason="no data")
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in SMALL])
def test_no_function_of_a_module_that_is_left_out_is_called(name: str) -> None:
    """What a job runs in the library is in the modules that the digest is made of, or in those that have no part."""
    work, called = WORKS[name], set[str]()

    def note(frame: Any, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_flags & inspect.CO_OPTIMIZED and code.co_filename.startswith(FOLDER):
            called.add(code.co_filename)  # Bodies of modules and classes, which run when loaded, are not optimized.

    before = sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        for arguments in SMALL[name]:
            work.function(**arguments)
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
    parts = [Path(path).relative_to(LIBRARY.parent).with_suffix("").parts for path in called]
    modules = {".".join(part for part in some if part != "__init__") for some in parts}
    assert modules
    digested = declared_modules(work, measuring(work.function)[1])
    assert core_files(digested) or name == "priors.figure1.distribution"
    assert not {module for module in modules - set(digested) if not is_within(module, sources.NO_PART)}
