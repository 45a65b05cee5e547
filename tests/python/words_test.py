# SPDX-License-Identifier: BSD-3-Clause
"""No advice that a Python program can get names a call of C++.

    python3 words_test.py SOURCE_FOLDER

Goes through the string literals of the libraries behind the package.
"""

import pathlib
import re
import sys

import daptor
from daptor import _daptor
try:
    import daptor.scalapack as scalapack
except ImportError:
    scalapack = None

ROOT = pathlib.Path(sys.argv[1])
FOLDERS = ["src", "include"] + [f"adapters/{name}/{part}" for name in (
    "petsc", "fft", "fftw", "scalapack") for part in ("src", "include")]

# What Python does not get, or gets as a part of a text below.
NOT_IN_PYTHON = {
    "src/conformance": "has advice for Python of its own",
    "src/fortran": "for Fortran",
    "src/ranks/simulated.cpp": "for tests in C++",
    "src/index_map": "not in the package",
    "src/section/array_builders.cpp": "the package checks lengths itself",
    "src/sparse/operands.cpp": "composed",
    "src/sparse/scan.cpp": "no combinations of functions in the package",
    "src/targets/copy_remedy.cpp": "calls that it suggests",
    "adapters/petsc/src/copy_layout.cpp": "calls that it suggests",
    "adapters/petsc/src/load_plugin.cpp": "not in the package",
    "adapters/petsc/src/numbering.cpp": "not in the package",
    "adapters/petsc/src/numbers.cpp": "not in the package",
    "adapters/fft/src/real_and_spectrum.cpp": "not in the package",
    "adapters/fftw/src/frequencies.cpp": "not in the package",
    "adapters/fftw/src/slab_form.cpp": "not in the package",
    "adapters/fftw/src/slab_sizes.cpp": "not in the package",
    "adapters/scalapack/src/matrix_reasons.cpp": "composed",
}
COMPOSED = [
    f"daptor::redistributed({operand}, daptor::layout::natural())"
    for operand in ("source", "destination", "mask")
] + ["Import the transposed matrix, which is the same memory: daptor::scalapack::transposed(a)."]

# Calls that reasons suggest, with their options, and how Python writes them.
ANY = ("read_from_any", "true")
SUGGESTED = [
    ("redistributed", [("layout", "blocks")], "a.redistributed(daptor.layout.blocks())"),
    ("redistributed", [("layout", "slab"), ANY],
     "a.redistributed(daptor.layout.slab(0), read_from_any=True)"),
    ("petsc.copy_to_vec", [], "a.copy_to_petsc()"),
    ("petsc.copy_to_vec", [ANY], "a.copy_to_petsc(read_from_any=True)"),
    ("petsc.copy_to_padded_vec", [ANY], "a.copy_to_petsc(padded=True, read_from_any=True)"),
    ("petsc.copy_to_dmda", [("vector", "global"), ANY],
     "a.copy_to_dmda(vector='global', read_from_any=True)"),
    ("petsc.import_dense", [("layout", "slab")],
     "a.redistributed(daptor.layout.slab(0, 'F')).to_dense()"),
    ("petsc.import_dense", [("layout", "slab"), ANY],
     "a.redistributed(daptor.layout.slab(0, 'F'), read_from_any=True).to_dense()"),
    ("petsc.import_scalapack", [("layout", "block_cyclic")],
     "a.redistributed(daptor.layout.block_cyclic((64, 64))).to_dense(mat_type='scalapack')"),
    ("scalapack.copy_to_matrix", [ANY],
     "daptor.scalapack.copy_to_matrix(a, grid, read_from_any=True)"),
]
NOT_SUGGESTED_IN_PYTHON = {"tpetra.copy_to_multivector", "ga.copy_to_array"}

TOKENS = re.compile(r"""//[^\n]*|/\*.*?\*/|'(?:[^'\\]|\\.)'|^\#[^\n]*"""
                    r"""|(?P<text>(?:"(?:[^"\\\n]|\\.)*"\s*)+)""", re.DOTALL | re.MULTILINE)


def texts(path):
    """The string literals of a file, with its line numbers; neighbours are joined. What a compiler
    says (static_assert) is left out."""
    source = re.sub(r"\bstatic_assert\(.*?\);", lambda said: "\n" * said[0].count("\n"),
                    path.read_text(encoding="utf-8"), flags=re.DOTALL)
    for token in TOKENS.finditer(source):
        if token["text"]:
            parts = re.findall(r'"((?:[^"\\\n]|\\.)*)"', token["text"])
            yield source.count("\n", 0, token.start()) + 1, "".join(parts)


def cpp_functions():
    """Functions of the core and of PETSc's adapter that the package lacks, or names otherwise."""
    declared = re.compile(r"\b((?:import|export|copy|describe)_\w+)(?:<\w+>)?\(")
    names = {name for folder in ("include", "adapters/petsc/include")
             for path in (ROOT / folder).rglob("*.hpp")
             for name in declared.findall(path.read_text(encoding="utf-8"))}
    return names - {name for place in (daptor, daptor.Array, daptor.CsrArrays)
                    for name in dir(place)}


def names_cpp(text):
    said = _daptor._in_python(text)
    fault_point = re.fullmatch(r"[a-z]+(\.\w+)+", said)
    return re.search(r"\w::\w", said) or (
        not fault_point and FUNCTIONS.intersection(re.findall(r"\b[a-z_]+\b", said)))


def names_petsc(text):
    """Whether advice about an object of PETSc names a function of C."""
    said = _daptor._in_python(text)
    return " " in said and re.search(r"\b(?:Vec|Mat|KSP|DM)(?:[A-Z][a-z]+)+", said)


FUNCTIONS = cpp_functions()
assert {"copy_csr", "import_vec"} <= FUNCTIONS, FUNCTIONS
seen = wrong = 0
for folder in FOLDERS:
    for path in sorted((ROOT / folder).rglob("*.[ch]pp")):
        name = path.relative_to(ROOT).as_posix()
        if any(name.startswith(known) for known in NOT_IN_PYTHON):
            continue
        for line, text in texts(path):
            seen += 1
            if names_cpp(text) or ("petsc/src/check/" in name and names_petsc(text)):
                wrong += 1
                print(f"{name}:{line}: {_daptor._in_python(text)}")
for text in COMPOSED:
    if names_cpp(text):
        wrong += 1
        print(f"composed: {_daptor._in_python(text)}")
for function, options, call in SUGGESTED:
    if function.startswith("scalapack") and not scalapack:
        continue
    said = _daptor._suggested(function, options)
    if said != call:
        wrong += 1
        print(f"suggested: {said} instead of {call}")
suggesting = re.compile(r'"((?:petsc|scalapack|tpetra|ga)\.(?:copy_to|import)_\w+)"')
suggested = {name for path in (ROOT / "adapters").rglob("src/*.cpp")
             for name in suggesting.findall(path.read_text(encoding="utf-8"))}
assert "petsc.copy_to_vec" in suggested
assert suggested <= {function for function, _, _ in SUGGESTED} | NOT_SUGGESTED_IN_PYTHON, suggested
assert names_cpp("daptor::nothing"), "the test sees what it looks for"
assert names_petsc("behind VecRestoreArray") and not names_petsc("VecGetArray")
assert seen > 1000, f"only {seen} literals were found"
for known in NOT_IN_PYTHON:
    assert (ROOT / known).exists(), f"{known} is no longer there"
sys.exit(wrong > 0)
