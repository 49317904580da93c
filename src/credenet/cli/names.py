"""Names on the command line, in any case and with hyphens or underscores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from cyclopts import Parameter, Token


def _name(kind: Any, tokens: Sequence[Token]) -> str:
    """The name that a word stands for; the type of an optional flag is a union with None."""
    from credenet._arguments import same_name
    from credenet._peers import choice_advice

    choices = [name for part in (kind, *get_args(kind)) for name in get_args(part) if isinstance(name, str)]
    word, argument = tokens[0].value, str(tokens[0].keyword).lstrip("-").replace("-", "_")
    for name in choices:
        if same_name(name, word):
            return name
    raise ValueError(f"choose from {', '.join(choices)}; got {word!r}{choice_advice(argument, word, choices)}")


AnyCase = Parameter(converter=_name)
"""For ``Annotated[Literal[...], AnyCase]``."""
