# SPDX-License-Identifier: BSD-3-Clause
"""The programs of docs/adopt.md know nothing of Daptor but copies of two headers: they compile with
every C compiler that is here, share an array, and `daptor check` judges them.

    adopt_test.py root=FOLDER daptor=PROGRAM mpirun=PROGRAM;OPTION... cc=PROGRAM c++=PROGRAM
                  includes=FOLDER;... libraries=FILE;... [fc=PROGRAM] [package=FOLDER]
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

GIVEN = dict(argument.split("=", 1) for argument in sys.argv[1:])
del sys.argv[1:]
ROOT = Path(GIVEN["root"])
EXAMPLES = ROOT / "examples" / "adopt"
MPIRUN = [argument for argument in GIVEN["mpirun"].split(";") if argument]
INCLUDES = [f"-I{folder}" for folder in GIVEN["includes"].split(";")]
LIBRARIES = GIVEN["libraries"].split(";")
WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Werror"]


def run(*command, **options):
    return subprocess.run([str(word) for word in command], text=True, timeout=100,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


class Adopt(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="adopt"))
        self.addCleanup(shutil.rmtree, self.folder)
        for path in (*EXAMPLES.glob("field.*"), EXAMPLES / "look.c",
                     *(ROOT / "include" / "daptor").glob("abi*.h"),
                     ROOT / "adapters" / "fortran" / "src" / "daptor_abi.f90"):
            shutil.copy(path, self.folder)

    def do(self, *command, status=0, **options):
        done = run(*command, cwd=self.folder, **options)
        self.assertEqual(done.returncode, status, f"{command}\n{done.stdout}")
        return done.stdout

    def build(self, folder_change=None):
        if folder_change:
            file, old, new = folder_change
            text = (self.folder / file).read_text()
            self.assertIn(old, text)
            (self.folder / file).write_text(text.replace(old, new))
        self.do(GIVEN["cc"], "-std=c99", *INCLUDES, "-shared", "-fPIC", "field.c", "-o",
                "libfield.so", *LIBRARIES)
        self.do(GIVEN["cc"], "-std=c99", *INCLUDES, "look.c", "field.c", "-o", "look", *LIBRARIES)

    def test_every_c_compiler_takes_the_headers(self):
        compilers = [found for found in map(shutil.which, ("gcc", "clang", "tcc")) if found]
        for compiler in dict.fromkeys([GIVEN["cc"], *compilers]):
            for source in ("field.c", "look.c"):
                self.do(compiler, "-std=c99", *WARNINGS, *INCLUDES, "-c", source, "-o", "x.o")
        (self.folder / "look.cpp").write_text('#include "abi_reader.h"\n#include "abi_reader.h"\n')
        for standard in ("c++17", "c++20"):
            self.do(GIVEN["c++"], f"-std={standard}", *WARNINGS, "-Wold-style-cast", "-Wconversion",
                    "-Wsign-conversion", "-c", "look.cpp", "-o", "x.o")

    def test_one_program_reads_the_array_of_another(self):
        self.build()
        for ranks in (1, 3):
            row = 7 * ranks // 12
            self.assertIn(f"12 x 5, sum 1770, row 7 is on rank {row}\n",
                          self.do(*MPIRUN, "-n", ranks, "./look"))
        said = self.do(*MPIRUN, "-n", 3, GIVEN["daptor"], "check", "--labels",
                       "./libfield.so:field")
        self.assertIn("conforms", said)

    def test_a_mistake_is_named(self):
        self.build(("field.c", "first, last);", "first + 1, last + 1);"))
        done = run(*MPIRUN, "-n", 2, "./look", cwd=self.folder)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stdout, "rank [01]: not for me, rule 'B(10|08)'")
        done = run(*MPIRUN, "-n", 2, GIVEN["daptor"], "check", "./libfield.so:field",
                   cwd=self.folder)
        self.assertRegex(done.stdout, "error B10, rank 0, dimension 0, 'start'")

    def test_fortran(self):
        if "fc" not in GIVEN:
            self.skipTest("no Fortran")
        self.do(GIVEN["fc"], *INCLUDES, "-shared", "-fPIC", "daptor_abi.f90", "field.f90", "-o",
                "libfield_f.so")
        self.assertIn("conforms", self.do(*MPIRUN, "-n", 3, GIVEN["daptor"], "check",
                                          "./libfield_f.so:field"))

    def test_python(self):
        if "package" not in GIVEN:
            self.skipTest("no Python package")
        environment = dict(os.environ, PYTHONPATH=GIVEN["package"])
        self.assertIn("conforms", self.do(*MPIRUN, "-n", 2, GIVEN["daptor"], "check", "--labels",
                                          "field.py:make", env=environment))


class Page(unittest.TestCase):
    def test_it_shows_these_programs(self):
        page = (ROOT / "docs" / "adopt.md").read_text()
        for path in sorted((*EXAMPLES.glob("field.*"), EXAMPLES / "look.c")):
            text = path.read_text()
            part = re.search(r"\n *(?:/\*|#|!) begin: .*\n((?:.*\n)*?) *(?:/\*|#|!) end\b", text)
            self.assertIsNotNone(part, path)
            lines = part.group(1).splitlines()
            indent = min(len(line) - len(line.lstrip()) for line in lines if line)
            shown = "\n".join(line[indent:] for line in lines)
            self.assertLessEqual(len(lines), 20, f"{path}: 'in twenty lines'")
            self.assertIn(shown, page, f"docs/adopt.md does not show {path.name} as it is")

    def test_the_reader_is_small(self):
        reader = (ROOT / "include" / "daptor" / "abi_reader.h").read_text()
        self.assertLessEqual(len(reader.splitlines()), 800)


if __name__ == "__main__":
    unittest.main()
