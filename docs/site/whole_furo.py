# SPDX-License-Identifier: BSD-3-Clause
"""Debian's Furo, for a site that another server publishes.

Debian's package leaves normalize.css to a web server that has /javascript, and imports one of its
scripts as a module, which it is not. Both are joined here. Its compiler of styles has left out the
colours for who prefers dark pages and has chosen nothing on the page: they are those of who has
chosen dark. A Furo from elsewhere stays as it is.
"""

import pathlib
import re
from typing import Any, Dict

IN_CSS = r"@import url\(/javascript/normalize\.css/normalize\.css\);"
IN_SCRIPT = r'import (\* as )?Gumshoe from "\./gumshoe-patched\.js";'
NORMALIZE = pathlib.Path("/usr/share/javascript/normalize.css/normalize.css")


def replace(file: pathlib.Path, pattern: str, by: pathlib.Path) -> None:
    text = file.read_text(encoding="utf-8")
    if re.search(pattern, text):
        joined = by.read_text(encoding="utf-8")
        file.write_text(re.sub(pattern, lambda _: joined, text), encoding="utf-8")


def add_dark(file: pathlib.Path) -> None:
    text = file.read_text(encoding="utf-8")
    colours = re.search(r'body\[data-theme="dark"\] *(\{[^}]*\})', text)
    if colours and "prefers-color-scheme" not in text:
        file.write_text(f'{text}\n@media (prefers-color-scheme: dark) {{\n'
                        f'  body:not([data-theme="light"]) {colours[1]}\n}}\n', encoding="utf-8")


def finish(app: Any, exception: Any) -> None:
    static = pathlib.Path(app.outdir) / "_static"
    if exception is None and static.is_dir():
        replace(static / "styles/furo.css", IN_CSS, NORMALIZE)
        add_dark(static / "styles/furo.css")
        replace(static / "scripts/furo.js", IN_SCRIPT, static / "scripts/gumshoe-patched.js")


def setup(app: Any) -> Dict[str, bool]:
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
