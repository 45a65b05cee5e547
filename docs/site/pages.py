# SPDX-License-Identifier: BSD-3-Clause
"""Copies the project's pages into a folder for Sphinx, and looks at every link in them.

    pages.py <source> <folder> <rules>   writes the folder
    pages.py <source>                    looks at the links alone

<rules> has the rules with their examples, as `daptor_rules_page --examples` writes them.

The pages are read in the repository, too, so their links are those that work there. Here

- a link to a page, or to a heading of one, must lead somewhere;
- a link to another file of the repository leads to a page that shows the file;
- `<a id="b09"></a>` becomes a target of Sphinx; that of a rule stands where its examples are, on a
  page for each letter, to which the table of docs/rules.md leads.
"""

from __future__ import annotations

import os
import pathlib
import re
import sys
from typing import Callable, Dict, List, Match, Optional, Set

PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/*.md", "docs/with/*.md",
         "adapters/*/README.md", "packaging/README.md")
# A fence and what it encloses, or a code span, or a link with its text and target.
FENCE = re.compile(r"^( *)(`{3,}).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
SPAN_OR_LINK = re.compile(r"(?P<span>(`+)(?!`).*?(?<!`)\2(?!`))"
                          r"|(?P<text>!?\[(?:[^\[\]`]|`[^`]*`)*\])\((?P<to>[^()\s]+)\)", re.DOTALL)
# A line of the start page's lists of pages: a page, or a title with a page.
ENTRY = r"(?:.*<)?((?:docs|adapters|packaging)/[\w/.-]+|README|CHANGELOG|CONTRIBUTING)>?"
HEADING = re.compile(r"^(#{1,6}) +(.*?) *#* *$", re.MULTILINE)
ANCHOR = re.compile(r'^<a id="([^"]*)"></a>$', re.MULTILINE)
RULE = re.compile(r'^\| <a id="([^"]*)"></a>(\w+)', re.MULTILINE)  # a line of docs/rules.md
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".h": "cpp", ".c": "c", ".py": "python",
             ".F90": "fortran", ".f90": "fortran", ".cmake": "cmake", ".json": "json"}


def outside_code(text: str, pattern: "re.Pattern[str]", by: Callable[[Match[str]], str]) -> str:
    """`pattern.sub(by, ...)` on everything but fenced code."""
    parts = []
    at = 0
    for fence in FENCE.finditer(text):
        parts += [pattern.sub(by, text[at:fence.start()]), fence.group()]
        at = fence.end()
    return "".join(parts) + pattern.sub(by, text[at:])


def slug(heading: str) -> str:
    """The anchor that GitHub and MyST give a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


class Page:
    """A page of the repository: its text, and the anchors that links may name."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        prose = FENCE.sub("", text)
        self.ids = {*ANCHOR.findall(prose), *(anchor for anchor, _ in RULE.findall(prose))}
        self.anchors: Set[str] = set(self.ids)
        for _, heading in HEADING.findall(prose):
            name = slug(heading)
            number = 0
            while name + (f"-{number}" if number else "") in self.anchors:
                number += 1
            self.anchors.add(name + (f"-{number}" if number else ""))


class Site:
    def __init__(self, source: pathlib.Path) -> None:
        self.source = source
        self.pages: Dict[str, Page] = {}
        for pattern in PAGES:
            for path in sorted(source.glob(pattern)):
                name = path.relative_to(source).as_posix()
                self.pages[name] = Page(name, path.read_text(encoding="utf-8"))
        self.shown: Set[str] = set()  # files and folders that pages link to
        self.images: Set[str] = set()
        self.errors: List[str] = []

    def linked(self, page: Page, link: str, image: bool) -> Optional[str]:
        """What a link becomes; None if it stays."""
        if re.match(r"[a-z]+:", link):
            return None
        path, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(page.path), path))
        other = self.pages.get(target) if path else page
        if other:
            if anchor and anchor not in other.anchors:
                self.errors.append(f"{page.path}: no heading or anchor '{anchor}' in {other.path}")
            # A target of Sphinx has its name on all pages.
            return anchor if anchor in other.ids else None
        if not (self.source / target).exists() or target.startswith(".."):
            self.errors.append(f"{page.path}: no file '{link}'")
            return None
        if image:
            self.images.add(target)
            return None
        self.shown.add(target)
        return os.path.relpath(f"files/{target}.md", os.path.dirname(page.path) or ".")

    def converted(self, page: Page) -> str:
        def link(found: Match[str]) -> str:
            if found["span"]:
                return found.group()
            to = self.linked(page, found["to"], found["text"].startswith("!"))
            return found.group() if to is None else f"{found['text']}({to})"

        text = outside_code(page.text, SPAN_OR_LINK, link)
        return outside_code(text, ANCHOR, lambda found: f"({found[1]})=")

    def file_page(self, path: str) -> str:
        """A page with a file's text, or with the names in a folder."""
        place = self.source / path
        if place.is_dir():
            names = sorted(f.name + ("/" if f.is_dir() else "") for f in place.iterdir()
                           if not f.name.startswith((".", "__")))
            language, text = "text", "\n".join(names)
        else:
            language = LANGUAGES.get(place.suffix, "text")
            text = place.read_text(encoding="utf-8").rstrip("\n")
        front = "---\norphan: true\nnosearch: true\n---\n"
        return f"{front}# `{path}`\n\n`````{language}\n{text}\n`````\n"

    def write(self, folder: pathlib.Path, rules: str) -> None:
        for name, page in self.pages.items():
            text = self.converted(page)
            if name == "docs/rules.md":
                text = RULE.sub(r"| [\2](\1)", text) + put_rules(
                    folder, self.converted(Page(name, rules)))
            put(folder / name, text)
        for name in self.shown:
            put(folder / "files" / (name + ".md"), self.file_page(name))
        for name in self.images:
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes((self.source / name).read_bytes())
        start = (self.source / "docs/site/index.md").read_text(encoding="utf-8")
        put(folder / "index.md", with_all_pages(start, self.pages))


def put(place: pathlib.Path, text: str) -> None:
    """Writes a file, unless it has this text already: Sphinx then need not read it again."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if not place.exists() or place.read_text(encoding="utf-8") != text:
        place.write_text(text, encoding="utf-8")


def put_rules(folder: pathlib.Path, text: str) -> str:
    """The rules with examples, a page for each letter: 'docs/rules-b.md' has those of blocks.
    Returns what makes these pages known to Sphinx."""
    names = []
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title = section.partition("\n")[0]
        letter, colon, _ = title.partition(":")
        names.append("rules-" + (letter.lower() if colon else "examples"))
        put(folder / f"docs/{names[-1]}.md",
            "# " + re.sub(r"^### ", "## ", section, flags=re.MULTILINE))
    return "\n".join(["", "```{toctree}", ":hidden:", "", *names, "```", ""])


def with_all_pages(start: str, pages: Dict[str, Page]) -> str:
    """The start page, without pages that are not there, and with those that it does not list."""
    named = set(re.findall(rf"(?m)^{ENTRY}$", start))
    rest = sorted(name[:-3] for name in pages if name[:-3] not in named)

    def entry(line: Match[str]) -> str:
        return line.group() if line[1] + ".md" in pages else ""

    start = re.sub(rf"(?m)^{ENTRY}\n", entry, start)
    return start.replace("@REST@\n", "".join(name + "\n" for name in rest))


def main() -> int:
    site = Site(pathlib.Path(sys.argv[1]).resolve())
    if len(sys.argv) > 2:
        site.write(pathlib.Path(sys.argv[2]),
                   pathlib.Path(sys.argv[3]).read_text(encoding="utf-8"))
    else:
        for page in site.pages.values():
            site.converted(page)
    for error in site.errors:
        print(error, file=sys.stderr)
    return 1 if site.errors else 0


if __name__ == "__main__":
    sys.exit(main())
