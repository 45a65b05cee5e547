// SPDX-License-Identifier: BSD-3-Clause
// deal.II's own conjugate gradients and a matrix-free operator, on an adaptive mesh. Trilinos'
// MueLu, set up once from an assembled matrix, is the preconditioner, in the memory of deal.II's
// vectors.
//
//   mpirun -n 4 daptor_dealii_matrix_free [refinements]

#include <deal.II/base/function.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/petsc_sparse_matrix.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/sparsity_tools.h>
#include <deal.II/matrix_free/matrix_free.h>
#include <deal.II/matrix_free/operators.h>
#include <deal.II/numerics/matrix_creator.h>
#include <deal.II/numerics/vector_tools.h>

#include <daptor/dealii/preconditioner.hpp>
#include <daptor/solvers.hpp>

#include <Teuchos_ParameterList.hpp>
#include <Tpetra_Core.hpp>

#include <cstdlib>
#include <iostream>
#include <memory>

namespace matrix_free {

using namespace dealii;
using Vector = LinearAlgebra::distributed::Vector<double>;
constexpr int dim = 3;
using Operator = MatrixFreeOperators::LaplaceOperator<dim, 1>;

/// The matrix of the operator, for the preconditioner.
void assemble(const DoFHandler<dim>& dofs, const AffineConstraints<double>& constraints,
              PETScWrappers::MPI::SparseMatrix& matrix) {
  const IndexSet owned = dofs.locally_owned_dofs();
  IndexSet relevant;
  DoFTools::extract_locally_relevant_dofs(dofs, relevant);
  DynamicSparsityPattern pattern(relevant);
  DoFTools::make_sparsity_pattern(dofs, pattern, constraints, false);
  SparsityTools::distribute_sparsity_pattern(pattern, owned, MPI_COMM_WORLD, relevant);
  matrix.reinit(owned, owned, pattern, MPI_COMM_WORLD);
  FEValues<dim> values(dofs.get_fe(), QGauss<dim>(2), update_gradients | update_JxW_values);
  const unsigned int n = dofs.get_fe().n_dofs_per_cell();
  FullMatrix<double> local(n, n);
  std::vector<types::global_dof_index> indices(n);
  for (const auto& cell : dofs.active_cell_iterators()) {
    if (!cell->is_locally_owned()) continue;
    values.reinit(cell);
    local = 0;
    for (const unsigned int q : values.quadrature_point_indices())
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j)
          local(i, j) += values.shape_grad(i, q) * values.shape_grad(j, q) * values.JxW(q);
    cell->get_dof_indices(indices);
    constraints.distribute_local_to_global(local, indices, matrix);
  }
  matrix.compress(VectorOperation::add);
}

template <class Preconditioner>
unsigned int solve(const Operator& op, const Vector& b, Vector& x, const Preconditioner& P) {
  SolverControl control(2000, 1e-12 * b.l2_norm());
  SolverCG<Vector> cg(control);
  cg.solve(op, x, b, P);
  return control.last_step();
}

bool run(unsigned int refinements) {
  parallel::distributed::Triangulation<dim> mesh(MPI_COMM_WORLD);
  GridGenerator::hyper_cube(mesh);
  mesh.refine_global(refinements);
  for (const auto& cell : mesh.active_cell_iterators())
    if (cell->is_locally_owned() && cell->center().norm() < 0.5) cell->set_refine_flag();
  mesh.execute_coarsening_and_refinement();
  const FE_Q<dim> element(1);
  DoFHandler<dim> dofs(mesh);
  dofs.distribute_dofs(element);
  IndexSet relevant;
  DoFTools::extract_locally_relevant_dofs(dofs, relevant);
  AffineConstraints<double> constraints(relevant);
  DoFTools::make_hanging_node_constraints(dofs, constraints);
  VectorTools::interpolate_boundary_values(dofs, 0, Functions::ZeroFunction<dim>(), constraints);
  constraints.close();

  MatrixFree<dim, double>::AdditionalData data;
  data.mapping_update_flags = update_gradients | update_JxW_values;
  auto cells = std::make_shared<MatrixFree<dim, double>>();
  cells->reinit(MappingQ1<dim>(), dofs, constraints, QGauss<1>(2), data);
  Operator op;
  op.initialize(cells);
  Vector b, x, expected;
  op.initialize_dof_vector(b);
  op.initialize_dof_vector(x);
  op.initialize_dof_vector(expected);
  b = 1.0;
  constraints.set_zero(b);

  PETScWrappers::MPI::SparseMatrix matrix;
  assemble(dofs, constraints, matrix);
  const daptor::dealii::Preconditioner muelu(
      daptor::solvers::muelu_preconditioner(matrix, Teuchos::ParameterList()));
  const unsigned int steps = solve(op, b, x, muelu);

  op.compute_diagonal();
  PreconditionJacobi<Operator> jacobi;
  jacobi.initialize(op, 1.0);
  const unsigned int jacobi_steps = solve(op, b, expected, jacobi);
  x -= expected;
  const double difference = x.linfty_norm() / expected.linfty_norm();
  if (Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
    std::cout << dofs.n_dofs() << " degrees of freedom, " << steps << " steps with MueLu, "
              << jacobi_steps << " with Jacobi, difference " << difference << '\n';
  return difference < 1e-9 && steps < jacobi_steps;
}

}  // namespace matrix_free

int main(int argc, char** argv) {
  const dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  const Tpetra::ScopeGuard kokkos(&argc, &argv);
  return matrix_free::run(argc > 1 ? static_cast<unsigned int>(std::atoi(argv[1])) : 3) ? 0 : 1;
}
