# SPDX-License-Identifier: BSD-3-Clause
"""Messages name calls by terms, and the names that the tables have for Python are there.

    python3 words_test.py SOURCE_FOLDER

Goes through the string literals of the libraries behind the package: outside of Name and
terms::call, which have words for each language, none may name a call or an option of C++.
"""

import pathlib
import re
import sys

import daptor
import daptor.fft
try:
    import daptor.scalapack
except ImportError:
    pass

ROOT = pathlib.Path(sys.argv[1])
FOLDERS = ["src", "include"] + [f"adapters/{name}/{part}" for name in (
    "petsc", "fft", "fftw", "scalapack", "hdf5", "tpetra", "sundials", "ga")
    for part in ("src", "include")]

# What Python does not get.
NOT_IN_PYTHON = {
    "src/conformance": "has advice for Python of its own",
    "src/ranks/simulated.cpp": "for tests in C++",
    "src/index_map": "not in the package",
    "src/sparse/scan.cpp": "no combinations of functions in the package",
    "adapters/petsc/src/load_plugin.cpp": "not in the package",
    "adapters/petsc/src/numbering.cpp": "not in the package",
    "adapters/petsc/src/numbers.cpp": "not in the package",
    "adapters/fftw/src/slab_form.cpp": "not in the package",
    "adapters/ga/src/export_array.cpp": "not in the package",
    "adapters/sundials/src/export_nvector.cpp": "not in the package",
    "adapters/tpetra/src": "targets that explain() names have C++ alone",
    "adapters/tpetra/include": "not in the package",
}

TOKENS = re.compile(r"""//[^\n]*|/\*.*?\*/|'(?:[^'\\]|\\.)'|^\#[^\n]*"""
                    r"""|(?P<text>(?:"(?:[^"\\\n]|\\.)*"\s*)+)""", re.DOTALL | re.MULTILINE)
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
NAMED = re.compile(r"\bName(?:\s+\w+)?\{|\bterms::call\(")
ROW = re.compile(r'constexpr Name (\w+)\{((?:\s*(?:"(?:[^"\\\n]|\\.)*"\s*)+,?)+)\}')


def without_names(source):
    """The source with nothing but line breaks in place of names for each language."""
    pieces, done = [], 0
    for match in NAMED.finditer(source):
        if match.start() < done:
            continue
        depth, end = 1, match.end()
        while depth and end < len(source):
            literal = LITERAL.match(source, end)
            if literal:
                end = literal.end()
                continue
            depth += (source[end] in "{(") - (source[end] in "})")
            end += 1
        pieces += [source[done:match.start()], "\n" * source.count("\n", match.start(), end)]
        done = end
    return "".join(pieces) + source[done:]


def texts(source):
    """The string literals, with their lines; neighbours are joined."""
    for token in TOKENS.finditer(source):
        if token["text"]:
            yield source.count("\n", 0, token.start()) + 1, "".join(LITERAL.findall(token["text"]))


def cpp_functions():
    """Functions of the core and of PETSc's adapter that the package lacks, or names otherwise."""
    declared = re.compile(r"\b((?:import|export|copy|describe)_\w+)(?:<\w+>)?\(")
    names = {name for folder in ("include", "adapters/petsc/include")
             for path in (ROOT / folder).rglob("*.hpp")
             for name in declared.findall(path.read_text(encoding="utf-8"))}
    return names - {name for place in (daptor, daptor.Array, daptor.CsrArrays)
                    for name in dir(place)}


def names_cpp(text):
    """Whether a sentence names a call of C++; a single word is the name of a call, not a text."""
    call = re.match(r"daptor::[\w:]+[(<]", text)  # a part of one, put together for terms::call
    return " " in text and not call and (
        re.search(r"\w::\w", text) or FUNCTIONS.intersection(re.findall(r"\b[a-z_]+\b", text)))


def names_petsc(text):
    """Whether advice about an object of PETSc names a function of C."""
    return " " in text and re.search(r"\b(?:Vec|Mat|KSP|DM)(?:[A-Z][a-z]+)+", text)


def is_there(call):
    """Whether the package has what a row names as `daptor.f`, `a.f` or `Array.f`."""
    for path in re.findall(r"\bdaptor(?:\.\w+)+", call):
        place = daptor
        for part in path.split(".")[1:]:
            if not hasattr(place, part):
                return False
            place = getattr(place, part)
    return all(hasattr(daptor.Array, part) for part in re.findall(r"\b(?:a|Array)\.(\w+)", call))


FUNCTIONS = cpp_functions()
IN_FORTRAN = {name for path in [*(ROOT / "adapters/fortran/src").glob("*.?90"),
                                *(ROOT / "adapters").glob("*/fortran/*.?90")]
              for name in re.findall(r"\bdaptor_\w+", path.read_text(encoding="utf-8"))}
assert {"copy_csr", "import_vec"} <= FUNCTIONS, FUNCTIONS
seen = rows = wrong = 0
for folder in FOLDERS:
    for path in sorted((ROOT / folder).rglob("*.[ch]pp")):
        name = path.relative_to(ROOT).as_posix()
        source = path.read_text(encoding="utf-8")
        for row, words in ROW.findall(source):
            said = ["".join(LITERAL.findall(word)) for word in re.split(r'(?<="),', words)]
            rows += 1
            if len(said) > 1 and not is_there(said[1]):
                wrong += 1
                print(f"{name}: {row} has words for Python that are not there: {said[1]}")
            if len(said) > 2 and set(re.findall(r"\bdaptor_\w+", said[2])) - IN_FORTRAN:
                wrong += 1
                print(f"{name}: {row} has words for Fortran that are not there: {said[2]}")
        if any(name.startswith(known) for known in NOT_IN_PYTHON):
            continue
        # What a compiler says is no message.
        source = re.sub(r"\bstatic_assert\(.*?\);", lambda said: "\n" * said[0].count("\n"),
                        source, flags=re.DOTALL)
        for line, text in texts(without_names(source)):
            seen += 1
            if names_cpp(text) or ("petsc/src/check/" in name and names_petsc(text)):
                wrong += 1
                print(f"{name}:{line}: {text}")
assert names_cpp("use daptor::nothing"), "the test sees what it looks for"
assert names_petsc("behind VecRestoreArray") and not names_petsc("VecGetArray")
assert not is_there("daptor.nothing(a)") and is_there("a.to_petsc(padded=True)")
assert seen > 1000 and rows > 40, f"only {seen} literals and {rows} rows were found"
for known in NOT_IN_PYTHON:
    assert (ROOT / known).exists(), f"{known} is no longer there"
sys.exit(wrong > 0)
