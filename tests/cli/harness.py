# SPDX-License-Identifier: BSD-3-Clause
"""Functions and classes that the tests of the command share."""

import os
import re
import resource
import subprocess
import sys
import unittest

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


class Settings:
    """Settings from the command line: program=PATH, and what else a test needs as NAME=VALUE."""

    def __init__(self, arguments):
        self.values = dict(argument.split("=", 1) for argument in arguments)

    def __getattr__(self, name):
        return self.values[name]

    def seconds(self, limit):
        return limit * float(self.values.get("factor", 1))


settings = Settings(sys.argv[1:])


class Result:
    def __init__(self, process, out, err):
        self.status = process.returncode
        self.out = out.decode("utf-8", "surrogateescape")
        self.err = without_sanitizers_warning(err.decode("utf-8", "surrogateescape"))

    def __str__(self):
        return f"status {self.status}\n--- output\n{self.out}\n--- errors\n{self.err}"


def without_sanitizers_warning(text):
    """AddressSanitizer warns of every swapcontext, also of ranks on stacks that it was told of."""
    return re.sub(r"==\d+==WARNING: ASan doesn't fully support makecontext.*\n", "", text)


def run_command(command, limit=5, stdin=b"", cwd=DATA, **environment):
    """Runs a command; raises subprocess.TimeoutExpired after `limit` seconds."""
    process = subprocess.Popen(
        command,
        cwd=cwd,
        stdin=subprocess.PIPE if isinstance(stdin, bytes) else stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
    )
    try:
        data = stdin if isinstance(stdin, bytes) else None
        out, err = process.communicate(data, timeout=settings.seconds(limit))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise
    return Result(process, out, err)


def daptor(*arguments, **options):
    return run_command([settings.program, *arguments], **options)


def children_peak_mb():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


class Case(unittest.TestCase):
    maxDiff = None

    def expect(self, result, status):
        self.assertEqual(result.status, status, str(result))
        return result

    def expect_sentence(self, result, status, *words):
        """Expects one line on standard error that contains these words."""
        self.expect(result, status)
        lines = [line for line in result.err.splitlines() if line.startswith("daptor: ")]
        self.assertEqual(len(lines), 1, str(result))
        for word in words:
            self.assertIn(word, lines[0])

    def expect_fit(self, schema, document, fits=True):
        """Expects that the document has the form that the schema describes, or has not."""
        try:
            import jsonschema
        except ImportError:
            return  # the package is required on the project's own test machines
        validator = jsonschema.validators.validator_for(schema)
        validator.check_schema(schema)
        self.assertEqual(validator(schema).is_valid(document), fits,
                         [error.message for error in validator(schema).iter_errors(document)])


def main():
    unittest.main(argv=sys.argv[:1], verbosity=2)
