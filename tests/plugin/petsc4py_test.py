# SPDX-License-Identifier: BSD-3-Clause
"""The plug-in under petsc4py, which only knows its path.

    mpirun -n N python petsc4py_test.py plugin=FILE [big=FILE] [market=FILE]
"""

import sys

import numpy
import petsc4py

settings = dict(argument.split("=", 1) for argument in sys.argv[1:])
petsc4py.init([sys.argv[0], "-dll_append", settings["plugin"]])
from petsc4py import PETSc  # noqa: E402


def laplacian(m):
    """Returns the five-point Laplacian of an m x m grid."""
    first, last = PETSc.Vec().createMPI(m * m).getOwnershipRange()
    row = numpy.arange(first, last)
    columns = row[:, None] + numpy.array([-m, -1, 0, 1, m])
    inside = numpy.stack(
        [row >= m, row % m > 0, row >= 0, row % m < m - 1, row < m * (m - 1)], axis=1)
    values = numpy.broadcast_to([-1.0, -1.0, 4.0, -1.0, -1.0], columns.shape)
    starts = numpy.concatenate([[0], numpy.cumsum(inside.sum(axis=1))])
    return PETSc.Mat().createAIJ(
        ((last - first, m * m), (last - first, m * m)),
        csr=(starts.astype(PETSc.IntType), columns[inside].astype(PETSc.IntType), values[inside]))


def harwell_boeing(path):
    """Reads an assembled real matrix (RUA), whole on every process: rows, columns, values, size."""
    with open(path, encoding="ascii") as file:
        lines = file.read().splitlines()
    lists = [int(lines[1][14 * k:14 * k + 14]) for k in range(1, 4)]
    rows, _, entries = (int(word) for word in lines[2][14:].split()[:3])
    formats = lines[3].replace("(", " ").replace(")", " ").split()
    widths = [int(format.upper().replace("P", "I").split("I")[-1]) for format in formats[:2]]
    at = 4 + (1 if int(lines[1][56:70] or 0) > 0 else 0)
    found = []
    for count, width in zip(lists, [*widths, None]):
        text = lines[at:at + count]
        at += count
        if width is None:
            found.append([float(word) for word in " ".join(text).replace("D", "E").split()])
        else:
            found.append([int(line[k:k + width]) for line in text
                          for k in range(0, len(line.rstrip()), width)])
    starts, row_list, values = (numpy.array(item) for item in found)
    assert len(starts) == rows + 1 and len(row_list) == len(values) == entries
    return row_list - 1, numpy.repeat(numpy.arange(rows), numpy.diff(starts)), values, rows


def matrix_market(path):
    """Reads a symmetric matrix from a file that has its lower half."""
    with open(path, encoding="ascii") as file:
        lines = [line.split() for line in file if not line.startswith("%")]
    size = int(lines[0][0])
    lower = [(int(r) - 1, int(c) - 1, float(v)) for r, c, v in lines[1:]]
    all_entries = lower + [(c, r, v) for r, c, v in lower if r != c]
    return (*zip(*all_entries), size)


def assembled(rows, columns, values, size):
    matrix = PETSc.Mat().createAIJ(size)
    matrix.setUp()
    matrix.setOption(PETSc.Mat.Option.NEW_NONZERO_ALLOCATION_ERR, False)
    first, last = matrix.getOwnershipRange()
    for r, c, v in zip(rows, columns, values):
        if first <= r < last:
            matrix.setValue(r, c, v)
    matrix.assemble()
    return matrix


def solver(matrix, pc, ksp, **options):
    database = PETSc.Options()
    for name, value in options.items():
        database[name] = value
    made = PETSc.KSP().create()
    made.setOperators(matrix)
    made.setType(ksp)
    made.setTolerances(rtol=1e-8, max_it=500)
    made.pc.setType(pc)
    made.setFromOptions()
    for name in options:
        database.delValue(name)
    return made


def residual_after(ksp, matrix):
    x, b = matrix.createVecs()
    b.set(1.0)
    ksp.solve(b, x)
    assert ksp.getConvergedReason() > 0, ksp.getConvergedReason()
    return (b - matrix * x).norm() / b.norm()


def few_iterations():
    matrix = laplacian(100)
    ksp = solver(matrix, "muelu", "cg")
    assert residual_after(ksp, matrix) < 1e-5
    assert 2 < ksp.getIterationNumber() <= 10, ksp.getIterationNumber()
    matrix.scale(3.0)
    assert residual_after(ksp, matrix) < 1e-5


def coordinates_are_taken():
    matrix = laplacian(40)
    first, last = matrix.getOwnershipRange()
    row = numpy.arange(first, last)
    ksp = solver(matrix, "muelu", "cg", pc_muelu_set="aggregation: drop scheme=distance laplacian")
    ksp.pc.setCoordinates(numpy.stack([row // 40, row % 40], axis=1).astype(float))
    assert residual_after(ksp, matrix) < 1e-5


def errors_are_exceptions():
    ksp = solver(laplacian(20), "muelu", "cg", pc_muelu_xml="/no/such/file.xml")
    try:
        ksp.setUp()
    except PETSc.Error as error:
        assert "xml.file" in str(error), str(error)
    else:
        raise AssertionError("no error")


def a_real_unsymmetric_matrix():
    matrix = assembled(*harwell_boeing(settings["big"]))
    ksp = solver(matrix, "ifpack2", "gmres", pc_ifpack2_type="ILUT", ksp_gmres_restart=200)
    assert residual_after(ksp, matrix) < 1e-4
    assert ksp.getIterationNumber() < 150, ksp.getIterationNumber()


def a_matrix_of_a_beam():
    matrix = assembled(*matrix_market(settings["market"]))
    for pc in ("muelu", "ifpack2"):
        ksp = solver(matrix, pc, "gmres")
        assert residual_after(ksp, matrix) < 1e-4, pc
        assert ksp.getIterationNumber() <= 14, ksp.getIterationNumber()


few_iterations()
coordinates_are_taken()
errors_are_exceptions()
if "big" in settings:
    a_real_unsymmetric_matrix()
if "market" in settings:
    a_matrix_of_a_beam()
