// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscdmda.h>

#include "daptor/block_dimensions.hpp"
#include "layouts.hpp"

namespace daptor_test {

/// The options for an array that can be a DMDA.
struct GridCase {
  std::string name;
  int ndim = 2;
  Index width = 1;
  std::vector<bool> periodic = {};
  Index dof = 1;
  bool irregular = false;
  Order order = Order::c;
  /// Number of processes along each dimension; empty: as even as possible.
  std::vector<Index> processes = {};
};

inline std::ostream& operator<<(std::ostream& out, const GridCase& grid) {
  return out << grid.name;
}

/// The number of points of process `rank` in a dimension with unequal blocks of 3 or more.
inline Index irregular_width(Index rank) {
  return 3 + (rank * 7) % 5;
}

inline Dimension grid_dimension(const GridCase& grid, int d, daptor::GridPosition position) {
  daptor::BlockPadding padding;
  padding.communication = {grid.width, grid.width};
  padding.periodic = !grid.periodic.empty() && grid.periodic[static_cast<std::size_t>(d)];
  Index start = 0;
  for (Index r = 0; r < position.rank; ++r) start += grid.irregular ? irregular_width(r) : 4;
  const Index width = grid.irregular ? irregular_width(position.rank) : 4;
  Index size = 0;
  for (Index r = 0; r < position.size; ++r) size += grid.irregular ? irregular_width(r) : 4;
  if (grid.width == 0 && !padding.periodic)
    return daptor::block(size, position, daptor::IndexRange{start, start + width});
  return daptor::block(size, position, daptor::IndexRange{start, start + width}, padding);
}

inline DistArray make_grid(const GridCase& grid) {
  const std::vector<Index> processes = daptor::block_grid(grid.ndim, size_of(), grid.processes);
  const std::vector<Index> at = daptor::grid_coordinates(processes, rank_of());
  std::vector<Dimension> dimensions;
  for (int d = 0; d < grid.ndim; ++d) {
    const auto u = static_cast<std::size_t>(d);
    dimensions.push_back(grid_dimension(grid, d, {processes[u], at[u]}));
  }
  const auto last = grid.order == Order::c ? dimensions.end() : dimensions.begin();
  if (grid.dof > 1) dimensions.insert(last, daptor::undistributed(grid.dof));
  return owning(std::move(dimensions), grid.order);
}

/// Divides one dimension only, so that Fortran order keeps PETSc's order of the ranks.
inline std::vector<Index> slabs(int ndim) {
  std::vector<Index> processes(static_cast<std::size_t>(ndim), 1);
  processes.back() = size_of();
  return processes;
}

inline std::vector<GridCase> grid_cases() {
  return {
      {"one", 1, 1},
      {"one_periodic", 1, 2, {true}},
      {"one_irregular_dof", 1, 2, {}, 3, true},
      {"two", 2, 1},
      {"two_periodic", 2, 1, {true, true}},
      {"two_half_periodic", 2, 2, {false, true}},
      {"two_irregular", 2, 3, {}, 1, true},
      {"two_irregular_periodic_dof", 2, 2, {true, true}, 2, true},
      {"two_fortran", 2, 1, {}, 1, false, Order::fortran, slabs(2)},
      {"two_fortran_dof", 2, 1, {true, false}, 3, true, Order::fortran, slabs(2)},
      {"three", 3, 1},
      {"three_periodic", 3, 1, {true, true, true}},
      {"three_mixed_irregular_dof", 3, 2, {true, false, true}, 2, true},
      {"three_fortran", 3, 1, {false, true, false}, 1, true, Order::fortran, slabs(3)},
  };
}

/// The directions in which an element of the section is padding.
inline std::vector<int> padding_directions(const Section& array) {
  const daptor::LocalIndexMap map(array);
  std::vector<int> counts;
  daptor::test::for_each_index(array.local_shape(), [&](const std::vector<Index>& local) {
    int count = 0;
    for (std::size_t d = 0; d < local.size(); ++d)
      count += map.dimension(static_cast<int>(d)).is_owned(local[d]) ? 0 : 1;
    counts.push_back(count);
  });
  return counts;
}

/// After an update of a labelled array, padding too has `scale` x (its natural number + 1); with a
/// star stencil, the corners are still -1.
inline void expect_padding(const Section& a, double scale, bool star) {
  const std::vector<int> directions = padding_directions(a);
  std::size_t position = 0;
  for (const Element& e : elements(a, true)) {
    const bool corner = directions[position++] > 1;
    const double expected = star && corner ? -1.0 : scale * static_cast<double>(e.natural + 1);
    ASSERT_EQ(at(a, e.offset), PetscScalar(expected)) << "element " << position - 1;
  }
}

/// What PETSc says about a DMDA; x, the fastest dimension in memory, comes first.
struct DMDAShape {
  PetscInt sizes[3] = {1, 1, 1};
  PetscInt width = 0;
  DMBoundaryType boundaries[3] = {};
};

inline DMDAShape shape_of(DM dm) {
  DMDAShape shape;
  DMDAGetInfo(dm, nullptr, &shape.sizes[0], &shape.sizes[1], &shape.sizes[2], nullptr, nullptr,
              nullptr, nullptr, &shape.width, &shape.boundaries[0], &shape.boundaries[1],
              &shape.boundaries[2], nullptr);
  return shape;
}

}  // namespace daptor_test
