# SPDX-License-Identifier: BSD-3-Clause
"""The package's types: checked as a user's checker sees them, and against the compiled modules.

    python3 types_test.py CACHE_FOLDER
"""

import os
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
package = os.environ["PYTHONPATH"]
cache = sys.argv[1]
environment = {**os.environ, "MYPYPATH": f"{package}:{here}", "MYPY_CACHE_DIR": cache}


def run(*arguments):
    subprocess.run([sys.executable, "-m", *arguments], env=environment, cwd=cache, check=True)


def compiled():
    """Returns the modules that were built."""
    import daptor._adapters
    built = [name for name in daptor._adapters.MODULES
             if name.startswith("_") and daptor._bindings.binding(name)]
    return ["daptor._daptor", *(f"daptor.{name}" for name in built)]


os.makedirs(cache, exist_ok=True)
# Keywords that several functions have in common, which mypy before 1.7 knows by this name alone.
run("mypy", "--strict", "--enable-incomplete-feature=Unpack", "-p", "daptor", "-m", "typed_use")
allowed = os.path.join(cache, "allowed.txt")
with open(allowed, "w", encoding="ascii") as file:
    # pybind11's metaclass, and the constructor that it gives to classes without one.
    file.write(r"daptor\._\w+\.\w+" "\n" r"daptor\._\w+\.\w+\.__init__" "\n")
    # Operators that raise: a checker says beforehand that an Array has none.
    file.write(r"daptor\._daptor\.Array\.__\w+__" "\n")
run("mypy.stubtest", *compiled(), "--allowlist", allowed, "--ignore-unused-allowlist")
