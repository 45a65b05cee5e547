# SPDX-License-Identifier: BSD-3-Clause
"""Sphinx shows what Doxygen has read: a page for each public header, found by the one search.

The directive `header` puts what a header declares on a page, in the header's order. Breathe does
the same in a minute, where this takes seconds, and warns of each namespace that is in two headers.
"""

from __future__ import annotations

import pathlib
import re
import textwrap
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple
from xml.etree import ElementTree

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.domains import Domain, ObjType

from pages import put

Xml = ElementTree.Element
MARKS = {"rsquo": "’", "lsquo": "‘", "ldquo": "“", "rdquo": "”", "nonbreakablespace": "\u00a0",
         "ndash": "–", "mdash": "—", "sp": " ", "linebreak": " "}
FIELDS = {"param": "Parameters", "templateparam": "Template parameters", "exception": "Throws",
          "retval": "Returns", "return": "Returns", "see": "See", "note": "Note", "par": "",
          "warning": "Warning", "since": "Since", "pre": "Requires", "post": "Ensures"}
RULE = re.compile(r"\b[TDNBPCUEVA][0-9]{2}\b")
KINDS = {"class": "class", "struct": "struct", "union": "union", "enum": "enum",
         "function": "function", "typedef": "type", "variable": "variable", "define": "macro"}


def text_of(element: Optional[Xml]) -> str:
    """All text, with blanks for the elements that mean them."""
    if element is None:
        return ""
    parts = [MARKS.get(element.tag, ""), element.text or ""]
    for child in element:
        parts += [text_of(child), child.tail or ""]
    return "".join(parts)


class Entity:
    """Something that a header declares: a class, a function, a member, ..."""

    def __init__(self, xml: Xml, header: str) -> None:
        self.xml = xml
        self.header = header
        self.id = xml.get("id", "")
        compound = xml.tag == "compounddef"
        self.name = text_of(xml.find("compoundname" if compound else "qualifiedname"))
        self.name = self.name or text_of(xml.find("name"))
        self.kind = xml.get("kind", "")
        location = xml.find("location")
        self.line = int(location.get("line", "0")) if location is not None else 0
        self.documented = bool(self.description())

    def description(self) -> str:
        return (text_of(self.xml.find("briefdescription"))
                + text_of(self.xml.find("detaileddescription"))).strip()

    @property
    def short(self) -> str:
        """The name without the project's namespace."""
        return self.name[8:] if self.name.startswith("daptor::") else self.name

    @property
    def anchor(self) -> str:
        return re.sub(r"[^\w.-]+", "-", self.name).strip("-")


class Headers:
    """What Doxygen has written of all headers."""

    def __init__(self, folder: pathlib.Path, rules: Set[str]) -> None:
        self.rules = rules
        self.files: Dict[str, Xml] = {}
        self.compounds: Dict[str, Xml] = {}
        for path in sorted(folder.glob("*.xml")):
            root = ElementTree.parse(path).getroot()
            for compound in root.findall("compounddef"):
                self.compounds[compound.get("id", "")] = compound
                location = compound.find("location")
                if compound.get("kind") == "file" and location is not None:
                    self.files[location.get("file", "")] = compound
        self.classes = {text_of(c.find("compoundname")) for c in self.compounds.values()
                        if c.get("kind") in ("class", "struct")}
        self.in_namespaces: Dict[str, List[Xml]] = {}  # header -> members of namespaces
        self.groups: Dict[str, Xml] = {}  # the first member of a group -> what the group says
        for compound in self.compounds.values():
            if compound.get("kind") in ("namespace", "file"):
                self.read_sections(compound)
        self.places: Dict[str, Tuple[str, str]] = {}  # id -> page, anchor
        self.entities: Dict[str, List[Entity]] = {}
        for header, file in self.files.items():
            self.entities[header] = sorted(self.declared(header, file), key=lambda e: e.line)
            for entity in self.entities[header]:
                self.place(entity)

    def read_sections(self, compound: Xml) -> None:
        for section in compound.findall("sectiondef"):
            members = section.findall("memberdef")
            description = section.find("description")
            if members and description is not None:
                self.groups[members[0].get("id", "")] = description
            for member in members if compound.get("kind") == "namespace" else []:
                location = member.find("location")
                if location is not None:
                    self.in_namespaces.setdefault(location.get("file", ""), []).append(member)

    def declared(self, header: str, file: Xml) -> Iterator[Entity]:
        for inner in file.findall("innerclass"):
            compound = self.compounds.get(inner.get("refid", ""))
            # A class in a class stands with it.
            if compound is not None and not self.is_nested(compound):
                yield Entity(compound, header)
        for member in [*file.findall("sectiondef/memberdef"), *self.in_namespaces.get(header, [])]:
            if member.get("kind") in KINDS and member.get("prot", "public") == "public":
                yield Entity(member, header)

    def is_nested(self, compound: Xml) -> bool:
        return text_of(compound.find("compoundname")).rpartition("::")[0] in self.classes

    def members(self, entity: Entity) -> List[Entity]:
        """The public members of a class, in their order."""
        found = [Entity(m, entity.header) for m in entity.xml.findall("sectiondef/memberdef")
                 if m.get("prot") == "public" and m.get("kind") in KINDS]
        for inner in entity.xml.findall("innerclass"):
            compound = self.compounds.get(inner.get("refid", ""))
            if compound is not None and inner.get("prot") == "public":
                found.append(Entity(compound, entity.header))
        return sorted(found, key=lambda e: e.line)

    def place(self, entity: Entity) -> None:
        self.places[entity.id] = (page_of(entity.header), entity.anchor)
        if entity.xml.tag == "compounddef":
            for member in self.members(entity):
                self.place(member)


def page_of(header: str) -> str:
    return "reference/cpp/" + header.replace(".", "-")


def template_of(xml: Xml) -> str:
    parameters = []
    for parameter in xml.findall("templateparamlist/param"):
        text = text_of(parameter.find("type"))
        name = text_of(parameter.find("declname"))
        text += " " + name if name and not text.endswith(" " + name) else ""
        default = text_of(parameter.find("defval"))
        parameters.append(text + (" = " + default if default else ""))
    return f"template <{', '.join(parameters)}>\n" if parameters else ""


def wrapped(head: str, arguments: str) -> str:
    """A function's declaration; one parameter a line where it is long."""
    if len(head) + len(arguments) < 84 or "," not in arguments:
        return head + arguments
    depth = 0
    text = ""
    for character in arguments:
        text += character
        depth += (character in "(<{[") - (character in ")>}]")
        if character == "," and depth == 1:
            text += "\n   "
    return head + re.sub(r"^\(", "(\n    ", text)


def declaration(entity: Entity) -> str:
    xml = entity.xml
    name = entity.name.rpartition("::")[2]
    template = template_of(xml)
    kind = text_of(xml.find("type")).replace("< ", "<").replace(" >", ">")
    arguments = text_of(xml.find("argsstring")).replace("< ", "<").replace(" >", ">")
    if entity.kind in ("class", "struct", "union"):
        bases = ", ".join(f"{b.get('prot')} {text_of(b)}" for b in xml.findall("basecompoundref"))
        return f"{template}{entity.kind} {name}{' : ' + bases if bases else ''};"
    if entity.kind == "enum":
        word = "enum class" if xml.get("strong") == "yes" else "enum"
        values = ", ".join(text_of(v.find("name")) for v in xml.findall("enumvalue"))
        return f"{word} {name} {{ {values} }};" if len(values) < 80 else f"{word} {name};"
    if entity.kind == "define":
        parameters = [text_of(p.find("defname")) for p in xml.findall("param")]
        return f"#define {name}" + (f"({', '.join(parameters)})" if parameters else "")
    if entity.kind == "typedef":
        definition = text_of(xml.find("definition")).replace("< ", "<").replace(" >", ">")
        return f"{template}{definition.replace(entity.name, name)};"
    if entity.kind == "variable":
        value = text_of(xml.find("initializer"))
        value = " " + value if value and len(value) < 80 and "\n" not in value else ""
        static = "static " if xml.get("static") == "yes" else ""
        return f"{static}{kind} {name}{arguments}{value};"
    words = [word for word in ("explicit", "static") if xml.get(word) == "yes"]
    words += ["virtual"] if xml.get("virt", "non-virtual") != "non-virtual" else []
    words += [kind] if kind else []
    return template + wrapped(" ".join([*words, name]), arguments) + ";"


class Writer:
    """Makes docutils' nodes of Doxygen's text, with links between the pages."""

    def __init__(self, headers: Headers, page: str, uri: Any) -> None:
        self.headers = headers
        self.page = page
        self.uri = uri  # from a page to another one

    def inline(self, element: Xml) -> List[nodes.Node]:
        found: List[nodes.Node] = [*self.words(element.text)]
        for child in element:
            found += self.inline_element(child)
            found += self.words(child.tail)
        return found

    def words(self, text: Optional[str]) -> Iterator[nodes.Node]:
        """Text, in which rules are links."""
        at = 0
        text = text or ""
        for rule in RULE.finditer(text):
            name = rule.group()
            if name not in self.headers.rules:
                continue
            yield nodes.Text(text[at:rule.start()])
            yield self.link(f"docs/rules-{name[0].lower()}", name.lower(), [nodes.Text(name)])
            at = rule.end()
        yield nodes.Text(text[at:])

    def inline_element(self, element: Xml) -> List[nodes.Node]:
        if element.tag in MARKS:
            return [nodes.Text(MARKS[element.tag])]
        if element.tag == "computeroutput":
            return [nodes.literal("", "", *self.inline(element))]
        if element.tag in ("bold", "emphasis"):
            kind = nodes.strong if element.tag == "bold" else nodes.emphasis
            return [kind("", "", *self.inline(element))]
        if element.tag == "ulink":
            return [nodes.reference("", text_of(element), refuri=element.get("url", ""))]
        if element.tag == "ref" and element.get("refid") in self.headers.places:
            page, anchor = self.headers.places[element.get("refid", "")]
            return [self.link(page, anchor, self.inline(element))]
        return self.inline(element)

    def link(self, page: str, anchor: str, content: List[nodes.Node]) -> nodes.Node:
        uri = "" if page == self.page else self.uri(self.page, page)
        return nodes.reference("", "", *content, refuri=f"{uri}#{anchor}", internal=True)

    def blocks(self, element: Optional[Xml]) -> List[nodes.Node]:
        """Paragraphs, lists, code: a description. Doxygen puts blocks into paragraphs."""
        found: List[nodes.Node] = []
        if element is None:
            return found
        paragraph = nodes.paragraph()
        paragraph += [*self.words(element.text)]
        for child in element:
            block = self.block(child)
            if block is None:
                paragraph += self.inline_element(child)
            else:
                found += [paragraph, *block]
                paragraph = nodes.paragraph()
            paragraph += [*self.words(child.tail)]
        found.append(paragraph)
        return [n for n in found if not isinstance(n, nodes.paragraph) or n.astext().strip()]

    def block(self, element: Xml) -> Optional[List[nodes.Node]]:
        tag = element.tag
        if tag in ("para", "sect1", "sect2", "internal", "parblock"):
            return self.blocks(element)
        if tag in ("programlisting", "verbatim"):
            lines = [text_of(line) for line in element.findall("codeline")] or [text_of(element)]
            return [code("\n".join(lines).strip("\n"))]
        if tag in ("itemizedlist", "orderedlist"):
            kind = nodes.bullet_list if tag == "itemizedlist" else nodes.enumerated_list
            return [kind("", *(nodes.list_item("", *self.blocks(i)) for i in element))]
        if tag == "parameterlist":
            return [self.fields(FIELDS.get(element.get("kind", ""), ""),
                                [(", ".join(text_of(n) for n in item.iter("parametername")),
                                  self.blocks(item.find("parameterdescription")))
                                 for item in element.findall("parameteritem")])]
        if tag == "simplesect":
            title = text_of(element.find("title")) or FIELDS.get(element.get("kind", ""), "")
            content = [n for p in element.findall("para") for n in self.blocks(p)]
            return [self.fields(title, [("", content)])]
        if tag == "table":
            return [code("\n".join(" | ".join(text_of(e).strip() for e in row)
                                   for row in element.findall("row")), "text")]
        return None

    def fields(self, title: str, items: List[Tuple[str, List[nodes.Node]]]) -> nodes.Node:
        body = nodes.field_body()
        for name, content in items:
            if not name:
                body += content
                continue
            names = [nodes.literal("", n) for n in name.split(", ")]
            term = nodes.term("", "", *between(names))
            entry = nodes.definition_list_item("", term, nodes.definition("", *content))
            if not body.children or not isinstance(body[-1], nodes.definition_list):
                body += nodes.definition_list()
            body[-1] += entry
        return nodes.field_list("", nodes.field("", nodes.field_name("", title), body))

    def description(self, entity: Entity) -> List[nodes.Node]:
        found = [*self.blocks(entity.xml.find("briefdescription")),
                 *self.blocks(entity.xml.find("detaileddescription"))]
        values = [(text_of(v.find("name")), [*self.blocks(v.find("briefdescription")),
                                             *self.blocks(v.find("detaileddescription"))])
                  for v in entity.xml.findall("enumvalue")]
        if any(content for _, content in values):
            found.append(self.fields("Values", [(n, c) for n, c in values]))
        return found


def between(items: List[nodes.Node]) -> List[nodes.Node]:
    found: List[nodes.Node] = []
    for item in items:
        found += [nodes.Text(", "), item] if found else [item]
    return found


def code(text: str, language: str = "cpp") -> nodes.literal_block:
    block = nodes.literal_block(text, text)
    block["language"] = language
    return block


class HeaderDirective(Directive):
    """`header` daptor/halo_exchange.hpp: what it declares."""

    required_arguments = 1

    def run(self) -> List[nodes.Node]:
        self.env = self.state.document.settings.env
        headers: Headers = self.env.app.daptor_headers
        header = self.arguments[0]
        self.headers = headers
        self.writer = Writer(headers, self.env.docname, self.env.app.builder.get_relative_uri)
        self.used: Dict[str, int] = {}
        file = Entity(headers.files[header], header)
        found = [*self.writer.description(file), code(f"#include <{header}>")]
        for entities in same_names(headers.entities[header]):
            found.append(self.section(entities))
        return found

    def group_text(self, entity: Entity) -> List[nodes.Node]:
        """What a group of functions has in common (`\\name`), before the first of them."""
        return self.writer.blocks(self.headers.groups.get(entity.id))

    def section(self, entities: List[Entity]) -> nodes.section:
        first = entities[0]
        section = nodes.section(ids=[self.anchor(first)])
        section += nodes.title("", "", nodes.literal("", first.short))
        for entity in entities:
            section += self.group_text(entity)
        section += self.declarations(entities)
        return section

    def anchor(self, entity: Entity) -> str:
        """The entity's anchor, for the first of its name; and a name for Sphinx's search."""
        number = self.used[entity.anchor] = self.used.get(entity.anchor, 0) + 1
        if number == 1:
            self.env.get_domain("declared").note(entity.name, entity.kind, self.env.docname,
                                                 entity.anchor)
            return entity.anchor
        return f"{entity.anchor}-{number}"

    def declarations(self, entities: List[Entity]) -> List[nodes.Node]:
        """Each with its text. Those without one stand with the next."""
        found: List[nodes.Node] = []
        lines: List[str] = []
        for index, entity in enumerate(entities):
            lines.append(declaration(entity))
            inner = entity.xml.tag == "compounddef"
            if not entity.documented and not inner and index + 1 < len(entities):
                continue
            found += [code("\n".join(lines)), *self.writer.description(entity)]
            lines = []
            if inner:
                found += self.members(entity)
        return found

    def members(self, entity: Entity) -> List[nodes.Node]:
        box = nodes.container(classes=["members"])
        lines: List[str] = []
        ids: List[str] = []
        members = self.headers.members(entity)
        for index, member in enumerate(members):
            ids.append(self.anchor(member))
            inner = member.xml.tag == "compounddef"
            lines.append(declaration(member))
            following = members[index + 1:index + 2]
            if not member.documented and not inner and following and \
                    following[0].xml.tag != "compounddef":
                continue
            item = nodes.container(ids=ids, classes=["member"])
            item += [code("\n".join(lines)), *self.writer.description(member)]
            if inner:
                item += self.members(member)
            box += item
            lines, ids = [], []
        return [box] if box.children else []


def same_names(entities: List[Entity]) -> List[List[Entity]]:
    """Overloads together, where the first of them is."""
    found: Dict[str, List[Entity]] = {}
    for entity in entities:
        found.setdefault(entity.name, []).append(entity)
    return list(found.values())


class Declared(Domain):
    """What headers and modules declare, for the search."""

    name = "declared"
    label = "reference"
    object_types = {kind: ObjType(kind) for kind in (*KINDS, "python")}
    initial_data: Dict[str, Any] = {"all": {}}

    def note(self, name: str, kind: str, page: str, anchor: str) -> None:
        self.data["all"][(name, page)] = (kind, page, anchor)

    def clear_doc(self, docname: str) -> None:
        for key in [k for k, v in self.data["all"].items() if v[1] == docname]:
            del self.data["all"][key]

    def merge_domaindata(self, docnames: List[str], otherdata: Dict[str, Any]) -> None:
        self.data["all"].update({k: v for k, v in otherdata["all"].items() if v[1] in docnames})

    def resolve_any_xref(self, *_: Any) -> List[Any]:
        return []

    def get_objects(self) -> Iterator[Tuple[str, str, str, str, str, int]]:
        for (name, _), (kind, page, anchor) in sorted(self.data["all"].items()):
            yield name, name, kind, page, anchor, 1


def component_of(header: str, source: pathlib.Path) -> str:
    """The adapter that has a header, or the part of the core."""
    for place in source.glob("adapters/*/include"):
        if (place / header).exists():
            return place.parent.name
    parts = header.split("/")
    return {"adapter": "adapter", "conformance": "conformance"}.get(parts[1], "core")


TITLES = {"core": "The core", "adapter": "The kit for adapters",
          "conformance": "The conformance kit"}


def write_pages(headers: Headers, source: pathlib.Path, folder: pathlib.Path) -> None:
    """The pages of all headers, and a list of them for each component."""
    parts: Dict[str, List[str]] = {}
    for header in sorted(headers.files):
        back = "../" * (header.count("/") + 1) + "cpp.md"
        # Orphans: with 150 headers in it, the navigation of all pages takes longer than all else.
        put(folder / (page_of(header) + ".md"),
            f"---\norphan: true\n---\n# `{header}`\n\n[C++ and C]({back})\n\n"
            f"```{{header}} {header}\n```\n")
        parts.setdefault(component_of(header, source), []).append(header)
    order = ["core", *sorted(set(parts) - set(TITLES)), "conformance", "adapter"]
    lines = ["# C++ and C", "", "What each public header declares. Programs include the header of "
             "a component (`daptor/daptor.hpp`, `daptor/petsc.hpp`, ...).", ""]
    for part in order:
        title = TITLES.get(part, f"`daptor::{part}`")
        lines += [f"## {title}", ""]
        for header in parts[part]:
            said = [Entity(headers.files[header], header), *headers.entities[header]]
            text = next((e.description() for e in said if e.documented), "").partition(". ")[0]
            line = textwrap.shorten(text, 160, placeholder=" ...").rstrip(".")
            uri = page_of(header)[len("reference/"):] + ".md"
            lines.append(f"- [`{header}`]({uri}){': ' + line if line else ''}")
        lines.append("")
    put(folder / "reference/cpp.md", "\n".join(lines))


def begin(app: Any) -> None:
    source = pathlib.Path(app.config.daptor_source)
    rules = (source / "docs/rules.md").read_text(encoding="utf-8")
    ids = {name.upper() for name in re.findall(r'<a id="(\w+)">', rules)}
    app.daptor_headers = Headers(pathlib.Path(app.config.daptor_doxygen), ids)
    write_pages(app.daptor_headers, source, pathlib.Path(app.srcdir))


def setup(app: Any) -> Dict[str, bool]:
    app.add_config_value("daptor_doxygen", "", "env")
    app.add_config_value("daptor_source", "", "env")
    app.add_directive("header", HeaderDirective)
    app.add_domain(Declared)
    app.connect("builder-inited", begin)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
