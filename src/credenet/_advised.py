"""Errors about names that do not exist: attributes of objects and arguments of calls."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from credenet._peers import PARTS, attribute_advice, keyword_advice
from credenet.errors import UnknownArgumentError

P = ParamSpec("P")
R = TypeVar("R")


class Advised:
    """A type whose errors about unknown attributes say what is meant."""

    __slots__ = ()

    def _graph_type(self) -> type | None:
        """The type of the graph in this object, if it is a network or a result."""
        part = PARTS.get(type(self).__name__)
        return None if part is None else type(getattr(self, part[1]))

    if not TYPE_CHECKING:  # Type checkers must see that these attributes do not exist.

        def __getattr__(self, name: str) -> Any:
            kind = type(self)
            if hasattr(kind, name):
                return object.__getattribute__(self, name)  # This raises the error of the property again.
            advice = "" if name.startswith("_") else attribute_advice(kind, name, self._graph_type())
            raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}{advice}", name=name)


def check_keywords(call: Callable[P, R], further: tuple[str, ...] = ()) -> Callable[P, R]:
    """The call with errors that suggest the right names for unknown arguments; ``further`` arguments are valid, too."""
    code = call.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    known = frozenset(names)

    @wraps(call)
    def call_checked(*arguments: P.args, **options: P.kwargs) -> R:
        if not known.issuperset(options):
            unknown = next(name for name in options if name not in known)
            advice = keyword_advice(unknown, [name for name in (*names, *further) if name not in ("self", "cls")])
            raise UnknownArgumentError(f"{call.__name__}() got an unexpected keyword argument {unknown!r}{advice}")
        return call(*arguments, **options)

    return call_checked
