# SPDX-License-Identifier: BSD-3-Clause
"""Every rule id that the code can report is on a page, and docs/errors.md says on which: for an
adapter with a page of its own, README.md in its folder, by one sentence for all such adapters.

    ids_test.py SOURCE_DIRECTORY
"""

import re
import sys
import unittest
from pathlib import Path

SOURCE = Path(sys.argv.pop(1))
CODE = ("include", "src", "adapters", "tools")
ENDINGS = (".cpp", ".hpp", ".h", ".inc", ".py")

# Text between quotation marks that has the form of an id.
NO_IDS = {
    "daptor.csr", "daptor.csr-whole", "daptor.map-record", "daptor.matrix", "daptor.shared",  # keys
    "petsc.vec", "petsc.local-vec", "petsc.dmda", "petsc.dmda-local", "petsc.dense",  # targets
    "petsc.numbering", "petsc.scalapack", "hypre.vector", "sundials.nvector",  # forms
    "sundials.strided-nvector",  # a target
    "daptor.export", "daptor.multiply", "scalapack.call", "scalapack.solve",  # calls of Python
    "conformance.check", "hdf5.append", "hdf5.inspect",
    "tpetra.map", "tpetra.vector", "tpetra.multivector", "tpetra.overlap-multivector",
    "numpy.generic", "numpy.ndarray", "numpy.ma", "numpy.matmul", "linalg.norm",  # NumPy's
    "matplotlib.figure", "torch.distributed", "torch.distributed.checkpoint",  # modules
    "torch.distributed.tensor",
    "maker",  # brings a text to the other ranks
    "unknown",  # for an error that was made without a finding, by mistake
}


def code():
    for folder in CODE:
        for path in sorted((SOURCE / folder).rglob("*")):
            if path.suffix in ENDINGS and path.name != "renamed_rules.hpp":
                text = path.read_text(encoding="utf-8")
                text = re.sub(r'#include "[^"]*"', "", text)
                text = re.sub(r'fault_point\(\s*"[^"]*"', "", text)
                yield path.relative_to(SOURCE), re.sub(r"(?m)^\s*//.*$", "", text)


def ids():
    """Returns each id, and a file that has it. rules.page checks the rules of the protocol."""
    dotted = r'"([a-z][a-z0-9+]*(?:\.[a-z][a-z0-9+-]*)+)"'
    plain = r'\b(?:error_finding|refuse_argument|refuse)\(\s*"([a-z-]+)"'
    found = {"producer": Path("include/daptor/report.hpp")}
    for path, text in code():
        for name in re.findall(dotted, text) + re.findall(plain, text):
            if name not in NO_IDS and not re.search(r"\.(h5|pdf|xdmf|svg|json|[ch]pp)$", name):
                found.setdefault(name, path)
    return found


# What a Form (daptor/adapter/form.hpp) adds to its id.
OF_FORMS = (".type", ".device", ".alignment", ".one-run", ".apart", ".shared-memory", ".readonly",
            ".index-range", ".overlap", ".order", ".division", ".strides", ".dimensions",
            ".distribution", ".uneven-blocks", ".origin", ".leading-dimension")


def ids_of_forms():
    """Returns the ids that each form can give, with the file that has the form."""
    found = {}
    for path, text in code():
        for form in re.findall(r'(?:\.id = |\b(?:form_of|Form::of<\w+>)\()"([a-z.-]+)"', text):
            for rule in OF_FORMS:
                found[form + rule] = path
    return found


class Ids(unittest.TestCase):
    def setUp(self):
        self.ids = ids()
        pages = [p for p in (SOURCE / "docs").glob("*.md")]
        self.pages = {p.name: p.read_text(encoding="utf-8") for p in pages}
        for page in (SOURCE / "adapters").glob("*/README.md"):
            self.pages[page.parent.name] = page.read_text(encoding="utf-8")
        for name, path in ids_of_forms().items():  # those that the form asks for, a page says
            if any(f"`{name}`" in text for text in self.pages.values()):
                self.ids.setdefault(name, path)
        self.index = self.pages["errors.md"].split("\n## By rule id\n")[1].split("\n## ")[0]

    def test_there_are_ids(self):
        self.assertGreater(len(self.ids), 150)
        for name in ("petsc.vec.one-run", "halo.shared", "view.type", "argument", "json.file"):
            self.assertIn(name, self.ids)

    def test_every_id_is_on_a_page(self):
        for name, path in self.ids.items():
            with self.subTest(rule=name, file=str(path)):
                self.assertTrue(any(f"`{name}`" in text for text in self.pages.values()))

    def test_the_index_leads_to_every_id(self):
        self.assertIn("begin with the adapter's name", self.index)
        self.assertIn("`adapters/<name>/README.md`", self.index)
        for name, path in self.ids.items():
            prefix = name.split(".")[0]
            if f"`{name}`" in self.pages.get(prefix, ""):
                continue
            pages = re.findall(r"\]\(\.\./adapters/(\w+)/README\.md\)",
                               "".join(line for line in re.split(r"(?m)^- ", self.index)
                                       if f"`{prefix}.…`" in line))
            if any(f"`{name}`" in self.pages[page] for page in pages):
                continue
            with self.subTest(rule=name, file=str(path)):
                lines = [line for line in re.split(r"(?m)^- ", self.index)
                         if f"`{name}`" in line or f"`{name.split('.')[0]}.…`" in line]
                self.assertTrue(lines, "not in 'By rule id' of docs/errors.md")
                linked = {link or "errors.md" for line in lines
                          for link in re.findall(r"\]\(([\w-]+\.md)?(?:#[\w-]+)?\)", line)}
                self.assertTrue(any(f"`{name}`" in self.pages[page] for page in linked), linked)

    def test_the_index_names_nothing_else(self):
        prefixes = {name.split(".")[0] for name in self.ids}
        for prefix in re.findall(r"`([a-z]+)\.…`", self.index):
            self.assertIn(prefix, prefixes)


if __name__ == "__main__":
    unittest.main()
