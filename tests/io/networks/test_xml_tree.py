"""The XML reader: lines, names, and what it refuses."""

from __future__ import annotations

import pytest

from credenet.errors import FormatError
from credenet.io.networks.xml_tree import MAX_DEPTH, escape_name, is_word, name_element, parse_xml, words


def refused(text: str, message: str) -> int | None:
    with pytest.raises(FormatError, match=message) as caught:
        parse_xml(text, "file")
    assert caught.value.path == "file"
    return caught.value.line


def test_tree() -> None:
    root = parse_xml('<?xml version="1.0"?>\n<a k="v&lt;">one<b/>two<!-- not this -->\n<c>3</c><b x="1"/></a>', "file")
    assert (root.tag, root.attributes, root.line) == ("a", {"k": "v<"}, 2)
    assert root.text == "onetwo\n"
    assert [(child.tag, child.line, child.text) for child in root.children] == [
        ("b", 2, ""),
        ("c", 3, "3"),
        ("b", 3, ""),
    ]
    assert [child.attributes for child in root.all("b")] == [{}, {"x": "1"}]


def test_document_type_with_elements_is_passed_over() -> None:
    text = """<?xml version="1.0" encoding="US-ASCII"?>
<!DOCTYPE BIF [
  <!ELEMENT BIF ( NETWORK )*>
      <!ATTLIST BIF VERSION CDATA #REQUIRED EXTRA CDATA "default">
  <!ELEMENT NETWORK ( #PCDATA )>
]>
<BIF VERSION="0.3"><NETWORK>\u00e9</NETWORK></BIF>"""
    root = parse_xml(text, "file")
    assert root.attributes == {"VERSION": "0.3"}
    assert root.children[0].text == "\u00e9"


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY a "b">',
        '<!ENTITY a SYSTEM "file:///etc/hostname">',
        '<!ENTITY % a "b">',
        '<!ENTITY a PUBLIC "p" "http://localhost/">',
        '<!NOTATION n SYSTEM "n"><!ENTITY a SYSTEM "b" NDATA n>',
    ],
)
def test_entities_are_refused(declaration: str) -> None:
    assert refused(f"<!DOCTYPE r [\n{declaration}\n]>\n<r>&a;</r>", "entity 'a'; entities are not supported") == 2


def test_billion_laughs_is_refused() -> None:
    entities = "".join(f'<!ENTITY l{at} "{f"&l{at - 1};" * 10}">\n' for at in range(1, 10))
    assert refused(f'<!DOCTYPE r [\n<!ENTITY l0 "ha">\n{entities}]>\n<r>&l9;</r>', "entities are not supported") == 2


def test_undeclared_entities_are_refused() -> None:
    assert refused("<r>\n&nbsp;</r>", "undefined entity") == 2
    assert refused('<!DOCTYPE r SYSTEM "other.dtd">\n<r>\n&nbsp;</r>', "entity 'nbsp'") == 3


def test_depth_is_bounded() -> None:
    fits = "<a>" * MAX_DEPTH + "</a>" * MAX_DEPTH
    assert parse_xml(fits, "file").tag == "a"
    assert refused("<a>\n" + fits + "</a>", "nested more than 100 deep") == 2
    assert refused("<a>" * 1_000_000, "nested more than 100 deep") == 1


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("", "no element found", 1),
        ("<a>\n<b>\n</a>", "mismatched tag", 3),
        ("<a>\n", "no element found", 2),
        ("<a/>\n<b/>", "junk after document element", 2),
        ("<a>\n\x00</a>", "not well-formed", 2),
        ("<a>\n&#0;</a>", "reference to invalid character number", 2),
        ("<a>\n\ud800</a>", "not Unicode text", 2),
        ("<a b='1' b='2'/>", "duplicate attribute", 1),
    ],
)
def test_what_is_not_well_formed(text: str, message: str, line: int) -> None:
    assert refused(text, message) == line


@pytest.mark.parametrize("name", ["", " ", " a", "a\n", "a\tb", "a\rb", "<&>\"'", "]]>", "\u00e9\U0001f600", "\u00a0x"])
def test_names_come_back(name: str) -> None:
    element = parse_xml(name_element("x", name, "XML", "file"), "file")
    assert element.name() == name
    attribute = parse_xml(f'<x id="{escape_name(name, "XML", "file")}"/>', "file")
    assert attribute.attributes["id"] == name


def test_blanks_around_names_are_layout() -> None:
    assert parse_xml("<x>\n  a b\n</x>", "file").name() == "a b"


@pytest.mark.parametrize("name", ["\x00", "a\x1b", "\ufffe", "\ud800"])
def test_names_that_xml_cannot_hold(name: str) -> None:
    with pytest.raises(FormatError, match="XML cannot hold the name"):
        escape_name(name, "XML", "file")


def test_words() -> None:
    assert words(" a\n b\u00a0c\t") == ["a", "b\u00a0c"]
    assert is_word("b\u00a0c")
    assert not is_word("b c")
    assert not is_word("")
