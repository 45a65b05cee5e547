#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether the .pc files of archives name what the archives need, in an order that linkers accept.

    archives_test.py <c++> <prefix> <lib> <component>...

Links each archive whole, so that each of its objects counts, with what its own .pc file names. In
the list of several .pc files, each archive must stand before what follows it in the list of its
own, whatever order they are asked for in.
"""

import os
import subprocess
import sys
import tempfile

compiler, prefix, libdir, *components = sys.argv[1:]
folder = os.path.join(prefix, libdir)
os.environ["PKG_CONFIG_PATH"] = os.pathsep.join(
    [os.path.join(folder, "pkgconfig"), *filter(None, [os.environ.get("PKG_CONFIG_PATH")])])
wrong = []


def libraries(asked):
    """What pkg-config gives to the linker for these components, without folders."""
    command = ["pkg-config", "--static", "--libs", *(f"daptor-{name}" for name in asked)]
    output = subprocess.run(command, text=True, stdout=subprocess.PIPE, check=True).stdout
    return [flag for flag in output.split() if not flag.startswith("-L")]


def last(flags, flag):
    """Behind the last mention of a library the linker looks into it no more."""
    return max(place for place, other in enumerate(flags) if other == flag)


def link_whole(component, work):
    archive = os.path.join(folder, f"libdaptor_{component}.a")
    source = os.path.join(work, "main.cpp")
    with open(source, "w", encoding="utf-8") as file:
        file.write("int main() { return 0; }\n")
    # --as-needed: some compilers leave out shared libraries that nothing before them uses.
    done = subprocess.run(
        [compiler, source, "-o", os.path.join(work, "main"), "-Wl,--as-needed",
         "-Wl,--whole-archive", archive, "-Wl,--no-whole-archive", f"-L{folder}",
         *libraries([component])],
        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        wrong.append(f"daptor-{component} does not name all that its archive needs:\n{done.stdout}")


def look_at_order(asked, alone):
    flags = libraries(asked)
    for component in asked:
        own = f"-ldaptor_{component}"
        if own not in alone[component]:
            continue
        for needed in alone[component][last(alone[component], own) + 1:]:
            if last(flags, needed) < last(flags, own):
                wrong.append(
                    f"pkg-config --static --libs {' '.join(asked)}: {needed} stands before {own}")


with tempfile.TemporaryDirectory() as scratch:
    for name in components:
        if os.path.exists(os.path.join(folder, f"libdaptor_{name}.a")):
            link_whole(name, scratch)
each = {name: libraries([name]) for name in components}
for first in range(len(components)):
    turned = components[first:] + components[:first]
    look_at_order(turned, each)
    look_at_order(turned[::-1], each)
print("\n".join(wrong) or f"{len(components)} components name what they need, in order.")
sys.exit(1 if wrong else 0)
