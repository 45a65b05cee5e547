# SPDX-License-Identifier: BSD-3-Clause
"""Which of a build's tests a change affects, the nearest first.

    python3 affected.py ROOT FOLDER [REV]

Looks at what differs from REV, or else from the last commit, or else at what that commit changed.
Writes into FOLDER for each preset a file with what to build, and a file `tests` with a pattern for
ctest.

A test is affected if a changed file is one that it names, or is part of one (build_graph.py). It is
the nearer, the more each of its objects leaves to the linker of what the public headers declare by
which the changed files are used, or its files of Python name what changed files of Python define.
What few tests use counts most. Of the nearest as many are taken as run within SECONDS, by what they
took last. What needs an installation is left out, unless a file that it names has changed.
"""

import math
import os
import re
import subprocess
import sys

from build_graph import Build

SECONDS = 45
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


class Sources:
    """The project's sources, and which of them includes which header."""

    def __init__(self, root):
        self.root = root
        folders = [os.path.join(root, name) for name in ("include", "src", "tools")]
        adapters = os.path.join(root, "adapters")
        for name in os.listdir(adapters):
            folders += [os.path.join(adapters, name, part)
                        for part in ("include", "src", "plugin")]
        self.files = [os.path.join(where, name) for folder in folders
                      for where, _, names in os.walk(folder) for name in names
                      if name.endswith((".cpp", ".hpp", ".h"))]
        self.by_end = {}
        for file in self.files:
            if file.endswith((".hpp", ".h")):
                parts = file.split("/")
                for length in range(1, 6):
                    self.by_end.setdefault("/".join(parts[-length:]), []).append(file)
        self.includes = {file: self._included(file) for file in self.files}
        self.users = {}
        for file, headers in self.includes.items():
            for header in headers:
                self.users.setdefault(header, set()).add(file)

    def _included(self, file):
        with open(file, encoding="utf-8") as opened:
            names = re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', opened.read(), re.MULTILINE)
        found = set()
        for name in names:
            beside = os.path.normpath(os.path.join(os.path.dirname(file), name))
            if beside in self.by_end.get(os.path.basename(beside), ()):
                found.add(beside)
            else:
                found.update(self.by_end.get(name, ())[:1])
        return found

    def surface(self, file):
        """The public headers by which a file is used: a source implements the header of its name,
        or else those that it includes; what includes a header that is not public uses it."""
        found, seen, waiting = set(), set(), [file]
        while waiting:
            current = waiting.pop()
            if current in seen:
                continue
            seen.add(current)
            if current.endswith(".cpp"):
                headers = self.includes.get(current, set())
                stem = os.path.splitext(os.path.basename(current))[0]
                own = {each for each in headers
                       if os.path.splitext(os.path.basename(each))[0] == stem}
                component = current.split("/src/")[0] + "/"
                waiting += own or {each for each in headers if each.startswith(component)}
            elif "/include/" in current:
                found.add(current)
            else:
                waiting += self.users.get(current, ())
        return found

    def declared(self, files):
        """The names of classes and functions in these files."""
        names = set()
        for file in files:
            if file.endswith(".py") and os.path.exists(file):
                with open(file, encoding="utf-8") as opened:
                    names.update(re.findall(r"^ *(?:class|def) (\w+)", opened.read(), re.MULTILINE))
            if file in self.includes:
                with open(file, encoding="utf-8") as opened:
                    text = re.sub(r"//.*", "", opened.read())
                names.update(re.findall(r"\b(?:class|struct)\s+(\w+)", text))
                names.update(re.findall(r"\b(\w+)\(", text))
        return names


def wanted_of_linker(objects):
    """The names in the symbols that each of these object files leaves to the linker."""
    objects = [each for each in sorted(objects) if os.path.exists(each)]
    names = {each: set() for each in objects}
    if objects:
        answer = subprocess.run(["nm", "-uCA", *objects], stdout=subprocess.PIPE, text=True,
                                stderr=subprocess.DEVNULL, check=False).stdout
        for line in answer.splitlines():
            file, _, symbol = line.partition(":")
            if "daptor::" in symbol:
                names[file].update(re.findall(r"\w+", symbol))
    return names


def words_of(paths):
    """The words in those of these files that are Python."""
    words = set()
    for path in paths:
        if path.endswith(".py") and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                words.update(re.findall(r"\w+", file.read()))
    return words


def last_times(root):
    """Seconds that each test took when it last ran, as scripts/test notes them."""
    try:
        with open(os.path.join(root, "build", "test-times"), encoding="utf-8") as file:
            return {name: float(seconds) for name, seconds in map(str.split, file)}
    except OSError:
        return {}


def main(root, folder, since=None):
    """Writes what to build and what to run."""
    changed = changed_files(root, since)
    sources = Sources(root)
    names = sources.declared(set(changed).union(*(sources.surface(file) for file in changed)))
    found = []  # (preset, test, targets, its names and changed files, number of its objects)
    for preset in PRESETS:
        build = Build(os.path.join(root, "build", preset))
        affected = build.made_of(changed)
        tests = [test for test in build.tests() if any(test.uses(path) for path in affected)
                 and (not test.of_installation or any(test.uses(path) for path in changed))]
        objects = {test.name: {each for path in build.outputs(test.paths)
                               for each in build.uses.get(path, ()) if each.endswith(".o")}
                   for test in tests}
        wanted = wanted_of_linker(set().union(*objects.values()))
        for test in tests:
            uses = words_of(test.paths).union(
                *(wanted.get(each, set()) for each in objects[test.name])) & names
            read = set().union(*(build.uses[each] for each in objects[test.name])) | test.paths
            near = uses | read & set(changed)
            found.append((preset, test, build.targets(test.paths), near, len(objects[test.name])))
    frequency = {}
    for *_, common, _ in found:
        for name in common:
            frequency[name] = frequency.get(name, 0) + 1
    times = last_times(root)

    def distance(entry):
        _, test, _, common, parts = entry
        weights = (math.log(1 + len(found) / frequency[name]) for name in common)
        return -sum(weights) / max(1, parts), test.name

    chosen, seconds = [], 0.0
    for entry in sorted(found, key=distance):
        takes = times.get(entry[1].name, 2.0) * entry[1].processors / (2 * os.cpu_count())
        if seconds + takes <= SECONDS:
            seconds += takes
            chosen.append(entry)
    print(f"== {len(changed)} files changed; {len(found)} tests use what is made of them; "
          f"the nearest {len(chosen)} run (about {seconds:.0f} s)")
    for preset in PRESETS:
        wanted = set().union(*(made for where, _, made, *_ in chosen if where == preset))
        with open(os.path.join(folder, preset), "w", encoding="utf-8") as file:
            file.writelines(f"{path}\n" for path in sorted(wanted))
    with open(os.path.join(folder, "tests"), "w", encoding="utf-8") as file:
        if chosen:
            file.write("^(" + "|".join(re.escape(test.name) for _, test, *_ in chosen) + ")$")


main(*sys.argv[1:])
