# SPDX-License-Identifier: BSD-3-Clause
"""Smooths a real elevation model by an implicit step of the heat equation, in NumPy's memory.

    mpirun -n 4 python3 terrain.py [--file DEM.npz] [--picture terrain.png]

NumPy has the heights, mpi4py the ranks, petsc4py the grid and the conjugate gradients, and
Trilinos' MueLu is the preconditioner. Daptor lets them share the heights, which are never copied.
"""

import argparse
import os
import sys

import daptor
import numpy
import petsc4py
from mpi4py import MPI

petsc4py.init([sys.argv[0], "-dll_append", daptor.petsc_plugin()])
from petsc4py import PETSc  # noqa: E402

DEM = os.path.join("sample_data", "jacksboro_fault_dem.npz")
STRENGTH = 20.0  # diffusivity times time step, in cells squared: smooths over about 6 cells


def find_dem():
    """Returns the path of the elevation model in matplotlib's sample data."""
    for folder in ("/usr/share/matplotlib/mpl-data",):
        if os.path.exists(os.path.join(folder, DEM)):
            return os.path.join(folder, DEM)
    import matplotlib
    return os.path.join(matplotlib.get_data_path(), DEM)


def load(comm, file):
    """Returns this rank's rows of the heights, and the numbers of all rows and columns."""
    whole = None
    if comm.rank == 0:
        with numpy.load(file or find_dem()) as dem:
            whole = dem["elevation"].astype(float)
    rows, columns = comm.bcast(None if whole is None else whole.shape)
    counts = [rows // comm.size + (rank < rows % comm.size) for rank in range(comm.size)]
    heights = numpy.empty((counts[comm.rank], columns))
    comm.Scatterv([whole, [count * columns for count in counts]], heights)
    return heights, (rows, columns)


def heat_step(dm, strength):
    """Returns the five-point matrix of u - strength * laplace(u), closed at the edges."""
    columns, rows = dm.getSizes()
    x, y = (numpy.arange(first, last) for first, last in dm.getRanges())
    cell = y[:, None] * columns + x  # PETSc numbers row by row, because ranks have whole rows
    neighbours = [(-columns, y[:, None] > 0), (-1, x > 0), (0, True), (1, x < columns - 1),
                  (columns, y[:, None] < rows - 1)]
    there = numpy.stack([numpy.broadcast_to(inside, cell.shape) for _, inside in neighbours], -1)
    index = numpy.stack([cell + distance for distance, _ in neighbours], -1)
    value = numpy.full(index.shape, -strength)
    value[..., 2] = 1.0 + strength * (there.sum(-1) - 1)
    starts = numpy.concatenate([[0], numpy.cumsum(there.sum(-1))])
    csr = [part.astype(PETSc.IntType) for part in (starts, index[there])] + [value[there]]
    size = (cell.size, rows * columns)
    return PETSc.Mat().createAIJ((size, size), csr=csr, comm=dm.getComm())


def solve(matrix, right, solution):
    """Solves by conjugate gradients with MueLu. Returns iterations and relative residual."""
    ksp = PETSc.KSP().create(matrix.getComm())
    ksp.setOperators(matrix)
    ksp.setType("cg")
    ksp.setTolerances(rtol=1e-12)
    ksp.pc.setType("muelu")
    ksp.solve(right, solution)
    reason, iterations = ksp.getConvergedReason(), ksp.getIterationNumber()
    if reason <= 0:
        raise RuntimeError(f"the solver gave up after {iterations} iterations, reason {reason}")
    residual = right.duplicate()
    matrix.mult(solution, residual)
    residual.axpy(-1.0, right)
    relative = residual.norm() / right.norm()
    residual.destroy()
    ksp.destroy()
    return iterations, relative


def smooth(comm, heights, shape):
    """Returns the smoothed heights of this rank's rows, a new array; iterations and residual."""
    smoothed = numpy.zeros_like(heights)
    before = daptor.block(heights, comm, shape=shape, grid=(comm.size, 1))
    after = daptor.block(smoothed, comm, shape=shape, grid=(comm.size, 1))
    with after.to_dmda(stencil_width=1, stencil="star") as grid:
        matrix = heat_step(grid.dm, STRENGTH)
        right = before.to_petsc(flat=True)
        iterations, residual = solve(matrix, right, grid.global_vec)
        right.destroy()
        matrix.destroy()
    after.modified()  # PETSc has written to NumPy's memory
    return before, after, iterations, residual


def draw(before, after, path):
    """Draws the heights before and after, with the ranks' borders. Collective."""
    axes = [None, None]
    figure = None
    if before.comm.rank == 0:
        from matplotlib.figure import Figure
        figure = Figure(figsize=(11.0, 4.6), dpi=120, layout="constrained")
        axes = figure.subplots(1, 2)
    for array, place, title in zip((before, after), axes, ("elevation in metres", "smoothed")):
        daptor.plot(array, values=True, axes=place)
        if place is not None:
            place.set_title(title)
    if figure is not None:
        low, high = axes[0].images[0].get_clim()  # one scale for both
        axes[1].images[0].set_clim(low, high)
        figure.savefig(path)


def main():
    daptor.end_job_on_exception()
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--file", help="an .npz file with an array 'elevation'")
    parser.add_argument("--picture", help="where to write heights before and after")
    arguments = parser.parse_args()
    comm = MPI.COMM_WORLD
    heights, shape = load(comm, arguments.file)
    before, after, iterations, residual = smooth(comm, heights, shape)
    with after.read() as smoothed:
        mean = [comm.allreduce(part.sum()) / (shape[0] * shape[1]) for part in (heights, smoothed)]
        highest = [comm.allreduce(part.max(), MPI.MAX) for part in (heights, smoothed)]
        rough = [comm.allreduce((numpy.diff(part, axis=1) ** 2).sum())
                 for part in (heights, smoothed)]
    if comm.rank == 0:
        print(f"{shape[0]} x {shape[1]} heights on {comm.size} ranks: {iterations} iterations, "
              f"relative residual {residual:.1e}")
        print(f"mean    {mean[0]:11.6f} m -> {mean[1]:11.6f} m")
        print(f"highest {highest[0]:11.6f} m -> {highest[1]:11.6f} m")
        print(f"roughness between columns -> {rough[1] / rough[0]:.6f} of what it was")
    if arguments.picture:
        draw(before, after, arguments.picture)


if __name__ == "__main__":
    main()
