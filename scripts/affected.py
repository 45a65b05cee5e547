# SPDX-License-Identifier: BSD-3-Clause
"""Which of a build's tests a change affects, the nearest first.

    python3 affected.py ROOT FOLDER [REV]

Looks at what differs from REV, or else from the last commit, or else at what that commit changed.
Writes into FOLDER for each preset a file with what to build, and a file `tests` with a pattern for
ctest.

A test is affected if a changed file is one that it names, or is part of one (build_graph.py). It is
the nearer, the more headers of the project its program has in common with the changed file. Headers
that few programs have count most: all tests use dist_array.hpp, and those of the halo use halo.hpp.
Of the nearest as many are taken as run within SECONDS, by what they took last.
"""

import math
import os
import re
import subprocess
import sys

from build_graph import Build

SECONDS = 60
PRESETS = ("asan", "release", "petsc-complex", "petsc64")


def changed_files(root, since):
    """The paths of what changed."""
    def git(*arguments):
        return subprocess.run(["git", "-C", root, *arguments], stdout=subprocess.PIPE, check=True,
                              text=True).stdout.splitlines()

    files = git("diff", "--name-only", since or "HEAD")
    files += git("ls-files", "--others", "--exclude-standard")
    if not files and not since:
        files = git("diff-tree", "--no-commit-id", "--name-only", "-r", "-m", "--first-parent",
                    "HEAD")
    return [os.path.join(root, file) for file in files]


def headers_of(file, root):
    """The project's headers that a source includes, directly or through others."""
    found, waiting = set(), [file]
    while waiting:
        current = waiting.pop()
        try:
            text = open(current, encoding="utf-8").read()
        except (OSError, UnicodeDecodeError):
            continue
        places = [os.path.dirname(current)]
        places += [os.path.join(root, name) for name in ("include", "src")]
        places += [os.path.join(root, "adapters", name, "include")
                   for name in os.listdir(os.path.join(root, "adapters"))]
        for name in re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', text, re.MULTILINE):
            for place in places:
                header = os.path.normpath(os.path.join(place, name))
                if os.path.isfile(header):
                    if header not in found:
                        found.add(header)
                        waiting.append(header)
                    break
    return found


def last_times(root):
    """Seconds that each test took when it last ran, by ctest's own account."""
    times = {}
    try:
        with open(os.path.join(root, "build", "Testing", "Temporary", "CTestCostData.txt"),
                  encoding="utf-8") as file:
            for line in file:
                words = line.split()
                if len(words) == 3:
                    times[words[0]] = float(words[2])
    except OSError:
        pass
    return times


def main(root, folder, since=None):
    """Writes what to build and what to run."""
    changed = changed_files(root, since)
    about = set(changed)
    for file in changed:
        about |= headers_of(file, root)
    found = []  # (preset, test, paths of the build that it uses, headers in common)
    for preset in PRESETS:
        build = Build(os.path.join(root, "build", preset))
        affected = build.made_of(changed)
        for test in build.tests():
            if not any(test.uses(path) for path in affected):
                continue
            made = build.targets(test.paths)
            parts = build.outputs(test.paths)
            for path in set(parts):
                parts |= {each for each in build.uses.get(path, ()) if each.endswith(".o")}
            read = set().union(*(build.uses.get(each, set()) for each in parts)) | test.paths
            found.append((preset, test, made, {each for each in read if each in about}))
    frequency = {}
    for *_, common in found:
        for header in common:
            frequency[header] = frequency.get(header, 0) + 1
    times = last_times(root)

    def distance(entry):
        _, test, _, common = entry
        weights = (math.log(1 + len(found) / frequency[header]) for header in common)
        return -sum(weights), test.name

    chosen, seconds = [], 0.0
    for entry in sorted(found, key=distance):
        takes = times.get(entry[1].name, 2.0)
        if seconds + takes <= SECONDS:
            seconds += takes
            chosen.append(entry)
    print(f"== {len(changed)} files changed; {len(found)} tests use what is made of them; "
          f"the nearest {len(chosen)} run (about {seconds:.0f} s of processes)")
    for preset in PRESETS:
        wanted = set().union(*(made for where, _, made, _ in chosen if where == preset))
        with open(os.path.join(folder, preset), "w", encoding="utf-8") as file:
            file.writelines(f"{path}\n" for path in sorted(wanted))
    with open(os.path.join(folder, "tests"), "w", encoding="utf-8") as file:
        file.write("^(" + "|".join(re.escape(test.name) for _, test, _, _ in chosen) + ")$")


main(*sys.argv[1:])
