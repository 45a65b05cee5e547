# SPDX-License-Identifier: BSD-3-Clause
"""Names that programs use, and their arguments, are those of public_names.txt.

    python3 public_names_test.py > public_names.txt    # after a change that is in the changelog
"""

import importlib
import inspect
import pathlib

MODULES = ["daptor", "daptor.checkpoint", "daptor.conformance", "daptor.dolfinx", "daptor.fft",
           "daptor.hdf5", "daptor.layout", "daptor.scalapack"]
SPECIAL = {f"__{name}__" for name in (
    "bool", "contains", "copy", "deepcopy", "distarray", "dlpack", "enter", "eq", "exit",
    "getitem", "iter", "len", "matmul")}


def arguments_of(function):
    """As `(a, b=0, *, c)`, without types; empty for a compiled method, which does not tell them."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return ""
    if "___" in signature.parameters:  # of a class without a constructor
        return ""
    return str(signature.replace(return_annotation=signature.empty, parameters=[
        each.replace(annotation=each.empty) for each in signature.parameters.values()]))


def lines_of(module):
    """What a module offers, a line each; None if this daptor was built without it."""
    try:
        loaded = importlib.import_module(module)
    except ModuleNotFoundError:
        return None
    lines = []
    for name in dir(loaded) if module == "daptor" else loaded.__all__:
        value = getattr(loaded, name, None)
        if inspect.ismodule(value) or (module == "daptor" and name.startswith("__")) or (
                value is None):
            continue
        lines.append(f"{module}.{name}{arguments_of(value)}")
        if inspect.isclass(value) and not issubclass(value, Exception):
            for member in dir(value):
                if member in vars(value) and member in SPECIAL or not member.startswith("_"):
                    found = inspect.getattr_static(value, member)
                    told = "" if isinstance(found, property) else arguments_of(
                        getattr(value, member))
                    lines.append(f"{module}.{name}.{member}{told}")
    return sorted(lines)


def test_nothing_is_lost():
    known = pathlib.Path(__file__).with_name("public_names.txt").read_text("utf-8").splitlines()
    for module in MODULES:
        lines = lines_of(module)
        if lines is not None:
            of_module = [line for line in known if line.partition("(")[0].startswith(module + ".")
                         and (module != "daptor" or not line.startswith(tuple(
                             other + "." for other in MODULES[1:])))]
            assert lines == of_module, set(lines) ^ set(of_module)


if __name__ == "__main__":
    print("\n".join(line for each in MODULES for line in lines_of(each)))
