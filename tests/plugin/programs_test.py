# SPDX-License-Identifier: BSD-3-Clause
"""The plug-in in unchanged programs, PETSc's own tutorials.

    programs_test.py CASE plugin=FILE programs=FOLDER ranks=N mpirun=COMMAND;WITH;ARGUMENTS
        sanitized=[NAMES]

With a sanitized plug-in each run takes seconds, so problems are smaller, with one run of each kind.
"""

import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

from petsc_programs import (RANKS, SANITIZED, Output, examined, good, refused, require, run,  # noqa
                            settings)

TOLERANCE = ["-ksp_rtol", "1e-8", "-ksp_converged_reason"]
MUELU = ["-pc_type", "muelu"]
IFPACK2 = ["-pc_type", "ifpack2"]
NATIVE = ["-pc_type", "bjacobi"]  # incomplete LU on each process, as Ifpack2's by default


def as_native(program, *arguments):
    """Ifpack2 takes as many iterations as PETSc's own incomplete LU."""
    if SANITIZED:
        return
    ours = good(program, *arguments, *IFPACK2, *TOLERANCE)
    native = good(program, *arguments, *NATIVE, *TOLERANCE, plugin=False)
    require(ours.iterations() == native.iterations() != [],
            f"{program}: {ours.iterations()} iterations, PETSc's own {native.iterations()}", ours)


def few(program, *arguments, solves, most):
    output = good(program, *arguments, *MUELU, *TOLERANCE)
    counts = output.iterations()
    require(len(counts) in solves and max(counts) <= most, f"{program}: iterations {counts}",
            output)
    require(min(counts) > 1, f"{program}: no multigrid was at work: {counts}", output)
    return output


def case_ex2():
    grid = ["-m", "200", "-n", "200", "-ksp_type", "cg"]
    output = few("ex2", *grid, "-ksp_view", solves=[1], most=9)
    for text in ("MueLu of Trilinos through Daptor", "type: redundant", "type: lu",
                 "Number of levels    = 3"):
        require(text in output.text, f"-ksp_view does not say '{text}'", output)
    error = float(re.search(r"Norm of error (\S+)", output.text).group(1))
    require(error < 1e-4, f"error {error}", output)
    # A small matrix is coarsened too; a tiny one is left to the coarse solver; the view says so.
    few("ex2", "-m", "65", "-n", "65", solves=[1], most=9)
    says(good("ex2", "-m", "10", "-n", "10", *MUELU, "-ksp_view"),
         "1 level, which is no multigrid")
    as_native("ex2", "-m", "40", "-n", "40")


def case_ex45():
    few("ex45", "-da_refine", "2" if SANITIZED else "3", solves=[1], most=9)
    as_native("ex45", "-da_refine", "2")


def case_ex56():
    cube = ["-ne", "5" if SANITIZED else "9", "-ksp_type", "cg", "-pc_muelu_coarse_size", "300"]
    # Three solves: one, and two after the values have changed.
    by_coordinates = few("ex56", *cube, "-two_solves", solves=[3], most=16)
    counts = by_coordinates.iterations()
    require(counts[0] == counts[1] == counts[2], f"new values, iterations {counts}", by_coordinates)
    if SANITIZED:
        return
    by_modes = few("ex56", *cube, "-use_mat_nearnullspace", solves=[1], most=16)
    require(by_modes.iterations()[0] == counts[0],
            f"near-null space {by_modes.iterations()}, coordinates {counts}", by_modes)
    as_native("ex56", *cube[:4])


def case_ex5():
    problem = ["-da_refine", "5", "-snes_converged_reason"]
    output = few("ex5", *problem, solves=[4], most=9)
    require("Nonlinear solve converged" in output.text, "the Newton method diverged", output)
    as_native("ex5", "-da_refine", "3")


def case_ex13():
    problem = ["-da_refine", "4", "-ts_type", "beuler", "-ts_dt", "0.05", "-ts_max_time",
               "0.05" if SANITIZED else "0.2"]
    few("ex13", *problem, solves=range(1, 9), most=9)
    as_native("ex13", "-da_refine", "3", *problem[2:])


def case_ex34():
    """A pressure equation: nothing is prescribed at the edges, and the matrix is singular."""
    cube = [f"-da_grid_{axis}" for axis in "xyz"]
    points = [word for name in cube for word in (name, "16" if SANITIZED else "30")]
    few("ex34", *points, "-ksp_type", "cg", solves=[1], most=12)
    if SANITIZED:
        return
    few("ex34", *points, solves=[1], most=12)
    few("ex34", *points, "-pc_muelu_coarse_size", "100", solves=[1], most=12)
    refused("ex34", *points, *MUELU, "-pc_muelu_coarse_redundant_pc_factor_shift_type", "none",
            saying="the coarse solver's result is not finite")


def case_ex4():
    """PETSc's multigrid on MueLu's grids, in the tutorial that uses those of GAMG and hypre."""
    hybrid = ["-pc_type", "hmg", "-ksp_rtol", "1e-6", "-ksp_converged_reason", "-m", "40", "-n",
              "35"]
    ours = ["-hmg_inner_pc_type", "muelu", "-hmg_inner_pc_muelu_coarse_size", "50"]
    subspace = ["-bs", "4", "-pc_hmg_use_subspace_coarsening", "1"]
    cases = [[], ["-bs", "4"], subspace, [*subspace, "-mg_levels_1_pc_type", "asm"],
             ["-bs", "4", "-mg_levels_1_pc_type", "fieldsplit"],
             [*subspace, "-pc_hmg_coarsening_component", "2"],
             ["-pc_hmg_reuse_interpolation", "1", "-test_reuse_interpolation", "1"],
             ["-hmg_inner_pc_muelu_repartition", "true"]]
    for case in cases[:2] if SANITIZED else cases:
        output = good("ex4", *hybrid, *ours, *case, "-ksp_view")
        counts = output.iterations()
        require(counts and max(counts) <= 9, f"{case}: iterations {counts}", output)
        levels = int(re.search(r"levels=(\d+)", output.text).group(1))
        require(levels >= 3, f"{case}: {levels} levels", output)
    if SANITIZED:
        return
    # The plug-in's grids are as good as those of PETSc's own coarsening.
    native = good("ex4", *hybrid, "-hmg_inner_pc_type", "gamg", plugin=False)
    counts = good("ex4", *hybrid, *ours).iterations()
    require(max(counts) <= max(native.iterations()) + 1,
            f"{counts} iterations, GAMG's grids {native.iterations()}", native)
    # The whole matrix is the coarsest grid.
    good("ex4", "-pc_type", "hmg", "-ksp_rtol", "1e-6", "-hmg_inner_pc_type", "muelu")


def case_sessions():
    for options in (MUELU, IFPACK2):
        output = good("sessions", *options, "-ksp_type", "cg")
        counts = re.findall(r"session \d: iterations (\d+)", output.text)
        require(len(counts) == 2 and counts[0] == counts[1] and counts[0] != "0",
                f"iterations {counts}", output)


def case_loads():
    """Programs that load the plug-in themselves, in each session of PETSc."""
    solver = [*MUELU, "-ksp_type", "cg"]
    output = good("loads", *solver, "-daptor_check", plugin=False)
    ours = re.findall(r"session \d: iterations (\d+)", output.text)
    require(len(ours) == 2 and output.text.count("-daptor_check: 0 findings") == 2,
            "the plug-in is not there in both sessions", output)
    output = good("sessions", *solver)
    require(ours == re.findall(r"session \d: iterations (\d+)", output.text),
            f"another number of iterations than by -dll_append: {ours}", output)
    # By both ways at once.
    output = good("loads", *solver, "-daptor_check")
    require(output.text.count("-daptor_check: 0 findings") == 2, "not one doctor", output)
    if SANITIZED:
        return
    output = good("loads_fortran", plugin=False)
    says(output, "PetscInitialize before the first import or export", "/ muelu")


PARAMETERS = """<ParameterList name="MueLu">
  <Parameter name="max levels" type="int" value="3"/>
  <Parameter name="coarse: max size" type="int" value="100"/>
  <Parameter name="smoother: type" type="string" value="CHEBYSHEV"/>
  <ParameterList name="smoother: params">
    <Parameter name="chebyshev: degree" type="int" value="3"/>
  </ParameterList>
</ParameterList>
"""


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def says(output, *texts):
    for text in texts:
        require(text in output.text, f"it does not say '{text}'", output)


def case_options():
    grid = ["-m", "100", "-n", "100", *TOLERANCE]
    write("good.xml", PARAMETERS)
    view = ["-ksp_view"]
    # Options override the file.
    says(good("ex2", *grid, *MUELU, "-pc_muelu_xml", "good.xml", "-pc_muelu_levels", "2", *view),
         "parameters from good.xml", "2 levels", "Ifpack2::Chebyshev", "degree: 3")
    says(good("ex2", *grid, *IFPACK2, "-help"), "-pc_ifpack2_type", "-pc_ifpack2_fill")
    if SANITIZED:
        return
    says(good("ex2", *grid, *MUELU, "-pc_muelu_xml", "good.xml", *view), "3 levels")
    says(good("ex2", *grid, *MUELU, "-pc_muelu_sweeps", "2", "-pc_muelu_coarse_size", "50",
              "-pc_muelu_set", "max levels=4; cycle type=W",
              "-pc_muelu_coarse_pc_type", "svd", *view),
         "4 levels", "Cycle type          = W", "sweeps: 2", "Symmetric Gauss-Seidel", "type: svd")
    says(good("ex2", *grid, *IFPACK2, "-pc_ifpack2_type", "RELAXATION", "-pc_ifpack2_relaxation",
              "Gauss-Seidel", "-pc_ifpack2_set", "relaxation: sweeps=3", *view),
         "type RELAXATION", "Type: Gauss-Seidel", "sweeps: 3")
    # A direct solver for each process's rows.
    says(good("ex2", *grid, *IFPACK2, "-pc_ifpack2_type", "AMESOS2", *view), "Amesos2Wrapper")
    says(good("ex2", *grid, *MUELU, "-help"), "-pc_muelu_xml", "-pc_muelu_levels",
         "-pc_muelu_coarse_pc_type", "ifpack2")


PROBLEMS = ("plane", "cube", "layers", "wind", "elastic")


def with_ml(*options, of=PROBLEMS):
    """The options of the program `ml`, whose problems have prefixes."""
    return [f"-{problem}_{word[1:]}" if word.startswith("-") else word
            for problem in of for word in ("-pc_type", "ml", *options)]


def iterations_of_problems(output):
    """Returns those of both solves of each problem, and expects right answers."""
    lines = re.findall(r"(\w+)_ iterations (\d+) and (\d+), error (\S+)", output.text)
    for name, _, _, error in lines:
        require(float(error) < 1e-6, f"{name}: error {error}", output)
    return {name: (int(first), int(second)) for name, first, second, _ in lines}


def compare_with_own_ml(problems, ours):
    """Where PETSc was built with ML, `ml` is its own unless an option asks for MueLu."""
    by_default = good("ml", *problems, "-plane_ksp_view")
    by_ml = "Grids of MueLu" not in by_default.text
    require(by_ml or not on_debian_12(), "PETSc's own ml was replaced", by_default)
    for name, counts in iterations_of_problems(by_default).items():
        require(max(ours[name]) <= 1.2 * max(counts),
                f"{name}: {ours[name]} iterations, {counts} {'with ML' if by_ml else 'before'}",
                by_default)


def case_ml():
    """MueLu in place of ML, whose options and defaults it has."""
    plane = ["-only", "plane"]
    muelu = ["-daptor_ml", "muelu"]
    # Smoothers that show whether the interpolation is damped as it should be without symmetry.
    problems = with_ml() + with_ml("-mg_levels_ksp_type", "chebyshev", "-mg_levels_pc_type",
                                   "jacobi", of=["wind"])
    by_muelu = good("ml", *problems, *muelu)
    ours = iterations_of_problems(by_muelu)
    most = {"plane": 8, "cube": 6, "layers": 24, "wind": 22, "elastic": 11}
    require(ours.keys() == most.keys() and all(max(ours[name]) <= most[name] for name in most),
            f"iterations {ours}", by_muelu)

    if not SANITIZED:  # ML itself leaks
        compare_with_own_ml(problems, ours)

    # The sign of an equation changes nothing.
    output = good("ml", "-only", "cube", "-negative", *with_ml(of=["cube"]), *muelu)
    require(iterations_of_problems(output)["cube"] == ours["cube"], f"not {ours}", output)

    # Where it was not, `ml` is MueLu's.
    says(good("ml", *plane, *with_ml("-ksp_view", of=PROBLEMS[:1]), "-forget_ml",
              settings["plugin"], plugin=False), "Grids of MueLu")

    options = {
        "-pc_ml_maxNlevels 3": ["max levels = 3", "levels=3"],
        "-pc_ml_maxCoarseSize 7": ["coarse: max size = 7"],
        "-pc_ml_DampingFactor 1.25": ["sa: damping factor = 1.25"],
        "-pc_ml_Threshold 0.01": ["aggregation: drop tol = 0.01", "aggregation: drop tol = 0.005",
                                  "aggregation: drop tol = 0.0025"],
        "-pc_ml_CoarsenScheme uncoupled": [],
        "-pc_ml_nullspace scalar": ["number of equations = 1"],
        "-pc_ml_reuse_interpolation": ["reuse: type = RP"],
        "-pc_ml_repartition": ["repartition: enable = 1"],
        "-pc_ml_repartitionMaxMinRatio 1.5": ["repartition: max imbalance = 1.5"],
        "-pc_ml_repartitionMinPerProc 200": ["repartition: min rows per proc = 200"],
        "-mg_levels_ksp_type chebyshev": ["type: chebyshev"],
        "-mg_levels_pc_type jacobi": ["type: jacobi"],
        "-mg_coarse_pc_type svd": ["type: svd"],
        "-pc_mg_cycle_type w": ["cycles=w"],
    }
    words = [word for option in options for word in option.split()]
    output = good("ml", *plane, *with_ml("-ksp_view", *words, of=PROBLEMS[:1]), *muelu)
    says(output, "Grids of MueLu", *[text for texts in options.values() for text in texts])
    require("no counterpart" not in output.text, "an option is not translated", output)
    counts = iterations_of_problems(output)["plane"]
    require(max(counts) <= 20, f"iterations {counts}", output)

    # What MueLu cannot do is said once, whatever the number of processes and PCs.
    without = {"CoarsenScheme": "MIS", "SpectralNormScheme_Anorm": "true", "Symmetrize": "true",
               "BlockScaling": "true", "EnergyMinimization": "2", "OldHierarchy": "true"}
    words = [word for name, value in without.items() for word in (f"-pc_ml_{name}", value)]
    words += ["-pc_ml_Threshold", "0"]
    output = good("ml", *problems, *with_ml(*words), *muelu)
    for name, value in without.items():
        sentence = f"daptor: -pc_ml_{name} {value} has no counterpart in MueLu; in its place: "
        require(output.text.count(sentence) == 1, f"not once: {sentence}", output)
    require(iterations_of_problems(output) == ours, "something else was done in place", output)

    refused("ml", *plane, *with_ml("-pc_ml_CoarsenScheme", "none"), *muelu,
            saying="expected one of Uncoupled Coupled MIS METIS")
    refused("ml", *plane, *with_ml("-pc_ml_nullspace", "user"), *muelu,
            saying="matrix.near-null-space")
    # PETSc's SOR would raise an error on one process, for which the others would wait.
    unsmoothed = ["-pc_ml_DampingFactor", "0"]  # otherwise MueLu divides by it first
    for smoother in ([], ["-mg_levels_pc_type", "bjacobi", "-mg_levels_sub_pc_type", "sor"]):
        refused("ml", *plane, "-hole", *with_ml(*unsmoothed, *smoother), *muelu,
                saying="row 3597, whose diagonal is zero or missing (1 such row on all ranks")
    jacobi = ["-mg_levels_pc_type", "jacobi"]
    output = run("ml", *plane, "-hole", *with_ml(*unsmoothed, *jacobi), *muelu)
    require("matrix.diagonal" not in output.text, "refused", output)
    output = run("ml", *plane, "-daptor_ml", "ml")
    require(output.status not in (0, 124, 137), "not refused", output)
    says(output, "daptor: argument error, '-daptor_ml': found ml; expected muelu")


def on_debian_12():
    with open("/etc/os-release", encoding="utf-8") as file:
        fields = dict(line.rstrip().split("=", 1) for line in file if "=" in line)
    return fields.get("ID") == "debian" and fields.get("VERSION_ID", "").strip('"') == "12"


def case_errors():
    grid = ["-m", "50", "-n", "50"]
    write("name.xml", PARAMETERS.replace("max levels", "no such name"))
    write("syntax.xml", PARAMETERS.replace("</ParameterList>", ""))
    write("klu.xml", '<ParameterList name="MueLu"><Parameter name="coarse: type" type="string" '
                     'value="KLU2"/></ParameterList>')
    refused("ex2", *grid, *MUELU, "-pc_muelu_xml", "syntax.xml", saying="line ")
    # KLU2 is wrong on several processes in Debian 12's Trilinos 13.2, and right in Debian 13's and
    # in 16.1: it is refused, or multigrid with it converges as it should.
    klu = ["ex2", *grid, *MUELU, "-pc_muelu_xml", "klu.xml"]
    if on_debian_12() or run(*klu).status != 0:
        refused(*klu, saying="gives wrong solutions")
    else:
        output = good(*klu, *TOLERANCE)
        require(output.iterations()[0] <= 20, f"iterations {output.iterations()}", output)
    refused("ex2", *grid, *IFPACK2, "-pc_ifpack2_type", "NOTHING",
            saying='Invalid preconditioner type "NOTHING"')
    if SANITIZED:
        return
    refused("ex2", *grid, *MUELU, "-pc_muelu_xml", "missing.xml", saying="xml.file")
    refused("ex2", *grid, *MUELU, "-pc_muelu_xml", "name.xml", saying='name="no such name"')
    for path in ("/dev/zero", "."):
        refused("ex2", *grid, *MUELU, "-pc_muelu_xml", path, saying="no regular file")
    with open("large.xml", "wb") as file:
        file.truncate((16 << 20) + 1)
    refused("ex2", *grid, *MUELU, "-pc_muelu_xml", "large.xml", saying="16777217 bytes")
    refused("ex2", *grid, *MUELU, "-pc_muelu_levels", "-5", saying="-pc_muelu_levels -5")
    refused("ex2", *grid, *IFPACK2, "-pc_ifpack2_fill", "-7", saying="-pc_ifpack2_fill -7")
    refused("ex2", *grid, *MUELU, "-pc_muelu_set", "coarse: type=Tacho",
            saying="Tacho is not supported")
    refused("ex2", *grid, *MUELU, "-pc_muelu_set", "max levels", saying="'max levels=3'")
    refused("ex2", *grid, *MUELU, "-pc_muelu_levels", "many", saying="many has no integer value")
    refused("ex2", *grid, *MUELU, "-ksp_type", "bicg", saying="MueLu offers no transpose")


def case_nested():
    problem = ["-m", "60", "-n", "60", *TOLERANCE]
    ours = good("ex2", *problem, *NATIVE, "-sub_pc_type", "ifpack2")
    if SANITIZED:
        return
    native = good("ex2", *problem, *NATIVE, plugin=False)
    require(ours.iterations() == native.iterations(), f"{ours.iterations()}", native)
    # Blocks of several processes, each with a hierarchy of its own.
    blocks = str(max(1, RANKS // 2))
    whole = ["-sub_ksp_type", "preonly", "-pc_bjacobi_blocks", blocks]
    output = good("ex2", *problem, *NATIVE, *whole, "-sub_pc_type", "muelu",
                  "-sub_pc_muelu_coarse_size", "300")
    require(output.iterations()[0] <= 35, f"iterations {output.iterations()}", output)


def case_wide_indices():
    refused("ex2_64", *MUELU, saying=", real double, 64-bit indices, and")


def case_complex_scalars():
    refused("ex2_complex", *MUELU, saying=", complex double, 32-bit indices, and")


def case_other_petsc4py():
    """A petsc4py of another PETSc, which Python keeps apart from the one that the plug-in links."""
    script = ("import petsc4py; petsc4py.init(['x', '-dll_append', '" + settings["plugin"] +
              "']); print('started', 6 * 7)")
    process = subprocess.run(
        settings["mpirun"].split(";") + [settings["python"], "-c", script],
        env={**os.environ, "PYTHONPATH": settings["other_petsc4py"]}, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    output = Output(process.returncode, process.stdout.decode("utf-8", "replace"))
    require(process.returncode not in (0, 124, 137), f"status {process.returncode}", output)
    says(output, "daptor: the program runs PETSc", ", complex double, 32-bit indices, and this",
         "PETSC_DIR chooses one", "petsc4py.PETSc.Error")
    # Python 3.13 shows the line of the script in its traceback.
    require("started 42" not in output.text and "Logging" not in output.text, "it went on", output)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    globals()[f"case_{sys.argv[1]}"]()
