# SPDX-License-Identifier: BSD-3-Clause
"""The site's pages of rules hold each rule once, on the page of its letter, with all its examples.

    site_test.py SOURCE_DIRECTORY DAPTOR_RULES_PAGE PROGRAM_THAT_PRINTS_THE_EXAMPLES
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE, WRITER, EXAMPLES = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)


class Pages(unittest.TestCase):
    def test_each_rule_with_its_examples(self):
        with tempfile.TemporaryDirectory() as folder:
            rules, pages = Path(folder) / "rules.md", Path(folder) / "pages"
            subprocess.run([WRITER, "--examples", rules], check=True)
            subprocess.run([sys.executable, "-B", Path(SOURCE) / "docs/site/pages.py", SOURCE,
                            pages, rules], check=True)
            text = {page.stem: page.read_text(encoding="utf-8")
                    for page in (pages / "docs").glob("rules*.md")}
        shown = {name: [json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.S)]
                 for name, page in text.items()}
        printed = json.loads(subprocess.run([EXAMPLES], check=True, stdout=subprocess.PIPE).stdout)
        table = re.findall(r"(?m)^\| \[(\w+)\]\((\w+)\)", text["rules"])
        self.assertGreater(len(table), 150)
        self.assertLessEqual({example["rule"] for example in printed}, {rule for rule, _ in table})
        for rule, anchor in table:
            with self.subTest(rule):
                page = "rules-" + rule[0].lower()
                holding = [name for name in text if f"\n({anchor})=\n" in text[name]]
                self.assertEqual(holding, [page])
                for example in printed:
                    if example["rule"] == rule:
                        self.assertIn(example["description"], shown[page] + shown["rules-examples"])


if __name__ == "__main__":
    unittest.main()
