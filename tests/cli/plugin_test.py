# SPDX-License-Identifier: BSD-3-Clause
"""The path of the PETSc plug-in: a command that has one beside it prints it, another does not.

    plugin_test.py program=DAPTOR [plugin=FILE]
"""

import os
import shutil
import tempfile

from harness import Case, daptor, main, run_command, settings


class Plugin(Case):
    def without_plugin(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            command = shutil.copy(settings.program, folder)
            return run_command([command, "plugin", *arguments])

    def test_says_where_there_is_none(self):
        result = self.expect(self.without_plugin(), 1)
        self.assertEqual(result.out, "")
        self.assertRegex(result.err,
                         r"^daptor: there is no PETSc plug-in at /\S+/libdaptor_pc\.so: ")

    def test_prints_the_path(self):
        if "plugin" not in settings.values:
            self.expect(daptor("plugin"), 1)
            return
        result = self.expect(daptor("plugin"), 0)
        self.assertEqual(result.err, "")
        self.assertEqual(result.out, os.path.realpath(settings.plugin) + "\n")

    def test_finds_it_from_anywhere_and_by_a_link(self):
        with tempfile.TemporaryDirectory() as folder:
            link = os.path.join(folder, "daptor")
            os.symlink(settings.program, link)
            result = run_command([link, "plugin"], cwd=folder)
        self.assertEqual(result.out, daptor("plugin").out)
        self.assertEqual(result.status, daptor("plugin").status)

    def test_takes_no_arguments(self):
        self.expect(daptor("plugin", "muelu"), 2)


if __name__ == "__main__":
    main()
