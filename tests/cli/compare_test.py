# SPDX-License-Identifier: BSD-3-Clause
"""`daptor compare` of traces that are written here.

    compare_test.py program=DAPTOR
"""

import json
import os
import tempfile

from harness import Case, daptor, main

HEAD = {"daptor": "trace", "format": 1, "version": "0.1.0",
        "facts": {"level": 1, "epsilon": 2.220446049250313e-16}}


def extreme(value, at=0):
    return {"value": value, "at": [at]}


def numbers(**others):
    """The fingerprint of 0, 0.5, ..., 19.5."""
    return {"count": 40, "sum": 390.0, "magnitudes": 390.0, "norm": 71.66589146867568,
            "mixed": 3.25, "least": extreme(0.0), "greatest": extreme(19.5, 39),
            "largest": extreme(19.5, 39), "order": "global", **others}


def line(event, name="u", when="out", role="", level=1, **others):
    return {"event": event, "when": when, "role": role, "level": level,
            "object": {"class": others.pop("kind", "Vec"), "id": 1, "name": name}, **others}


def solve(reason=2, steps=5, **others):
    return line("KSPSolve", "", role="solver", kind="KSP",
                solve={"type": "gmres", "preconditioner": "ilu", "steps": steps, "reason": reason,
                       "rtol": 1e-5, **others})


class Compare(Case):
    def compared(self, one, other, *arguments, ranks=3, ended=True):
        """The exit status and the answer as JSON."""
        with tempfile.TemporaryDirectory() as folder:
            for name, count, lines in (("one", 1, one), ("other", ranks, other)):
                end = [{"end": len(lines)}] if ended or name == "one" else []
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    for each in ({**HEAD, "ranks": count}, *lines, *end):
                        file.write(json.dumps(each) + "\n")
            paths = [os.path.join(folder, name) for name in ("one", "other")]
            result = daptor("compare", *paths, "--json", *arguments)
            text = daptor("compare", *paths, *arguments)
        self.assertEqual(result.status, text.status)
        self.text = text.out
        self.assertIn(result.status, (0, 1), str(result))
        return json.loads(result.out)

    def assert_same(self, answer):
        self.assertFalse(answer["differs"], answer)
        self.assertIn("No difference beyond rounding", self.text)

    def assert_first(self, answer, event, *what):
        self.assertEqual(answer["first"]["one"]["event"], event, answer)
        self.assertEqual([each["what"] for each in answer["first"]["numbers"]], list(what))
        self.assertIn("First difference", self.text)

    def test_rounding_is_none(self):
        near = numbers(sum=390.0 * (1 + 4e-16), norm=71.66589146867568 * (1 - 4e-16))
        self.assert_same(self.compared([line("VecNorm", print=numbers())],
                                       [line("VecNorm", print=near)]))

    def test_more_than_rounding_is_one(self):
        other = numbers(sum=390.0 * (1 + 1e-12))
        lines = [line("VecNorm", print=numbers())]
        self.assert_first(self.compared(lines, [line("VecNorm", print=other)]), "VecNorm", "sum")
        self.assert_same(self.compared(lines, [line("VecNorm", print=other)], "--rtol", "1e-11"))

    def test_what_large_numbers_leave_has_their_rounding(self):
        """A residual of a thousandth of an epsilon differs in all digits, and behind such numbers
        alone it is no difference."""
        left = [numbers(sum=x, magnitudes=1e-14, norm=1e-15, least=extreme(-1e-16),
                        greatest=extreme(1e-16), largest=extreme(1e-16), mixed=0.0)
                for x in (3e-15, -4e-15)]
        before = line("VecNorm", print=numbers())
        self.assert_same(self.compared([before, line("VecDot", "r", print=left[0])],
                                       [before, line("VecDot", "r", print=left[1])]))
        self.assert_first(self.compared([line("VecDot", "r", print=left[0])],
                                        [line("VecDot", "r", print=left[1])]), "VecDot", "sum")

    def test_a_solution_agrees_to_the_tolerance(self):
        def run(x, residual, load=numbers(), **others):
            return [line("KSPSolve", "b", "in", "right-hand side", print=load),
                    solve(true_residual=residual, right_hand_side=71.7, **others),
                    line("KSPSolve", "x", role="solution", print=numbers(sum=x)),
                    line("VecNorm", "x", print=numbers(sum=x))]
        answer = self.compared(run(390.0, 1e-4), run(390.01, 2e-4, steps=7))
        self.assert_same(answer)
        self.assertIn("5 steps", answer["notes"][0])
        # Two direct solvers leave no such residual.
        self.assert_first(self.compared(run(390.0, 1e-14, rtol=0.0), run(390.01, 1e-14, rtol=0.0)),
                          "KSPSolve", "sum")
        self.assert_first(self.compared(run(390.0, 1e-4), run(390.0, 1e-4, reason=-3)),
                          "KSPSolve", "reason of convergence")
        self.assert_first(
            self.compared(run(390.0, 1e-4), run(390.0, 1e-4, load=numbers(norm=71.0))),
            "KSPSolve", "norm")

    def test_another_order_is_none_unless_it_was_the_same(self):
        one = [line("VecNorm", print=numbers()), line("VecDot", print=numbers())]
        other = [line("VecNorm", print=numbers(mixed=-1.0)),
                 line("VecDot", print=numbers(mixed=-2.0))]
        answer = self.compared(one, other)
        self.assert_same(answer)
        self.assertIn("another order", answer["notes"][0])
        place = "elements in other places: sum with weights by index"
        self.assert_first(self.compared(one, [one[0], other[1]]), "VecDot", place)
        self.assert_first(self.compared(one, other, ranks=1), "VecNorm", place)
        natural = [{**each, "print": {**each["print"], "order": "natural"}}
                   for each in (one[0], other[0])]
        self.assert_first(self.compared(natural[:1], natural[1:]), "VecNorm", place)
        # Those of a grid are the same, and others of the same size are numbered by ranks.
        self.assert_same(self.compared([natural[0], one[1]], [natural[0], other[1]]))

    def test_an_order_that_does_not_show_is_not_known(self):
        """Zeros, diagonals and what is small beside former rounding are alike in any order."""
        def matrix(mixed, **others):
            return line("MatAssemblyEnd", "A", kind="Mat", print={
                "rows": 40, "columns": 40, "count": 200, "sum": 200.0, "magnitudes": 200.0,
                "norm": 14.2, "mixed": mixed, "diagonal": 40.0, "diagonal_magnitudes": 40.0,
                "order": "global", **others})
        nothing = {"sum": 0.0, "magnitudes": 0.0, "norm": 0.0, "diagonal": 0.0,
                   "diagonal_magnitudes": 0.0}
        unit = {"sum": 40.0, "magnitudes": 40.0, "norm": 6.4}
        for before in (nothing, unit):
            first = matrix(0.0, **before)
            answer = self.compared([first, matrix(5.0)], [first, matrix(-3.0)])
            self.assert_same(answer)
            self.assertIn("another order", answer["notes"][0])
        self.assert_first(self.compared([matrix(5.0), matrix(7.0)], [matrix(5.0), matrix(6.0)]),
                          "MatAssemblyEnd", "elements in other places: sum with weights by index")
        constant = line("VecDot", print=numbers(
            sum=4e14, magnitudes=4e14, norm=1e13 * 40 ** 0.5, mixed=1e13, least=extreme(1e13),
            greatest=extreme(1e13), largest=extreme(1e13)))
        large = {key: 1e13 * numbers()[key] for key in ("sum", "magnitudes", "norm")}
        large.update(greatest=extreme(1.95e14), largest=extreme(1.95e14))
        # The components of a motion: 1, 0, 1, 0, ...
        motion = line("VecNorm", print=numbers(
            sum=20.0, magnitudes=20.0, norm=20 ** 0.5, mixed=1.5, greatest=extreme(1.0),
            largest=extreme(1.0)))
        self.assert_same(self.compared(*(
            [motion, line("VecDot", print=numbers(mixed=x))] for x in (3.25, -1.0))))
        self.assert_same(self.compared(*(
            [constant, line("VecNorm", print=numbers(mixed=x)),
             line("VecTDot", print=numbers(**large, mixed=1e13 * x))] for x in (3.25, -1.0))))

    def test_a_product_that_solves_agrees_to_the_tolerance(self):
        """As that of a shell matrix that is an inverse, and a step, which applies a function."""
        def run(event, relative, **others):
            near = numbers(sum=390.0 * (1 + relative), norm=71.66589146867568 * (1 + relative))
            return [line(event, when="in", print=numbers()), line(event, "y", print=near, **others)]
        self.assert_same(self.compared(run("MatMult", 0, tolerance=1e-8),
                                       run("MatMult", 1e-6, tolerance=1e-8)))
        self.assert_first(self.compared(run("MatMult", 0, tolerance=1e-8),
                                        run("MatMult", 1e-3, tolerance=1e-8)),
                          "MatMult", "sum", "norm")
        for event in ("MatMult", "TSStep"):
            self.assert_same(self.compared(run(event, 0), run(event, 1e-11)))
            self.assert_first(self.compared(run(event, 0), run(event, 1e-8)), event, "sum", "norm")

    def test_steps_that_adapt(self):
        """What an estimate of 1e-3 is made of is known to 1e-5, and so are steps to a hundredth."""
        def run(time, **others):
            return [line("TSStep", "", role="solver", kind="TS",
                         solve={"type": "rosw", "steps": 1, "reason": 0, "time": time,
                                "rtol": 1e-5, **others})]
        self.assert_same(self.compared(run(0.1, step_tolerance=1e-3),
                                       run(0.102, step_tolerance=1e-3)))
        self.assert_first(self.compared(run(0.1, step_tolerance=1e-3),
                                        run(0.12, step_tolerance=1e-3)), "TSStep", "time")
        self.assert_first(self.compared(run(0.1), run(0.102)), "TSStep", "time")
        # What has grown grows on.
        self.assert_same(self.compared(run(0.1, step_tolerance=1e-3) + run(0.2),
                                       run(0.102, step_tolerance=1e-3) + run(0.22)))

    def test_an_element_for_each_rank(self):
        def run(count):
            return [line("VecAssemblyEnd", print=numbers(count=count)),
                    line("VecNorm", "v", print=numbers())]
        for count in (2, 4):
            answer = self.compared(run(1), run(count), ranks=4)
            self.assert_same(answer)
            self.assertIn("an element for each rank", answer["notes"][0])
        self.assert_first(self.compared(run(1), run(3), ranks=4), "VecAssemblyEnd", "elements")

    def test_one_run_has_more(self):
        one = [line(event, print=numbers()) for event in ("VecNorm", "VecDot", "VecTDot")]
        other = [one[0], line("VecScatterBegin", print=numbers()), *one[1:]]
        answer = self.compared(one, other)
        self.assert_same(answer)
        self.assertEqual([(each["count"], each["first"]["line"]) for each in answer["more"]],
                         [(1, 3)])
        self.assertIn("has 1 line more, from line 3", self.text)
        # The first run may be the one, and both may have other lines in the same place.
        self.assertEqual(self.compared(other, one)["equal"], 3)
        answer = self.compared([one[0], line("MatSolve", print=numbers()), *one[1:]], other)
        self.assertEqual((answer["equal"], [each["count"] for each in answer["more"]]),
                         (3, [1, 1]))

    def test_a_run_that_ends_early(self):
        lines = [line(event, print=numbers()) for event in ("VecNorm", "VecDot")]
        answer = self.compared(lines, lines[:1], ended=False)
        self.assertTrue(answer["differs"])
        self.assertIn("has no end", self.text)

    def test_levels(self):
        one = [line("VecNorm", print=numbers()),
               line("PCApply", level=2, print=numbers())]
        other = [one[0], line("PCApply", level=2, print=numbers(sum=391.0))]
        self.assert_same(self.compared(one, other))
        self.assert_first(self.compared(one, other, "--level", "2"), "PCApply", "sum")

    def test_numbers_that_are_none(self):
        one = [line("VecNorm", print=numbers())]
        other = [line("VecNorm", print=numbers(not_finite=1, sum=370.0))]
        self.assert_first(self.compared(one, other), "VecNorm", "NaN and Inf")

    def test_what_cannot_be_compared(self):
        with tempfile.TemporaryDirectory() as folder:
            names = {"trace": [{**HEAD, "ranks": 1}, line("VecNorm", print=numbers())],
                     "other": [{**HEAD, "ranks": 1}, line("VecDot", print=numbers())],
                     "json": [{"format": 1}], "empty": []}
            for name, lines in names.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.writelines(json.dumps(each) + "\n" for each in lines)
            for name, saying in (("other", "no event in common"), ("json", "is no trace"),
                                 ("empty", "is no trace"), ("absent", "cannot be read")):
                result = self.expect(daptor("compare", os.path.join(folder, "trace"),
                                            os.path.join(folder, name)), 2)
                self.assertIn(saying, result.err)
        self.expect(daptor("compare", "one"), 2)


if __name__ == "__main__":
    main()
