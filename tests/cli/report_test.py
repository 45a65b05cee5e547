# SPDX-License-Identifier: BSD-3-Clause
"""The doctor's report as text, JUnit XML and SARIF.

    report_test.py program=DAPTOR schema=daptor-doctor.schema.json [factor=N]
"""

import json
import os
import xml.etree.ElementTree

from harness import DATA, Case, daptor, main, settings

STALE = "check.vec.stale-norm"


def read(name):
    with open(os.path.join(DATA, name), encoding="utf-8") as file:
        return file.read()


def changed(**members):
    """The report with other members of its first finding, as bytes."""
    report = json.loads(read("doctor.json"))
    report["findings"] = [{**report["findings"][0], **members}]
    return json.dumps(report).encode()


class Text(Case):
    def test_golden(self):
        result = self.expect(daptor("report", "doctor.json"), 1)
        self.assertEqual(result.out, read("doctor.txt"))
        self.assertEqual(result.err, "")

    def test_status_follows_the_severity_and_the_state(self):
        for members, severity, status in (
                ({}, "error", 1), ({"severity": "warning"}, "error", 0),
                ({"severity": "warning"}, "warning", 1), ({"state": "known"}, "note", 0),
                ({"state": "suppressed"}, "note", 0)):
            self.expect(daptor("report", "-", "--severity", severity, stdin=changed(**members)),
                        status)

    def test_the_example_fits_the_schema(self):
        with open(settings.schema, encoding="utf-8") as file:
            schema = json.load(file)
        report = json.loads(read("doctor.json"))
        self.expect_fit(schema, report)
        for member in report["findings"][0]:
            lacking = json.loads(read("doctor.json"))
            del lacking["findings"][0][member]
            self.expect_fit(schema, lacking, fits=False)


class Junit(Case):
    def suite(self, *arguments):
        result = self.expect(daptor("report", "doctor.json", "-f", "junit", *arguments), 1)
        return xml.etree.ElementTree.fromstring(result.out)[0]

    def test_a_case_for_each_finding(self):
        suite = self.suite()
        self.assertEqual([suite.get(n) for n in ("tests", "failures", "skipped")], ["3", "2", "1"])
        first, second, meant = suite.findall("testcase")
        self.assertEqual(first.get("name"),
                         json.loads(read("doctor.json"))["findings"][0]["suppression"])
        self.assertEqual((first.get("file"), first.get("line")),
                         ("/home/me/my flow/src/step.c", "214"))
        self.assertEqual(first.find("failure").get("type"), STALE)
        self.assertIn("norm 6.7082", first.find("failure").get("message"))
        self.assertIn("found in TSStep, VecDot", first.find("failure").text)
        self.assertIsNone(second.get("file"))
        self.assertIn("suppressed", meant.find("skipped").get("message"))
        self.assertIn("check.mat.layout", suite.find("system-out").text)

    def test_warnings_may_fail(self):
        suite = self.suite("--severity", "warning")
        self.assertEqual([suite.get(n) for n in ("tests", "failures", "skipped")], ["5", "3", "2"])

    def test_no_findings(self):
        none = b'{"format": 1, "complete": true, "looks": 1, "seconds": 0, "findings": []}'
        result = self.expect(daptor("report", "-", "-f", "junit", stdin=none), 0)
        case, = xml.etree.ElementTree.fromstring(result.out).iter("testcase")
        self.assertEqual((case.get("name"), len(case)), ("no findings", 0))


class Sarif(Case):
    def run_of(self, *arguments):
        result = self.expect(daptor("report", "doctor.json", "-f", "sarif", *arguments), 1)
        document = json.loads(result.out)
        self.assertEqual(document["version"], "2.1.0")
        self.assertIn("sarif-2.1.0", document["$schema"])
        run, = document["runs"]
        return run

    def test_what_the_standard_requires(self):
        run = self.run_of()
        driver = run["tool"]["driver"]
        self.assertEqual(driver["name"], "daptor")
        ids = [rule["id"] for rule in driver["rules"]]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertEqual(len(run["results"]), 5)
        for result in run["results"]:
            self.assertEqual(ids[result["ruleIndex"]], result["ruleId"])
            self.assertIn(result["level"], ("error", "warning", "note"))
            self.assertTrue(result["message"]["text"])
            self.assertTrue(result["partialFingerprints"]["suppression/v1"])
            self.assertGreaterEqual(result["occurrenceCount"], 1)

    def test_states(self):
        results = self.run_of()["results"]
        self.assertEqual([r.get("baselineState") for r in results],
                         ["new", "new", "new", "unchanged", "new"])
        self.assertEqual([r.get("suppressions") for r in results],
                         [None] * 4 + [[{"kind": "external"}]])

    def test_places(self):
        run = self.run_of("--root", "/home/me/my flow")
        self.assertEqual(run["originalUriBaseIds"]["%SRCROOT%"]["uri"],
                         "file:///home/me/my%20flow/")
        first, second, string, nowhere, header = [r["locations"] for r in run["results"]]
        self.assertEqual(first[0]["physicalLocation"], {
            "artifactLocation": {"uri": "src/step.c", "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": 214}})
        self.assertEqual(first[0]["logicalLocations"],
                         [{"name": "advance_velocity", "kind": "function"}])
        for location in (second, string):
            self.assertNotIn("physicalLocation", location[0])
        self.assertEqual(nowhere, [])
        self.assertEqual(header, [{"physicalLocation": {
            "artifactLocation": {"uri": "file:///usr/include/other.hpp"},
            "region": {"startLine": 7}}}])
        outside = self.run_of("--root", "/home/you")["results"][0]["locations"][0]
        self.assertEqual(outside["physicalLocation"]["artifactLocation"],
                         {"uri": "file:///home/me/my%20flow/src/step.c"})


class Unreadable(Case):
    def test_what_is_no_report(self):
        for text, rule in ((b"", "json.syntax"), (b"{", "json.syntax"), (b"[]", "json.form"),
                           (b'{"format": 2}', "json.form"), (b'{"format": 1}', "json.form"),
                           (changed(state="old"), "json.form"),
                           (changed(times="often"), "json.form"),
                           (read("gap.json").encode(), "json.form")):
            with self.subTest(text[:40]):
                self.expect_sentence(daptor("report", "-", stdin=text), 2, rule)
        self.expect_sentence(daptor("report", "/nowhere.json"), 2, "/nowhere.json")
        self.expect_sentence(daptor("report", "/"), 2, "directory")
        self.expect_sentence(daptor("report", "doctor.json", "-f", "json"), 2, "--help")


if __name__ == "__main__":
    main()
