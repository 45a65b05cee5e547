# SPDX-License-Identifier: BSD-3-Clause
"""Messages name calls by terms, and the names that the tables have for Python are there.

    python3 words_test.py SOURCE_FOLDER

Goes through the string literals of the libraries behind the package: outside of Name and
terms::call, which have words for each language, none may name a call or an option of C++. A Name is
a row of a table, names.hpp, of the core or of an adapter. What calls are named to the ranks of
other calls is there in Python and in Fortran.
"""

import pathlib
import re
import sys

import daptor
import daptor.fft
try:
    import daptor._petsc
    import daptor.scalapack
    import petsc4py.PETSc  # noqa: F401
except ImportError:
    pass

ROOT = pathlib.Path(sys.argv[1])
ADAPTERS = sorted(path.name for path in (ROOT / "adapters").iterdir() if path.is_dir())
FOLDERS = ["src", "include"] + [f"adapters/{name}/{part}" for name in ADAPTERS
                                for part in ("src", "include", "plugin") if name != "python"]

# What Python does not get.
NOT_IN_PYTHON = {
    "src/conformance": "has advice for Python of its own",
    "src/ranks/simulated.cpp": "for tests in C++",
    "src/index_map": "not in the package",
    "src/sparse/scan.cpp": "no combinations of functions in the package",
    "adapters/petsc/src/native/load_plugin.cpp": "not in the package",
    "adapters/petsc/src/vec/numbering.cpp": "not in the package",
    "adapters/petsc/src/vec/numbers.cpp": "not in the package",
    "adapters/fftw/src/slab_form.cpp": "not in the package",
    "adapters/ga/src/export_array.cpp": "not in the package",
    "adapters/sundials/src/export_nvector.cpp": "not in the package",
    "adapters/tpetra/include": "not in the package",
    "adapters/solvers/include": "not in the package",
    "adapters/fortran/include/daptor/fortran/interface.hpp": "writes sources in C++",
    "adapters/dealii": "not in the package",
    "adapters/hypre": "not in the package",
    "adapters/cuda": "not in the package",
}

TOKENS = re.compile(r"""//[^\n]*|/\*.*?\*/|'(?:[^'\\]|\\.)'|^\#[^\n]*"""
                    r"""|(?P<text>(?:"(?:[^"\\\n]|\\.)*"\s*)+)""", re.DOTALL | re.MULTILINE)
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
NAMED = re.compile(r"\bName(?:\s+\w+)?\{|\bterms::call\(")
ROW = re.compile(r'constexpr Name (\w+)\{((?:\s*(?:nullptr|(?:"(?:[^"\\\n]|\\.)*"\s*)+),?)+)\}')
IN_PLACE = re.compile(r"(?<!constexpr )\bName(?:\s+\w+)?\{")


def words_of(row):
    """The words of a row for each language; none where it has a null pointer."""
    said = [""]
    for literal, comma in re.findall(r'("(?:[^"\\\n]|\\.)*")|(,)', row):
        if comma:
            said.append("")
        else:
            said[-1] += LITERAL.match(literal)[1]
    return said


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


def cpp_classes():
    """Classes of the core and the adapters whose names the package does not have."""
    declared = re.compile(r"^(?:class|struct) ([A-Z][a-z]+[A-Z]\w+) (?::|\{)", re.MULTILINE)
    names = {name for path in ROOT.rglob("include/daptor/**/*.hpp")
             if "build" not in path.relative_to(ROOT).parts
             for name in declared.findall(path.read_text(encoding="utf-8"))}
    return {name for name in names if not is_call(name) and not hasattr(daptor.fft, name)}


def names_cpp(text):
    """Whether a sentence names a call of C++; a single word is the name of a call, not a text."""
    call = re.match(r"daptor::[\w:]+[(<]", text)  # a part of one, put together for terms::call
    return " " in text and not call and (
        re.search(r"\w::\w", text) or FUNCTIONS.intersection(re.findall(r"\b[a-z_]+\b", text)) or
        CLASSES.intersection(re.findall(r"\b[A-Z]\w+", text)))


def names_petsc(text):
    """Whether a sentence names a function or a type of PETSc as C has them."""
    return " " in text and re.search(
        r"\b(?:(?:Vec|Mat|KSP|PC|IS|DM)(?:[A-Z][a-z]+)+|Petsc(?:Int|Scalar)|MAT[A-Z]{3,})\b", text)


def is_call(path):
    """Whether Python has the call that ranks are told of as `HaloExchange` or `PC.setUp`."""
    for place in (daptor, sys.modules.get("daptor._petsc"), sys.modules.get("petsc4py.PETSc")):
        for part in path.split("."):
            place = getattr(place, part, None)
        if place is not None:
            return True
    return False


def is_fortran_call(name):
    """Whether a module has what ranks are told of as `daptor_save` or `array%gather`."""
    of, _, procedure = name.rpartition("%")
    if not of:
        return name in IN_FORTRAN
    body = re.search(rf"type(?:, \w+)* :: daptor_{of}\n.*?end type daptor_{of}", MODULES, re.DOTALL)
    return body is not None and re.search(
        rf"^ *(?:procedure|generic)[^!\n]*:: *{procedure}\b", body[0], re.MULTILINE) is not None


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
CLASSES = cpp_classes()
MODULES = "\n".join(path.read_text(encoding="utf-8") for path in [
    *ROOT.glob("adapters/fortran/src/*.?90"), *ROOT.glob("adapters/*/fortran/*.?90")])
IN_FORTRAN = set(re.findall(r"\bdaptor_\w+", MODULES))
assert {"copy_csr", "import_vec"} <= FUNCTIONS, FUNCTIONS
assert {"DistArray", "ReadLease"} <= CLASSES, CLASSES
seen = rows = wrong = 0
for folder in FOLDERS:
    for path in sorted((ROOT / folder).rglob("*.[ch]pp")):
        name = path.relative_to(ROOT).as_posix()
        source = path.read_text(encoding="utf-8")
        for row, words in ROW.findall(source):
            said = words_of(words)
            rows += 1
            if row.startswith("in_"):
                if len(said) > 1 and said[1] and not is_call(said[1]) or \
                        len(said) > 2 and said[2] and not is_fortran_call(said[2]):
                    wrong += 1
                    print(f"{name}: {row} names a call that is not there: {said[1:]}")
                continue
            if len(said) > 1 and said[1] and not is_there(said[1]):
                wrong += 1
                print(f"{name}: {row} has words for Python that are not there: {said[1]}")
            if len(said) > 2 and set(re.findall(r"\bdaptor_\w+", said[2])) - IN_FORTRAN:
                wrong += 1
                print(f"{name}: {row} has words for Fortran that are not there: {said[2]}")
        if not name.endswith("/names.hpp") and name not in ("include/daptor/terms.hpp",
                                                            "src/report/terms.cpp"):
            for place in IN_PLACE.finditer(re.sub(r"//[^\n]*", "", source)):
                wrong += 1
                print(f"{name}: a Name that is not a row of names.hpp: "
                      f"{source[place.start():place.end() + 40]!r}")
        if any(name.startswith(known) for known in NOT_IN_PYTHON):
            continue
        # What a compiler says is no message.
        source = re.sub(r"\bstatic_assert\(.*?\);", lambda said: "\n" * said[0].count("\n"),
                        source, flags=re.DOTALL)
        for line, text in texts(without_names(source)):
            seen += 1
            if names_cpp(text) or ("/include/" not in name and names_petsc(text)):
                wrong += 1
                print(f"{name}:{line}: {text}")
# The calls that the languages' own rooms make.
CALL = re.compile(r'\b(?:Call (?:call|here)|python_call)\([^;]*?"([\w.%]+)"'
                  r'|\b_Call\([^"\n]*, "([\w.]+)"\)'
                  r'|\bconst char\* (?:const )?name = [^;"]*"([\w%]+)"|\bfound_for\("([\w%]+)"')
calls = 0
for path in [*ROOT.glob("adapters/python/**/*.[cp][py]*"),
             *ROOT.glob("adapters/*/python/**/*.[cp]*"),
             *ROOT.glob("adapters/**/fortran/**/*.cpp")]:
    name = path.relative_to(ROOT).as_posix()
    in_fortran = "/fortran/" in name
    if "conformance" not in name or in_fortran:
        for said in CALL.findall(path.read_text(encoding="utf-8")):
            said = "".join(said)
            calls += 1
            if not (is_fortran_call(said) if in_fortran else is_call(said)):
                wrong += 1
                print(f"{name}: ranks are told of a call that is not there: {said}")
assert calls > 60, f"only {calls} calls of Python and Fortran were found"
assert not is_call("nothing") and is_call("HaloExchange")
assert not is_fortran_call("array%nothing") and is_fortran_call("array%gather")
assert names_cpp("use daptor::nothing"), "the test sees what it looks for"
assert names_petsc("behind VecRestoreArray") and not names_petsc("VecGetArray")
assert not is_there("daptor.nothing(a)") and is_there("a.to_petsc(padded=True)")
assert seen > 1000 and rows > 40, f"only {seen} literals and {rows} rows were found"
for known in NOT_IN_PYTHON:
    assert (ROOT / known).exists(), f"{known} is no longer there"
sys.exit(wrong > 0)
