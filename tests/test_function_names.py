"""Functions are verbs: no function is named by a participle or a preposition alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import credenet

ROOT = Path(credenet.__file__).parent

# Irregular participles that are not also the plain form of a verb, as read, cut and put are.
IRREGULAR = {
    *("begun", "bought", "broken", "brought", "built", "chosen", "done", "drawn", "driven", "fallen", "felt", "found"),
    *(
        "given",
        "gone",
        "grown",
        "heard",
        "held",
        "hidden",
        "kept",
        "known",
        "laid",
        "led",
        "left",
        "lost",
        "made",
        "meant",
    ),
    *("met", "paid", "proven", "said", "seen", "sent", "shown", "sold", "sorted", "sought", "spent", "sworn", "taken"),
    *("taught", "thought", "thrown", "told", "torn", "understood", "won", "worn", "written"),
}
PREPOSITIONS = {
    *("above", "after", "among", "at", "before", "below", "beside", "between", "by", "for", "from", "in", "into", "of"),
    *("on", "out", "over", "past", "since", "through", "to", "under", "until", "up", "upon", "via", "with", "within"),
    "without",
}
NO_PARTICIPLES = {"embed", "exceed", "feed", "need", "proceed", "seed", "speed"}  # Words on -ed that are none.

# Names that stay, each with its reason.
ALLOWED = {
    "aligned": "the same rows coded by other states, a public method of datasets",
    "allowed": "the parents that knowledge allows, a public method",
    "among": "the networks that probabilities are taken of, in words, a property of results",
    "directed": "the directed edges of a PDAG, a public property",
    "undirected": "the undirected edges of a PDAG, a public property",
    "isolated": "the isolated variables, a public property of results",
    "joined": "the probability that a pair is joined by an edge, a public property beside `forward` and `backward`",
    "made": "how a table of families was made, a public property",
    "placed": "a public call, used as `with placed(data, cluster=...) as rows`",
    "turned": "a pair as seen from its second variable, a public method",
    "of": "a constructor that reads as English, such as `DatasetInfo.of(data)`",
}
CONSTRUCTORS = {"AllNetworks", "CredibleDiagram", "DatasetInfo", "ShardedRows"}  # Classes whose `of` may stay.


def is_named_badly(name: str) -> bool:
    word = name.strip("_")
    is_participle = (word.endswith("ed") and word not in NO_PARTICIPLES) or word in IRREGULAR
    return "_" not in word and (is_participle or word in PREPOSITIONS)


def functions(tree: ast.AST, owner: str = "") -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """All functions with the name of the class that they belong to."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield owner, node
        yield from functions(node, node.name if isinstance(node, ast.ClassDef) else "")


def test_functions_are_verbs() -> None:
    nameless = []
    used = set()
    for path in sorted(ROOT.rglob("*.py")):
        for owner, function in functions(ast.parse(path.read_text(encoding="utf-8"))):
            name = function.name
            if not is_named_badly(name):
                continue
            used.add(name)
            if name not in ALLOWED or (name == "of" and owner not in CONSTRUCTORS):
                nameless.append(f"{path.relative_to(ROOT)}:{function.lineno} {owner}.{name}".replace(" .", " "))
    assert nameless == []
    assert used == set(ALLOWED)  # A name that is no longer used must leave the list.


def test_participles_are_known() -> None:
    assert all(map(is_named_badly, ["_searched", "found", "_of", "within", "told", "_merged"]))
    assert not any(
        map(is_named_badly, ["search", "read", "seed", "need", "found_paths", "_with_edges", "bound", "__len__"])
    )
