// SPDX-License-Identifier: BSD-3-Clause
#include "grid.hpp"

#include <algorithm>
#include <array>

#include "console.hpp"
#include "plate.hpp"

namespace {

/// Each process gets at least one point, and no fewer than the process before it.
std::vector<PetscInt> unequal_shares(PetscInt points, PetscInt processes) {
  std::vector<PetscInt> shares;
  const PetscInt all_weights = processes * (processes + 3) / 2;
  const PetscInt rest = points - processes;
  PetscInt given = 0;
  for (PetscInt p = 0; p < processes; ++p) {
    const auto share =
        static_cast<PetscInt>(static_cast<std::int64_t>(rest) * (p + 2) / all_weights);
    shares.push_back(1 + share);
    given += share;
  }
  shares.back() += rest - given;
  return shares;
}

struct Box {
  PetscInt x, y, width, height;
};

Box owned_box(const Grid& grid) {
  Box box{};
  ok(DMDAGetCorners(grid.dm, &box.x, &box.y, nullptr, &box.width, &box.height, nullptr));
  return box;
}

/// One row of the matrix: the flows over the four faces of the cell around a point.
class Row {
 public:
  Row(const Grid& grid, PetscInt i, PetscInt j)
      : grid_(grid), i_(i), j_(j), x_(grid.coordinate(i)), y_(grid.coordinate(j)) {
    right_side_ = grid.spacing * grid.spacing * plate::source(x_, y_);
    for (const auto& [di, dj] : {std::array<PetscInt, 2>{-1, 0}, {1, 0}, {0, -1}, {0, 1}})
      add_face(di, dj);
  }

  void insert_into(Mat matrix) {
    MatStencil row{};
    row.i = i_;
    row.j = j_;
    columns_[count_] = row;
    values_[count_] = diagonal_;
    ok(MatSetValuesStencil(matrix, 1, &row, static_cast<PetscInt>(count_) + 1, columns_.data(),
                           values_.data(), INSERT_VALUES));
  }
  double right_side() const { return right_side_; }

 private:
  void add_face(PetscInt di, PetscInt dj) {
    const double h = grid_.spacing;
    const double k = plate::conductivity(x_ + 0.5 * h * di, y_ + 0.5 * h * dj);
    diagonal_ += k;
    const PetscInt i = i_ + di;
    const PetscInt j = j_ + dj;
    if (i < 0 || j < 0 || i >= grid_.points || j >= grid_.points) {
      right_side_ += k * plate::temperature(grid_.coordinate(i), grid_.coordinate(j));
      return;
    }
    columns_[count_].i = i;
    columns_[count_].j = j;
    values_[count_] = -k;
    ++count_;
  }

  const Grid& grid_;
  PetscInt i_, j_;
  double x_, y_;
  double diagonal_ = 0;
  double right_side_ = 0;
  std::size_t count_ = 0;
  std::array<MatStencil, 5> columns_{};
  std::array<PetscScalar, 5> values_{};
};

}  // namespace

Grid make_grid(PetscInt points) {
  std::array<int, 2> processes{};
  MPI_Dims_create(size_of(PETSC_COMM_WORLD), 2, processes.data());
  Grid grid;
  grid.points = points;
  grid.columns = processes[0];
  grid.rows = processes[1];
  grid.spacing = 1.0 / (static_cast<double>(points) + 1);
  if (points < grid.columns)
    throw DemoError(
        fmt::format("{} ranks stand {} x {} on the grid, which has only {} x {} points; "
                    "use fewer ranks (-n) or more points (-m)",
                    grid.columns * grid.rows, grid.columns, grid.rows, points, points));
  const std::vector<PetscInt> widths = unequal_shares(points, grid.columns);
  const std::vector<PetscInt> heights = unequal_shares(points, grid.rows);
  ok(DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_STAR, points,
                  points, grid.columns, grid.rows, 1, 1, widths.data(), heights.data(),
                  grid.dm.out()));
  ok(DMSetUp(grid.dm));
  return grid;
}

System make_system(const Grid& grid) {
  System system;
  ok(DMCreateMatrix(grid.dm, system.matrix.out()));
  ok(DMCreateGlobalVector(grid.dm, system.right_side.out()));
  ok(VecDuplicate(system.right_side, system.solution.out()));
  ok(VecDuplicate(system.right_side, system.exact.out()));
  PetscScalar** b = nullptr;
  PetscScalar** exact = nullptr;
  ok(DMDAVecGetArray(grid.dm, system.right_side, &b));
  ok(DMDAVecGetArray(grid.dm, system.exact, &exact));
  const Box box = owned_box(grid);
  for (PetscInt j = box.y; j < box.y + box.height; ++j)
    for (PetscInt i = box.x; i < box.x + box.width; ++i) {
      Row row(grid, i, j);
      row.insert_into(system.matrix);
      b[j][i] = row.right_side();
      exact[j][i] = plate::temperature(grid.coordinate(i), grid.coordinate(j));
    }
  ok(DMDAVecRestoreArray(grid.dm, system.exact, &exact));
  ok(DMDAVecRestoreArray(grid.dm, system.right_side, &b));
  ok(MatAssemblyBegin(system.matrix, MAT_FINAL_ASSEMBLY));
  ok(MatAssemblyEnd(system.matrix, MAT_FINAL_ASSEMBLY));
  ok(MatSetOption(system.matrix, MAT_SPD, PETSC_TRUE));
  return system;
}

std::vector<OwnedBlock> owned_blocks(const Grid& grid) {
  const PetscInt* widths = nullptr;
  const PetscInt* heights = nullptr;
  ok(DMDAGetOwnershipRanges(grid.dm, &widths, &heights, nullptr));
  std::vector<OwnedBlock> blocks;
  double y = 0;
  for (PetscInt row = 0; row < grid.rows; ++row) {
    double x = 0;
    for (PetscInt column = 0; column < grid.columns; ++column) {
      blocks.push_back({static_cast<int>(blocks.size()), x, y, static_cast<double>(widths[column]),
                        static_cast<double>(heights[row])});
      x += widths[column];
    }
    y += heights[row];
  }
  return blocks;
}

std::vector<float> rastered(const Grid& grid, Vec field, int pixels) {
  const auto n = static_cast<std::size_t>(pixels);
  std::vector<float> raster(n * n, 0.0F);
  const Box box = owned_box(grid);
  const PetscScalar* const* values = nullptr;
  ok(DMDAVecGetArrayRead(grid.dm, field, &values));
  const auto point_of = [&](std::size_t pixel) {
    return static_cast<PetscInt>((static_cast<double>(pixel) + 0.5) / static_cast<double>(n) *
                                 static_cast<double>(grid.points));
  };
  for (std::size_t row = 0; row < n; ++row) {
    const PetscInt j = point_of(row);
    if (j < box.y || j >= box.y + box.height) continue;
    for (std::size_t column = 0; column < n; ++column) {
      const PetscInt i = point_of(column);
      if (i >= box.x && i < box.x + box.width)
        raster[row * n + column] = static_cast<float>(values[j][i]);
    }
  }
  ok(DMDAVecRestoreArrayRead(grid.dm, field, &values));
  const int rank = rank_of(PETSC_COMM_WORLD);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : raster.data(), raster.data(), static_cast<int>(n * n),
             MPI_FLOAT, MPI_SUM, 0, PETSC_COMM_WORLD);
  return raster;
}
