"""A program that a type checker must accept."""

from typing import Any, Dict, Tuple

import numpy
from mpi4py import MPI

import daptor


class Grid:
    def __distarray__(self) -> Dict[str, Any]:
        return {}


def use(comm: MPI.Intracomm) -> Tuple[int, ...]:
    report: daptor.Report = daptor.validate(Grid(), comm, level="full")
    for finding in report:
        print(finding.rule, finding.dimension, finding.ranks)
    a = daptor.block(numpy.zeros(3), comm, shape=(6,), padding=((1, 1),))
    with a.write() as u:
        u[:] = 1.0
    daptor.update_padding(a, stencil="star")
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
