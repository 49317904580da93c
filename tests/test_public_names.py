"""One meaning for each public name: what calls return can be imported, and arguments of one kind have one name."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections import ChainMap
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

import pytest

import credenet
from credenet.settings.method_bases import BaseMethod
from credenet.types import PairProbabilities
from public import NAMESPACES, public_classes, public_names

OPAQUE = {"DataOptions", "Proof"}  # Arguments, and a certificate that only `verify` reads.
SEAMS = {"learn", "solver", "search"}  # Methods that `learn` calls, not users.
PUBLIC = public_names()
CLASSES = public_classes()


def calls() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Public functions, methods and properties of ours."""
    for name, value in PUBLIC.items():
        if inspect.isfunction(value):
            yield name, value
    for owner, kind in CLASSES.items():
        for name in dir(kind):
            value = inspect.getattr_static(kind, name)
            value = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
            is_public = not name.startswith("_") or name in ("__init__", "__iter__", "__getitem__")
            is_public = is_public and not (name in SEAMS and issubclass(kind, BaseMethod))
            if is_public and inspect.isfunction(value) and value.__module__.startswith("credenet"):
                yield f"{owner}.{name}", value


CALLS = dict(calls())


class Names(dict[str, Any]):
    """The names of a module; those that only a type checker sees are found when they are asked for."""

    def __init__(self, module: str) -> None:
        loaded = importlib.import_module(module)
        super().__init__(vars(loaded))
        self._homes: dict[str, str] = {}
        self._types: dict[str, str] = {}
        for part in ast.parse(inspect.getsource(loaded)).body:
            if isinstance(part, ast.If) and ast.unparse(part.test) == "TYPE_CHECKING":
                for line in part.body:
                    self._add(line)

    def _add(self, line: ast.stmt) -> None:
        if isinstance(line, ast.ImportFrom) and str(line.module).startswith("credenet."):
            self._homes |= {alias.name: str(line.module) for alias in line.names}
        elif isinstance(line, ast.Assign | ast.AnnAssign) and line.value is not None:
            target = line.target if isinstance(line, ast.AnnAssign) else line.targets[0]
            self._types[ast.unparse(target)] = ast.unparse(line.value)
        else:
            exec(ast.unparse(line), self)

    def __missing__(self, name: str) -> Any:
        if name in self._types:
            return eval(self._types[name], {}, self)
        return names_of(self._homes[name])[name]


names_of = cache(Names)


def hints(value: Any) -> dict[str, Any]:
    modules = [kind.__module__ for kind in getattr(value, "__mro__", [value])]
    names = [names_of(module) for module in modules if module.startswith("credenet")]
    return get_type_hints(value, globalns={}, localns=ChainMap(*names, dict(CLASSES)))


def members(hint: Any) -> Iterator[Any]:
    """A type and all that it is made of."""
    yield hint
    for part in get_args(hint) if get_origin(hint) is not None or get_args(hint) else ():
        yield from members(part)


def classes_in(hint: Any) -> set[str]:
    found = {part for part in members(hint) if inspect.isclass(part) and get_origin(part) is None}
    return {kind.__name__ for kind in found if kind.__module__.startswith("credenet") and kind.__name__[0] != "_"}


@pytest.mark.parametrize("name", CALLS)
def test_what_a_call_returns_can_be_imported(name: str) -> None:
    assert classes_in(hints(CALLS[name]).get("return")) <= set(CLASSES)


@pytest.mark.parametrize("name", sorted(set(CLASSES) - OPAQUE))
def test_what_a_result_holds_can_be_imported(name: str) -> None:
    kind = CLASSES[name]
    fields = [field for field in inspect.get_annotations(kind) if not field.startswith("_")]
    found = hints(kind) if fields else {}
    assert set().union(*(classes_in(found[field]) for field in fields)) <= set(CLASSES)


def parameters() -> Iterator[tuple[str, str, Any]]:
    for name, call in CALLS.items():
        for argument, hint in hints(call).items():
            if argument != "return":
                yield name, argument, hint


def takes_tables(hint: Any) -> bool:
    """Whether an argument is a table of cells in any form."""
    return "Dataset" in classes_in(hint) and "ndarray" in str(hint)


def test_tables_are_data_or_rows() -> None:
    found = [(name, argument) for name, argument, hint in parameters() if takes_tables(hint)]
    assert {argument for _, argument in found} == {"data", "rows"}
    predicting = {name for name, argument in found if argument == "rows"}
    assert {name.split(".")[-1] for name in predicting} == {"compare", "log_likelihood", "predict", "predict_proba"}
    others = {argument for _, argument, hint in parameters() if "Dataset" not in classes_in(hint)}
    assert not others & {"data", "rows", "source", "n"}


def test_data_come_first() -> None:
    for name, call in CALLS.items():
        arguments = [one for one in inspect.signature(call).parameters.values() if one.name not in ("self", "cls")]
        later = [one.name for one in arguments[1:] if one.kind is not inspect.Parameter.KEYWORD_ONLY]
        assert "data" not in later, name


def test_text_and_dicts() -> None:
    results = {name: hints(call).get("return") for name, call in CALLS.items()}
    assert {result for name, result in results.items() if name.endswith(".to_json")} == {str}
    assert {get_origin(result) for name, result in results.items() if name.endswith(".to_dict")} == {dict}


def test_every_seed_may_be_drawn() -> None:
    seeds = {name: hint for name, argument, hint in parameters() if argument == "seed"}
    assert {"learn", "bootstrap", "BayesianNetwork.sample", "Inference.sample"} <= set(seeds)
    assert {name for name, hint in seeds.items() if hint != int | None} <= {"Provenance.__init__"}


def test_directions_of_pairs() -> None:
    """Wherever a pair has two directions, they are called so."""
    assert {"forward", "backward", "undetermined"} <= set(PairProbabilities._fields)
    confidence = credenet.bootstrap(credenet.datasets.asia(100), method="chow_liu", n_samples=2)
    assert {"forward", "backward"} <= set(confidence.to_polars().columns)
    assert confidence.to_dict()["pair_probabilities"][0][2:] == list(next(iter(confidence.pairs.values())))


def test_the_way_in_is_short() -> None:
    """Verbs and main types stand at the top; all else has one place, which its old or bare name tells."""
    assert len(set(credenet.__all__) - set(NAMESPACES)) <= 40
    assert len(NAMESPACES) <= 12
    bare = [name.split(".")[-1] for name in PUBLIC if name.split(".")[0] not in ("datasets", "textbook")]
    assert len(bare) == len(set(bare))
    apart = [name.rpartition(".") for name in PUBLIC if not name.startswith(("datasets.", "textbook.", "random."))]
    for space, own in [(space, own) for space, _, own in apart if space and own not in credenet.__all__]:
        with pytest.raises(AttributeError, match=f"no attribute '{own}'; use credenet.{space}.{own}$"):
            getattr(credenet, own)


def test_namespaces_can_be_imported() -> None:
    for space, module in NAMESPACES.items():
        assert importlib.import_module(f"credenet.{space}") is module
        assert module.__doc__
        named = {name.split(".")[-1] for name in PUBLIC if name.startswith(f"{space}.")}
        assert named <= set(dir(module))
