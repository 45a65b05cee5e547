// SPDX-License-Identifier: BSD-3-Clause
// From rows, as NumPy has them, to ScaLAPACK's LU factorisation and back.
//
//   mpirun -n 4 daptor_lu [SIZE [BLOCK]]
//
// Each process has some rows of a matrix and of a right-hand side, row-major. ScaLAPACK wants
// square blocks dealt to a grid of processes, column-major. `daptor::redistribute` brings the one
// to the other, whatever the two distributions; ScaLAPACK works in the memory of the redistributed
// arrays, through descriptors made from their descriptions; the answer comes back by rows.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <daptor/daptor.hpp>

#include "descriptor.hpp"
#include "scalapack.hpp"

namespace {

using daptor::DistArray;
using daptor::Index;

/// Largest towards the other diagonal: without pivots the factorisation would be worthless.
double entry(Index n, Index i, Index j) {
  return 1.0 / (1.0 + static_cast<double>(std::abs(i + j - (n - 1))));
}
double solution(Index j) {
  return 1.0 + static_cast<double>(j % 7);
}

/// The processes as ScaLAPACK has them: `grid[0]` x `grid[1]`, row by row, as in the protocol.
class Grid {
 public:
  explicit Grid(MPI_Comm comm) : handle_(Csys2blacs_handle(comm)), context_(handle_) {
    int ranks = 1;
    int rank = 0;
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    MPI_Dims_create(ranks, 2, shape);
    row = rank / shape[1];
    column = rank % shape[1];
    Cblacs_gridinit(&context_, "Row", shape[0], shape[1]);
  }
  ~Grid() {
    Cblacs_gridexit(context_);
    Cfree_blacs_system_handle(handle_);
  }
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;

  int context() const { return context_; }
  /// A matrix in square blocks on this grid, in memory of its own.
  DistArray allocate(Index rows, Index columns, Index block) const {
    return daptor::allocate<double>({daptor::cyclic(rows, {shape[0], row}, block),
                                     daptor::cyclic(columns, {shape[1], column}, block)},
                                    daptor::Order::fortran);
  }

  int shape[2] = {0, 0};
  int row = 0, column = 0;

 private:
  int handle_;
  int context_;
};

/// Some rows of a matrix, C order.
struct Rows {
  Rows(Index rows, Index columns, daptor::GridPosition at)
      : range(daptor::even_block(rows, at)),
        values(static_cast<std::size_t>((range.stop - range.start) * columns)),
        array(daptor::describe(values.data(),
                               {daptor::block(rows, at), daptor::undistributed(columns)})) {}

  daptor::IndexRange range;
  std::vector<double> values;
  DistArray array;
};

void fill(Rows& a, Rows& b, Index n) {
  std::size_t next = 0;
  for (Index i = a.range.start; i < a.range.stop; ++i) {
    double sum = 0;
    for (Index j = 0; j < n; ++j) {
      a.values[next++] = entry(n, i, j);
      sum += entry(n, i, j) * solution(j);
    }
    b.values[static_cast<std::size_t>(i - b.range.start)] = sum;
  }
}

void require_solved(int info, const char* routine) {
  if (info != 0) throw std::runtime_error(std::string(routine) + ": " + std::to_string(info));
}

/// Overwrites the matrix with its factors, the right-hand side with the solution.
void solve(const DistArray& a, const DistArray& b, const Grid& grid) {
  const Descriptor of_a = descriptor(a, grid.context());
  const Descriptor of_b = descriptor(b, grid.context());
  daptor::WriteLease write_a(a), write_b(b);
  const auto a_data = static_cast<double*>(a.mutable_data());
  const auto b_data = static_cast<double*>(b.mutable_data());
  const int one = 1;
  const int n = of_a[2];
  int info = 0;
  std::vector<int> pivots(static_cast<std::size_t>(a.local_shape()[0] + of_a[4]));
  pdgetrf_(&n, &n, a_data, &one, &one, of_a.data(), pivots.data(), &info);
  require_solved(info, "pdgetrf");
  pdgetrs_("N", &n, &of_b[3], a_data, &one, &one, of_a.data(), pivots.data(), b_data, &one, &one,
           of_b.data(), &info);
  require_solved(info, "pdgetrs");
  write_a.close();
  write_b.close();
}

std::vector<double> gathered(const Rows& x, Index n, MPI_Comm comm) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  std::vector<int> counts, starts;
  for (int rank = 0; rank < ranks; ++rank) {
    const daptor::IndexRange range = daptor::even_block(n, {ranks, rank});
    counts.push_back(static_cast<int>(range.stop - range.start));
    starts.push_back(static_cast<int>(range.start));
  }
  std::vector<double> all(static_cast<std::size_t>(n));
  MPI_Allgatherv(x.values.data(), static_cast<int>(x.values.size()), MPI_DOUBLE, all.data(),
                 counts.data(), starts.data(), MPI_DOUBLE, comm);
  return all;
}

/// The largest of |b - A x|, in roundings: over |A| |x| n eps.
double residual(const Rows& a, const Rows& b, const std::vector<double>& x, MPI_Comm comm) {
  double largest[3] = {0, 0, 0};  // of the residual, of sums of rows, of x
  const double* next = a.values.data();
  for (const double right : b.values) {
    double left = right;
    double row = 0;
    for (const double value : x) {
      row += std::abs(*next);
      left -= *next++ * value;
    }
    largest[0] = std::max(largest[0], std::abs(left));
    largest[1] = std::max(largest[1], row);
  }
  for (const double value : x) largest[2] = std::max(largest[2], std::abs(value));
  MPI_Allreduce(MPI_IN_PLACE, largest, 3, MPI_DOUBLE, MPI_MAX, comm);
  return largest[0] / (largest[1] * largest[2] * static_cast<double>(x.size()) *
                       std::numeric_limits<double>::epsilon());
}

/// Rows in C order are refused: ScaLAPACK would read them as something else.
void require_refusal(const DistArray& rows, const Grid& grid) {
  try {
    descriptor(rows, grid.context());
  } catch (const daptor::InvalidArgument&) {
    return;
  }
  throw std::logic_error("rows passed for blocks");
}

bool run(Index n, Index block, MPI_Comm comm) {
  int ranks = 1;
  int rank = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  Rows a(n, n, {ranks, rank}), b(n, 1, {ranks, rank}), x(n, 1, {ranks, rank});
  fill(a, b, n);

  const Grid grid(comm);
  const DistArray tiles = grid.allocate(n, n, block);
  const DistArray right = grid.allocate(n, 1, block);
  if (n > 1) require_refusal(a.array, grid);
  daptor::redistribute(a.array, tiles, comm);
  daptor::redistribute(b.array, right, comm);
  solve(tiles, right, grid);
  daptor::redistribute(right, x.array, comm);

  const std::vector<double> all = gathered(x, n, comm);
  double error = 0;
  for (Index j = 0; j < n; ++j)
    error = std::max(error, std::abs(all[static_cast<std::size_t>(j)] - solution(j)));
  const double roundings = residual(a, b, all, comm);
  if (rank == 0)
    std::printf("%lld x %lld in blocks of %lld on a %d x %d grid: error %.1e, residual %.2f\n",
                static_cast<long long>(n), static_cast<long long>(n), static_cast<long long>(block),
                grid.shape[0], grid.shape[1], error, roundings);
  return roundings < 10 && error < 1e-9;
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
