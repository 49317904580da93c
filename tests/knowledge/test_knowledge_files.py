"""Knowledge in files: of this library, of GOBNILP, tables of edges, and what is wrong in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from credenet.errors import ArgumentError, FormatError, KnowledgeError
from credenet.knowledge.knowledge import Knowledge


def test_gobnilp_files(tmp_path: Path) -> None:
    path = tmp_path / "rules.con"
    path.write_text(
        "# comment\n\na->b\n~c<-b   # no arc from b to c\na-d\n~d-e\nf -> h <- g\n~f->i<-g\n"
        'a,e _|_ f | g, "two words"\nx_1_|_y_2\n'
    )
    assert Knowledge.load(path) == Knowledge(
        required=[("a", "b"), ("f", "h"), ("g", "h")],
        forbidden=[("b", "c")],
        adjacent=[("a", "d")],
        not_adjacent=[("d", "e"), ("f", "g")],
        forbidden_immoralities=[("f", "i", "g")],
        independences=[(["a", "e"], "f", ["g", "two words"]), ("x_1", "y_2")],
    )


@pytest.mark.parametrize(
    "text",
    ["a", "a b", "a=>b", "a->b->c", "a->b<-c<-d", "~", "a->", "~a _|_ b", "a _|_ ", "a _|_ b |", "a,,c _|_ b",
     "a->a", "a _|_ b | a", 'a->"b'],
)  # fmt: skip
def test_wrong_gobnilp_lines(tmp_path: Path, text: str) -> None:
    path = tmp_path / "rules.con"
    path.write_text(f"# fine\na->b\n{text}\n")
    with pytest.raises(FormatError, match=r"rules\.con:3: .*expected x->y, x<-y, x-y or x->z<-y"):
        Knowledge.load(path)


@pytest.mark.parametrize(("name", "delimiter"), [("edges.csv", ","), ("edges.tsv", "\t")])
def test_tables_of_edges(tmp_path: Path, name: str, delimiter: str) -> None:
    path = tmp_path / name
    path.write_text(f'From{delimiter}to\na{delimiter}b\n\n"c, d"{delimiter}b\n')
    assert Knowledge.load(path, kind="required") == Knowledge(required=[("a", "b"), ("c, d", "b")])
    assert Knowledge.load(path, kind="forbidden") == Knowledge(forbidden=[("a", "b"), ("c, d", "b")])
    with pytest.raises(
        ArgumentError,
        match="a table of edges does not tell whether they are required",
    ):
        Knowledge.load(path)
    with pytest.raises(ArgumentError, match="kind must be 'required' or 'forbidden', got 'white'"):
        Knowledge.load(path, kind="white")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\nc,d\n", r"edges\.csv:1: the first line must name the columns from and to, got 'a,b'"),
        ("", r"edges\.csv: is empty"),
        ("from,to\na,b\nc\n", r"edges\.csv:3: must hold two names"),
        ("from,to\na,\n", r"edges\.csv:2: must hold two names"),
        ("from,to\na,a\n", r"edges\.csv:2: joins 'a' with itself"),
    ],
)
def test_wrong_tables(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "edges.csv"
    path.write_text(text)
    with pytest.raises(FormatError, match=message):
        Knowledge.load(path, kind="required")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{\n,}", r"rules\.json:2: is not JSON"),
        ("{}", r'rules.json: must be an object of rules, such as .*"tiers"'),
        ('{"format": "other", "tiers": []}', r"rules.json: must be an object of rules"),
        ('{"format": "credenet graph"}', r"rules.json: holds a graph; read it with credenet.load_graph"),
        ('{"tier": []}', r"rules.json: 'tier' is no kind of knowledge; known are"),
        ("[]", "must be an object of rules"),
        (
            '{"format": "credenet knowledge", "whitelist": []}',
            "'whitelist' is no kind of knowledge; known are",
        ),
        ('{"format": "credenet knowledge", "required": [["a"]]}', "required must hold pairs of names"),
        (f'{{"format": "credenet knowledge", "min_edges": {"9" * 5000}}}', "has a number with too many digits"),
        (f'{{"format": "credenet knowledge", "required": [{"9" * 4000}]}}', "required must hold pairs of names"),
        (
            '{"format": "credenet knowledge", "required": [["", "b"]]}',
            r"rules.json: required .* empty name in \['', 'b'\]",
        ),
        ('{"format": "credenet knowledge", "adjacent": [["a", ""]]}', "rules.json: adjacent .* has an empty name"),
        ('{"format": "credenet knowledge", "tiers": [["a"], [""]]}', "rules.json: a tier must hold names, but has ''"),
        ('{"format": "credenet knowledge", "order": ["", "a"]}', "rules.json: order must hold names, but has ''"),
        ('{"format": "credenet knowledge", "max_parents": {"": 2}}', "rules.json: max_parents .* has an empty one"),
        ('{"format": "credenet knowledge", "independences": [["a", ""]]}', "rules.json: an entry of independences"),
        ('{"format": "credenet knowledge", "forbidden_immoralities": [["a", "", "b"]]}', "rules.json: .* empty name"),
    ],
)
def test_wrong_json(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "rules.json"
    path.write_text(text)
    with pytest.raises(FormatError, match=message) as caught:
        Knowledge.load(path)
    assert len(str(caught.value)) < 800


def test_contradictions_in_a_file_are_explained(tmp_path: Path) -> None:
    path = tmp_path / "rules.con"
    path.write_text("a->b\n~a->b\n")
    with pytest.raises(KnowledgeError, match=r"rules.con: .*is required, but it is forbidden"):
        Knowledge.load(path)
    with pytest.raises(ArgumentError, match="kind goes with a table of edges"):
        Knowledge.load(path, kind="required")
    with pytest.raises(FormatError, match=r"knowledge is written as \.json"):
        Knowledge().save(tmp_path / "rules.con")
