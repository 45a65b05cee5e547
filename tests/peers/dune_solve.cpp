// SPDX-License-Identifier: BSD-3-Clause
// What docs/with/dune.md says: a matrix and vectors of DUNE-ISTL, whose owned entries lie between
// copies, solved by PETSc with MueLu.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include <petscksp.h>
#include <dune/common/fmatrix.hh>
#include <dune/common/fvector.hh>
#include <dune/istl/bcrsmatrix.hh>
#include <dune/istl/bvector.hh>
#include <dune/istl/owneroverlapcopy.hh>

#include <daptor/petsc.hpp>
#include <daptor/solvers/register_pcs.hpp>

namespace {

constexpr int components = 2;
using Vector = Dune::BlockVector<Dune::FieldVector<double, components>>;
using Matrix = Dune::BCRSMatrix<Dune::FieldMatrix<double, components, components>>;
using Communication = Dune::OwnerOverlapCopyCommunication<int, int>;
using Attributes = Dune::OwnerOverlapCopyAttributeSet;

/// What a program of DUNE has: nodes on a line, of which each process has its own and, on both
/// sides, a copy of the next one; a matrix with the complete rows of its own nodes.
struct Problem {
  explicit Problem(MPI_Comm comm, int nodes);

  Communication communication;
  Matrix matrix;
  Vector solution, load;
  std::vector<bool> is_owner;
  std::vector<int> global;
};

Problem::Problem(MPI_Comm comm, int nodes) : communication(comm) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const int first = nodes * rank / ranks, last = nodes * (rank + 1) / ranks;
  auto& set = communication.indexSet();
  set.beginResize();
  for (int node = std::max(first - 1, 0); node < std::min(last + 1, nodes); ++node) {
    is_owner.push_back(node >= first && node < last);
    set.add(node, {global.size(), is_owner.back() ? Attributes::owner : Attributes::copy, true});
    global.push_back(node);
  }
  set.endResize();
  communication.remoteIndices().rebuild<false>();

  const std::size_t count = global.size();
  matrix.setBuildMode(Matrix::random);
  matrix.setSize(count, count);
  const auto neighbours = [&](std::size_t i) {
    std::vector<std::size_t> found = {i};
    if (is_owner[i] && i > 0) found.push_back(i - 1);
    if (is_owner[i] && i + 1 < count) found.push_back(i + 1);
    return found;
  };
  for (std::size_t i = 0; i < count; ++i) matrix.setrowsize(i, neighbours(i).size());
  matrix.endrowsizes();
  for (std::size_t i = 0; i < count; ++i)
    for (const std::size_t j : neighbours(i)) matrix.addindex(i, j);
  matrix.endindices();
  matrix = 0.0;
  for (std::size_t i = 0; i < count; ++i)
    for (const std::size_t j : neighbours(i))
      for (int c = 0; c < components; ++c) matrix[i][j][c][c] = i == j ? 2.0 : -1.0;
  solution.resize(count);
  load.resize(count);
  solution = -1.0;
  load = 1.0;
}

/// The owners' entries counted rank after rank, as PETSc counts rows; DUNE tells the copies.
std::vector<daptor::Index> numbered(const Communication& communication,
                                    const std::vector<bool>& is_owner, daptor::Index& total) {
  std::array<daptor::Index, 2> sums = {std::count(is_owner.begin(), is_owner.end(), true), 0};
  MPI_Exscan(&sums[0], &sums[1], 1, MPI_INT64_T, MPI_SUM, communication.communicator());
  MPI_Allreduce(&sums[0], &total, 1, MPI_INT64_T, MPI_SUM, communication.communicator());
  std::vector<daptor::Index> numbers(is_owner.size(), -1);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (is_owner[i]) numbers[i] = sums[1]++;
  communication.copyOwnerToAll(numbers, numbers);
  return numbers;
}

/// The owners' rows, as a Mat with a block of rows for each entry.
daptor::petsc::OwnedMat copied(const Matrix& matrix, const std::vector<bool>& is_owner,
                               const std::vector<daptor::Index>& numbers, daptor::Index total,
                               MPI_Comm comm) {
  std::vector<double> values;
  std::vector<daptor::Index> columns, lengths;
  for (auto row = matrix.begin(); row != matrix.end(); ++row) {
    if (!is_owner[row.index()]) continue;
    for (int c = 0; c < components; ++c) {
      lengths.push_back(static_cast<daptor::Index>(components * row->size()));
      for (auto block = row->begin(); block != row->end(); ++block)
        for (int d = 0; d < components; ++d) {
          values.push_back((*block)[c][d]);
          columns.push_back(components * numbers[block.index()] + d);
        }
    }
  }
  auto mat = daptor::petsc::copy_csr(
      daptor::csr_from_rows(values, columns, lengths, components * total, comm));
  MatSetBlockSize(mat.get(), components);  // MueLu then knows the unknowns of a node
  return mat;
}

int run(MPI_Comm comm, int nodes) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  Problem problem(comm, nodes);
  daptor::Index total = 0;
  const auto numbers = numbered(problem.communication, problem.is_owner, total);
  const auto mat = copied(problem.matrix, problem.is_owner, numbers, total, comm);
  auto& [communication, matrix, solution, load, is_owner, global] = problem;

  const auto described = [&](Vector& x) {  // no copy: all entries of x, copies too
    return daptor::describe(&x[0][0], components * static_cast<daptor::Index>(x.size()),
                            {daptor::unstructured(total, {ranks, rank}, daptor::IndexList(numbers),
                                                  problem.is_owner),
                             daptor::undistributed(components)})
        .on(comm);
  };
  Vec x = nullptr, b = nullptr;
  MatCreateVecs(mat.get(), &x, &b);
  daptor::redistribute(described(load), daptor::petsc::export_vec(b));  // the owners' values

  daptor::solvers::register_pcs();
  KSP ksp = nullptr;
  PC pc = nullptr;
  KSPCreate(comm, &ksp);
  KSPSetOperators(ksp, mat.get(), mat.get());
  KSPSetType(ksp, KSPCG);
  KSPSetTolerances(ksp, 1e-9, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT);
  KSPGetPC(ksp, &pc);
  PCSetType(pc, "muelu");
  KSPSetFromOptions(ksp);
  KSPSolve(ksp, b, x);
  const daptor::DistArray result = described(solution);
  daptor::redistribute(daptor::petsc::export_vec(x), result);  // to the owners
  daptor::update_padding(result);                              // and to all copies

  int wrong = 0;
  for (std::size_t i = 0; i < global.size(); ++i)
    for (int c = 0; c < components; ++c) {
      const double expected = 0.5 * (global[i] + 1.0) * (nodes - global[i]);
      wrong += std::abs(solution[i][c] - expected) < 1e-3 * expected ? 0 : 1;
    }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, comm);
  PetscInt iterations = 0;
  KSPGetIterationNumber(ksp, &iterations);
  if (rank == 0)
    std::printf("%d wrong values, %d iterations\n", wrong, static_cast<int>(iterations));
  KSPDestroy(&ksp);
  VecDestroy(&x);
  VecDestroy(&b);
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  const int status = run(PETSC_COMM_WORLD, 3000);
  PetscFinalize();
  return status;
}
