# SPDX-License-Identifier: BSD-3-Clause
"""How Sphinx makes the site; build.py says where things are."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

project = "Daptor"
author = "The Daptor maintainers"
copyright = author  # noqa: A001
version = release = os.environ["DAPTOR_SITE_VERSION"]
daptor_source = os.environ["DAPTOR_SITE_SOURCE"]
daptor_doxygen = os.environ["DAPTOR_SITE_DOXYGEN"]
extensions = ["myst_parser", "sphinx_copybutton", "cpp_reference", "python_reference", "start_page",
              "whole_furo"]
source_suffix = {".md": "markdown"}
root_doc = "index"
nitpicky = False
highlight_language = "text"
# Pages are written for GitHub: a title, then headings of any level.
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
myst_heading_anchors = 6
myst_enable_extensions = ["colon_fence"]

html_theme = "furo"
html_title = f"Daptor {release}"
html_static_path = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "static")]
html_favicon = os.path.join(html_static_path[0], "icon.svg")
html_css_files = ["daptor.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
copybutton_prompt_text = "$ "
# Of a line with a comment behind it, all is copied: a shell ignores it.
copybutton_copy_empty_lines = True
