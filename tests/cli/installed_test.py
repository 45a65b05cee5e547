# SPDX-License-Identifier: BSD-3-Clause
"""The command as it is installed.

    installed_test.py program=DAPTOR prefix=DIRECTORY bin=DIR data=DIR man=DIR manual=HELP2MAN
"""

import os
import subprocess

from harness import DATA, Case, main, run_command, settings


def installed(*parts):
    return os.path.join(settings.prefix, *parts)


def daptor(*arguments):
    return run_command([installed(settings.bin, "daptor"), *arguments], cwd=DATA)


class Installed(Case):
    def test_is_the_one_that_was_built(self):
        built = run_command([settings.program, "--version"])
        self.assertEqual(self.expect(daptor("--version"), 0).out, built.out)

    def test_runs(self):
        self.expect(daptor("check", "padded.json"), 0)
        self.expect(daptor("check", "gap.json"), 1)

    def test_loads_the_installed_adapters(self):
        built = run_command([settings.program, "explain", "padded.json"], cwd=DATA)
        result = self.expect(daptor("explain", "padded.json"), built.status)
        self.assertEqual((result.out, result.err), (built.out, ""))

    def test_finds_its_own_plugin(self):
        built = run_command([settings.program, "plugin"])
        result = self.expect(daptor("plugin"), built.status)
        if built.status == 0:
            self.assertTrue(result.out.startswith(os.path.realpath(settings.prefix)), result.out)

    def test_brings_its_completion_and_its_manual_page(self):
        path = installed(settings.data, "bash-completion", "completions", "daptor")
        words = subprocess.run(
            ["bash", "-c", 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _daptor; '
             'echo "${COMPREPLY[@]}"', path, installed(settings.bin, "daptor"), "check", "-f", "j"],
            capture_output=True, text=True, check=True).stdout
        self.assertEqual(words.split(), ["json", "junit"])
        if settings.manual:
            with open(installed(settings.man, "man1", "daptor.1"), encoding="utf-8") as file:
                self.assertIn("daptor check array.json", file.read())

    def test_brings_its_schemas(self):
        for name in ("description", "doctor", "explain", "report"):
            path = installed(settings.data, "daptor", f"daptor-{name}.schema.json")
            self.assertTrue(os.path.exists(path), path)


if __name__ == "__main__":
    main()
