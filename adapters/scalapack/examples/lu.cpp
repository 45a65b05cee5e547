// SPDX-License-Identifier: BSD-3-Clause
// From rows, as NumPy has them, to ScaLAPACK's LU factorisation and back.
//
//   mpirun -n 4 daptor_lu [SIZE [BLOCK]]
//
// Each process has some rows of a matrix and of a right-hand side, row-major. ScaLAPACK wants
// square blocks dealt to a grid of processes, column-major: `solve` has the lines that it takes.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <vector>

#include <mpi.h>

#include <daptor/daptor.hpp>
#include <daptor/scalapack.hpp>

#include "scalapack.hpp"

namespace {

using daptor::DistArray;
using daptor::Index;

/// Overwrites b with the solution of a x = b.
void solve(const DistArray& a, const DistArray& b, Index block) {
  const daptor::scalapack::Grid grid(a.comm());
  auto A = daptor::scalapack::copy_to_matrix<double>(a, grid, {block, block});
  auto B = daptor::scalapack::copy_to_matrix<double>(b, grid, {block, block});
  const auto n = static_cast<int>(A.global_rows());
  int info = 0;
  std::vector<int> pivots(static_cast<std::size_t>(A.local_rows() + block));
  pdgesv_(&n, &example::one, A.data(), &example::one, &example::one, A.desc(), pivots.data(),
          B.data(), &example::one, &example::one, B.desc(), &info);
  daptor::scalapack::check_info("pdgesv", info, grid.comm());
  daptor::scalapack::copy_from_matrix(B, b);
}

/// Largest towards the other diagonal: without pivots the factorisation would be worthless.
double entry(Index n, Index i, Index j) {
  return 1.0 / (1.0 + static_cast<double>(std::abs(i + j - (n - 1))));
}
double solution(Index j) {
  return 1.0 + static_cast<double>(j % 7);
}

/// The largest of |x - solution|, and of |b - A x| over |A| |x| n eps, on all processes.
struct Errors {
  double error = 0;
  double roundings = 0;
};

Errors compare(Index n, daptor::IndexRange rows, const std::vector<double>& x, MPI_Comm comm) {
  std::vector<double> all(static_cast<std::size_t>(n));
  std::copy(x.begin(), x.end(), all.begin() + rows.start);
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(n), MPI_DOUBLE, MPI_SUM, comm);
  double largest[] = {0, 0, 0, 0};  // of errors, residuals, sums of rows, x
  for (Index i = rows.start; i < rows.stop; ++i) {
    double residual = 0, row = 0;
    for (Index j = 0; j < n; ++j) {
      residual += entry(n, i, j) * (solution(j) - all[static_cast<std::size_t>(j)]);
      row += entry(n, i, j);
    }
    const double found = all[static_cast<std::size_t>(i)];
    largest[0] = std::max(largest[0], std::abs(found - solution(i)));
    largest[1] = std::max(largest[1], std::abs(residual));
    largest[2] = std::max(largest[2], row);
    largest[3] = std::max(largest[3], std::abs(found));
  }
  MPI_Allreduce(MPI_IN_PLACE, largest, 4, MPI_DOUBLE, MPI_MAX, comm);
  const double rounding = std::numeric_limits<double>::epsilon() * static_cast<double>(n);
  return {largest[0], largest[1] / (largest[2] * largest[3] * rounding)};
}

bool run(Index n, Index block, MPI_Comm comm) {
  int ranks = 1;
  int rank = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  const daptor::GridPosition at{ranks, rank};
  const daptor::IndexRange rows = daptor::even_block(n, at);
  std::vector<double> matrix, right;
  for (Index i = rows.start; i < rows.stop; ++i) {
    right.push_back(0);
    for (Index j = 0; j < n; ++j) {
      matrix.push_back(entry(n, i, j));
      right.back() += entry(n, i, j) * solution(j);
    }
  }
  solve(daptor::describe(matrix, {daptor::block(n, at), daptor::undistributed(n)}).on(comm),
        daptor::describe(right, {daptor::block(n, at)}).on(comm), block);
  const Errors errors = compare(n, rows, right, comm);
  if (rank == 0)
    std::printf("%lld x %lld in blocks of %lld: error %.1e, residual %.2f roundings\n",
                static_cast<long long>(n), static_cast<long long>(n), static_cast<long long>(block),
                errors.error, errors.roundings);
  return errors.roundings < 10 && errors.error < 1e-9;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const Index n = argc > 1 ? std::atoll(argv[1]) : 2000;
  const Index block = argc > 2 ? std::atoll(argv[2]) : 64;
  bool solved = false;
  try {
    solved = run(n, block, MPI_COMM_WORLD);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return solved ? 0 : 1;
}
