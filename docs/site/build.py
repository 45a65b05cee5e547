# SPDX-License-Identifier: BSD-3-Clause
"""Builds the site: pages, reference and rules, in one folder of HTML with one search.

    build.py <folder> [<program>]  writes <folder>/html
    build.py --headers <folder>    lets Doxygen read the headers alone; its warnings are errors

Needs Doxygen, Sphinx 5 or newer, MyST-Parser, Furo and sphinx-copybutton, and a build of
daptor_python and of daptor_rules_page, which is <program>, or the newest below build/.

Sphinx with MyST reads the pages as they are, and has one search for pages and reference; Doxygen's
own search would not find a page. Doxygen's XML goes into Sphinx by cpp_reference.py, for which
Breathe takes a minute and 34 MB.
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


def rules_page(program: str) -> str:
    """The program that writes the rules with their examples."""
    built = sorted(SOURCE.glob("build/*/tools/rules/daptor_rules_page"),
                   key=lambda path: path.stat().st_mtime)
    if not program and not built:
        sys.exit("build.py: the site needs a build of daptor_rules_page")
    return program or str(built[-1])


def build(folder: pathlib.Path, program: str) -> None:
    begin = time.monotonic()
    rules = str(folder / "rules.md")
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([rules_page(program), "--examples", rules], check=True)
    read_headers(folder / "doxygen")
    subprocess.run([sys.executable, "-B", str(HERE / "pages.py"), str(SOURCE),
                    str(folder / "source"), rules], check=True)
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1",
                   "DAPTOR_SITE_VERSION": version(), "DAPTOR_SITE_SOURCE": str(SOURCE),
                   "DAPTOR_SITE_DOXYGEN": str(folder / "doxygen/xml")}
    subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html",
                    "-c", str(HERE), "-d", str(folder / "doctrees"), str(folder / "source"),
                    str(folder / "html")], env=environment, check=True)
    print(f"the site is {folder}/html/index.html, built in {time.monotonic() - begin:.0f} s")


def main() -> int:
    headers = sys.argv[1:2] == ["--headers"]
    folder, *program = sys.argv[2 if headers else 1:] or [""]
    if not folder or len(program) > (0 if headers else 1):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        if headers:
            read_headers(pathlib.Path(folder).resolve())
        else:
            build(pathlib.Path(folder).resolve(), "".join(program))
    except subprocess.CalledProcessError as error:
        print(f"{pathlib.Path(error.cmd[0]).name} failed", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
