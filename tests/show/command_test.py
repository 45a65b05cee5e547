# SPDX-License-Identifier: BSD-3-Clause
"""The command `daptor show` from end to end."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

DAPTOR = sys.argv[1]


def blocks(size, processes, rank):
    start = rank * size // processes
    return {
        "dist_type": "b",
        "size": size,
        "proc_grid_size": processes,
        "proc_grid_rank": rank,
        "start": start,
        "stop": (rank + 1) * size // processes,
    }


def section(*dimensions, version="0.9.0"):
    shape = [d["stop"] - d["start"] if d["dist_type"] == "b" else d["size"] for d in dimensions]
    return {
        "__version__": version,
        "buffer": {"dtype": "<f8", "shape": shape},
        "dim_data": list(dimensions),
    }


def array(*ranks, **more):
    return {"ranks": list(ranks), **more}


def plane(**more):
    """A 4 x 6 array on 2 x 2 ranks, with three components."""
    none = {"dist_type": "n", "size": 3}
    sections = [
        section(blocks(4, 2, i), none, blocks(6, 2, j)) for i in range(2) for j in range(2)
    ]
    return array(*sections, **more)


class Show(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, content):
        path = Path(self.folder.name) / "array.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)

    def run_show(self, *arguments, content=None, status=0, **environment):
        command = [DAPTOR, "show", *arguments]
        if content is not None:
            command.append(self.file(content))
        env = {k: v for k, v in os.environ.items() if k not in ("LC_ALL", "LC_CTYPE", "NO_COLOR")}
        env.update({"LANG": "C.UTF-8", **environment})
        done = subprocess.run(command, capture_output=True, timeout=600, env=env)
        # AddressSanitizer warns of every swapcontext, also of ranks on stacks that it was told of.
        self.out, self.err = done.stdout.decode(), re.sub(
            "==.*ASan doesn't fully support makecontext.*\n", "", done.stderr.decode())
        self.assertEqual(done.returncode, status, self.out + self.err)
        return self.out

    def test_draws_an_array(self):
        out = self.run_show(content=plane(name="field"))
        self.assertTrue(out.startswith("field\n4 × 3 × 6 float64 on 4 ranks (2 × 1 × 2)"), out)
        self.assertIn("slice at dimension 1 = 1", out)
        self.assertIn("│ 2  2  2 │ 3  3  3 │", out)
        self.assertNotIn("\x1b", out)
        self.assertEqual(self.err, "")

    def test_slices(self):
        out = self.run_show("--slice", "2=5", "--slice", "1=0", content=plane())
        self.assertIn("slice at dimension 1 = 0, dimension 2 = 5", out)
        self.assertIn("│ 1  1 │ 3  3 │", out)
        self.assertIn("not in this slice", out)

    def test_sections(self):
        out = self.run_show("--rank", "3", content=plane())
        self.assertIn("section of rank 3", out)
        self.assertIn("      2 │ 3  3  3 │", out)

    def test_the_ghosts_of_a_list(self):
        """Two ranks of a finite-element code: owned indices followed by ghosts in any order."""

        def owned_then_ghosts(rank, owned, ghosts):
            dimension = {
                "dist_type": "u",
                "size": 8,
                "proc_grid_size": 2,
                "proc_grid_rank": rank,
                "indices": owned + ghosts,
                "owned": len(owned),
            }
            buffer = {"dtype": "<f8", "shape": [len(owned + ghosts)]}
            return {"__version__": "0.9.0", "buffer": buffer, "dim_data": [dimension]}

        lists = array(
            owned_then_ghosts(0, [0, 1, 2], [6, 5, 4]),
            owned_then_ghosts(1, [3, 4, 5, 6, 7], [0, 2]),
        )
        out = self.run_show(content=lists)
        self.assertIn("│ 0  0  0 │ 1  1  1  1  1 │", out)
        out = self.run_show("--rank", "0", content=lists)
        self.assertIn("  0   1   2    6    5    4\n", out)
        self.assertIn("│ 0   0   0  │ 1c ┊ 1c ┊ 1c │", out)
        out = self.run_show("--rank", "1", content=lists)
        self.assertIn("  3   4   5   6   7    0    2\n", out)
        self.assertIn("│ 1   1   1   1   1  │ 0c ┊ 0c │", out)
        self.assertIn("c communication padding, with its owner", out)
        self.assertIn("1   7             5   (0, 2)", out)

    def test_wrong_usage(self):
        for arguments, word in [
            (("--slice", "9=1"), "dimension 9"),
            (("--slice", "1=7"), "index 7"),
            (("--slice", "1:7"), "1:7"),
            (("--slice", "1=99999999999999999999"), "99999999999999999999"),
            (("--rank", "4"), "rank"),
            (("--rank", "one"), "one"),
            (("--width", "5"), "width"),
            (("--color", "pink"), "pink"),
            (("--svg", "/nowhere/there/a.svg"), "/nowhere/there/a.svg"),
        ]:
            self.run_show(*arguments, content=plane(), status=2)
            self.assertIn(word, self.err)
            self.assertEqual(self.out, "")
        self.run_show(status=2)

    def test_what_cannot_be_read(self):
        self.run_show(content="no json", status=2)
        self.run_show("/nowhere/array.json", status=2)
        self.assertIn("/nowhere/array.json", self.err)

    def test_what_does_not_conform_is_not_drawn(self):
        malformed = plane()
        malformed["ranks"][1]["dim_data"][2]["size"] = 7
        self.run_show(content=malformed, status=1)
        self.assertEqual(self.out, "")
        self.assertIn("B11", self.err)
        gap = array(section(blocks(4, 2, 0)), section(blocks(4, 2, 1)))
        gap["ranks"][1] = section({**blocks(4, 2, 1), "start": 3})
        self.run_show(content=gap, status=1)
        self.assertIn("B09", self.err)
        self.run_show(content=array(section(blocks(4, 1, 0), version="7.0.0")), status=3)
        self.assertIn("T07", self.err)
        self.run_show(content=array({"error": "no memory"}), status=5)
        self.assertIn("no memory", self.err)

    def test_warnings_do_not_stand_in_the_way(self):
        swapped = plane()
        swapped["ranks"][0], swapped["ranks"][3] = swapped["ranks"][3], swapped["ranks"][0]
        out = self.run_show(content=swapped)
        self.assertIn("│ 3  3  3 │ 1  1  1 │", out)

    def test_some_ranks(self):
        some = plane(nranks=4)
        some["ranks"] = some["ranks"][:3]
        out = self.run_show(content=some)
        self.assertIn("not all ranks were recorded", out)
        self.assertIn("│ 2  2  2 │ ?  ?  ? │", out)

    def test_svg(self):
        path = Path(self.folder.name) / "array.svg"
        self.assertEqual(self.run_show("--svg", str(path), content=plane()), "")
        self.assertTrue(ET.parse(path).getroot().tag.endswith("svg"))
        ET.fromstring(self.run_show("--svg", "-", content=plane()))
        self.assertEqual(self.out, path.read_text())

    def test_colors_and_characters(self):
        self.assertIn("\x1b[38;5;16;48;5;", self.run_show("--color", "always", content=plane()))
        self.assertNotIn("\x1b", self.run_show("--color", "never", content=plane()))
        self.assertTrue(self.run_show("--ascii", content=plane()).isascii())
        for locale in ("C", "POSIX", "de_DE.ISO-8859-1"):
            self.assertTrue(self.run_show(content=plane(), LC_ALL=locale).isascii())
        self.assertFalse(self.run_show(content=plane(), LC_ALL="de_DE.utf8").isascii())

    def test_width(self):
        wide = array(*(section(blocks(1000, 4, rank)) for rank in range(4)))
        for width in (40, 80, 120):
            lines = self.run_show("--width", str(width), content=wide).splitlines()
            frame = next(line for line in lines if "┌" in line)
            self.assertLessEqual(len(frame), width)
            self.assertGreater(len(frame), width - 8)

    def test_a_terminal(self):
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        wide = self.file(array(*(section(blocks(1000, 4, rank)) for rank in range(4))))
        launched = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "NO_COLOR")
        env = {k: v for k, v in os.environ.items() if k not in launched}
        env.update({"TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "", "LC_CTYPE": ""})
        subprocess.run([DAPTOR, "show", wide], stdout=follower, env=env, timeout=600, check=True)
        os.close(follower)
        out = b""
        try:
            while piece := os.read(leader, 65536):
                out += piece
        except OSError:
            pass  # the command had read all of it
        os.close(leader)
        self.assertIn(b"\x1b[", out)
        frame = next(line for line in out.decode().splitlines() if "┌" in line)
        self.assertGreater(len(frame), 92)
        self.assertLessEqual(len(frame), 100)

    def test_standard_input_and_full_disks(self):
        path = self.file(plane())
        with open(path) as source, open("/dev/full", "w") as full:
            drawn = subprocess.run([DAPTOR, "show", "-"], stdin=source, capture_output=True)
            self.assertEqual(drawn.returncode, 0)
            source.seek(0)
            lost = subprocess.run(
                [DAPTOR, "show", "-"], stdin=source, stdout=full, stderr=subprocess.PIPE
            )
            self.assertEqual(lost.returncode, 2)
            self.assertIn(b"cannot be written", lost.stderr)

    def test_very_many_ranks(self):
        count = 140_000
        many = array(*(section(blocks(2**40, count, rank)) for rank in range(count)))
        out = self.run_show(content=many)
        self.assertIn("and 139988 more ranks", out)
        self.assertLess(len(out), 10_000)
        self.assertIn("what they say together is not checked", self.err)


unittest.main(argv=sys.argv[:1])
