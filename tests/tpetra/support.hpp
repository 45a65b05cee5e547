// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Arrays whose elements hold their natural numbers, and the checks that every test makes.

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <Tpetra_Core.hpp>
#include <Tpetra_Map.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Vector.hpp>

#include "../core/layouts.hpp"
#include "daptor/daptor.hpp"
#include "daptor/tpetra.hpp"
#include "everywhere.hpp"

namespace daptor::test {

using tpetra::MapOptions;
using tpetra::Numbering;
using tpetra::Part;
using Map = Tpetra::Map<>;
using Global = Map::global_ordinal_type;
using Local = Map::local_ordinal_type;
using MultiVector = Tpetra::MultiVector<double>;
using Vector = Tpetra::Vector<double>;

inline constexpr double untouched = -1.0;

inline Index world_sum(Index value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return value;
}

inline double world_sum(double value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return value;
}

inline bool on_all(bool mine) {
  int value = mine ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return value != 0;
}

/// A block without a padding key.
inline Axis plain_block(const std::vector<Index>& lengths) {
  Axis axis = block_axis(lengths);
  axis.make = [make = axis.make](GridPosition grid) {
    const Dimension padded = make(grid);
    return block(padded.global_size(), grid, padded.as<Block>()->owned);
  };
  return axis;
}

inline Axis plain_block(Index size, Index processes) {
  std::vector<Index> lengths;
  for (Index r = 0; r < processes; ++r) lengths.push_back(even_block(size, {processes, r}).size());
  return plain_block(lengths);
}

inline double* doubles(const DistArray& array) {
  return static_cast<double*>(array.mutable_data());
}

/// An array of this rank's section without gaps; each owned element holds its natural number.
inline DistArray labelled(const Layout& layout) {
  const std::vector<Index> numbers = layout.owned_numbers(world_rank());
  DistArray array = allocate<double>(layout.dimensions(world_rank())).on(MPI_COMM_WORLD);
  EXPECT_EQ(array.owned_count(), static_cast<Index>(numbers.size()));
  EXPECT_EQ(array.local_count(), array.owned_count());
  std::copy(numbers.begin(), numbers.end(), doubles(array));
  return array;
}

/// The layouts without padding on which the tests are run, for the present number of ranks.
inline std::vector<std::pair<std::string, Layout>> plain_layouts() {
  const Index p = world_size();
  std::vector<Index> uneven;
  for (Index r = 0; r < p; ++r) uneven.push_back((r * 5 + 3) % 7);
  uneven.back() += 1;
  std::vector<Index> single(static_cast<std::size_t>(p), 1);
  std::vector<Index> backwards;
  for (Index r = 0; r < p; ++r) backwards.push_back(p - 1 - r);
  std::vector<std::vector<Index>> gaps(static_cast<std::size_t>(p));
  for (Index r = 0; r < p; ++r) gaps[static_cast<std::size_t>(r)] = {10 * r + 7, 10 * r + 2};
  std::vector<std::pair<std::string, Layout>> all = {
      {"even block", {{even_axis(23, p)}, {}}},
      {"uneven block with an empty rank", {{block_axis(uneven)}, {}}},
      {"one element a rank", {{block_axis(single)}, {}}},
      {"more ranks than elements", {{even_axis(p / 2 + 1, p)}, {}}},
      {"no elements", {{even_axis(0, p)}, {}}},
      {"block, ranks backwards", {{even_axis(17, p)}, backwards}},
      {"cyclic", {{cyclic_axis(19, p, 1)}, {}}},
      {"block-cyclic", {{cyclic_axis(29, p, 3)}, {}}},
      {"cyclic with an origin", {{cyclic_axis(29, p, 2, p - 1)}, {}}},
      {"one block a rank", {{cyclic_axis(4 * p, p, 4)}, {}}},
      {"shuffled", {{shuffled_axis(31, p, 5)}, {}}},
      {"unstructured with gaps", {{unstructured_axis(10 * p, gaps)}, {}}},
      {"rows of a matrix", {{even_axis(7, p), undistributed_axis(5)}, {}}},
      {"columns of a matrix", {{undistributed_axis(4), even_axis(11, p)}, {}}},
      {"blocks of components", {{block_axis(uneven), undistributed_axis(3)}, {}}},
      {"a row divided", {{even_axis(1, 1), even_axis(9, p)}, {}}},
      {"shuffled nodes of components", {{shuffled_axis(13, p, 7), undistributed_axis(2)}, {}}},
      {"five dimensions",
       {{even_axis(2, 1), undistributed_axis(2), even_axis(2 * p, p), undistributed_axis(1),
         undistributed_axis(3)},
        {}}},
  };
  if (p % 2 == 0) all.push_back({"two by many", {{even_axis(5, 2), even_axis(9, p / 2)}, {}}});
  if (p == 1) all.push_back({"no dimensions", {{}, {}}});
  return all;
}

inline std::vector<Global> global_indices(const Map& map) {
  std::vector<Global> indices;
  for (Local i = map.getMinLocalIndex(); map.isNodeLocalElement(i); ++i)
    indices.push_back(map.getGlobalElement(i));
  return indices;
}

inline const double* data_of(const MultiVector& x) {
  return x.getLocalViewHost(Tpetra::Access::ReadOnly).data();
}

inline double norm_of(const MultiVector& x, std::size_t column = 0) {
  return x.getVector(column)->norm2();
}

}  // namespace daptor::test
