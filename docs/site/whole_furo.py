# SPDX-License-Identifier: BSD-3-Clause
"""Debian's Furo, for a site that another server publishes.

Debian's package leaves normalize.css to a web server that has /javascript, and its script to a
bundler that joins two files. Both are joined here; a Furo from elsewhere is whole, and stays so.
"""

import pathlib
from typing import Any, Dict

IN_CSS = "@import url(/javascript/normalize.css/normalize.css);"
IN_SCRIPT = 'import Gumshoe from "./gumshoe-patched.js";'
NORMALIZE = pathlib.Path("/usr/share/javascript/normalize.css/normalize.css")


def replace(file: pathlib.Path, text: str, by: pathlib.Path) -> None:
    content = file.read_text(encoding="utf-8")
    if text in content:
        file.write_text(content.replace(text, by.read_text(encoding="utf-8")), encoding="utf-8")


def finish(app: Any, exception: Any) -> None:
    static = pathlib.Path(app.outdir) / "_static"
    if exception is None and static.is_dir():
        replace(static / "styles/furo.css", IN_CSS, NORMALIZE)
        replace(static / "scripts/furo.js", IN_SCRIPT, static / "scripts/gumshoe-patched.js")


def setup(app: Any) -> Dict[str, bool]:
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
