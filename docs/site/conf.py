"""Settings of Sphinx; ``make docs`` builds the site."""

from __future__ import annotations

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "credenet"
version = release = installed_version("credenet")
author = copyright = "the authors of credenet"
extensions = ["myst_parser", "mathml"]
source_suffix = {".md": "markdown"}
templates_path: list[str] = []
exclude_patterns = ["files"]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 5
suppress_warnings = ["misc.highlighting_failure"]  # Blocks of output are not Python.

html_theme = "furo"  # Its files are all in the site: no font and no script comes from another host.
html_title = "credenet"
html_static_path = ["static"]
html_css_files = ["credenet.css"]
html_copy_source = False
html_show_sphinx = False
html_math_renderer = "mathml"
