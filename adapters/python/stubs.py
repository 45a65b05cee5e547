# SPDX-License-Identifier: BSD-3-Clause
"""Writes what is known of the compiled modules without loading them, from the modules themselves.

    python3 stubs.py FOLDER

FOLDER is that of the package `daptor`. For each compiled module in it a stub is written, for type
checkers and editors; and `_options.py`, by which functions in Python that pass options on to a
compiled one have its signature and its text (daptor._showing.signatures).
"""

from __future__ import annotations

import ast
import importlib
import inspect
import os
import pathlib
import re
import subprocess
import sys
import types
import typing
from typing import Any, Dict, Iterator, List, Set, Tuple

HEADER = "# Written by adapters/python/stubs.py when the module was built.\n"
TYPING = sorted(name for name in typing.__all__ if name[0].isupper())
BUILTINS = {"bool", "bytes", "complex", "float", "int", "object", "slice", "str", "type", "None"}
# What pybind11 calls types.
SAME = {"object": "Any", "handle": "Any", "buffer": "Any", "capsule": "Any", "function": "Any",
        "tuple": "Tuple[Any, ...]", "list": "List[Any]", "dict": "Dict[str, Any]",
        "kwargs": "Any", "args": "Any", "iterable": "Iterable[Any]", "sequence": "Sequence[Any]"}


class Module:
    """A compiled module, and the names that its stub uses."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.object = importlib.import_module("daptor." + name)
        self.typed: Dict[str, str] = self.object._typed
        self.others: Dict[str, Set[str]] = {}
        self.known = {*TYPING, *BUILTINS, "numpy", "T"}
        self.known |= {key for key, value in vars(self.object).items() if inspect.isclass(value)}
        self.known |= {"Array", "Report", "Layout", "Explanation", "Finding"}

    def type_of(self, text: str, argument: bool) -> str:
        """A type, as pybind11 or an annotation writes it, for the stub."""
        text = re.sub(r"\bdaptor\.(_\w+)\.(\w+)", self._class, text.strip())
        if argument:
            text = re.sub(r"\bList\[", "Sequence[", text)
        text = re.sub(r"^(['\"])(.*)\1$", r"\2", text).replace("_daptor.", "")
        text = re.sub(r"\b(Iterator|Iterable|Sequence|List)\b(?!\[)", r"\1[Any]", text)
        text = re.sub(r"\bCallable\b(?!\[)", "Callable[..., Any]", text)
        if text in SAME:
            return SAME[text]
        text = re.sub(r"\b(object|handle|function|buffer|dict|list|tuple)\b(?!\[)",
                      lambda found: SAME[found[0]], text)
        try:
            names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        except SyntaxError:
            return "Any"
        if not names <= self.known:
            return "Any"
        if "Array" in names and self.name != "_daptor":
            self.others.setdefault("_daptor", set()).add("Array")
        return text

    def _class(self, found: "re.Match[str]") -> str:
        module, name = found[1], found[2]
        if module != self.name:
            self.others.setdefault(module, set()).add(name)
            self.known.add(name)
        return name

    def compiled(self, name: str, typed: str, member: bool) -> str:
        """`def name(...) -> ...: ...` of a signature with types."""
        try:
            tree = ast.parse(f"def {typed}: ...").body[0]
        except SyntaxError:
            return f"def {name}(*args: Any, **options: Any) -> Any: ..."
        assert isinstance(tree, ast.FunctionDef)
        given = tree.args
        for number, each in enumerate([*given.posonlyargs, *given.args, *given.kwonlyargs]):
            if member and number == 0:
                each.arg, each.annotation = "self", None
                continue
            text = ast.unparse(each.annotation) if each.annotation else "Any"
            if name in ("__eq__", "__ne__"):
                text = "object"
            each.annotation = ast.parse(self.type_of(text, True), mode="eval").body
        for rest in (given.vararg, given.kwarg):
            if rest is not None:
                rest.annotation = ast.Name("Any")
        result = self.type_of(ast.unparse(tree.returns), False) if tree.returns else "Any"
        return f"def {name}({ast.unparse(given)}) -> {result}: ..."

    def python(self, name: str, function: Any) -> str:
        """The same of a function in Python."""
        signature = inspect.signature(function)
        parts: List[str] = []
        for number, each in enumerate(signature.parameters.values()):
            if each.kind is each.KEYWORD_ONLY and not any(part[0] == "*" for part in parts):
                parts.append("*")
            stars = {each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "")
            text = stars + each.name
            if number:
                unknown = each.annotation is each.empty
                text += ": " + ("Any" if unknown else self.type_of(str(each.annotation), True))
            if each.default is not each.empty:
                plain = isinstance(each.default, (bool, int, float, str, type(None)))
                text += " = " + (repr(each.default) if plain else "...")
            parts.append(text)
        result = signature.return_annotation
        result = "Any" if result is signature.empty else self.type_of(str(result), False)
        return f"def {name}({', '.join(parts)}) -> {result}: ..."

    def members(self, kind: type) -> Iterator[str]:
        for name, value in vars(kind).items():
            if name in ("__getattr__", "__reduce__", "__reduce_ex__"):
                continue
            typed = self.typed.get(f"{kind.__name__}.{name}")
            static = isinstance(value, staticmethod)
            if typed is not None:
                yield ("@staticmethod\n" if static else "") + self.compiled(name, typed, not static)
            elif isinstance(value, property):
                yield from self.property(name, value)
            elif isinstance(value, types.FunctionType) and (
                    name[:2] != "__" or name in ("__copy__", "__deepcopy__")):
                yield self.python(name, value)  # operators only say what to write instead

    def property(self, name: str, value: property) -> Iterator[str]:
        text = (getattr(value.fget, "__doc__", "") or "").partition("\n")[0]
        if isinstance(value.fget, types.FunctionType):
            annotation = inspect.signature(value.fget).return_annotation
            result = self.type_of(str(annotation), False)
        else:
            result = self.type_of(text.rpartition("-> ")[2] or "object", False)
        yield f"@property\ndef {name}(self) -> {result}: ..."
        if value.fset is not None:
            yield f"@{name}.setter\ndef {name}(self, value: Any) -> None: ..."

    def stub(self) -> str:
        classes, functions, values = [], [], []
        for name, value in vars(self.object).items():
            if inspect.isclass(value):
                if value.__module__ == "daptor." + self.name:
                    lines = [line for member in self.members(value) for line in
                             member.splitlines()]
                    body = "".join(f"    {line}\n" for line in lines) or "    ...\n"
                    classes.append(f"class {name}:\n{body}")
            elif name in self.typed:
                functions.append(self.compiled(name, self.typed[name], False) + "\n")
            elif isinstance(value, str) and name not in ("__name__", "__doc__", "__package__",
                                                         "__file__"):
                values.append(f"{name}: str\n")
        imports = "".join(f"from .{module} import {', '.join(sorted(names))}\n"
                          for module, names in sorted(self.others.items()))
        text = "\n".join(["".join(values), *classes, "".join(functions)])
        used = {name for name in TYPING if re.search(rf"\b{name}\b", text)}
        if re.search(r"\bT\b", text):
            used.add("TypeVar")
            text = 'T = TypeVar("T")\n' + text
        return (f"{HEADER}from typing import {', '.join(sorted(used | {'Any', 'Dict'}))}\n\n"
                f"import numpy\n{imports}\n_typed: Dict[str, str]\n{text}")


def options_of(modules: List[str]) -> Dict[str, Tuple[str, str]]:
    """The signatures with types, and the texts, of all functions of modules other than _daptor."""
    found = {}
    for name in modules:
        module = importlib.import_module("daptor." + name)
        for function, typed in sorted(module._typed.items()):
            if "." not in function and name != "_daptor":
                found[f"{name}.{function}"] = (typed, getattr(module, function).__doc__ or "")
    return found


def write(path: pathlib.Path, text: str) -> bool:
    """Whether the file was another one before."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    path.write_text(text, encoding="utf-8")
    return True


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    sys.path.insert(0, str(folder.parent))
    modules = sorted(path.name.partition(".")[0] for path in folder.glob("_*.so"))
    # The command's module is made after the package, and its stub is a file of the sources.
    modules = [name for name in modules if not (folder / f"{name}.pyi").is_symlink()]
    rows = "".join(f"    {name!r}:\n        {entry!r},\n"
                   for name, entry in options_of(modules).items())
    text = (f"{HEADER}from typing import Dict, Tuple\n\n"
            f"FUNCTIONS: Dict[str, Tuple[str, str]] = {{\n{rows}}}\n")
    if write(folder / "_options.py", text):  # which functions in Python have read already
        subprocess.run([sys.executable, *sys.argv], check=True, env=dict(os.environ))
        return
    for name in modules:
        write(folder / f"{name}.pyi", Module(name).stub())


main()
