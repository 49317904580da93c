"""The reference in Sphinx: signatures as the source has them, and links from names to their entries."""

from __future__ import annotations

import enum
import inspect
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from reference_pages import every_name, plain_name, public_object

NAMES = every_name()
PUBLIC = {name: public_object(name) for name in NAMES}
CLASSES = {value.__name__: name for name, value in PUBLIC.items() if inspect.isclass(value)}
MADE_BY_CALLS = ("types.", "CredibleSet", "CredibleClasses", "StructurePosterior")


def full_name(text: str) -> str | None:
    """The full name of what a name in a page or a docstring stands for, or None if it is not public."""
    given = text.removeprefix("credenet.")
    for name in (given, given.removeprefix("types.")):
        if name in PUBLIC:
            return f"credenet.{name}"
        kind, _, member = name.rpartition(".")
        if not kind and name in CLASSES:
            return f"credenet.{CLASSES[name]}"
        owner = kind if kind in PUBLIC else CLASSES.get(kind)
        if owner is not None and hasattr(PUBLIC[owner], member):
            return f"credenet.{owner}.{member}"
    return None


class CodeLinks(SphinxTransform):  # type: ignore[misc]
    """Makes code in the text of a page a link where it is a public name, such as ``credenet.learn``."""

    default_priority = 500

    def apply(self, **_options: Any) -> None:
        for code in list(self.document.findall(nodes.literal)):
            above = code.parent
            if isinstance(above, nodes.reference | nodes.title | addnodes.pending_xref):
                continue
            name = plain_name(code.astext())
            if self.env.docname.startswith("coming_from/") and not code.astext().startswith("credenet."):
                continue  # Names of other libraries are not ours.
            target = full_name(name) if name else None
            if target is None:
                continue
            link = addnodes.pending_xref(
                "", refdomain="py", reftype="obj", reftarget=target, refdoc=self.env.docname, refwarn=False
            )
            above.replace(code, link)
            link += code


def _resolve(app: Sphinx, env: Any, node: addnodes.pending_xref, content: nodes.Element) -> nodes.Element | None:
    """The link for a name that is not written in full."""
    if node.get("refdomain") != "py":
        return None
    target = full_name(node["reftarget"])
    domain = env.domains["py"]
    if target is None or target not in domain.objects:
        return None
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", target, node, content)


def _signature(
    _app: Sphinx, what: str, name: str, value: Any, _options: Any, known: str | None, _result: str | None
) -> tuple[str, str] | None:
    """The signature as the source writes it: annotations unevaluated, private parameters left out."""
    hidden = None if known is None else ("", "")  # Sphinx has no place for one that it did not find itself.
    if what not in {"function", "method", "class"}:
        return hidden if what == "exception" else None
    if what == "class" and name.removeprefix("credenet.").startswith(MADE_BY_CALLS) and not _shows_fields(value):
        return hidden
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return hidden
    parameters = [part for part in signature.parameters.values() if not part.name.startswith("_")]
    if what == "method" and parameters and parameters[0].name == "self":
        del parameters[0]
    parts = [part.replace(annotation=_written(part.annotation), default=_default(part)) for part in parameters]
    result = signature.return_annotation
    text = str(signature.replace(parameters=parts, return_annotation=inspect.Signature.empty))
    return text, "" if what == "class" or result is inspect.Signature.empty else str(_written(result))


def _shows_fields(kind: type) -> bool:
    """Whether the parameters of a class are its fields, which users read."""
    return hasattr(kind, "__dataclass_fields__") or hasattr(kind, "_fields")


class Code:
    """A piece of code that is printed as it is."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _written(annotation: Any) -> Any:
    if annotation is inspect.Parameter.empty:
        return annotation
    return Code(getattr(annotation, "__forward_arg__", annotation if isinstance(annotation, str) else repr(annotation)))


def _default(part: inspect.Parameter) -> Any:
    """The default, or an ellipsis for one that is not an expression."""
    if part.default is inspect.Parameter.empty:
        return part.default
    text = repr(part.default.value if isinstance(part.default, enum.Enum) else part.default)
    try:
        compile(text, "default", "eval")
    except SyntaxError:
        return Code("...")
    return Code(text)


def _skip(_app: Sphinx, _what: str, _name: str, value: Any, skip: bool, _options: Any) -> bool | None:
    """Whether a member has no entry: members that Python adds are left out, such as fields of named tuples."""
    value = getattr(value, "fget", value)
    module = getattr(inspect.unwrap(value) if callable(value) else value, "__module__", None)
    is_foreign = module is not None and not module.startswith("credenet")
    return True if is_foreign or type(value).__name__ == "_tuplegetter" else None


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("autodoc-process-signature", _signature)
    app.connect("autodoc-skip-member", _skip)
    app.connect("missing-reference", _resolve)
    app.add_transform(CodeLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
