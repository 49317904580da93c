"""XML as a tree of elements that know their line.

A document type with element declarations is ignored, as XMLBIF files have one. Entity declarations are an error, so
that a short file can neither expand to a long one nor include other files. Nesting is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Never
from xml.parsers import expat

from credenet.errors import FormatError

MAX_DEPTH = 100

_BLANKS = " \t\n\r"
_word = re.compile(rf"[^{_BLANKS}]+")
_illegal = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)


@dataclass(slots=True)
class Element:
    tag: str
    attributes: dict[str, str]
    line: int
    text: str = ""  # The text directly in the element, between its children.
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> Iterator[Element]:
        """The children with a tag."""
        return (child for child in self.children if child.tag == tag)

    def name(self) -> str:
        """The text without the blanks around it, unless ``xml:space="preserve"`` keeps them."""
        return self.text if self.attributes.get("xml:space") == "preserve" else self.text.strip(_BLANKS)


def parse_xml(text: str, path: str | Path) -> Element:
    """The root element of an XML text."""
    return _Builder(path).root(text)


class _Builder:
    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.open: list[tuple[Element, list[str]]] = []
        self.first: Element | None = None
        self.parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        # Only given attributes count, as defaults of a document type could expand without limit.
        parser.specified_attributes = True
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        parser.EntityDeclHandler = self.entity
        parser.SkippedEntityHandler = self.entity

    def root(self, text: str) -> Element:
        try:
            self.parser.Parse(text, True)
        except expat.ExpatError as error:
            raise FormatError(
                f"is not well-formed XML: {expat.ErrorString(error.code)}", path=self.path, line=error.lineno
            ) from None
        except UnicodeEncodeError as error:
            line = text.count("\n", 0, error.start) + 1
            raise FormatError("is not Unicode text", path=self.path, line=line) from None
        if self.first is None:
            self.fail("is not well-formed XML: no element found")
        return self.first

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self.open) >= MAX_DEPTH:
            self.fail(f"elements are nested more than {MAX_DEPTH} deep")
        element = Element(tag, attributes, self.parser.CurrentLineNumber)
        if self.open:
            self.open[-1][0].children.append(element)
        else:
            self.first = element
        self.open.append((element, []))

    def end(self, tag: str) -> None:
        element, texts = self.open.pop()
        element.text = "".join(texts)

    def characters(self, text: str) -> None:
        self.open[-1][1].append(text)

    def entity(self, name: str, *_: object) -> None:
        self.fail(f"uses the entity {name!r}; entities are not supported")

    def fail(self, message: str) -> Never:
        raise FormatError(message, path=self.path, line=self.parser.CurrentLineNumber)


def words(text: str) -> list[str]:
    """The words of a blank-separated list."""
    return _word.findall(text)


def is_word(name: str) -> bool:
    """Whether a name can stand in a blank-separated list."""
    return _word.fullmatch(name) is not None


def escape_name(name: str, format: str, path: str | Path) -> str:
    """A name as it can stand between quotes or tags."""
    if _illegal.search(name):
        raise FormatError(f"{format} cannot hold the name {name!r}", path=path)
    return name.translate(_ESCAPES)


def name_element(tag: str, name: str, format: str, path: str | Path) -> str:
    """An element with a name in it that `Element.name` reads back."""
    space = "" if name == name.strip(_BLANKS) else ' xml:space="preserve"'
    return f"<{tag}{space}>{escape_name(name, format, path)}</{tag}>"
