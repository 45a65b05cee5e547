// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation on an adaptive mesh: the vectors are deal.II's own, the matrix and the Krylov
// solver PETSc's, the preconditioner Trilinos' MueLu. All of them work in deal.II's memory.
//
//   mpirun -n 4 daptor_dealii_poisson [refinements]
//
// Prints the difference from the solution of deal.II's own CG.

#include <deal.II/base/function.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/petsc_precondition.h>
#include <deal.II/lac/petsc_solver.h>
#include <deal.II/lac/petsc_sparse_matrix.h>
#include <deal.II/lac/petsc_vector.h>
#include <deal.II/lac/sparsity_tools.h>
#include <deal.II/numerics/vector_tools.h>

#include <daptor/daptor.hpp>
#include <daptor/dealii.hpp>
#include <daptor/petsc.hpp>
#include <daptor/solvers.hpp>

#include <Teuchos_ParameterList.hpp>
#include <Tpetra_Core.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <vector>

namespace poisson {

using namespace dealii;
using Vector = LinearAlgebra::distributed::Vector<double>;
constexpr int dim = 3;

struct Problem {
  parallel::distributed::Triangulation<dim> mesh{MPI_COMM_WORLD};
  FE_Q<dim> element{1};
  DoFHandler<dim> dofs;
  IndexSet owned, relevant;
  AffineConstraints<double> constraints;
  PETScWrappers::MPI::SparseMatrix matrix;
  PETScWrappers::MPI::Vector right_side;

  explicit Problem(unsigned int refinements) {
    GridGenerator::hyper_cube(mesh);
    mesh.refine_global(refinements);
    for (const auto& cell : mesh.active_cell_iterators())
      if (cell->is_locally_owned() && cell->center().norm() < 0.5) cell->set_refine_flag();
    mesh.execute_coarsening_and_refinement();
    dofs.reinit(mesh);
    dofs.distribute_dofs(element);
    owned = dofs.locally_owned_dofs();
    DoFTools::extract_locally_relevant_dofs(dofs, relevant);
    constraints.reinit(relevant);
    DoFTools::make_hanging_node_constraints(dofs, constraints);
    VectorTools::interpolate_boundary_values(dofs, 0, Functions::ZeroFunction<dim>(), constraints);
    constraints.close();
    DynamicSparsityPattern pattern(relevant);
    DoFTools::make_sparsity_pattern(dofs, pattern, constraints, false);
    SparsityTools::distribute_sparsity_pattern(pattern, owned, MPI_COMM_WORLD, relevant);
    matrix.reinit(owned, owned, pattern, MPI_COMM_WORLD);
    right_side.reinit(owned, MPI_COMM_WORLD);
    assemble();
  }

  void assemble() {
    const QGauss<dim> points(2);
    FEValues<dim> values(element, points, update_values | update_gradients | update_JxW_values);
    const unsigned int n = element.n_dofs_per_cell();
    FullMatrix<double> local(n, n);
    dealii::Vector<double> local_right_side(n);
    std::vector<types::global_dof_index> indices(n);
    for (const auto& cell : dofs.active_cell_iterators()) {
      if (!cell->is_locally_owned()) continue;
      values.reinit(cell);
      local = 0;
      local_right_side = 0;
      for (unsigned int q = 0; q < points.size(); ++q)
        for (unsigned int i = 0; i < n; ++i) {
          for (unsigned int j = 0; j < n; ++j)
            local(i, j) += values.shape_grad(i, q) * values.shape_grad(j, q) * values.JxW(q);
          local_right_side(i) += values.shape_value(i, q) * values.JxW(q);
        }
      cell->get_dof_indices(indices);
      constraints.distribute_local_to_global(local, local_right_side, indices, matrix, right_side);
    }
    matrix.compress(VectorOperation::add);
    right_side.compress(VectorOperation::add);
  }
};

/// Solves in the memory of `x`, and fills its ghosts.
void solve(const Problem& problem, Vector& b, Vector& x) {
  const auto right_side = daptor::dealii::describe(b);
  const auto solution = daptor::dealii::describe(x);
  const auto b_vec = daptor::petsc::import_vec(right_side);
  const auto x_vec = daptor::petsc::import_vec(solution);
  KSP ksp = nullptr;
  KSPCreate(MPI_COMM_WORLD, &ksp);
  KSPSetOperators(ksp, problem.matrix, problem.matrix);
  KSPSetType(ksp, KSPCG);
  KSPSetTolerances(ksp, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT);
  PC pc = nullptr;
  KSPGetPC(ksp, &pc);
  daptor::solvers::operator_as_pc(
      daptor::solvers::muelu_preconditioner(problem.matrix, Teuchos::ParameterList()), pc);
  KSPSolve(ksp, b_vec.get(), x_vec.get());
  KSPDestroy(&ksp);
  solution.modified();
  daptor::update_padding(solution);  // what update_ghost_values does
}

double relative_difference(const Problem& problem, const Vector& x,
                           const PETScWrappers::MPI::Vector& expected) {
  double difference = 0, largest = 0;
  for (const auto i : problem.owned) {
    difference = std::max(difference, std::abs(x(i) - expected(i)));
    largest = std::max(largest, std::abs(expected(i)));
  }
  return Utilities::MPI::max(difference, MPI_COMM_WORLD) /
         Utilities::MPI::max(largest, MPI_COMM_WORLD);
}

/// Whether the ghosts have the values that deal.II gives them.
bool ghosts_right(const Vector& x) {
  const auto& layout = *x.get_partitioner();
  const auto* const ghosts = x.begin() + layout.locally_owned_size();
  const std::vector<double> found(ghosts, ghosts + layout.n_ghost_indices());
  const bool readable = x.has_ghost_elements();
  x.zero_out_ghost_values();
  x.update_ghost_values();
  const bool right = readable && std::equal(found.begin(), found.end(), ghosts);
  return Utilities::MPI::min(right ? 1 : 0, MPI_COMM_WORLD) == 1;
}

bool run(unsigned int refinements) {
  const Problem problem(refinements);
  Vector b(problem.owned, MPI_COMM_WORLD), x(problem.owned, problem.relevant, MPI_COMM_WORLD);
  for (const auto i : problem.owned) b(i) = problem.right_side(i);
  solve(problem, b, x);

  PETScWrappers::MPI::Vector expected(problem.owned, MPI_COMM_WORLD);
  SolverControl control(1000, 1e-12 * problem.right_side.l2_norm());
#if DEAL_II_VERSION_GTE(9, 6, 0)
  PETScWrappers::SolverCG cg(control);
#else
  PETScWrappers::SolverCG cg(control, MPI_COMM_WORLD);
#endif
  cg.solve(problem.matrix, expected, problem.right_side,
           PETScWrappers::PreconditionBlockJacobi(problem.matrix));
  const double difference = relative_difference(problem, x, expected);
  const bool ghosts = ghosts_right(x);
  problem.constraints.distribute(x);  // the hanging nodes, as always
  if (Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
    std::cout << problem.dofs.n_dofs() << " degrees of freedom, difference " << difference << '\n';
  return ghosts && difference < 1e-9;
}

}  // namespace poisson

int main(int argc, char** argv) {
  const dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  const Tpetra::ScopeGuard kokkos(&argc, &argv);
  return poisson::run(argc > 1 ? static_cast<unsigned int>(std::atoi(argv[1])) : 3) ? 0 : 1;
}
