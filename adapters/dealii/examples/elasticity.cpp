// SPDX-License-Identifier: BSD-3-Clause
// Elasticity on an adaptive mesh: a matrix of TrilinosWrappers (Epetra), deal.II's own vectors and
// conjugate gradients. MueLu, which takes no matrix of Epetra, gets its rows by a description, and
// the rigid body modes; it is applied in the memory of deal.II's vectors.
//
//   mpirun -n 4 daptor_dealii_elasticity [refinements [pairs]]
//
// Prints the difference from the solution with ML, the preconditioner of TrilinosWrappers. With
// pairs, also the medians of the times of both, set-up and solve, one after the other. Then the
// steps of PETScWrappers' conjugate gradients on a matrix of theirs, with MueLu by options: with
// the matrix alone, with the number of equations, and with the block size and the rigid body modes.

#include <deal.II/base/function.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/petsc_precondition.h>
#include <deal.II/lac/petsc_solver.h>
#include <deal.II/lac/petsc_sparse_matrix.h>
#include <deal.II/lac/petsc_vector.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/sparsity_tools.h>
#include <deal.II/lac/trilinos_precondition.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/numerics/vector_tools.h>

#include <daptor/dealii/preconditioner.hpp>
#include <daptor/dealii/trilinos.hpp>
#include <daptor/petsc.hpp>
#include <daptor/solvers.hpp>
#include <daptor/solvers/register_pcs.hpp>

#include <Teuchos_ParameterList.hpp>
#include <Tpetra_Core.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <map>

namespace elasticity {

using namespace dealii;
using Vector = LinearAlgebra::distributed::Vector<double>;
constexpr int dim = 3;

void make(Vector& v, const IndexSet& owned, const IndexSet& relevant) {
  v.reinit(owned, relevant, MPI_COMM_WORLD);
}
void make(PETScWrappers::MPI::Vector& v, const IndexSet& owned, const IndexSet& /*relevant*/) {
  v.reinit(owned, MPI_COMM_WORLD);
}

template <class Matrix = TrilinosWrappers::SparseMatrix, class RightSide = Vector>
struct Problem {
  parallel::distributed::Triangulation<dim> mesh{MPI_COMM_WORLD};
  FESystem<dim> element{FE_Q<dim>(1), dim};
  DoFHandler<dim> dofs;
  IndexSet owned, relevant;
  AffineConstraints<double> constraints;
  Matrix matrix;
  RightSide b;

  explicit Problem(unsigned int refinements) {
    GridGenerator::subdivided_hyper_rectangle(mesh, {2, 1, 1}, {0, 0, 0}, {2, 1, 1}, true);
    mesh.refine_global(refinements);
    for (const auto& cell : mesh.active_cell_iterators())
      if (cell->is_locally_owned() && cell->center()[0] < 0.25) cell->set_refine_flag();
    mesh.execute_coarsening_and_refinement();
    dofs.reinit(mesh);
    dofs.distribute_dofs(element);
    owned = dofs.locally_owned_dofs();
    DoFTools::extract_locally_relevant_dofs(dofs, relevant);
    constraints.reinit(relevant);
    DoFTools::make_hanging_node_constraints(dofs, constraints);
    VectorTools::interpolate_boundary_values(dofs, 0, Functions::ZeroFunction<dim>(dim),
                                             constraints);
    constraints.close();
    DynamicSparsityPattern pattern(relevant);
    DoFTools::make_sparsity_pattern(dofs, pattern, constraints, false);
    SparsityTools::distribute_sparsity_pattern(pattern, owned, MPI_COMM_WORLD, relevant);
    matrix.reinit(owned, owned, pattern, MPI_COMM_WORLD);
    make(b, owned, relevant);
    assemble();
  }

  void assemble() {
    const double lambda = 1.15, mu = 0.77;
    const FEValuesExtractors::Vector displacement(0);
    FEValues<dim> values(element, QGauss<dim>(2),
                         update_values | update_gradients | update_JxW_values);
    const unsigned int n = element.n_dofs_per_cell();
    FullMatrix<double> local(n, n);
    dealii::Vector<double> force(n);
    std::vector<types::global_dof_index> indices(n);
    for (const auto& cell : dofs.active_cell_iterators()) {
      if (!cell->is_locally_owned()) continue;
      values.reinit(cell);
      local = 0;
      force = 0;
      const auto& u = values[displacement];
      for (const unsigned int q : values.quadrature_point_indices())
        for (unsigned int i = 0; i < n; ++i) {
          const auto strain = u.symmetric_gradient(i, q);
          for (unsigned int j = 0; j < n; ++j)
            local(i, j) += (2 * mu * (strain * u.symmetric_gradient(j, q)) +
                            lambda * u.divergence(i, q) * u.divergence(j, q)) *
                           values.JxW(q);
          force(i) -= 0.01 * u.value(i, q)[2] * values.JxW(q);
        }
      cell->get_dof_indices(indices);
      constraints.distribute_local_to_global(local, force, indices, matrix, b);
    }
    matrix.compress(VectorOperation::add);
    b.compress(VectorOperation::add);
  }
};

/// Tells PETSc's matrix what multigrid has to know: three unknowns a node, and the rigid body
/// modes.
template <class Problem>
void describe_elasticity(const Problem& problem, Mat matrix) {
#if DEAL_II_VERSION_GTE(9, 6, 0)
  const auto points = DoFTools::map_dofs_to_support_points(MappingQ1<dim>(), problem.dofs);
#else
  std::map<types::global_dof_index, Point<dim>> points;
  DoFTools::map_dofs_to_support_points(MappingQ1<dim>(), problem.dofs, points);
#endif
  Vec coordinates = nullptr;
  VecCreateMPI(MPI_COMM_WORLD, static_cast<PetscInt>(problem.owned.n_elements()), PETSC_DETERMINE,
               &coordinates);
  VecSetBlockSize(coordinates, dim);
  PetscScalar* values = nullptr;
  VecGetArrayWrite(coordinates, &values);
  unsigned int k = 0;
  for (const auto i : problem.owned) {  // the components of a node follow each other
    values[k] = points.at(i)[k % dim];
    ++k;
  }
  VecRestoreArrayWrite(coordinates, &values);
  MatNullSpace modes = nullptr;
  MatNullSpaceCreateRigidBody(coordinates, &modes);
  MatSetBlockSize(matrix, dim);
  MatSetNearNullSpace(matrix, modes);
  MatNullSpaceDestroy(&modes);
  VecDestroy(&coordinates);
}

template <class Preconditioner>
unsigned int solve(const Problem<>& problem, Vector& x, const Preconditioner& P) {
  SolverControl control(1000, 1e-10 * problem.b.l2_norm());
  SolverCG<Vector> cg(control);
  x = 0;
  cg.solve(problem.matrix, x, problem.b, P);
  return control.last_step();
}

unsigned int solve_with_muelu(const Problem<>& problem, Vector& x) {
  const auto copy = daptor::petsc::copy_csr(daptor::dealii::describe(problem.matrix));
  describe_elasticity(problem, copy.get());
  const daptor::dealii::Preconditioner muelu(
      daptor::solvers::muelu_preconditioner(copy.get(), Teuchos::ParameterList()));
  return solve(problem, x, muelu);
}

unsigned int solve_with_ml(const Problem<>& problem, Vector& x) {
  TrilinosWrappers::PreconditionAMG::AdditionalData options;
  DoFTools::extract_constant_modes(problem.dofs, ComponentMask(), options.constant_modes);
  TrilinosWrappers::PreconditionAMG ml;
  ml.initialize(problem.matrix, options);
  return solve(problem, x, ml);
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void time_pairs(const Problem<>& problem, int pairs) {
  Vector x(problem.owned, problem.relevant, MPI_COMM_WORLD);
  std::array<std::vector<double>, 2> times;
  for (int pair = 0; pair < pairs; ++pair)
    for (const int which : {pair % 2, 1 - pair % 2}) {
      MPI_Barrier(MPI_COMM_WORLD);
      const double begin = MPI_Wtime();
      which == 0 ? solve_with_muelu(problem, x) : solve_with_ml(problem, x);
      times[static_cast<std::size_t>(which)].push_back(MPI_Wtime() - begin);
    }
  if (Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
    std::cout << "medians of " << pairs << " pairs: MueLu " << median(times[0]) << " s, ML "
              << median(times[1]) << " s\n";
}

/// Solves by conjugate gradients of PETScWrappers with MueLu, which options choose.
unsigned int solve_by_options(
    const Problem<PETScWrappers::MPI::SparseMatrix, PETScWrappers::MPI::Vector>& problem,
    const char* options) {
  PetscOptions database = nullptr;
  PetscOptionsCreate(&database);
  PetscOptionsPush(database);
  PetscOptionsInsertString(database, options);
  SolverControl control(1000, 1e-10 * problem.b.l2_norm());
#if DEAL_II_VERSION_GTE(9, 6, 0)
  PETScWrappers::SolverCG cg(control);
#else
  PETScWrappers::SolverCG cg(control, MPI_COMM_WORLD);
#endif
  PETScWrappers::MPI::Vector x(problem.owned, MPI_COMM_WORLD);
  cg.solve(problem.matrix, x, problem.b, PETScWrappers::PreconditionNone(problem.matrix));
  PetscOptionsPop();
  PetscOptionsDestroy(&database);
  return control.last_step();
}

/// What MueLu needs to know, and what it makes of it: the steps with the matrix alone, with the
/// number of equations, and with the block size and the rigid body modes.
std::array<unsigned int, 3> steps_by_options(unsigned int refinements) {
  daptor::solvers::register_pcs();
  const Problem<PETScWrappers::MPI::SparseMatrix, PETScWrappers::MPI::Vector> problem(refinements);
  std::array<unsigned int, 3> steps{};
  steps[0] = solve_by_options(problem, "-pc_type muelu");
  steps[1] = solve_by_options(problem, "-pc_type muelu -pc_muelu_set \"number of equations=3\"");
  describe_elasticity(problem, problem.matrix);
  steps[2] = solve_by_options(problem, "-pc_type muelu");
  if (Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
    std::cout << "MueLu by options: " << steps[0] << " steps with the matrix alone, " << steps[1]
              << " with the number of equations, " << steps[2]
              << " with the block size and the rigid body modes\n";
  return steps;
}

bool run(unsigned int refinements, int pairs) {
  const Problem<> problem(refinements);
  Vector x(problem.owned, problem.relevant, MPI_COMM_WORLD), expected(x);
  const unsigned int steps = solve_with_muelu(problem, x);
  const unsigned int ml_steps = solve_with_ml(problem, expected);
  if (pairs > 0) time_pairs(problem, pairs);
  x -= expected;
  const double difference = x.linfty_norm() / expected.linfty_norm();
  if (Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
    std::cout << problem.dofs.n_dofs() << " degrees of freedom, " << steps << " steps with MueLu, "
              << ml_steps << " with ML, difference " << difference << '\n';
  return difference < 1e-7;
}

}  // namespace elasticity

int main(int argc, char** argv) {
  const dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  const Tpetra::ScopeGuard kokkos(&argc, &argv);
  const unsigned int refinements = argc > 1 ? static_cast<unsigned int>(std::atoi(argv[1])) : 2;
  if (!elasticity::run(refinements, argc > 2 ? std::atoi(argv[2]) : 0)) return 1;
  elasticity::steps_by_options(refinements);
  return 0;
}
