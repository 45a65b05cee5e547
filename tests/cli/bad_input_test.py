# SPDX-License-Identifier: BSD-3-Clause
"""Files that are no descriptions give one sentence and the right status, fast and in little memory.

    bad_input_test.py program=DAPTOR [factor=N]
"""

import json
import os
import subprocess
import tempfile

from harness import Case, children_peak_mb, daptor, main, run_command, settings

COMMANDS = (["check"], ["convert", "--to", "0.10.0"], ["explain"])


class BadInput(Case):
    def refuse(self, path, *words, **options):
        for command in COMMANDS:
            with self.subTest(command=command, path=path):
                self.expect_sentence(daptor(*command, path, **options), 2, *words)

    def write(self, data):
        file = tempfile.NamedTemporaryFile(suffix=".json", delete=False)
        self.addCleanup(os.unlink, file.name)
        with file:
            file.write(data)
        return file.name

    def test_no_file(self):
        self.refuse("/nowhere/array.json", "/nowhere/array.json", "No such file")

    def test_directory(self):
        self.refuse("/", "/ is a directory")

    def test_unreadable(self):
        # Even root may not read this file.
        self.refuse("/proc/self/mem", "/proc/self/mem")
        if os.geteuid() != 0:
            path = self.write(b"{}")
            os.chmod(path, 0)
            self.refuse(path, "Permission denied")

    def test_empty(self):
        self.refuse(self.write(b""), "empty file")
        self.refuse("-", "empty file")

    def test_no_json(self):
        for data in (b"hello", b"{", b"[1, 2", b'{"ranks": [}', b"\xff\xfe", b"\x00" * 1000, b"}"):
            self.refuse(self.write(data), "json.syntax")

    def test_another_document(self):
        for data in (b"[]", b"3", b"null", b"{}", b'{"ranks": 3}', b'{"ranks": []}',
                     b'{"format": 2, "ranks": [{}]}', b'{"nranks": 0, "ranks": [{}]}',
                     b'{"nranks": 99999999999999999999, "ranks": [{}]}'):
            self.refuse(self.write(data), "json.form")

    def test_ranks_that_are_junk_are_findings(self):
        for junk in (3, None, "x", [], {}, [[[]]], True, 1.5):
            path = self.write(json.dumps({"ranks": [junk, junk]}).encode())
            with self.subTest(junk=junk):
                self.assertEqual(daptor("check", path).status, 1)

    def test_integers_without_end(self):
        path = self.write(b'{"ranks": [{"__version__": "0.9.0", "dim_data": [{"size": '
                          + b"9" * 3_000_000 + b"}]}]}")
        self.assertEqual(daptor("check", path).status, 1)

    def test_a_gigabyte_of_brackets(self):
        for character in ("[", "{"):
            source = subprocess.Popen(
                f"head -c 1000000000 /dev/zero | tr '\\0' '{character}'", shell=True,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            result = run_command([settings.program, "check", "-"], stdin=source.stdout)
            source.stdout.close()
            source.wait()
            self.expect_sentence(result, 2, "json.")

    def test_an_endless_string(self):
        path = self.write(b'{"name": "' + b"a" * 5_000_000)
        self.refuse(path, "json.limit")

    def test_no_regular_file(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = os.path.join(folder, "pipe")
            os.mkfifo(pipe)
            for path in (pipe, "/dev/zero", "/dev/null"):
                self.refuse(path, path + " is no regular file", "json.file")
                self.expect_sentence(daptor("show", path), 2, "is no regular file")

    def test_what_is_open_already(self):
        with open("/dev/zero", "rb") as zeros:
            for path in ("-", "/dev/stdin", "/dev/fd/0"):
                self.expect_sentence(daptor("check", path, stdin=zeros), 2, "json.syntax")

    def test_a_library_without_a_symbol(self):
        self.refuse(self.write(b"\x7fELF\x02\x01\x01\x00"), "json.syntax")

    @classmethod
    def tearDownClass(cls):
        peak = children_peak_mb()
        if peak > 500:
            raise AssertionError(f"a run took {peak:.0f} MB")


if __name__ == "__main__":
    main()
