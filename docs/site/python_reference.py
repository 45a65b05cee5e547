# SPDX-License-Identifier: BSD-3-Clause
"""Sphinx shows the Python package: a page for each module, without building or importing it.

Functions in Python have their text in the source. Of compiled ones the signature is in a stub
(.pyi) that a build has written, and the text in the C++ source that binds them: the last string
among the arguments of `def("name", ...)`.
"""

from __future__ import annotations

import ast
import pathlib
import re
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple, Union

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.util import logging

from cpp_reference import between, code
from pages import put

LOGGER = logging.getLogger(__name__)
Function = Union[ast.FunctionDef, ast.AsyncFunctionDef]
STRING = re.compile(r'R"\w*\((?P<raw>.*?)\)\w*"|"(?P<plain>(?:[^"\\]|\\.)*)"', re.DOTALL)
BINDING = re.compile(r"""\b(?:def\w*|property|define|\w+Class\ \w+|bind_step<[^;{}]*?>
                         |class_<[^;{}]*?>(?:\s\w+)?)
                         \(\s*(?:(?:module|type|array),\s*)?"(?P<name>\w+)\"""", re.VERBOSE)
TERM = re.compile(r"^(?P<term>[\w*.\[\], =-]+?)  +(?P<text>\S.*)$")


# Where a text has the list of its options.
OPTIONS = "Options: those of the page Options."


class Binding(NamedTuple):
    file: str
    call: str  # from the name to the text
    text: str


def bound_texts(source: pathlib.Path) -> Dict[str, List[Binding]]:
    """The texts that C++ binds to names."""
    found: Dict[str, List[Binding]] = {}
    for path in sorted([*source.glob("adapters/python/src/**/*.cpp"),
                        *source.glob("adapters/*/python/*.cpp")]):
        cpp = path.read_text(encoding="utf-8")
        for binding in BINDING.finditer(cpp):
            text = last_string(cpp, binding.end())
            if text:
                call = cpp[binding.end():].partition(";")[0].partition(".def")[0]
                found.setdefault(binding["name"], []).append(Binding(cpp, call, text))
    return found


def last_string(cpp: str, at: int) -> str:
    """The last string among the arguments of the call that is open at `at`."""
    depth = 1
    text = ""
    joined = False  # whether a string follows directly
    while at < len(cpp) and depth > 0:
        string = STRING.match(cpp, at)
        if string:
            value = string["raw"]
            if value is None:
                value = string["plain"].replace('\\"', '"').replace("\\n", "\n")
            if depth == 1:
                text = text + value if joined else value
                joined = True
            at = string.end()
            continue
        depth += (cpp[at] in "({[") - (cpp[at] in ")}]")
        joined = joined and cpp[at].isspace()
        at += 1
    return text


class Modules:
    """The sources of the package: its public modules, and where names are defined.

    Modules are named as in the package, "" for the package itself.
    """

    def __init__(self, source: pathlib.Path) -> None:
        self.trees: Dict[str, ast.Module] = {}
        self.packages: Set[str] = set()
        self.added: List[str] = []  # by adapters to the package
        folders = [source / "adapters/python/daptor", *sorted(source.glob("adapters/*/python")),
                   *sorted(source.glob("adapters/*/python/names"))]
        for folder in folders:
            for path in sorted(folder.rglob("*.py*")):
                place = path.relative_to(folder).with_suffix("").parts
                if folder.name == "python" and place[0] in ("daptor", "names"):
                    continue
                module = ".".join(place[:-1] if place[-1] == "__init__" else place)
                if place[-1] == "__init__":
                    self.packages.add(module)
                self.trees[module] = ast.parse(path.read_text(encoding="utf-8"))
                if folder.name == "names" and module.startswith("_") and self.names(module):
                    self.added.append(module)
        # A build has written the stubs of compiled modules.
        stubs = sorted(source.glob("build/*/python/daptor/_*.pyi"))
        if not stubs:
            LOGGER.warning("the reference of compiled functions needs a build of daptor_python")
        for path in stubs:
            self.trees.setdefault(path.stem, ast.parse(path.read_text(encoding="utf-8")))
        self.bound = bound_texts(source)
        self.public = sorted(m for m in self.trees if not m.startswith("_") and self.names(m))

    def names(self, module: str) -> List[str]:
        for node in self.trees[module].body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                return [str(name) for name in ast.literal_eval(node.value)]
        return []

    def imported(self, module: str, node: ast.ImportFrom) -> str:
        """The name in the package of a module from which another one imports."""
        parts = module.split(".") if module else []
        up = node.level - (module in self.packages)
        return ".".join([*parts[:len(parts) - up], str(node.module)])

    def definition(self, module: str, name: str) -> Optional[Tuple[str, ast.stmt]]:
        """The module that defines a name, and the statement."""
        for other in self.added if not module else ():
            if name in self.names(other):
                return self.definition(other, name)
        for node in reversed(self.trees.get(module, ast.Module([], [])).body):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
                return module, node
            if isinstance(node, ast.ImportFrom) and node.level and node.module:
                for alias in node.names:
                    if (alias.asname or alias.name) == name:
                        return self.definition(self.imported(module, node), alias.name)
        return None

    def text_of(self, node: Any, owner: str = "") -> str:
        """The text of a function or class, of the class `owner`."""
        text = ast.get_docstring(node)
        if text:
            return text.replace("{options}", OPTIONS)
        bound = [b for b in self.bound.get(node.name, [])
                 if not owner or re.search(
                     rf'module,\s*"{owner}"|<{owner}>|\b{owner}Class\b', b.file)]
        # Two classes of a file may have members of one name.
        texts = {b.text for b in bound if f"&{owner}::" in b.call} or {b.text for b in bound}
        if len(texts) == 1:
            return texts.pop().replace("{options}", OPTIONS)
        if owner == "Array":  # methods that are written in Python
            for tree in self.trees.values():
                for other in tree.body:
                    if isinstance(other, ast.FunctionDef) and ast.get_docstring(other) and \
                            other.name in (node.name, "_" + node.name):
                        return ast.get_docstring(other) or ""
        return ""


def signature(node: Function, name: str, method: bool) -> str:
    arguments = ast.unparse(node.args).replace("'", "")
    if method:
        arguments = re.sub(r"^\w+(, )?", "", arguments)
    returned = f" -> {ast.unparse(node.returns)}".replace("'", "") if node.returns else ""
    head = f"{name}({arguments}){returned}".replace("_daptor.", "")
    if len(head) < 88:
        return head
    depth = 0
    text = ""
    for character in arguments:
        depth += (character in "([{") - (character in ")]}")
        text += character
        text += "\n   " if character == "," and depth == 0 else ""
    return f"{name}(\n    {text}\n){returned}".replace("_daptor.", "")


def blocks(text: str) -> List[nodes.Node]:
    """A text's paragraphs, its lists of "name  meaning", and its indented code."""
    found: List[nodes.Node] = []
    for part in re.split(r"\n\s*\n", text.strip("\n")):
        lines = part.split("\n")
        while lines:
            taken, block = next_block(lines)
            found.append(block)
            lines = lines[taken:]
    return found


def next_block(lines: List[str]) -> Tuple[int, nodes.Node]:
    if lines[0].startswith("    "):
        count = next((i for i, line in enumerate(lines) if not line.startswith("    ")), len(lines))
        text = "\n".join(line[4:] for line in lines[:count])
        return count, code(text, "python")
    if TERM.match(lines[0]):
        return terms(lines)
    count = next((i for i, line in enumerate(lines) if line.startswith("    ")), len(lines))
    return count, nodes.paragraph("", "", *inline(" ".join(lines[:count])))


def terms(lines: List[str]) -> Tuple[int, nodes.Node]:
    """A list of terms, each followed by lines that are indented as its meaning is."""
    items: List[Tuple[str, str]] = []
    count = 0
    for line in lines:
        term = TERM.match(line)
        if term:
            items.append((term["term"], term["text"]))
        elif items and line.startswith("  "):
            items[-1] = (items[-1][0], items[-1][1] + " " + line.strip())
        else:
            break
        count += 1
    found = nodes.definition_list()
    for term_text, meaning in items:
        names = [nodes.literal("", name) for name in term_text.strip().split(", ")]
        found += nodes.definition_list_item(
            "", nodes.term("", "", *between(names)),
            nodes.definition("", nodes.paragraph("", "", *inline(meaning))))
    return count, found


def inline(text: str) -> Iterator[nodes.Node]:
    for index, part in enumerate(re.split(r"`([^`]+)`", text)):
        yield nodes.literal("", part) if index % 2 else nodes.Text(part)


class ModuleDirective(Directive):
    """`python-module` daptor.scalapack: what it offers."""

    required_arguments = 1

    def run(self) -> List[nodes.Node]:
        self.env = self.state.document.settings.env
        modules: Modules = self.env.app.daptor_modules
        self.modules = modules
        self.prefix = self.arguments[0]
        module = self.prefix[len("daptor."):]
        found = blocks(ast.get_docstring(modules.trees[module]) or "")
        for name in sorted(modules.names(module), key=lambda n: (n[0].islower(), n.lower())):
            place = modules.definition(module, name)
            if place is not None:
                found.append(self.section(name, place[1]))
        return found

    def noted(self, name: str) -> str:
        full = f"{self.prefix}.{name}"
        self.env.get_domain("declared").note(full, "python", self.env.docname, full)
        return full

    def text(self, node: Any, name: str, owner: str = "") -> List[nodes.Node]:
        """What it is, without which the site is not built."""
        text = self.modules.text_of(node, owner)
        if not text:
            LOGGER.warning("%s.%s has no text", self.prefix, name)
        return blocks(text)

    def section(self, name: str, node: Any) -> nodes.section:
        section = nodes.section(ids=[self.noted(name)])
        section += nodes.title("", "", nodes.literal("", f"{self.prefix}.{name}"))
        if isinstance(node, ast.ClassDef):
            bases = ", ".join(ast.unparse(b) for b in node.bases)
            section += code(f"class {name}({bases})" if bases else f"class {name}", "python")
            section += self.text(node, name)
            section += self.members(name, node)
        else:
            section += code(signature(node, name, False), "python")
            section += self.text(node, name)
        return section

    def members(self, owner: str, node: ast.ClassDef) -> List[nodes.Node]:
        box = nodes.container(classes=["members"])
        for member in node.body:
            if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
                decorators = [ast.unparse(d) for d in member.decorator_list]
                if any(d.endswith(".setter") for d in decorators):
                    continue
                item = nodes.container(ids=[self.noted(f"{owner}.{member.name}")],
                                       classes=["member"])
                item += code(self.member_line(member, decorators), "python")
                item += self.text(member, f"{owner}.{member.name}", owner)
                box += item
        return [box] if box.children else []

    @staticmethod
    def member_line(member: ast.FunctionDef, decorators: List[str]) -> str:
        if "property" in decorators:
            kind = ast.unparse(member.returns).replace("'", "") if member.returns else "Any"
            return f"{member.name}: {kind}".replace("_daptor.", "")
        static = "staticmethod" in decorators
        return ("@staticmethod\n" if static else "") + signature(member, member.name, not static)


def dotted(module: str) -> str:
    return f"daptor.{module}" if module else "daptor"


def begin(app: Any) -> None:
    modules = app.daptor_modules = Modules(pathlib.Path(app.config.daptor_source))
    folder = pathlib.Path(app.srcdir)
    lines = ["# Python", "", "What each module of the package offers; [Python](../docs/python.md) "
             "walks through it.", ""]
    for module in modules.public:
        name = dotted(module)
        put(folder / f"reference/python/{name}.md",
            f"# `{name}`\n\n```{{python-module}} {dotted(module)}\n```\n")
        text = (ast.get_docstring(modules.trees[module]) or "").partition("\n")[0]
        lines.append(f"- [`{name}`](python/{name}.md): {text.rstrip('.')}")
    lines += ["", "```{toctree}", ":hidden:", ""]
    lines += [f"python/{dotted(module)}" for module in modules.public] + ["```", ""]
    put(folder / "reference/python.md", "\n".join(lines))


def setup(app: Any) -> Dict[str, bool]:
    app.add_directive("python-module", ModuleDirective)
    app.connect("builder-inited", begin)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
