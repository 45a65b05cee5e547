// SPDX-License-Identifier: BSD-3-Clause
// ScaLAPACK's solvers in memory that was never copied. Residuals are in roundings.

#include <cmath>
#include <limits>
#include <vector>

#include "matrices.hpp"

namespace daptor::scalapack::test {
namespace {

/// Symmetric, with a dominant diagonal.
double symmetric(Index n, Index i, Index j) {
  const double off = 1.0 / (1.0 + static_cast<double>(std::abs(i - j)));
  return i == j ? static_cast<double>(n) : off;
}
/// Largest towards the other diagonal: without pivots the factors would be worthless.
double turned(Index n, Index i, Index j) {
  return symmetric(n, n - 1 - i, j) + 0.25 * static_cast<double>((i * 7 + j * 3) % 5);
}
double solution(Index i) {
  return 1.0 + static_cast<double>(i % 7);
}

using Entry = std::function<double(Index, Index)>;

/// Somebody's memory, in blocks on a grid, and its array.
struct Owned {
  Owned(const Shape& shape, const Grid& grid, const Entry& entry) : part(shape, grid) {
    for (Index j = 0; j < part.local_columns; ++j)
      for (Index i = 0; i < part.local_rows; ++i)
        part.at(i, j) = entry(
            part.rows.global_of(Part::place(grid.row(), i, part.rows), BlockNumbering::stored),
            part.columns.global_of(Part::place(grid.column(), j, part.columns),
                                   BlockNumbering::stored));
  }
  /// All of the matrix, row by row, on every process.
  std::vector<double> gathered(const Grid& grid) {
    const auto count = static_cast<std::size_t>(part.rows.size() * part.columns.size());
    std::vector<double> all(count);
    for (Index j = 0; j < part.local_columns; ++j)
      for (Index i = 0; i < part.local_rows; ++i) {
        const Index row =
            part.rows.global_of(Part::place(grid.row(), i, part.rows), BlockNumbering::stored);
        const Index column = part.columns.global_of(Part::place(grid.column(), j, part.columns),
                                                    BlockNumbering::stored);
        all[static_cast<std::size_t>(row * part.columns.size() + column)] = part.at(i, j);
      }
    MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(count), MPI_DOUBLE, MPI_SUM, world);
    return all;
  }
  Part part;
};

/// A matrix, imported; its memory is where it was.
struct Imported {
  Imported(const Shape& shape, const Grid& grid, const Entry& entry)
      : memory(shape, grid, entry),
        matrix(import_matrix<double>(memory.part.array().on(grid.inside_comm()), grid)) {
    EXPECT_EQ(matrix.data(), memory.part.values.data());
  }
  Owned memory;
  Matrix<double> matrix;
};

/// The right-hand side to the solution above.
Entry right_side(Index n, const Entry& entry) {
  return [=](Index i, Index) {
    double sum = 0;
    for (Index j = 0; j < n; ++j) sum += entry(i, j) * solution(j);
    return sum;
  };
}

void expect_solution(Imported& b, const Grid& grid, Index n) {
  const std::vector<double> x = b.memory.gathered(grid);
  for (Index i = 0; i < n; ++i)
    ASSERT_NEAR(x[static_cast<std::size_t>(i)], solution(i), 1e-11 * static_cast<double>(n));
  EXPECT_TRUE(b.memory.part.guards_intact());
}

void solve_by_lu(const Grid& grid, Index n, Index block, bool from_the_last) {
  const Index last = from_the_last ? 1 : 0;
  const Shape of_a{n, n, block, block, last * (grid.rows() - 1), last * (grid.columns() - 1), 3};
  Shape of_b = of_a;
  of_b.columns = 1;
  const Entry entry = [n](Index i, Index j) { return turned(n, i, j); };
  Imported a(of_a, grid, entry);
  Imported b(of_b, grid, right_side(n, entry));
  std::vector<int> pivots(static_cast<std::size_t>(a.matrix.local_rows() + block));
  const int order = static_cast<int>(n);
  int info = -1;
  pdgetrf_(&order, &order, a.matrix.data(), &one, &one, a.matrix.desc(), pivots.data(), &info);
  ASSERT_EQ(info, 0);
  pdgetrs_("N", &order, &one, a.matrix.data(), &one, &one, a.matrix.desc(), pivots.data(),
           b.matrix.data(), &one, &one, b.matrix.desc(), &info);
  ASSERT_EQ(info, 0);
  expect_solution(b, grid, n);
  EXPECT_TRUE(a.memory.part.guards_intact());
}

// Of 3 unknowns in blocks of 2 most processes have nothing.
TEST(Solve, ByLu) {
  for_each_grid([](const Grid& grid) {
    for (const Index n : {1, 3, 23, 64})
      for (const Index block : {2, 5}) solve_by_lu(grid, n, block, n == 23);
  });
}

TEST(Solve, BesideProcessesOutsideOfTheGrid) {
  const Index n = 23;
  const int rows = world_size() > 4 ? 2 : 1;
  const Grid grid(world, rows, std::max(1, (world_size() - 1) / rows));
  if (grid.inside()) {
    solve_by_lu(grid, n, 3, true);
    return;
  }
  EXPECT_FALSE(import_matrix<double>(DistArray(), grid).inside());
  EXPECT_FALSE(import_matrix<double>(DistArray(), grid).inside());
  std::vector<double> none(static_cast<std::size_t>(n));
  MPI_Allreduce(MPI_IN_PLACE, none.data(), static_cast<int>(n), MPI_DOUBLE, MPI_SUM, world);
}

TEST(Solve, OnAGridOfRanksInAnyOrder) {
  solve_by_lu(Grid::of(on_a_mapped_grid()), 23, 3, true);
}

TEST(Solve, ByLuOfCOrderMemory) {
  const Index n = 23, block = 3;
  const Grid by_rows(world);
  // A matrix in C order: row-major parts on a row-major grid.
  const BlockCyclic rows(n, block, by_rows.rows()), columns(n, block, by_rows.columns());
  const Index local_columns = columns.local_count(by_rows.column());
  std::vector<double> memory;
  for (Index i = 0; i < rows.local_count(by_rows.row()); ++i)
    for (Index j = 0; j < local_columns; ++j)
      memory.push_back(turned(
          n, rows.global_of(Part::place(by_rows.row(), i, rows), BlockNumbering::stored),
          columns.global_of(Part::place(by_rows.column(), j, columns), BlockNumbering::stored)));
  const DistArray array = transposed(
      describe(memory, {rows.dimension(by_rows.row()), columns.dimension(by_rows.column())})
          .on(world));
  const Grid grid = Grid::of(array);
  const Matrix<double> a = import_matrix<double>(array, grid);
  EXPECT_EQ(a.data(), memory.data());
  Imported b({n, 1, block, block}, grid,
             right_side(n, [&](Index i, Index j) { return turned(n, i, j); }));
  std::vector<int> pivots(static_cast<std::size_t>(a.local_rows() + block));
  const int order = static_cast<int>(n);
  int info = -1;
  pdgetrf_(&order, &order, a.data(), &one, &one, a.desc(), pivots.data(), &info);
  ASSERT_EQ(info, 0);
  pdgetrs_("T", &order, &one, a.data(), &one, &one, a.desc(), pivots.data(), b.matrix.data(), &one,
           &one, b.matrix.desc(), &info);
  ASSERT_EQ(info, 0);
  expect_solution(b, grid, n);
}

TEST(Solve, ByCholesky) {
  for_each_grid([](const Grid& grid) {
    for (const Index n : {3, 40}) {
      const Entry entry = [n](Index i, Index j) { return symmetric(n, i, j); };
      Imported a({n, n, 4, 4, 0, 0, 2}, grid, entry);
      Imported b({n, 1, 4, 4, 0, 0, 2}, grid, right_side(n, entry));
      const int order = static_cast<int>(n);
      int info = -1;
      pdpotrf_("L", &order, a.matrix.data(), &one, &one, a.matrix.desc(), &info);
      ASSERT_EQ(info, 0);
      pdpotrs_("L", &order, &one, a.matrix.data(), &one, &one, a.matrix.desc(), b.matrix.data(),
               &one, &one, b.matrix.desc(), &info);
      ASSERT_EQ(info, 0);
      expect_solution(b, grid, n);
      EXPECT_TRUE(a.memory.part.guards_intact());
    }
  });
}

// Communication padding around the rows: stepped over by the leading dimension, never touched.
TEST(Solve, InPaddedMemory) {
  const Index n = 4 * world_size();
  const Grid grid(world, world_size(), 1);
  const DistArray array =
      allocate<double>({block(n, {world_size(), world_rank()}, BlockPadding({2, 1}, {}, true)),
                        undistributed(n)},
                       Order::fortran)
          .on(world);
  constexpr double untouched = -7.5;
  auto* const memory = static_cast<double*>(array.mutable_data());
  std::fill_n(memory, array.local_count(), untouched);
  const Matrix<double> a = import_matrix<double>(array, grid);
  EXPECT_EQ(a.data(), memory + array.owned_offset()[0]);
  EXPECT_EQ(a.leading_dimension(), array.local_shape()[0]);
  for (Index i = 0; i < a.local_rows(); ++i)
    for (Index j = 0; j < n; ++j)
      a.data()[i + j * a.leading_dimension()] = symmetric(n, 4 * world_rank() + i, j);
  Imported b({n, 1, 4, 4}, grid,
             right_side(n, [n](Index i, Index j) { return symmetric(n, i, j); }));
  const int order = static_cast<int>(n);
  // pdgetrf wants square blocks: the columns, which one process has, are in such too.
  std::vector<int> pivots(static_cast<std::size_t>(a.local_rows() + a.row_block()));
  int info = -1;
  pdgetrf_(&order, &order, a.data(), &one, &one, a.desc(), pivots.data(), &info);
  ASSERT_EQ(info, 0);
  pdgetrs_("N", &order, &one, a.data(), &one, &one, a.desc(), pivots.data(), b.matrix.data(), &one,
           &one, b.matrix.desc(), &info);
  ASSERT_EQ(info, 0);
  expect_solution(b, grid, n);
  const Index first = array.owned_offset()[0];
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < array.local_shape()[0]; ++i)
      if (i < first || i >= first + a.local_rows()) {
        EXPECT_EQ(memory[i + j * a.leading_dimension()], untouched);
      }
}

/// Asks for the length of the work space, allocates it, and works.
template <class Routine>
void with_work_space(const Routine& routine) {
  std::vector<double> work(1);
  int length = -1;
  ASSERT_EQ(routine(work.data(), length), 0);
  length = static_cast<int>(work[0]) + 1;
  work.resize(static_cast<std::size_t>(length));
  ASSERT_EQ(routine(work.data(), length), 0);
}

void expect_eigenvectors(const Grid& grid, Index n) {
  const Entry entry = [&](Index i, Index j) { return symmetric(n, i, j); };
  const Shape shape{n, n, 3, 3, 0, 0, 2};
  Imported a(shape, grid, entry);
  Imported z(shape, grid, [](Index, Index) { return 0.0; });
  std::vector<double> values(static_cast<std::size_t>(n));
  const int order = static_cast<int>(n);
  with_work_space([&](double* work, int length) {
    int info = -1;
    pdsyev_("V", "U", &order, a.matrix.data(), &one, &one, a.matrix.desc(), values.data(),
            z.matrix.data(), &one, &one, z.matrix.desc(), work, &length, &info);
    return info;
  });
  const std::vector<double> vectors = z.memory.gathered(grid);
  const auto vector = [&](Index i, Index k) {
    return vectors[static_cast<std::size_t>(i * n + k)];
  };
  const double small = 1e-11 * static_cast<double>(n);
  double trace = 0, sum = 0;
  for (Index k = 0; k < n; ++k) {
    trace += symmetric(n, k, k);
    sum += values[static_cast<std::size_t>(k)];
    for (Index i = 0; i < n; ++i) {
      double residual = -values[static_cast<std::size_t>(k)] * vector(i, k);
      double product = i == k ? -1.0 : 0.0;
      for (Index j = 0; j < n; ++j) {
        residual += symmetric(n, i, j) * vector(j, k);
        product += vector(j, i) * vector(j, k);
      }
      ASSERT_LT(std::abs(residual), small);
      ASSERT_LT(std::abs(product), small) << "columns " << i << " and " << k;
    }
  }
  EXPECT_NEAR(sum, trace, small * static_cast<double>(n));
  EXPECT_TRUE(a.memory.part.guards_intact());
  EXPECT_TRUE(z.memory.part.guards_intact());
}

// Of 4 unknowns in blocks of 3 most processes have nothing.
TEST(Solve, EigenvaluesAndVectors) {
  for_each_grid([&](const Grid& grid) {
    for (const Index n : {4, 24}) expect_eigenvectors(grid, n);
  });
}

TEST(Solve, OrthogonalColumns) {
  const Index rows = 31, columns = 6;
  for_each_grid([&](const Grid& grid) {
    Imported a({rows, columns, 4, 4, 0, 0, 1}, grid,
               [&](Index i, Index j) { return turned(rows, i, j); });
    std::vector<double> tau(static_cast<std::size_t>(a.matrix.local_columns() + 4));
    const int m = static_cast<int>(rows), n = static_cast<int>(columns);
    with_work_space([&](double* work, int length) {
      int info = -1;
      pdgeqrf_(&m, &n, a.matrix.data(), &one, &one, a.matrix.desc(), tau.data(), work, &length,
               &info);
      return info;
    });
    with_work_space([&](double* work, int length) {
      int info = -1;
      pdorgqr_(&m, &n, &n, a.matrix.data(), &one, &one, a.matrix.desc(), tau.data(), work, &length,
               &info);
      return info;
    });
    const std::vector<double> gathered = a.memory.gathered(grid);
    const auto q = [&](Index i, Index j) {
      return gathered[static_cast<std::size_t>(i * columns + j)];
    };
    for (Index j = 0; j < columns; ++j) {
      std::vector<double> left(static_cast<std::size_t>(rows));  // A - Q Q^T A, column j
      for (Index i = 0; i < rows; ++i) left[static_cast<std::size_t>(i)] = turned(rows, i, j);
      for (Index k = 0; k < columns; ++k) {
        double product = 0, component = 0;
        for (Index i = 0; i < rows; ++i) {
          product += q(i, j) * q(i, k);
          component += q(i, k) * turned(rows, i, j);
        }
        ASSERT_NEAR(product, j == k ? 1.0 : 0.0, 1e-13);
        for (Index i = 0; i < rows; ++i) left[static_cast<std::size_t>(i)] -= component * q(i, k);
      }
      for (const double each : left) ASSERT_NEAR(each, 0.0, 1e-11 * static_cast<double>(rows));
    }
    EXPECT_TRUE(a.memory.part.guards_intact());
  });
}

}  // namespace
}  // namespace daptor::scalapack::test
