# SPDX-License-Identifier: BSD-3-Clause
"""A program that a type checker must accept."""

from typing import Any, Dict, Sequence, Tuple

import numpy
from mpi4py import MPI

import daptor
import daptor.checkpoint
import daptor.conformance


class Grid:
    def __distarray__(self) -> Dict[str, Any]:
        return {}


def use(comm: MPI.Intracomm) -> Tuple[int, ...]:
    report: daptor.Report = daptor.validate(Grid(), comm, level="full")
    for finding in report:
        print(finding.rule, finding.dimension, finding.ranks)
    found: daptor.Report = daptor.check(object(), values=False)
    found = daptor.ValueWatch(object()).look()
    found = daptor.check_ghosts(object())
    found = daptor.check_ghosts(object(), local_vec=object(), global_vec=object())
    print(len(found))
    a = daptor.block(numpy.zeros(3), comm, shape=(6,), padding=((1, 1),))
    extents: Tuple[int, ...] = daptor.local_shape((8, 6), comm, ghosts=(1, 2))
    grid = daptor.block(numpy.zeros(extents), comm, shape=(8, 6), ghosts=(1, 2), periodic=False,
                        bounds=((0, 8), None))
    interior: Tuple[slice, ...] = grid.interior_slices + grid.global_slices
    grid.interior[...] = grid.global_indices[0][:, None]
    whole = daptor.gather(grid, numpy.s_[3:5, :], root=0)
    again: daptor.Array = daptor.scatter(whole, like=daptor.zeros_like(grid, dtype="f4"))
    count_of: int = again.count_nonzero(where=grid)
    print(grid.sum(), daptor.norm(grid), grid.sample(([0], [1])), count_of, grid.size,
          daptor.allclose(grid, again.copy(), atol=1e-3), grid.padded_shape)
    print(daptor.from_function(lambda i, j: i + j, (8, 6), comm, ghosts=1).owned.shape)
    shards: Sequence[Tuple[int, Tuple[slice, ...]]] = grid.to_shards()
    grid = daptor.from_shards(shards, grid.interior, comm, shape=(8, 6))
    print(daptor.from_partitioned(grid.to_partitioned(), comm).to_dtensor(object()),
          daptor.from_dtensor(object(), comm))
    daptor.checkpoint.save({"u": grid, "step": 3}, "folder")
    daptor.checkpoint.load({"u": grid}, "folder")
    print(interior, daptor.full(5, 1.5, comm, order="F").local_shape)
    with daptor.muelu(object(), nullspace=[numpy.ones(3)], options={"max levels": 3}) as M:
        M.apply(numpy.ones(3), numpy.ones(3))
        rows_and_columns: Tuple[int, int] = M.shape
    print(rows_and_columns, daptor.ifpack2(object(), "ILUT") @ numpy.ones(3))
    velocity = daptor.zeros((8, 6), comm, components=2, ghosts=1)
    print(velocity.dims, velocity.coords, daptor.from_petsc(object()))
    print(velocity.like(daptor.layout.blocks((0, 0, None))).shape)
    nodes = daptor.owned_then_ghosts(numpy.zeros(3), numpy.arange(3), comm, owned=3)
    daptor.HaloExchange(nodes, owned=3).update()
    checked: daptor.Report = daptor.conformance.check(lambda comm: Grid(), comm,
                                                      label=lambda i, j: i + 8 * j)
    print(daptor.conformance.breach(checked))
    with a.write() as u:
        u[:] = 1.0
    daptor.update_padding(a, stencil="star")
    found = daptor.stale_padding(a, stencil="star") if a.stale_padding() else found
    kind: str = a.dtype.kind
    print(kind)
    columns: daptor.Array = a.redistributed(daptor.layout.slab(0, "F"))
    way = daptor.Redistribution([a], (columns,), comm=comm, fill_padding=True)
    way.run(scale=2j, keep=1)
    daptor.redistribute(None, columns, comm=comm, scale=0.5)
    moved: int = daptor.bytes_to_redistribute(a, a.like(daptor.layout.block_cyclic((2,))))
    print(moved, way.bytes_sent)
    verdict = daptor.explain(a)["petsc.vec"]
    if verdict.bytes_to_move is not None and verdict.bytes_to_move < 1 << 30:
        a.copy_to_petsc(convert=True)
    uses: Tuple[daptor.UseCost, ...] = verdict.uses
    print([(use.name, use.redistributions, use.bytes_to_move) for use in uses])
    a.update_padding(stencil="star")
    print(a.explain()["petsc.vec"].target, a.validate(strict=True).verdict, a.plot(samples=9))
    figure = daptor.plot(a, values=True, slices={0: 1}, samples=100)
    if figure is not None:
        figure.savefig("a.png")
    count: int = daptor.agreed(comm, lambda: len(report))
    try:
        b = daptor.import_(Grid(), comm)
    except daptor.Malformed as error:
        print(error.rule, error.rank, count)
        raise
    if daptor.explain(b)["petsc.vec"]:
        b.to_petsc()
    return b.shape
