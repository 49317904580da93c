"""Formulas as MathML, made when the site is built by the converter of docutils; browsers draw them without a script."""

from __future__ import annotations

from typing import Any

from docutils.nodes import SkipNode, math, math_block
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx


def _inline(translator: Any, node: math) -> None:
    translator.body.append(tex2mathml(node.astext()))
    raise SkipNode


def _block(translator: Any, node: math_block) -> None:
    translator.body.append(f"<div class='formula'>{tex2mathml(node.astext(), as_block=True)}</div>")
    raise SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
