# SPDX-License-Identifier: BSD-3-Clause
"""Runs a page of the documentation as a program.

    mpirun -n N python3 page_test.py PAGE [without-petsc] [without-muelu]
"""

import importlib.util
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
names = {"__name__": "page"}
for block in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
    if "without-petsc" in sys.argv and re.search("petsc|dmda|_vec", block.group(1), re.IGNORECASE):
        continue
    if "without-muelu" in sys.argv and "daptor.muelu" in block.group(1):
        continue
    if any(f"import {name}" in block.group(1) and importlib.util.find_spec(name) is None
           for name in ("scipy", "xarray")):
        continue
    line = text.count("\n", 0, block.start(1))
    exec(compile("\n" * line + block.group(1), sys.argv[1], "exec"), names)
