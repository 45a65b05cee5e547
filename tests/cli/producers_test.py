# SPDX-License-Identifier: BSD-3-Clause
"""Producers in shared libraries, under mpirun.

    producers_test.py program=DAPTOR libraries=DIRECTORY ranks=N mpirun="COMMAND WITH OPTIONS"
"""

import concurrent.futures
import json
import os
import tempfile

from harness import Case, main, run_command, settings

RANKS = int(settings.ranks)


def on_ranks(*arguments, limit=5, **options):
    """Runs the command on RANKS ranks; mpirun itself takes a second or two to start and to end."""
    return run_command([*settings.mpirun.split(";"), settings.program, *arguments],
                       cwd=settings.libraries, limit=limit + 5, **options)


class Check(Case):
    def judge(self, symbol, status, *options):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "report.json")
            result = on_ranks("check", "./libproducers.so:" + symbol, "-f", "json", "-o", path,
                              *options)
            self.expect(result, status)
            with open(path, encoding="utf-8") as file:
                array, = json.load(file)["arrays"]
        self.assertEqual(array["ranks"], RANKS)
        return array

    def rules(self, array, *severities):
        return {f["rule"] for f in array["findings"] if f["severity"] in severities}

    def test_good(self):
        array = self.judge("good", 0, "--labels")
        self.assertEqual(array["verdict"], "conforms")
        self.assertEqual(self.rules(array, "error", "warning"), set())

    def test_broken_rule(self):
        array = self.judge("shifted", 1 if RANKS > 2 else 0)
        self.assertEqual(self.rules(array, "error"), {"B09"} if RANKS > 2 else set())

    def test_hidden_communication(self):
        array = self.judge("talks", 0)
        self.assertIn("T17", self.rules(array, "warning"))

    def test_a_rank_that_fails(self):
        array = self.judge("fails_on_last", 5)
        self.assertEqual(array["verdict"], "producer failed")
        finding, = [f for f in array["findings"] if f["severity"] == "error"]
        self.assertIn("returned 7", finding["found"])
        self.assertEqual(finding["ranks"], [[RANKS - 1, RANKS - 1]])

    def test_a_struct_of_garbage(self):
        array = self.judge("garbage", 3)
        self.assertEqual(self.rules(array, "error"), {"abi.version"})

    def test_beside_files(self):
        data = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
        result = on_ranks("check", os.path.join(data, "gap.json"), "./libproducers.so:good")
        self.expect(result, 1)
        self.assertEqual(result.out.count("gap.json ("), 1)
        self.assertIn("./libproducers.so:good", result.out)

    def test_files_alone_are_answered_once(self):
        """Also where one rank alone can read standard input or write the file."""
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "gap.json")
        alone = run_command([settings.program, "check", path])
        with open(path, "rb") as file:
            result = on_ranks("check", "-", stdin=file.read())
        self.assertEqual(self.expect(result, 1).out.count("malformed"), 1)
        with tempfile.TemporaryDirectory() as directory:
            output = os.path.join(directory, "report")
            self.assertEqual(self.expect(on_ranks("check", path, "-o", output), 1).out, "")
            with open(output, encoding="utf-8") as file:
                self.assertEqual(file.read(), alone.out)
        self.expect_sentence(on_ranks("check", path, "-o", "/dev/full"), 2, "cannot be written")

    def test_a_full_disk(self):
        self.expect_sentence(on_ranks("check", "./libproducers.so:good", "-o", "/dev/full"), 2,
                             "cannot be written")


class Dump(Case):
    def test_round_trip(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "array.json")
            self.expect(on_ranks("dump", "./libproducers.so:good", "-o", path), 0)
            self.expect(run_command([settings.program, "check", path]), 0)
            with open(path, encoding="utf-8") as file:
                recorded = json.load(file)
        self.assertEqual(recorded["nranks"], RANKS)
        self.assertEqual([r["dim_data"][0]["start"] for r in recorded["ranks"]],
                         [2 * r for r in range(RANKS)])

    def test_a_rank_that_fails(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "array.json")
            self.expect(on_ranks("dump", "./libproducers.so:fails_on_last", "-o", path), 5)
            with open(path, encoding="utf-8") as file:
                recorded = json.load(file)
            self.expect(run_command([settings.program, "check", path]), 5)
        self.assertIn("returned 7", recorded["ranks"][-1]["error"])

    def test_a_library_that_is_not_there(self):
        self.expect_sentence(on_ranks("dump", "./libnothing.so:make"), 5, "libnothing.so")


class Looking(Case):
    """The other subcommands that look at arrays take producers too."""

    def test_show(self):
        result = self.expect(on_ranks("show", "./libproducers.so:good", "--ascii"), 0)
        self.assertIn(f"{2 * RANKS} float64 on {RANKS} rank", result.out)
        self.assertIn("dimension 0", result.out)
        result = self.expect(on_ranks("show", "./libproducers.so:good", "--svg", "-"), 0)
        self.assertTrue(result.out.startswith("<svg"))

    def test_explain(self):
        result = self.expect(on_ranks("explain", "./libproducers.so:good", "-f", "json"), 0)
        explained = json.loads(result.out)
        self.assertEqual(explained["subject"], "./libproducers.so:good")
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "array.json")
            self.expect(on_ranks("dump", "./libproducers.so:good", "-o", path), 0)
            of_file = json.loads(run_command([settings.program, "explain", "-f", "json", path]).out)
        self.assertEqual(explained["targets"], of_file["targets"])

    def test_what_is_wrong_with_it(self):
        for command in ("show", "explain"):
            result = self.expect(on_ranks(command, "./libproducers.so:fails_on_last"), 5)
            self.assertIn("returned 7", result.err)
            self.assertNotIn("\x1b", result.err)
            self.expect_sentence(on_ranks(command, "./libnothing.so:make"), 5, "libnothing.so")
            if RANKS > 2:
                result = self.expect(on_ranks(command, "./libproducers.so:shifted"), 1)
                self.assertIn("B09", result.err)
        self.expect_sentence(on_ranks("show", "./libproducers.so:good", "--slice", "3=1"), 2,
                             "slice")
        self.expect_sentence(on_ranks("explain", "./libproducers.so:good", "--target", "x"), 2,
                             "no target x")


class Loading(Case):
    def refuse(self, producer, *words):
        self.expect_sentence(on_ranks("check", producer), 5, *words)

    def test_no_symbol(self):
        self.refuse("./libproducers.so:nothing", "does not define 'nothing'")

    def test_no_library(self):
        self.refuse("./libnothing.so:make", "./libnothing.so")

    def test_no_shared_library(self):
        with tempfile.NamedTemporaryFile(suffix=".so") as file:
            file.write(b"\x7fELF nonsense")
            file.flush()
            self.refuse(file.name + ":make", file.name)

    def test_crashes(self):
        self.refuse("./libcrash.so:make", "crashed")

    def test_hangs(self):
        self.refuse("./libhang.so:make", "not loaded in time")

    def test_exits(self):
        self.refuse("./libexit.so:make", "ended the process")


class Dying(Case):
    """A rank that dies ends the job."""

    def test_crash_in_a_call(self):
        self.assertNotEqual(on_ranks("check", "./libproducers.so:crashes_on_last").status, 0)

    def test_waiting_in_a_call(self):
        def wait(command):
            return on_ranks(command, "./libproducers.so:waits_on_last", "--time-limit", "3")

        # Both at the same time, since they only wait.
        with concurrent.futures.ThreadPoolExecutor() as pool:
            results = list(pool.map(wait, ("check", "dump")))
        for result in results:
            # MPICH's launcher may report its signal to the other ranks, and then says so.
            killed = "Killed (signal 9)" in result.out
            self.assertIn(result.status, (5, 9) if killed else (5,), str(result))
            said = "daptor: the time limit is over: rank "
            self.assertIn(f"{said}{RANKS - 1} is in the producer", result.err)
            for rank in range(RANKS - 1):
                self.assertIn(f"{said}{rank} waits for the others", result.err)

    def test_exit_in_a_call(self):
        result = on_ranks("check", "./libproducers.so:exits_on_last")
        self.assertEqual(result.status, 5, str(result))
        self.assertIn("daptor: the producer ended the process", result.err)


if __name__ == "__main__":
    main()
