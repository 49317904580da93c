"""Matplotlib axes for a file, for a notebook, or given by the caller; needs the plot extra."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from credenet._arguments import file_path, show_value
from credenet._files.files import atomic_writer
from credenet.errors import ArgumentError, MissingExtraError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".svg", ".png", ".pdf")


def new_figure(
    size: tuple[float, float], *, is_shown: bool = False, layout: Literal["constrained"] | None = "constrained"
) -> Figure:
    """A figure in inches, managed by pyplot if it is to be shown."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("plotting needs matplotlib: pip install credenet[plot]") from error
    if not is_shown:
        return Figure(figsize=size, layout=layout)
    from matplotlib import pyplot

    return pyplot.figure(figsize=size, layout=layout)


def check_suffix(path: str | Path, also: str = "a plot is written as") -> None:
    if file_path(path, "to").suffix.lower() not in SUFFIXES:
        raise ArgumentError(f"{also} {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}, got {Path(path).name!r}")


def check_plot(path: str | Path, what: str = "a plot is written as") -> None:
    """Raises an error now for a plot that could not be drawn later."""
    check_suffix(path, what)
    new_figure((1, 1))


def save_figure(figure: Figure, path: str | Path) -> None:
    """Writes a figure as large as it must be for titles and labels to be whole."""
    with atomic_writer(path) as file:
        figure.savefig(file, format=Path(path).suffix[1:].lower(), bbox_inches="tight", pad_inches=0.1)


@contextmanager
def axes_for(
    target: str | Path | Axes | None, size: tuple[float, float], what: str = "a plot is written as"
) -> Iterator[Axes]:
    """The axes to draw into; a file is written when the block ends."""
    if isinstance(target, str | Path):
        check_suffix(target, what)
        figure = new_figure(size)
        yield figure.add_subplot()
        save_figure(figure, target)
    elif target is None:
        yield new_figure(size, is_shown=True).add_subplot()
    else:
        yield check_axes(target)


def check_axes(target: Axes) -> Axes:
    """The axes given by a user; an error if they are something else."""
    if not hasattr(target, "add_patch"):
        raise ArgumentError(f"to must be a file, matplotlib axes or None, got {show_value(target)}")
    return target
