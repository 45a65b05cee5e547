# SPDX-License-Identifier: BSD-3-Clause
"""Each statement that a page of docs/with shows is in the program that the tests run.

    pages_test.py <docs/with> <tests/peers>

Blocks with an #include stand for themselves, and are not looked at.
"""

import pathlib
import re
import sys
from typing import List


def plain(code: str) -> str:
    """Without comments and white space."""
    return re.sub(r"\s+", "", re.sub(r"//.*|/\*.*?\*/", "", code))


def missing(page: pathlib.Path, program: pathlib.Path) -> List[str]:
    text = plain(program.read_text(encoding="utf-8"))
    blocks = re.findall(r"^```cpp\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
    statements = [plain(part) for block in blocks if "#include" not in block
                  for part in re.split(r"[;{}]|^\.\.\.$", re.sub(r"//.*", "", block), flags=re.M)]
    return [f"{page.name}: not in {program.name}: {s}" for s in statements if s not in text]


def main() -> int:
    pages, programs = map(pathlib.Path, sys.argv[1:])
    found = [(page, programs / f"{page.stem}_solve.cpp") for page in sorted(pages.glob("*.md"))]
    compared = [pair for pair in found if pair[1].exists()]
    errors = [error for pair in compared for error in missing(*pair)]
    print("\n".join(errors) or f"{len(compared)} pages show what runs")
    return 1 if errors or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
