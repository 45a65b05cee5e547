# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/options.md: the options of all calls, from the lists `fields` and `words` in headers.

    options_page.py [--check] [ADAPTER...]

--check   says whether the page is what the headers give, and writes nothing
ADAPTER   folders of adapters outside of this project, whose options are printed, not written
"""

from __future__ import annotations

import pathlib
import re
import sys
from typing import Dict, Iterator, List, NamedTuple, Tuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/options.md"
INTRODUCTION = """# Options

The options of all calls, made of the lists `fields` and `words` of their headers by
`python3 docs/site/options_page.py`. Python has them as keywords of the same names, unless its
[page](python.md) says otherwise, and `None` for "not given"; [Fortran](fortran.md) has some of them
as optional arguments. Options are the same on all ranks, where nothing else is said
(`collective.different` otherwise).
"""
STRING = r'"(?:[^"\\]|\\.)*"'
STRINGS = rf"{STRING}(?:\s*{STRING})*"
LIST = r"constexpr auto {}\((?:const )?(\w+)&?\) {{(.*?)\n}}"
FIELD = re.compile(rf'\b(optional_)?field\(\s*"(\w+)",\s*&\w+::\w+,\s*({STRINGS})\)')
WORD = re.compile(rf'\bword\(\s*"(\w+)",\s*\w+::\w+(?:,\s*({STRINGS}))?\)')


class Field(NamedTuple):
    name: str
    type: str
    missing: str
    text: str


class Struct(NamedTuple):
    name: str
    header: str
    text: str
    fields: List[Field]


def joined(strings: str) -> str:
    """The text of adjacent C++ literals."""
    return "".join(part[1:-1] for part in re.findall(STRING, strings)).replace('\\"', '"')


def members(cpp: str, struct: str) -> Tuple[str, Dict[str, Tuple[str, str]]]:
    """The comment before a struct, and type and default of its members."""
    found = re.search(rf"((?:^/// [^\n]*\n)*)^struct {struct} {{\n(.*?)^}};", cpp, re.M | re.S)
    if found is None:
        raise SystemExit(f"{struct} has fields, but is no struct before them")
    comment = " ".join(line[4:] for line in found[1].splitlines())
    known = {}
    for kind, names in re.findall(r"^  ([\w:<>, ]+?) (\w+ = .*);", found[2], re.M):
        for name, missing in re.findall(r"(\w+) = ([^,;]+)", names):
            known[name] = (kind, missing)
    return comment, known


def namespace(cpp: str) -> str:
    found = re.search(r"^namespace ([\w:]+) {", cpp, re.M)
    return found[1] if found else ""


def headers(folders: List[pathlib.Path]) -> Iterator[Tuple[str, str]]:
    for folder in folders:
        for path in sorted(folder.rglob("*.hpp")):
            yield path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8")


def structs(folders: List[pathlib.Path]) -> List[Struct]:
    texts = dict(headers(folders))
    words: Dict[str, str] = {}
    for cpp in texts.values():
        for enum, body in re.findall(LIST.format("words"), cpp, re.S):
            entries = [f"`{name}`" + (f": {joined(text)}" if text else "")
                       for name, text in WORD.findall(body)]
            words[enum] = ", ".join(entries) if not any(": " in e for e in entries) else \
                "; ".join(entries)
    found = []
    for header, cpp in texts.items():
        for struct, body in re.findall(LIST.format("fields"), cpp, re.S):
            if header == "daptor/fields.hpp":
                continue
            comment, known = members(cpp, struct)
            fields = []
            for optional, name, text in FIELD.findall(body):
                kind, missing = known[name]
                enum = kind.rpartition("<")[2].rstrip(">").rpartition("::")[2]
                meaning = joined(text) + (f". {words[enum]}" if enum in words else "")
                fields.append(Field(name, kind, "not given" if optional else
                                    missing.rpartition("::")[2], meaning))
            found.append(Struct(f"{namespace(cpp)}::{struct}", header, comment, fields))
    return found


def page(found: List[Struct]) -> str:
    text = ""
    for struct in found:
        text += f"\n## {struct.name}\n\n`#include <{struct.header}>`"
        text += f". {struct.text}\n" if struct.text else "\n"
        text += "\n| option | type | default | meaning |\n| --- | --- | --- | --- |\n"
        for field in struct.fields:
            meaning = field.text.replace("|", "\\|")
            text += f"| `{field.name}` | `{field.type}` | `{field.missing}` | {meaning} |\n"
    return text


def main() -> None:
    arguments = [each for each in sys.argv[1:] if each != "--check"]
    if arguments:
        print(page(structs([pathlib.Path(each) / "include" for each in arguments])), end="")
        return
    text = INTRODUCTION + page(structs([ROOT / "include",
                                        *sorted(ROOT.glob("adapters/*/include"))]))
    if "--check" in sys.argv:
        if PAGE.read_text(encoding="utf-8") != text:
            raise SystemExit("docs/options.md is not what the headers give: run "
                             "python3 docs/site/options_page.py")
    else:
        PAGE.write_text(text, encoding="utf-8")


main()
