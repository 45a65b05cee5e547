# SPDX-License-Identifier: BSD-3-Clause
"""The plug-in under dolfinx: the problems of its Poisson and elasticity demos.

    dolfinx_demos.py CASE plugin=FILE

PETSc's options alone choose the solver of each, as a user of dolfinx would do.
"""

import sys

settings = dict(argument.split("=", 1) for argument in sys.argv[2:])

try:
    import petsc4py

    petsc4py.init(["dolfinx_demos", "-dll_append", settings["plugin"]])
    import numpy as np
    import ufl
    from dolfinx import fem, mesh
    from dolfinx.fem.petsc import LinearProblem
    from dolfinx_releases import function_space, vec_of
    from mpi4py import MPI
    from petsc4py import PETSc
except ImportError as error:
    print(f"SKIPPED: the package python3-dolfinx is not installed ({error})")
    sys.exit(0)

comm = MPI.COMM_WORLD
GAMG = {"pc_type": "gamg"}
MUELU = {"pc_type": "muelu"}


def poisson(options):
    """Solves by a LinearProblem, whose options prefix differs between processes."""
    domain = mesh.create_rectangle(
        comm, ((0.0, 0.0), (2.0, 1.0)), (96, 48), mesh.CellType.triangle)
    space = function_space(domain, 1)
    sides = mesh.locate_entities_boundary(
        domain, 1, lambda x: np.isclose(x[0], 0.0) | np.isclose(x[0], 2.0))
    fixed = fem.dirichletbc(
        PETSc.ScalarType(0), fem.locate_dofs_topological(space, 1, sides), space)
    u, v = ufl.TrialFunction(space), ufl.TestFunction(space)
    x = ufl.SpatialCoordinate(domain)
    source = 10 * ufl.exp(-((x[0] - 0.5) ** 2 + (x[1] - 0.5) ** 2) / 0.02)
    problem = LinearProblem(
        ufl.inner(ufl.grad(u), ufl.grad(v)) * ufl.dx,
        ufl.inner(source, v) * ufl.dx + ufl.inner(ufl.sin(5 * x[0]), v) * ufl.ds, bcs=[fixed],
        petsc_options={"ksp_type": "cg", "ksp_rtol": 1e-10, **options})
    solution = problem.solve()
    solver = problem.solver
    return solver.getConvergedReason(), solver.getIterationNumber(), vec_of(solution).norm()


def rigid_body_modes(space):
    """Returns three displacements and three rotations, orthonormal."""
    vectors = [fem.Function(space) for _ in range(6)]
    fields = [lambda x, i=i: np.eye(3)[i][:, None] * np.ones(x.shape[1]) for i in range(3)]
    fields += [lambda x: np.array([-x[1], x[0], 0 * x[0]]),
               lambda x: np.array([x[2], 0 * x[0], -x[0]]),
               lambda x: np.array([0 * x[0], -x[2], x[1]])]
    for vector, field in zip(vectors, fields):
        vector.interpolate(field)
    made = []
    for vector in (vec_of(v).copy() for v in vectors):  # a function's own vector dies with it
        for before in made:
            vector.axpy(-vector.dot(before), before)
        vector.normalize()
        made.append(vector)
    return PETSc.NullSpace().create(vectors=made, comm=comm)


def elasticity(options):
    domain = mesh.create_box(
        comm, ((0.0, 0.0, 0.0), (2.0, 1.0, 1.0)), (12, 8, 8), mesh.CellType.tetrahedron)
    space = function_space(domain, 1, 3)
    young, poisson_ratio = 1e9, 0.3
    mu = young / (2 * (1 + poisson_ratio))
    lam = young * poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio))

    def stress(w):
        strain = ufl.sym(ufl.grad(w))
        return 2 * mu * strain + lam * ufl.tr(strain) * ufl.Identity(3)

    u, v = ufl.TrialFunction(space), ufl.TestFunction(space)
    x = ufl.SpatialCoordinate(domain)
    wall = mesh.locate_entities_boundary(domain, 2, lambda p: np.isclose(p[0], 0.0))
    fixed = fem.dirichletbc(np.zeros(3), fem.locate_dofs_topological(space, 2, wall), space)
    force = ufl.as_vector((1e4 * x[0], 1e4 * x[1], 0.0))
    form = fem.form(ufl.inner(stress(u), ufl.grad(v)) * ufl.dx)
    matrix = fem.petsc.assemble_matrix(form, bcs=[fixed])
    matrix.assemble()
    right_side = fem.petsc.assemble_vector(fem.form(ufl.inner(force, v) * ufl.dx))
    fem.petsc.apply_lifting(right_side, [form], bcs=[[fixed]])
    right_side.ghostUpdate(addv=PETSc.InsertMode.ADD, mode=PETSc.ScatterMode.REVERSE)
    fem.petsc.set_bc(right_side, [fixed])
    matrix.setNearNullSpace(rigid_body_modes(space))
    database = PETSc.Options()
    for name, value in {"ksp_type": "cg", "ksp_rtol": 1e-8, **options}.items():
        database[name] = value
    solver = PETSc.KSP().create(comm)
    solver.setOperators(matrix)
    solver.setFromOptions()
    solution = fem.Function(space)
    solver.solve(right_side, vec_of(solution))
    return solver.getConvergedReason(), solver.getIterationNumber(), vec_of(solution).norm()


def compare(problem, most):
    reason, iterations, norm = problem(MUELU)
    _, _, expected = problem(GAMG)
    if comm.rank == 0:
        print(f"{problem.__name__}: {iterations} iterations, norm {norm}, with GAMG {expected}")
    assert reason > 0, reason
    assert iterations <= most, iterations
    assert abs(norm - expected) < 1e-5 * expected, (norm, expected)


{"poisson": lambda: compare(poisson, 12),
 "elasticity": lambda: compare(elasticity, 25)}[sys.argv[1]]()
