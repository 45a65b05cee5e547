# SPDX-License-Identifier: BSD-3-Clause
"""The help, the manual pages and the completion agree.

    pages_test.py program=DAPTOR pages=DIRECTORY
"""

import os
import re
import shutil
import subprocess

from harness import Case, daptor, main, settings


def commands():
    text = daptor("--help").out
    # CLI11 after 2.4 writes this word in capitals.
    return re.findall(r"(?m)^  (\w+) {2,}", re.split("(?i)subcommands:", text)[1].split("\n\n")[0])


def help_options(command):
    """Returns the options and the possible values of their arguments, according to --help."""
    text = daptor(*command, "--help").out
    options = {}
    # CLI11 after 2.4 puts long names into a column of their own.
    for names, argument in re.findall(r"(?m)^ +(-[-\w]+(?:, *-[-\w]+)*)(?: (\S+))?", text):
        for name in re.split(", *", names):
            options[name] = argument
    return options


def has_man():
    """Whether there is a man that shows pages; that of a minimized system only says that it is."""
    if shutil.which("man") is None:
        return False
    version = subprocess.run(["man", "--version"], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, check=False)
    return version.stdout.startswith(b"man ")


def page(command):
    name = "-".join(["daptor", *command]) + ".1"
    with open(os.path.join(settings.pages, name), encoding="utf-8") as file:
        return file.read()


class Pages(Case):
    def test_there_are_subcommands(self):
        for name in ("check", "dump", "convert", "explain", "rule", "completion"):
            self.assertIn(name, commands())

    def test_every_help_has_an_example(self):
        for name in commands():
            text = daptor(name, "--help").out
            self.assertRegex(text, rf"(?s)Examples?:\n.*daptor {name}")

    def test_manual_pages_have_the_options_of_help(self):
        for command in [[]] + [[name] for name in commands()]:
            with self.subTest(command=command):
                options = help_options(command)
                self.assertIn("--help", options)
                text = page(command)
                documented = set()
                for line in re.findall(r"(?m)^\.TP\n(.*)$", text):
                    documented |= set(re.findall(r"\\fB(-.*?|\\-.*?)\\fR", line))
                documented = {name.replace("\\-", "-") for name in documented}
                self.assertEqual({n for n in documented if n.startswith("-")}, set(options))
                for argument in filter(None, options.values()):
                    if argument.isupper() or "|" in argument:
                        self.assertIn(argument.replace("-", "\\-"), text)

    def test_manual_pages_are_sound(self):
        if not has_man():
            return
        for command in [[]] + [[name] for name in commands()]:
            path = os.path.join(settings.pages, "-".join(["daptor", *command]) + ".1")
            result = subprocess.run(["man", "--warnings", "-l", path], stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, env={**os.environ, "MANPAGER": "cat",
                                                                 "LC_ALL": "C.UTF-8"}, check=True)
            self.assertEqual(result.stderr, b"")
            self.assertIn(b"SYNOPSIS", result.stdout)

    def test_root_page_names_all_pages(self):
        for name in commands():
            self.assertIn(f"daptor\\-{name}", page([]))


class Completion(Case):
    def complete(self, *words):
        """Returns what bash offers for these words; the last one may be incomplete."""
        script = os.path.join(settings.pages, "daptor.bash")
        quoted = " ".join(f"'{word}'" for word in words)
        program = (f". '{script}'; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; "
                   "_daptor; printf '%s\\n' \"${COMPREPLY[@]}\"")
        out = subprocess.run(["bash", "-c", program], check=True, stdout=subprocess.PIPE).stdout
        return out.decode().split()

    def test_subcommands(self):
        self.assertEqual(set(self.complete("daptor", "")) - {"-h", "--help", "--version"},
                         set(commands()))
        self.assertEqual(self.complete("daptor", "conv"), ["convert"])

    def test_options(self):
        for name in commands():
            self.assertEqual(set(self.complete("daptor", name, "-")), set(help_options([name])))

    def test_words(self):
        self.assertEqual(self.complete("daptor", "check", "--format", ""),
                         ["text", "json", "junit"])
        self.assertEqual(self.complete("daptor", "convert", "--to", "0.1"), ["0.10.0"])
        self.assertEqual(self.complete("daptor", "completion", ""), ["bash", "zsh"])
        self.assertIn("B09", self.complete("daptor", "rule", "B"))
        self.assertEqual(self.complete("daptor", "check", "--output", ""), [])

    def test_written_by_the_command(self):
        for shell, name in (("bash", "daptor.bash"), ("zsh", "_daptor")):
            with open(os.path.join(settings.pages, name), encoding="utf-8") as file:
                self.assertEqual(daptor("completion", shell).out, file.read())

    def test_zsh_knows_all_options(self):
        with open(os.path.join(settings.pages, "_daptor"), encoding="utf-8") as file:
            text = file.read()
        for name in commands():
            part = text.split(f"\n    {name})\n")[1].split(";;\n")[0]
            for option in help_options([name]):
                self.assertRegex(part, rf"[\s({{,]{option}[\s)}},'\[]")
        if shutil.which("zsh") is not None:
            path = os.path.join(settings.pages, "_daptor")
            subprocess.run(["zsh", "-n", path], check=True)


if __name__ == "__main__":
    main()
