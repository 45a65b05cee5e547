# SPDX-License-Identifier: BSD-3-Clause
"""daptor.dolfinx beside dolfinx: what its unit tests of `la` say, on Daptor's arrays.

    dolfinx_arrays.py CASE <docs/with>

CASE is `described`, or `programs`, which solve equations beside dolfinx's own way.
"""

import gc
import os
import re
import sys
import tempfile

import numpy as np
from mpi4py import MPI

import daptor

comm = MPI.COMM_WORLD
try:
    import ufl
    from dolfinx import fem, la, mesh
    from dolfinx_releases import MODES, OLD, function_space, mixed_space, norm_of, vec_of
    from petsc4py import PETSc
except ImportError as error:
    print(f"SKIPPED: the package python3-dolfinx is not installed ({error})")
    sys.exit(0)


def refused(kind, text, call):
    """Every rank raises the same error."""
    try:
        call()
        said = "nothing"
    except kind as error:
        said = str(error)
    everywhere = comm.allgather(said)
    assert text in said and len(set(everywhere)) == 1, everywhere


def square(count=5, **options):
    return mesh.create_unit_square(comm, count, count, **options)


def spaces(domain):
    """Block sizes 1 and 3, and two elements together."""
    return [function_space(domain, 2), mixed_space(domain), function_space(domain, 1, 3)]


def address(values):
    return values.__array_interface__["data"][0]


def same_memory(a, array):
    assert address(np.asarray(a)) == address(array) or array.size == 0
    assert np.asarray(a).size == array.size


def is_described(space):
    u = fem.Function(space)
    a = daptor.dolfinx.describe(u)
    dofs, size = space.dofmap.index_map, space.dofmap.index_map_bs
    same_memory(a, u.x.array)
    assert a.shape == ((dofs.size_global,) if size == 1 else (dofs.size_global, size))
    assert a.interior.size == size * dofs.size_local
    assert daptor.validate(a)
    # Forward: ghosts get the rank of their owners.
    u.x.array[:] = comm.rank
    a.modified()
    a.update_padding()
    ghosts = u.x.array[size * dofs.size_local:].copy()
    assert (ghosts == np.repeat(dofs.owners, size)).all()
    u.x.scatter_forward()
    assert (u.x.array[size * dofs.size_local:] == ghosts).all()
    # Copies take the owners' values, whatever ghosts hold.
    first, last = dofs.local_range
    u.x.array[:] = -1
    u.x.array[:size * dofs.size_local] = np.arange(size * first, size * last)
    a.modified()
    y = a.copy_to_petsc()
    assert (y.array == np.arange(*y.getOwnershipRange())).all()
    y.destroy()
    # Reverse: owners get the sum, ghosts keep their values.
    v = fem.Function(space)
    b = daptor.dolfinx.describe(v)
    u.x.array[:] = v.x.array[:] = 1 + comm.rank + np.arange(u.x.array.size) % 7
    u.x.scatter_reverse(MODES.add)
    daptor.HaloExchange(b).accumulate()
    assert np.array_equal(v.x.array, u.x.array)
    u.x.scatter_forward()
    u.x.scatter_reverse(MODES.insert)
    b.update_padding()
    daptor.HaloExchange(b).accumulate("insert")
    assert np.array_equal(v.x.array, u.x.array)
    for ours, kind in ((daptor.norm(a), la.Norm.l2), (daptor.max(a), la.Norm.linf)):
        assert abs(ours - norm_of(u.x, kind)) < 1e-12 * ours
    x = a.to_petsc()
    assert x.getBlockSize() == size and x.array.ctypes.data == address(u.x.array)
    x.destroy()
    # The memory outlives the function.
    expected = u.x.array.copy()
    del u
    gc.collect()
    assert np.array_equal(np.asarray(a).ravel(), expected)


def vectors_of_any_type(domain):
    """What an la.Vector on an index map numbers is what Daptor's exchange brings."""
    for dimension in range(domain.topology.dim + 1):
        domain.topology.create_entities(dimension)
        entities = domain.topology.index_map(dimension)
        for size in (1, 3):
            for dtype in (np.float32, np.float64, np.complex128):
                x = la.vector(entities, size, dtype=dtype)
                a = daptor.dolfinx.describe(x, comm=comm if OLD else None)
                same_memory(a, x.array)
                first, last = entities.local_range
                x.array[:] = -1
                x.array[:size * (last - first)] = np.arange(size * first, size * last)
                a.update_padding()
                indices = entities.local_to_global(np.arange(
                    entities.size_local + entities.num_ghosts, dtype=np.int32))
                assert np.array_equal(
                    x.array, (indices[:, None] * size + np.arange(size)).ravel().astype(dtype))


def outlives_the_mesh():
    """Whose communicator is freed with it."""
    a = daptor.dolfinx.describe(fem.Function(function_space(square(), 1)))
    gc.collect()
    np.asarray(a)[:] = 1 + comm.rank
    a.update_padding()
    assert daptor.min(a) == 1
    x = a.to_petsc()
    assert x.min()[1] == 1
    x.destroy()


def faults(domain):
    space = function_space(domain, 1)
    u = fem.Function(space)
    for victim in range(comm.size):
        here = comm.rank == victim
        for wrong in (None, 3, np.zeros(4), space):
            refused(daptor.InvalidArgument, "a Function or an la.Vector",
                    lambda: daptor.dolfinx.describe(wrong if here else u, comm=comm))
        if comm.size > 1:
            x = la.vector(space.dofmap.index_map, 2 if here else 1)
            refused(daptor.Malformed, "", lambda: daptor.dolfinx.describe(x, comm=comm))
            x = la.vector(space.dofmap.index_map, 1, dtype=np.float32 if here else np.float64)
            refused(daptor.Malformed, "", lambda: daptor.dolfinx.describe(x, comm=comm))
        A, known, _ = poisson_matrix(space)
        refused(daptor.InvalidArgument, "an la.MatrixCSR",
                lambda: daptor.dolfinx.csr(u if here else A, **{"comm": comm, **known}))
        wrong = {"maps": (3, 3)} if here else {}
        refused(daptor.InvalidArgument, "an IndexMap",
                lambda: daptor.dolfinx.csr(A, **{"comm": comm, **known, **wrong}))


def described():
    for ghosts in (mesh.GhostMode.none, mesh.GhostMode.shared_facet):
        domain = square(ghost_mode=ghosts)
        for space in spaces(domain):
            is_described(space)
        vectors_of_any_type(domain)
    outlives_the_mesh()
    faults(square(2))


def poisson_forms(space):
    u, v = ufl.TrialFunction(space), ufl.TestFunction(space)
    x = ufl.SpatialCoordinate(space.mesh)
    return (ufl.inner(ufl.grad(u), ufl.grad(v)) * ufl.dx + ufl.inner(u, v) * ufl.dx,
            ufl.inner(10 * ufl.exp(-(x[0] - 0.5) ** 2) * ufl.sin(5 * x[1]), v) * ufl.dx)


def poisson_matrix(space):
    """An la.MatrixCSR, its index maps and the right-hand side."""
    a, L = (fem.form(form) for form in poisson_forms(space))
    pattern = fem.create_sparsity_pattern(a)
    if OLD:
        pattern.assemble()
    else:
        pattern.finalize()
    A = la.matrix_csr(pattern)
    fem.assemble_matrix(A, a)
    if OLD:
        A.finalize()
    else:
        A.scatter_reverse()
    b = fem.Function(space)
    fem.assemble_vector(b.x.array, L)
    b.x.scatter_reverse(MODES.add)
    # An la.MatrixCSR of 0.9 has its maps, and those their communicator.
    known = {"maps": (pattern.index_map(0), pattern.column_index_map()), "comm": comm}
    return A, known if OLD else {}, b


def conjugate_gradients(A, M, b, x):
    """x = A^-1 b for Arrays, ghosts aside; returns the number of iterations."""
    r, z, q = (daptor.copy(b) for _ in range(3))
    p = daptor.zeros_like(b)
    x.interior[...] = 0
    before, limit = 1.0, 1e-10 * daptor.norm(b)
    for iteration in range(1, 100):
        M.apply(r.interior, z.interior)
        now = daptor.vdot(r, z)
        p.interior[...] = z.interior + now / before * p.interior
        daptor.multiply(A, p, q)
        step = now / daptor.vdot(p, q)
        x.interior[...] += step * p.interior
        r.interior[...] -= step * q.interior
        before = now
        if daptor.norm(r) < limit:
            return iteration
    raise AssertionError("no convergence")


def poisson():
    """On an la.MatrixCSR, with MueLu, in the memory of functions of dolfinx."""
    space = function_space(square(40), 1)
    A, known, b = poisson_matrix(space)
    S = daptor.dolfinx.csr(A, **known)
    assert address(S.values.interior) == address(A.data)
    u = fem.Function(space)
    x = daptor.dolfinx.describe(u)
    with daptor.muelu(S) as M:
        iterations = conjugate_gradients(S, M, daptor.dolfinx.describe(b), x)
    x.update_padding()
    matrix = fem.petsc.assemble_matrix(fem.form(poisson_forms(space)[0]))
    matrix.assemble()
    compare("poisson", x, solved(matrix, vec_of(b)), iterations, 20)


def solved(A, b):
    """What PETSc's conjugate gradients make of it."""
    ksp = PETSc.KSP().create(comm)
    ksp.setOperators(A)
    ksp.setType("cg")
    ksp.setTolerances(rtol=1e-12)
    ksp.pc.setType("jacobi")
    x = A.createVecRight()
    ksp.solve(b, x)
    return x


def page(folder):
    """The code that docs/with/dolfinx.md shows first."""
    with open(os.path.join(folder, "dolfinx.md"), encoding="utf-8") as file:
        text = file.read().partition("## The shortest code")[2].partition("\n## ")[0]
    space, scalars = function_space(square(8), 1, 2), function_space(square(8), 1)
    u, v = ufl.TrialFunction(space), ufl.TestFunction(space)
    A = fem.petsc.assemble_matrix(fem.form(
        ufl.inner(ufl.grad(u), ufl.grad(v)) * ufl.dx + ufl.inner(u, v) * ufl.dx))
    A.assemble()
    B, known, _ = poisson_matrix(scalars)
    p, q = (daptor.dolfinx.describe(fem.Function(scalars)) for _ in range(2))
    names = {"u": fem.Function(space), "V": space, "A": A, "B": B, "p": p, "q": q,
             "z": daptor.dolfinx.describe(fem.Function(space)), "print": lambda *_: None}
    code = "\n".join(re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S))
    if not hasattr(daptor, "hdf5"):  # built without HDF5
        code = re.sub("^daptor.save.*", "", code, flags=re.M)
    if known:
        code = code.replace("csr(B)", "csr(B, **known)")
    with tempfile.TemporaryDirectory() as scratch:
        path = comm.bcast(os.path.join(scratch, "u.h5"))
        exec(code.replace("u.h5", path), {**names, "known": known})
        comm.barrier()


def compare(name, u, expected, iterations, most):
    """Of an Array and the Vec that dolfinx's own way gives."""
    difference = np.abs(u.interior.ravel() - expected.array).max(initial=0)
    largest = comm.allreduce(np.abs(expected.array).max(initial=0), MPI.MAX)
    difference = comm.allreduce(difference, MPI.MAX) / largest
    say(f"{name}: {iterations} iterations, difference {difference:.1e}")
    assert iterations <= most, iterations
    assert difference < 1e-7, difference


def vector_valued():
    """Three unknowns at a node, with what MueLu wants to know about them."""
    space = function_space(square(30), 1, 3)
    u, v = ufl.TrialFunction(space), ufl.TestFunction(space)
    x = ufl.SpatialCoordinate(space.mesh)
    A = fem.petsc.assemble_matrix(fem.form(
        ufl.inner(ufl.grad(u), ufl.grad(v)) * ufl.dx + 1e-2 * ufl.inner(u, v) * ufl.dx))
    A.assemble()
    b = fem.Function(space)
    force = ufl.as_vector((x[0], ufl.sin(4 * x[1]), 1.0))
    fem.assemble_vector(b.x.array, fem.form(ufl.inner(force, v) * ufl.dx))
    b.x.scatter_reverse(MODES.add)
    u = fem.Function(space)
    y = daptor.dolfinx.describe(u, flat=True)
    S = daptor.export_csr(A, copy=True)
    components = np.tile(np.eye(3), (space.dofmap.index_map.size_local, 1))
    with daptor.muelu(S, block_size=3, nullspace=components) as M:
        iterations = conjugate_gradients(S, M, daptor.dolfinx.describe(b, flat=True), y)
    compare("three unknowns", y, solved(A, vec_of(b)), iterations, 25)


def blocks():
    """An la.MatrixCSR with a block size, which 0.5 does not have."""
    space = function_space(square(), 1, 3)
    u, v = ufl.TrialFunction(space), ufl.TestFunction(space)
    form = fem.form(ufl.inner(ufl.grad(u), ufl.grad(v)) * ufl.dx + u[0] * v[1] * ufl.dx)
    A = fem.assemble_matrix(form)
    A.scatter_reverse()
    refused(daptor.InvalidArgument, "BlockMode.expanded", lambda: daptor.dolfinx.csr(A))
    x, y = fem.Function(space), fem.Function(space)
    x.interpolate(lambda p: np.vstack([p[0], np.sin(4 * p[1]), p[0] * p[1]]))
    product = daptor.dolfinx.describe(y, flat=True)
    daptor.multiply(daptor.dolfinx.csr(A, copy=True), daptor.dolfinx.describe(x, flat=True),
                    product)
    matrix = fem.petsc.assemble_matrix(form)
    matrix.assemble()
    expected = matrix.createVecLeft()
    matrix.mult(vec_of(x), expected)
    compare("blocks", product, expected, 0, 0)


def elasticity():
    """Rigid body modes of the coordinates, in the memory of the function that is sought."""
    domain = mesh.create_box(
        comm, ((0.0, 0.0, 0.0), (2.0, 1.0, 1.0)), (8, 4, 4), mesh.CellType.tetrahedron)
    space = function_space(domain, 1, 3)
    w, v = ufl.TrialFunction(space), ufl.TestFunction(space)
    strain = ufl.sym(ufl.grad(w))
    stress = 2.0 * strain + 1.2 * ufl.tr(strain) * ufl.Identity(3)
    wall = mesh.locate_entities_boundary(domain, 2, lambda p: np.isclose(p[0], 0.0))
    fixed = fem.dirichletbc(np.zeros(3), fem.locate_dofs_topological(space, 2, wall), space)
    A = fem.petsc.assemble_matrix(fem.form(ufl.inner(stress, ufl.grad(v)) * ufl.dx), bcs=[fixed])
    A.assemble()
    force = ufl.as_vector((0.0, 0.0, -1e-2))
    b = fem.petsc.assemble_vector(fem.form(ufl.inner(force, v) * ufl.dx))
    b.ghostUpdate(addv=PETSc.InsertMode.ADD, mode=PETSc.ScatterMode.REVERSE)
    fem.petsc.set_bc(b, [fixed])

    u = fem.Function(space)
    a = daptor.dolfinx.describe(u)
    ksp = PETSc.KSP().create(comm)
    ksp.setOperators(A)
    ksp.setType("cg")
    ksp.setTolerances(rtol=1e-10)
    ksp.pc.setType("python")
    ksp.pc.setPythonContext(daptor.muelu(
        A, coordinates=daptor.dolfinx.coordinates(space), options={"coarse: max size": 100}))
    ksp.solve(b, a.to_petsc())
    a.modified()
    a.update_padding()
    ghosted = u.x.array.copy()
    u.x.scatter_forward()
    assert np.array_equal(u.x.array, ghosted)
    compare("elasticity", a, solved(A, b), ksp.getIterationNumber(), 20)


def say(text):
    if comm.rank == 0:
        print(text)


if sys.argv[1] == "described":
    described()
else:
    page(sys.argv[2])
    if not OLD:
        blocks()
    poisson()
    vector_valued()
    elasticity()
