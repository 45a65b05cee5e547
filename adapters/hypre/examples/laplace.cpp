// SPDX-License-Identifier: BSD-3-Clause
// A program of hypre, by its IJ interface: conjugate gradients with BoomerAMG. PETSc's conjugate
// gradients with Trilinos' MueLu then solve the same equations in the memory of hypre's vectors.
//
//   mpirun -n 4 daptor_hypre_laplace [-n points]

#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <petscksp.h>

#include <daptor/daptor.hpp>
#include <daptor/hypre.hpp>
#include <daptor/petsc.hpp>
#include <daptor/solvers.hpp>

#include <Teuchos_ParameterList.hpp>
#include <Tpetra_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace laplace {

/// The five-point Laplacian on a square, and its vectors.
struct Equations {
  HYPRE_IJMatrix matrix = nullptr;
  HYPRE_IJVector b = nullptr, x = nullptr;

  Equations(int points, MPI_Comm comm) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const long rows = long{points} * points;
    const auto first = static_cast<HYPRE_BigInt>(rows * rank / ranks);
    const auto last = static_cast<HYPRE_BigInt>(rows * (rank + 1) / ranks - 1);
    HYPRE_IJMatrixCreate(comm, first, last, first, last, &matrix);
    HYPRE_IJMatrixSetObjectType(matrix, HYPRE_PARCSR);
    HYPRE_IJMatrixInitialize(matrix);
    for (HYPRE_IJVector* v : {&b, &x}) {
      HYPRE_IJVectorCreate(comm, first, last, v);
      HYPRE_IJVectorSetObjectType(*v, HYPRE_PARCSR);
      HYPRE_IJVectorInitialize(*v);
    }
    for (HYPRE_BigInt row = first; row <= last; ++row) set_row(row, points);
    HYPRE_IJMatrixAssemble(matrix);
    HYPRE_IJVectorAssemble(b);
    HYPRE_IJVectorAssemble(x);
  }
  Equations(const Equations&) = delete;
  Equations& operator=(const Equations&) = delete;
  ~Equations() {
    HYPRE_IJMatrixDestroy(matrix);
    HYPRE_IJVectorDestroy(b);
    HYPRE_IJVectorDestroy(x);
  }

  void set_row(HYPRE_BigInt row, int points) const {
    const auto i = row % points, j = row / points;
    std::vector<HYPRE_BigInt> columns{row};
    std::vector<double> values{4.0};
    const auto add = [&](bool inside, HYPRE_BigInt column) {
      if (!inside) return;
      columns.push_back(column);
      values.push_back(-1.0);
    };
    add(i > 0, row - 1);
    add(i + 1 < points, row + 1);
    add(j > 0, row - points);
    add(j + 1 < points, row + points);
    auto count = static_cast<HYPRE_Int>(columns.size());
    HYPRE_IJMatrixSetValues(matrix, 1, &count, &row, columns.data(), values.data());
    const double force = 1.0 + static_cast<double>((i * 7 + j * 3) % 5), zero = 0.0;
    HYPRE_IJVectorSetValues(b, 1, &row, &force);
    HYPRE_IJVectorSetValues(x, 1, &row, &zero);
  }
};

template <class Object, class Handle, class Get>
Object object_of(Handle handle, Get get) {
  void* object = nullptr;
  get(handle, &object);
  return static_cast<Object>(object);
}

/// hypre's own way.
void solve_by_hypre(HYPRE_ParCSRMatrix A, HYPRE_ParVector b, HYPRE_ParVector x, MPI_Comm comm) {
  HYPRE_Solver amg = nullptr, pcg = nullptr;
  HYPRE_BoomerAMGCreate(&amg);
  HYPRE_BoomerAMGSetMaxIter(amg, 1);
  HYPRE_BoomerAMGSetTol(amg, 0);
  HYPRE_BoomerAMGSetRelaxType(amg, 6);
  HYPRE_ParCSRPCGCreate(comm, &pcg);
  HYPRE_PCGSetTol(pcg, 1e-12);
  HYPRE_PCGSetTwoNorm(pcg, 1);
  HYPRE_PCGSetMaxIter(pcg, 200);
  HYPRE_ParCSRPCGSetPrecond(pcg, HYPRE_BoomerAMGSolve, HYPRE_BoomerAMGSetup, amg);
  HYPRE_ParCSRPCGSetup(pcg, A, b, x);
  HYPRE_ParCSRPCGSolve(pcg, A, b, x);
  HYPRE_ParCSRPCGDestroy(pcg);
  HYPRE_BoomerAMGDestroy(amg);
}

/// PETSc and Trilinos, in the memory of hypre's vectors.
void solve_by_petsc(HYPRE_ParCSRMatrix A, HYPRE_ParVector b, HYPRE_ParVector x, MPI_Comm comm) {
  const auto matrix = daptor::petsc::copy_csr(daptor::hypre::describe(A));
  const auto solution = daptor::hypre::describe(x);
  const auto b_vec = daptor::petsc::import_vec(daptor::hypre::describe(b));
  const auto x_vec = daptor::petsc::import_vec(solution);
  KSP ksp = nullptr;
  KSPCreate(comm, &ksp);
  KSPSetOperators(ksp, matrix.get(), matrix.get());
  KSPSetType(ksp, KSPCG);
  KSPSetTolerances(ksp, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT);
  PC pc = nullptr;
  KSPGetPC(ksp, &pc);
  daptor::solvers::operator_as_pc(
      daptor::solvers::muelu_preconditioner(matrix.get(), Teuchos::ParameterList()), pc);
  KSPSolve(ksp, b_vec.get(), x_vec.get());
  KSPDestroy(&ksp);
  solution.modified();
}

bool run(int points) {
  const MPI_Comm comm = PETSC_COMM_WORLD;
  const Equations equations(points, comm);
  const auto A = object_of<HYPRE_ParCSRMatrix>(equations.matrix, HYPRE_IJMatrixGetObject);
  const auto b = object_of<HYPRE_ParVector>(equations.b, HYPRE_IJVectorGetObject);
  const auto x = object_of<HYPRE_ParVector>(equations.x, HYPRE_IJVectorGetObject);
  const auto solution = daptor::hypre::describe(x);

  solve_by_hypre(A, b, x, comm);
  const auto* const values = static_cast<const double*>(solution.data());
  const std::vector<double> expected(values, values + solution.owned_count());
  HYPRE_ParVectorSetConstantValues(x, 0);
  solve_by_petsc(A, b, x, comm);

  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    difference = std::max(difference, std::abs(values[i] - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
  }
  double all[] = {difference, largest};
  MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_DOUBLE, MPI_MAX, comm);
  if (solution.comm().rank() == 0) std::printf("difference %.1e\n", all[0] / all[1]);
  return all[0] < 1e-8 * all[1];
}

}  // namespace laplace

int main(int argc, char** argv) {
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  bool right = false;
  {
    const Tpetra::ScopeGuard kokkos(&argc, &argv);
    HYPRE_Init();
    PetscInt points = 100;
    PetscOptionsGetInt(nullptr, nullptr, "-n", &points, nullptr);
    right = laplace::run(static_cast<int>(points));
    HYPRE_Finalize();
  }
  return PetscFinalize() != 0 || !right ? 1 : 0;
}
