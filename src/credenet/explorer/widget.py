"""The explorer in a notebook, as a widget (anywidget)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from credenet._json import json_values
from credenet.errors import ArgumentError, CredenetError, MissingExtraError
from credenet.explorer.contents import session_of
from credenet.explorer.front_end import script, style

if TYPE_CHECKING:
    from credenet.credible.credible_set import CredibleSet
    from credenet.data.dataset import Dataset

_RENDER = """
export default { render({ model, el }) { start(el, inNotebook(model)); } };
"""


def explorer_widget(credible: CredibleSet, data: Dataset | None) -> Any:
    """The widget; see `CredibleSet.explore`."""
    try:
        import anywidget
    except ImportError as error:
        raise MissingExtraError("the explorer in a notebook needs anywidget: pip install credenet[notebook]") from error
    session = session_of(credible, data)
    if session is None:
        raise ArgumentError("there is no network to explore")

    class Explorer(anywidget.AnyWidget):  # type: ignore[misc, unused-ignore]  # there may be no types
        """The front end; questions and answers are messages."""

        _esm = script() + _RENDER
        _css = style()

        def __init__(self) -> None:
            super().__init__()
            self.on_msg(answer_question)

    def answer_question(widget: Any, question: dict[str, Any], buffers: object) -> None:
        answer = {"number": question["number"]}
        try:
            widget.send(answer | {"answer": json_values(session.call(question["name"], question["given"]))})
        except CredenetError as error:
            widget.send(answer | {"error": str(error)})

    return Explorer()
