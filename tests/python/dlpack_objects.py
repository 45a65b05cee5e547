# SPDX-License-Identifier: BSD-3-Clause
"""Objects of libraries that have __dlpack__, as docs/dlpack.md names them:

    mpirun -n 2 python3 -m daptor check --dlpack tests/python/dlpack_objects.py:torch_tensor
"""

import numpy

import daptor


def numpy_array():
    return numpy.arange(6.0).reshape(2, 3)


def numpy_strided():
    return numpy.arange(24).reshape(4, 6)[1::2, ::-2]


def numpy_empty():
    return numpy.zeros((0, 3), "c16")


def numpy_bool():
    return numpy.array([True, False])


def numpy_readonly():
    values = numpy.arange(6.0)
    values.flags.writeable = False
    return values


def daptor_array(comm):
    return daptor.block(numpy.arange(6.0), comm)


def torch_tensor():
    import torch
    return torch.arange(6.0).reshape(2, 3)


def torch_strided():
    import torch
    return torch.arange(24).reshape(4, 6)[1::2].T


def torch_bool():
    import torch
    return torch.tensor([True, False])


def torch_bfloat16():
    import torch
    return torch.zeros(3, dtype=torch.bfloat16)


def torch_with_gradient():
    import torch
    return torch.zeros(3, requires_grad=True)


def petsc_vec(comm):
    from petsc4py import PETSc
    vec = PETSc.Vec().createMPI((4, None), comm=comm)
    vec.set(1.0)
    return vec


def petsc_uneven_vec(comm):
    """All elements are on the last rank."""
    from petsc4py import PETSc
    return PETSc.Vec().createMPI((4 if comm.rank == comm.size - 1 else 0, None), comm=comm)
