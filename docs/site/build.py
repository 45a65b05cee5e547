# SPDX-License-Identifier: BSD-3-Clause
"""Builds the site: pages, reference and rules, in one folder of HTML with one search.

    build.py <folder>              writes <folder>/html
    build.py --headers <folder>    lets Doxygen read the headers alone; its warnings are errors

Needs Doxygen, Sphinx 5 or newer, MyST-Parser, Furo and sphinx-copybutton.
"""

import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent


def version() -> str:
    found = re.search(r"^ *VERSION ([0-9.]+)$", (SOURCE / "CMakeLists.txt").read_text(), re.M)
    assert found is not None
    return found[1]


def read_headers(folder: pathlib.Path) -> None:
    """Doxygen's XML of the public headers."""
    folder.mkdir(parents=True, exist_ok=True)
    inputs = [SOURCE / "include", *sorted(SOURCE.glob("adapters/*/include"))]
    values = {"VERSION": version(), "OUTPUT": f'"{folder}"',
              "INPUT": " ".join(f'"{path}"' for path in inputs)}
    text = (SOURCE / "docs/Doxyfile.in").read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    subprocess.run(["doxygen", "-"], input=text.encode(), check=True)


def build(folder: pathlib.Path) -> None:
    begin = time.monotonic()
    read_headers(folder / "doxygen")
    subprocess.run([sys.executable, "-B", str(HERE / "pages.py"), str(SOURCE),
                    str(folder / "source")], check=True)
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1",
                   "DAPTOR_SITE_VERSION": version(), "DAPTOR_SITE_SOURCE": str(SOURCE),
                   "DAPTOR_SITE_DOXYGEN": str(folder / "doxygen/xml")}
    subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html",
                    "-c", str(HERE), "-d", str(folder / "doctrees"), str(folder / "source"),
                    str(folder / "html")], env=environment, check=True)
    print(f"the site is {folder}/html/index.html, built in {time.monotonic() - begin:.0f} s")


def main() -> int:
    *options, folder = sys.argv[1:] or [""]
    if not folder or options not in ([], ["--headers"]):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        (read_headers if options else build)(pathlib.Path(folder).resolve())
    except subprocess.CalledProcessError as error:
        print(f"{pathlib.Path(error.cmd[0]).name} failed", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
