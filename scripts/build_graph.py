# SPDX-License-Identifier: BSD-3-Clause
"""What a build of Daptor makes of what, and which of it each test uses."""

import json
import os
import re
import subprocess


class Test:
    """An entry of ctest: its name, and the files that its command and environment name."""

    def __init__(self, entry):
        self.name = entry["name"]
        properties = {each["name"]: each["value"] for each in entry.get("properties", [])}
        self.processors = int(properties.get("PROCESSORS", 1))
        # An installation has everything.
        self.uses_everything = "FIXTURES_SETUP" in properties
        self.of_installation = self.uses_everything or "FIXTURES_REQUIRED" in properties
        words = entry.get("command", []) + properties.get("ENVIRONMENT", [])
        self.paths = set()
        for word in words:
            for part in re.split("[=;:]", word):
                if os.path.isabs(part):
                    self.paths.add(os.path.normpath(part))

    def uses(self, path):
        """Whether the test names this file, or a folder that it is in."""
        return any(path == each or path.startswith(each + "/") for each in self.paths)


class Build:
    """A configured build folder that ninja has built at least once."""

    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.uses = _edges(os.path.join(self.folder, "build.ninja"), self.folder)
        included = _included(self.folder)
        if not included:
            raise SystemExit(f"nothing has been built in {self.folder}: run scripts/test once")
        for output, inputs in included.items():
            self.uses.setdefault(output, set()).update(inputs)
        for link in _links(self.folder):
            self.uses.setdefault(link, set()).add(os.path.realpath(link))
        self.makes = {}
        for output, inputs in self.uses.items():
            for each in inputs:
                self.makes.setdefault(each, set()).add(output)

    def tests(self):
        """The tests that this build registers."""
        answer = subprocess.run(["ctest", "--test-dir", self.folder, "--show-only=json-v1"],
                                stdout=subprocess.PIPE, check=True, text=True).stdout
        return [Test(entry) for entry in json.loads(answer)["tests"] if "command" in entry]

    def made_of(self, files):
        """What changes with these files, themselves included."""
        found, waiting = set(files), list(files)
        while waiting:
            for output in self.makes.get(waiting.pop(), ()):
                if output not in found:
                    found.add(output)
                    waiting.append(output)
        return found

    def targets(self, paths):
        """Those of the paths that ninja makes, and what it makes in those that are folders, as
        ninja names them: relative to the build folder."""
        return {os.path.relpath(path, self.folder) for path in self.outputs(paths)}

    def outputs(self, paths):
        """The same with whole paths."""
        made = set()
        for path in paths:
            if not path.startswith(self.folder + "/"):
                continue  # ninja has rules for the files of the project, too, which make nothing
            if path in self.uses:
                made.add(path)
            elif os.path.isdir(path):
                made.update(each for each in self.uses
                            if each.startswith(path + "/") and not self._is_action(each))
        return {each for each in made if not os.path.islink(each)}

    def _is_action(self, output):
        """Whether it stands for something to be done, as `test` and `install` of each folder do."""
        return any(each.endswith(".util") for each in (output, *self.uses[output]))


def _edges(file, folder):
    """What each output in a build.ninja is made of. A library that is linked is there as one to be
    made before ("||"), because what links it need not be linked again when it changes."""
    text = open(file, encoding="utf-8").read().replace("$\n", "")
    edges = {}
    for line in text.splitlines():
        if not line.startswith("build "):
            continue
        parts, kind = [[]], [""]
        for word in re.findall(r"(?:[^ $:|]|\$.)+|:|\|\||\|@|\|", line[6:]):
            if word in (":", "|", "||", "|@"):
                parts.append([])
                kind.append(word)
            else:
                parts[-1].append(re.sub(r"\$(.)", r"\1", word))
        outputs, inputs, after_rule = [], [], False
        for words, separator in zip(parts, kind):
            if separator == ":":
                after_rule = True
                words = words[1:]
            if not after_rule:
                outputs += words
            elif separator == "||":
                inputs += [word for word in words if ".so" in word]
            else:
                inputs += words
        inputs = {_whole(each, folder) for each in inputs}
        for output in outputs:
            edges.setdefault(_whole(output, folder), set()).update(inputs)
    return edges


def _included(folder):
    """What compilers told ninja that they read, of files in the project."""
    answer = subprocess.run(["ninja", "-C", folder, "-t", "deps"], stdout=subprocess.PIPE,
                            check=True, text=True).stdout
    included, output = {}, None
    for line in answer.splitlines():
        if line.startswith("    "):
            included[output].add(_whole(line.strip(), folder))
        elif ": #deps" in line:
            output = _whole(line.split(": #deps")[0], folder)
            included[output] = set()
    return included


def _links(folder):
    """Symbolic links, as which a package of Python has its files."""
    for where, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != "CMakeFiles"]
        yield from (path for path in (os.path.join(where, name) for name in files)
                    if os.path.islink(path))


def _whole(path, folder):
    return os.path.normpath(os.path.join(folder, path))
