"""Settings of Sphinx; ``make docs`` builds the site."""

from __future__ import annotations

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "credenet"
version = release = installed_version("credenet")
author = copyright = "the authors of credenet"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "reference", "mathml"]
source_suffix = {".md": "markdown"}
templates_path: list[str] = []
exclude_patterns = ["files"]

myst_enable_extensions = ["alert", "dollarmath"]  # Boxes are those of the forge: a quotation that begins with [!NOTE].
myst_heading_anchors = 5
suppress_warnings = ["misc.highlighting_failure"]  # Blocks of output are not Python.

default_role = "py:obj"  # Names in single backticks in docstrings are links to their entries.
add_module_names = True
autodoc_member_order = "groupwise"
autodoc_class_signature = "mixed"
napoleon_google_docstring = False
napoleon_use_param = False
napoleon_custom_sections = [("Attributes", "params_style")]
napoleon_use_rtype = False
python_maximum_signature_line_length = 100
toc_object_entries_show_parents = "hide"

html_theme = "furo"  # Its files are all in the site: no font and no script comes from another host.
html_title = "credenet"
html_static_path = ["static"]
html_css_files = ["credenet.css"]
html_copy_source = False
html_show_sphinx = False
html_math_renderer = "mathml"
