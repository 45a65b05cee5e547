# SPDX-License-Identifier: BSD-3-Clause
"""The command from end to end, without MPI.

    command_test.py program=DAPTOR schema=daptor-report.schema.json [factor=N]
"""

import json
import os
import pty
import re
import tempfile
import xml.etree.ElementTree

from harness import DATA, Case, daptor, main, run_command, settings


def read(name):
    with open(os.path.join(DATA, name), encoding="utf-8") as file:
        return file.read()


def arrays_of(result):
    return json.loads(result.out)["arrays"]


def rules_of(array):
    return sorted({finding["rule"] for finding in array["findings"]})


class Check(Case):
    def test_examples_of_the_specification(self):
        result = self.expect(
            daptor("check", "flat.json", "padded.json", "unstructured.json", "-f", "json"), 0)
        flat, padded, unstructured = arrays_of(result)
        self.assertEqual([a["verdict"] for a in (flat, padded, unstructured)], ["conforms"] * 3)
        self.assertEqual(rules_of(flat), ["A03"])
        self.assertEqual(rules_of(padded), [])
        self.assertEqual(rules_of(unstructured), ["A10"])

    def test_golden_reports(self):
        for name, status in (("flat", 0), ("gap", 1), ("overlap", 1), ("partial", 0)):
            with self.subTest(name):
                result = self.expect(daptor("check", name + ".json"), status)
                self.assertEqual(result.out, read(name + ".txt"))
                self.assertEqual(result.err, "")

    def test_exit_status_of_each_kind(self):
        kinds = {"padded.json": 0, "flat.json": 0, "gap.json": 1, "/nowhere.json": 2,
                 "unknown_version.json": 3, "failed.json": 5}
        for name, status in kinds.items():
            with self.subTest(name):
                self.expect(daptor("check", name), status)

    def test_the_highest_status_counts(self):
        self.expect(daptor("check", "failed.json", "padded.json", "gap.json"), 5)
        self.expect(daptor("check", "gap.json", "/nowhere", "padded.json"), 2)

    def test_profile_and_level(self):
        self.expect(daptor("check", "flat.json", "--profile", "strict"), 1)
        self.expect(daptor("check", "flat.json", "--profile", "recommended"), 0)
        twice = json.loads(read("unstructured.json"))
        for rank in twice["ranks"]:
            rank["dim_data"][0]["one_to_one"] = True
        twice["ranks"][1]["dim_data"][0]["indices"] = [6, 13, 0]
        text = json.dumps(twice).encode()
        full = self.expect(daptor("check", "-", "-f", "json", stdin=text), 1)
        self.assertIn("U09", rules_of(arrays_of(full)[0]))
        self.expect(daptor("check", "-", "--level", "metadata", stdin=text), 0)

    def test_standard_input(self):
        result = self.expect(daptor("check", "-", stdin=read("padded.json").encode()), 0)
        self.assertTrue(result.out.startswith("standard input (the specification's second"))

    def test_ranks_that_are_missing(self):
        result = self.expect(daptor("check", "partial.json", "-f", "json"), 0)
        array = arrays_of(result)[0]
        self.assertEqual((array["ranks"], array["ranks_judged"]), (10**9, 2))
        both = json.loads(read("partial.json"))
        for rank in both["ranks"]:
            del rank["dim_data"][0]["size"]
        result = self.expect(
            daptor("check", "-", "-f", "json", stdin=json.dumps(both).encode()), 1)
        finding = arrays_of(result)[0]["findings"][0]
        self.assertEqual(finding["ranks"], [[0, 1]])

    def test_every_rank_at_fault_is_named(self):
        count = 600
        ranks = [{"__version__": "0.9.0", "buffer": {"dtype": "<f8", "shape": [2]},
                  "dim_data": [{"dist_type": "b", "size": 2 * count, "proc_grid_size": count,
                                "proc_grid_rank": r, "start": 2 * r, "stop": 2 * r + 2}]}
                 for r in range(count)]
        at_fault = [r for r in range(count) if r % 7 == 3]
        for r in at_fault:
            ranks[r]["buffer"]["shape"] = [3]
        result = self.expect(daptor("check", "-", "-f", "json", limit=20,
                                    stdin=json.dumps({"ranks": ranks}).encode()), 1)
        finding = arrays_of(result)[0]["findings"][0]
        self.assertEqual(finding["rule"], "P13")
        self.assertEqual(finding["ranks"], [[r, r] for r in at_fault])
        self.assertEqual(finding["rank_count"], len(at_fault))

    def test_too_many_ranks_for_one_process(self):
        section = {"__version__": "0.9.0", "buffer": {"dtype": "<f8", "shape": [1]}, "dim_data": []}
        text = json.dumps({"ranks": [section] * 131073}).encode()
        self.expect_sentence(daptor("check", "-", limit=20, stdin=text), 2,
                             "131073 ranks", "at most 131072")

    def test_output_file(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "report")
            result = self.expect(daptor("check", "overlap.json", "-o", path), 1)
            self.assertEqual(result.out, "")
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), read("overlap.txt"))
        for path in ("/dev/full", "/nowhere/report"):
            self.expect_sentence(daptor("check", "overlap.json", "-o", path), 2, path,
                                 "cannot be written")


class Examples(Case):
    """Judges all examples of all rules in one call."""

    def test_verdicts_are_those_of_the_table(self):
        rules = json.loads(daptor("rule", "-f", "json").out)["rules"]
        self.assertGreater(len(rules), 150)
        with tempfile.TemporaryDirectory() as directory:
            examples = {}
            for rule in rules:
                for number, example in enumerate(rule["examples"]):
                    name = f"{rule['id']}-{number}.json"
                    examples[name] = example
                    with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
                        file.write(example["description"])
            result = daptor("check", "-f", "json", *examples, cwd=directory, limit=30)
        arrays = arrays_of(result)
        self.assertEqual([a["subject"] for a in arrays], list(examples))
        for array in arrays:
            with self.subTest(array["subject"]):
                example = examples[array["subject"]]
                self.assertEqual(array["verdict"], example["verdict"])
                self.assertEqual(rules_of(array), sorted(example["findings"]))
        self.validate(json.loads(result.out))

    def validate(self, report):
        with open(settings.schema, encoding="utf-8") as file:
            schema = json.load(file)
        self.assertEqual(schema["properties"]["status"]["enum"], [0, 1, 2, 3, 5])
        self.expect_fit(schema, report)
        report["arrays"][0]["findings"] = [{"rule": "B09"}]
        self.expect_fit(schema, report, fits=False)


class Junit(Case):
    def parse(self, result):
        root = xml.etree.ElementTree.fromstring(result.out.encode("utf-8", "surrogateescape"))
        self.assertEqual(root.tag, "testsuites")
        totals = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
        for suite in root:
            self.assertEqual(suite.tag, "testsuite")
            cases = suite.findall("testcase")
            counts = {"tests": len(cases), "failures": len(suite.findall("testcase/failure")),
                      "errors": len(suite.findall("testcase/error")),
                      "skipped": len(suite.findall("testcase/skipped"))}
            self.assertEqual({key: int(suite.get(key)) for key in counts}, counts)
            for case in cases:
                self.assertTrue(case.get("name") and case.get("classname"))
                self.assertLessEqual(len(case), 1)
                for problem in case:
                    self.assertTrue(problem.get("message"))
            for key in totals:
                totals[key] += counts[key]
        self.assertEqual({key: int(root.get(key)) for key in totals}, totals)
        return root

    def test_structure(self):
        names = ["padded.json", "gap.json", "failed.json", "partial.json", "/nowhere.json"]
        root = self.parse(self.expect(daptor("check", "-f", "junit", *names), 5))
        self.assertEqual([suite.get("name") for suite in root], names)
        kinds = [[problem.tag for problem in suite.iter() if problem.tag in
                  ("failure", "error", "skipped")] for suite in root]
        self.assertEqual(kinds, [[], ["failure", "failure"], ["error"], ["skipped"], ["error"]])

    def test_hostile_texts(self):
        text = b'{"name": "<&>", "ranks": [{"error": "\\u0000\\u001b[31m<\\"&]]>\\uffff"}]}'
        with tempfile.TemporaryDirectory() as directory:
            name = os.fsdecode(b"a<&\x1b\xff\".json")
            with open(os.path.join(directory, name), "wb") as file:
                file.write(text)
            root = self.parse(self.expect(
                daptor("check", "-f", "junit", name, cwd=directory), 5))
            self.assertEqual(root[0].get("name"), 'a<&\\x1b\\xff".json')
            json.loads(daptor("check", "-f", "json", name, cwd=directory).out)
            plain = daptor("check", name, cwd=directory)
            self.assertNotIn("\x1b", plain.out)


class Colour(Case):
    def on_terminal(self, *arguments, **environment):
        """Returns what the command writes to a terminal."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(DATA)
            os.environ.update({"TERM": "xterm", **environment})
            os.execv(settings.program, [settings.program, *arguments])
        text = b""
        while True:
            try:
                piece = os.read(terminal, 4096)
            except OSError:
                piece = b""
            if not piece:
                break
            text += piece
        os.close(terminal)
        os.waitpid(pid, 0)
        return text.decode()

    def test_only_on_a_terminal(self):
        clean = {"NO_COLOR": "", "OMPI_COMM_WORLD_RANK": "", "PMI_RANK": "", "PMIX_RANK": ""}
        self.assertIn("\x1b[", self.on_terminal("check", "gap.json", **clean))
        self.assertNotIn("\x1b[", daptor("check", "gap.json").out)
        off = dict(clean, NO_COLOR="1")
        self.assertNotIn("\x1b[", self.on_terminal("check", "gap.json", **off))
        self.assertIn("\x1b[", self.on_terminal("check", "gap.json", "--color", "always", **off))
        self.assertNotIn("\x1b[", self.on_terminal("check", "gap.json", "--color=never", **clean))
        self.assertNotIn("\x1b[", self.on_terminal("check", "gap.json", **dict(clean, TERM="dumb")))
        launched = dict(clean, OMPI_COMM_WORLD_RANK="0")
        self.assertNotIn("\x1b[", self.on_terminal("check", "gap.json", **launched))

    def test_somebody_at_a_terminal_of_a_rank_is_answered(self):
        self.assertIn("malformed", self.on_terminal("check", "gap.json", OMPI_COMM_WORLD_RANK="1"))

    def test_says_the_same(self):
        colored = daptor("check", "gap.json", "--color", "always").out
        self.assertEqual(re.sub("\x1b\\[[0-9;]*m", "", colored), read("gap.txt"))


class Launched(Case):
    """What needs no other rank is answered by the first, and has its exit status on all."""

    NONE = {name: "" for name in ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                  "SLURM_PROCID", "SLURM_STEP_NUM_TASKS")}
    CALLS = (("check", "gap.json"), ("check", "/nowhere.json"), ("explain", "unknown_version.json"),
             ("show", "flat.json"), ("show", "gap.json"),
             ("convert", "--to", "0.10.0", "ring.json"), ("rule", "b9"), ("rule", "Z99"),
             ("--version",), ("help", "check"), ("chek",),
             ("check", "a", "producers:b"), ("describe", "nothing"))

    def test_a_rule_that_has_another_name_now(self):
        result = daptor("rule", "petsc.vec.scalar-type", **self.NONE)
        self.assertEqual((result.status, result.err), (0, ""))
        self.assertIn("petsc.vec.scalar-type is petsc.vec.type now", result.out)
        self.assertNotEqual(daptor("rule", "petsc.vec.none", **self.NONE).status, 0)

    def test_once(self):
        for call in self.CALLS:
            alone = daptor(*call, **self.NONE)
            self.assertTrue(alone.out or alone.err)
            for name in ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"):
                with self.subTest(call=call, name=name):
                    others = daptor(*call, **{**self.NONE, name: "2"})
                    self.assertEqual((others.status, others.out, others.err),
                                     (alone.status, "", ""))
                if call[0] != "rule":
                    break
            first = daptor(*call, **{**self.NONE, "PMIX_RANK": "0"})
            self.assertEqual((first.status, first.out, first.err),
                             (alone.status, alone.out, alone.err))

    def test_the_script_of_a_job_is_no_rank(self):
        for tasks, answers in (("", True), ("1", True), ("4", False)):
            result = daptor("rule", "B09", **{**self.NONE, "SLURM_PROCID": "1",
                                              "SLURM_STEP_NUM_TASKS": tasks})
            self.assertEqual(self.expect(result, 0).out != "", answers)


class Show(Case):
    def test_the_form_follows_the_name(self):
        text = self.expect(daptor("show", "flat.json", "--ascii"), 0).out
        svg = self.expect(daptor("show", "flat.json", "--svg", "-"), 0).out
        self.assertTrue(svg.startswith("<svg"))
        self.assertEqual(self.expect(daptor("show", "flat.json", "-f", "svg"), 0).out, svg)
        with tempfile.TemporaryDirectory() as folder:
            for name, options, expected in (
                    ("a.svg", ("-o",), svg), ("a.SVG", ("-o",), svg), ("b.txt", ("-o",), text),
                    ("c", ("-f", "svg", "-o"), svg), ("d.svg", ("-f", "text", "-o"), text),
                    ("e", ("--svg",), svg)):
                with self.subTest(name):
                    path = os.path.join(folder, name)
                    result = daptor("show", "flat.json", "--ascii", *options, path)
                    self.assertEqual(self.expect(result, 0).out, "")
                    with open(path, encoding="utf-8") as file:
                        self.assertEqual(file.read(), expected)
            for option in ("-o", "--svg"):
                path = os.path.join(folder, "x.png")
                self.expect_sentence(daptor("show", "flat.json", option, path), 2, "x.png", "*.svg")
                self.assertFalse(os.path.exists(path))
        self.expect_sentence(daptor("show", "flat.json", "--svg", "a", "-o", "b"), 2, "excludes")


class Convert(Case):
    def test_round_trip(self):
        for name in ("padded.json", "flat.json", "unstructured.json"):
            with self.subTest(name):
                newer = self.expect(daptor("convert", "--to", "0.10.0", name), 0).out
                self.assertIn('"0.10.0"', newer)
                self.expect(daptor("check", "-", stdin=newer.encode()), 0)
                back = self.expect(
                    daptor("convert", "--to", "0.9.0", "-", stdin=newer.encode()), 0).out
                same = self.expect(daptor("convert", "--to", "0.9.0", name), 0).out
                self.assertEqual(self.dimensions(back), self.dimensions(same))

    def dimensions(self, text):
        """Padding of width 0 is no padding: 0.10.x does not distinguish them."""
        dimensions = [d for rank in json.loads(text)["ranks"] for d in rank["dim_data"]]
        for dimension in dimensions:
            if dimension.get("padding") == [0, 0]:
                del dimension["padding"]
            if dimension["dist_type"] == "n":  # a block over one process
                dimension.update(dist_type="b", proc_grid_size=1, proc_grid_rank=0, start=0,
                                 stop=dimension["size"])
        return dimensions

    def test_words_of_the_new_version(self):
        newer = json.loads(daptor("convert", "--to", "0.10.0", "padded.json").out)
        self.assertEqual([(r["dim_data"][0]["start"], r["dim_data"][0]["stop"])
                          for r in newer["ranks"]], [(0, 10), (8, 18)])
        self.assertEqual(newer["name"], "the specification's second example")

    def test_what_cannot_be_said_is_refused(self):
        self.expect_sentence(daptor("convert", "--to", "0.10.0", "ring.json"), 1,
                             "ring.json", "0.10.0", "rank 0", "(V18)")
        self.expect_sentence(daptor("convert", "--to", "0.10.0", "unequal.json"), 1, "(V10)")

    def test_what_does_not_conform_is_refused(self):
        for name, status, word in (("gap.json", 1, "(T16)"), ("failed.json", 5, "(producer)"),
                                   ("unknown_version.json", 3, "(T07)"), ("/no", 2, "/no"),
                                   ("partial.json", 2, "2 of 1000000000 ranks")):
            with self.subTest(name):
                self.expect_sentence(daptor("convert", "--to", "0.10.0", name), status, word)


class Explain(Case):
    def targets(self, *arguments, status=0):
        result = self.expect(daptor("explain", "-f", "json", *arguments), status)
        explained = json.loads(result.out)
        schema = os.path.join(os.path.dirname(settings.schema), "daptor-explain.schema.json")
        with open(schema, encoding="utf-8") as file:
            self.expect_fit(json.load(file), explained)
        return {target["target"]: target for target in explained["targets"]}

    def test_all_targets_of_the_build(self):
        adapters = re.findall(r"(?m)^  (\w+): ", daptor("--version").out)
        known = self.targets("padded.json", status=0 if {"petsc", "fft"} & set(adapters) else 4)
        having = {name.split(".")[0] for name in known}
        self.assertLessEqual(having, set(adapters))
        self.assertEqual(having & {"petsc", "tpetra"}, set(adapters) & {"petsc", "tpetra"})

    def test_reasons(self):
        if "petsc:" not in daptor("--version").out:
            return
        held = self.targets("padded.json", "--target", "petsc.vec")["petsc.vec"]
        self.assertTrue(held["representable"])
        self.assertEqual((held["padded_shape"], held["interior_shape"]), ([18], [16]))
        self.assertIn("sizes    18 elements with boundary padding, 16 without: "
                      "daptor::without_padding(a)",
                      self.expect(daptor("explain", "padded.json", "--target", "petsc.vec"), 0).out)
        vec = self.targets("nowhere.json", "--target", "petsc.vec", status=4)["petsc.vec"]
        self.assertEqual([r["rule"] for r in vec["reasons"]],
                         ["petsc.vec.type", "petsc.vec.one-run"])
        text = self.expect(daptor("explain", "nowhere.json", "--target", "petsc.vec"), 4).out
        self.assertIn("petsc.vec: no\n    because  elements of type int16", text)

    def test_names_the_libraries(self):
        text = daptor("--version").out
        built = dict(re.findall(r"(?m)^  (\w+): (.*)$", text))
        arguments = ("padded.json", "-f", "json")
        libraries = json.loads(daptor("explain", *arguments).out)["libraries"]
        self.assertIn("MPI: " + libraries["mpi"]["built"], text)
        for name in ("petsc", "tpetra"):
            if name in built:
                self.assertEqual(libraries[name], {"built": built[name], "found": built[name],
                                                   "error": None})
                self.assertIn(built[name], daptor("explain", "padded.json").out.splitlines()[-1])

    def test_copies(self):
        if "petsc:" not in daptor("--version").out:
            return
        arguments = ("unstructured.json", "--target", "petsc.dmda")
        dmda = self.targets(*arguments, status=4)["petsc.dmda"]
        self.assertTrue(dmda["copy_call"].startswith("daptor::petsc::copy_to_dmda(a"))
        self.assertEqual(dmda["bytes_to_move"], 120)
        self.assertIn(" moves 120 bytes between processes",
                      self.expect(daptor("explain", *arguments), 4).out)
        self.assertIsNone(dmda["copy_condition"])
        # Two ranks that list one index are copied if they agree on its value.
        shared = {"ranks": [{"__version__": "0.9.0", "buffer": {"dtype": "<f8", "shape": [2]},
                             "dim_data": [{"dist_type": "u", "size": 3, "proc_grid_size": 2,
                                           "proc_grid_rank": r, "indices": [r, r + 1]}]}
                            for r in range(2)]}
        result = daptor("explain", "-", "--target", "petsc.dmda", stdin=json.dumps(shared).encode())
        self.assertIn("    only if  All copies of an index", self.expect(result, 4).out)
        # No copy converts the element type, and an array that the target can hold needs none.
        for file, status in ("nowhere.json", 4), ("padded.json", 0):
            vec = self.targets(file, "--target", "petsc.vec", status=status)["petsc.vec"]
            self.assertIsNone(vec["copy_call"])
            self.assertIsNone(vec["bytes_to_move"])

    def test_what_use_moves(self):
        if "fftw:" not in daptor("--version").out:
            return
        # 512 elements of 16 bytes, of which each of four ranks keeps a quarter of its own.
        arguments = ("slabs.json", "--target", "fftw.transform")
        transform = self.targets(*arguments)["fftw.transform"]
        self.assertEqual(transform["uses"], [
            {"name": "a forward transform to its fitting output", "redistributions": 1,
             "bytes_to_move": 6144},
            {"name": "a forward transform to the layout of the input", "redistributions": 2,
             "bytes_to_move": 12288}])
        self.assertIn("fftw.transform: yes, by daptor::fft::Transform\n"
                      "    in use   a forward transform to its fitting output moves 6144 bytes "
                      "between processes in 1 redistribution\n"
                      "    in use   a forward transform to the layout of the input moves 12288 "
                      "bytes between processes in 2 redistributions\nwithin a node: ",
                      self.expect(daptor("explain", *arguments), 0).out)
        refused = self.targets("nowhere.json", "--target", "fftw.transform",
                               status=4)["fftw.transform"]
        self.assertEqual(refused["uses"], [])
        self.assertEqual([reason["rule"] for reason in refused["reasons"]],
                         ["fft.type", "fft.strides"])

    def test_refusals(self):
        self.expect_sentence(daptor("explain", "padded.json", "--target", "petsc.nothing"), 2,
                             "no target petsc.nothing")
        self.expect_sentence(daptor("explain", "gap.json"), 1, "(T16)")
        self.expect_sentence(daptor("explain", "unknown_version.json"), 3, "(T07)")
        self.expect_sentence(daptor("explain", "partial.json"), 2, "all are needed")


class Rule(Case):
    def test_one(self):
        text = self.expect(daptor("rule", "b09"), 0).out
        for form in ("B9", "b9", "B09"):
            self.assertEqual(daptor("rule", form).out, text)
        for part in ("B09  start, stop", "do: ", "Keeps it:", "Breaks it:", "judged by: all"):
            self.assertIn(part, text)

    def test_several(self):
        text = self.expect(daptor("rule", "T01", "V18"), 0).out
        self.assertLess(text.index("T01"), text.index("V18"))

    def test_list(self):
        text = self.expect(daptor("rule"), 0).out
        ids = [rule["id"] for rule in json.loads(daptor("rule", "-f", "json").out)["rules"]]
        for number in ids:
            self.assertRegex(text, rf"(?m)^  {number}  \S")

    def test_unknown(self):
        self.expect_sentence(daptor("rule", "Z99"), 2, "Z99")


class Help(Case):
    def commands(self):
        text = self.expect(daptor("--help"), 0).out
        # CLI11 after 2.4 writes this word in capitals.
        part = re.split("(?i)subcommands:", text)[1].split("\n\n")[0]
        return re.findall(r"(?m)^  (\w+) {2,}", part)

    def test_there_are_subcommands(self):
        for name in ("check", "convert", "describe", "dump", "explain", "plugin", "report", "rule"):
            self.assertIn(name, self.commands())

    def test_help_of_a_command(self):
        for name in self.commands():
            self.assertEqual(self.expect(daptor("help", name), 0).out, daptor(name, "--help").out)
        self.assertEqual(self.expect(daptor("help"), 0).out, daptor("--help").out)
        self.expect_sentence(daptor("help", "chek"), 2, "no command 'chek'", "mean 'check'?")

    def test_every_help_has_an_example_and_its_options(self):
        for name in self.commands():
            text = self.expect(daptor(name, "--help"), 0).out
            self.assertRegex(text, rf"(?s)Examples?:\n.*daptor {name}")
            self.assertRegex(text, r"(?m)^ +-h, *--help ")


class Completion(Case):
    """What bash offers, by the file that is installed for it."""

    def offered(self, *words):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                              "../../tools/cli/completion.bash")
        result = run_command(["bash", "-c", 'source "$0"; COMP_WORDS=("$@"); '
                              'COMP_CWORD=$(($# - 1)); _daptor; echo "${COMPREPLY[@]}"',
                              script, settings.program, *words])
        self.assertEqual(result.err, "")
        return self.expect(result, 0).out.split()

    def test_commands_options_and_words(self):
        self.assertEqual(self.offered("ch"), ["check"])
        self.assertEqual(self.offered("help", "e"), ["explain"])
        self.assertIn("--time-limit", self.offered("check", "--"))
        self.assertEqual(self.offered("check", "-f", ""), ["text", "json", "junit"])
        self.assertEqual(self.offered("show", "--format", "s"), ["svg"])
        self.assertIn("B09", self.offered("rule", "B"))
        self.assertEqual(self.offered("check", "gap"), [])  # files, by bash itself


class Usage(Case):
    def test_wrong_usage(self):
        for arguments in ([], ["frobnicate"], ["check"], ["check", "a", "--format", "yaml"],
                          ["check", "a", "--level", "deep"], ["check", "a", "--nothing"],
                          ["convert", "a"], ["convert", "a", "--to", "1.0.0"], ["explain"],
                          ["explain", "a", "b"], ["dump"]):
            with self.subTest(arguments):
                self.expect_sentence(daptor(*arguments), 2, "--help")

    def test_what_is_meant(self):
        for given, meant in (("chek", "check"), ("explian", "explain"), ("Check", "check")):
            self.expect_sentence(daptor(given, "gap.json"), 2, f"did you mean '{meant}'?", "--help")
        self.assertNotIn("mean", daptor("frobnicate").err)

    def test_a_missing_file_is_told_once(self):
        result = daptor("check", "/nowhere.json", "padded.json")
        self.expect_sentence(result, 2, "/nowhere.json")
        self.assertNotIn("nowhere", result.out)
        self.assertIn("padded.json", result.out)
        self.assertEqual(json.loads(daptor("check", "/nowhere.json", "-f", "json").out)["arrays"][0]
                         ["subject"], "/nowhere.json")

    def test_version(self):
        text = self.expect(daptor("--version"), 0).out
        self.assertRegex(text, r"(?m)^daptor \d+\.\d+\.\d+$")
        self.assertRegex(text, r"(?m)^MPI: \S+")
        self.assertIn("adapters:", text)
        for line in re.findall(r"(?m)^  petsc: .*|^  tpetra: .*", text):
            self.assertRegex(line, r"(PETSc|Trilinos) \d+\.\d+")


if __name__ == "__main__":
    main()
