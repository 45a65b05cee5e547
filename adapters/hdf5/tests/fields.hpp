// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Arrays in many layouts, whose every element is stamped by its global index, and files for them.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include "daptor/builders.hpp"
#include "daptor/hdf5.hpp"
#include "daptor/layout.hpp"
#include "daptor/local_index_map.hpp"
#include "everywhere.hpp"
#include "for_each_index.hpp"

namespace daptor::hdf5::test {

using daptor::test::expect_refused_everywhere;
using daptor::test::Faults;
using daptor::test::for_each_index;
using daptor::test::world_rank;
using daptor::test::world_size;

inline const MPI_Comm world = MPI_COMM_WORLD;
using Shape = std::vector<Index>;

/// A new directory that all ranks know, removed at the end. Collective.
class Folder {
 public:
  Folder() {
    std::array<char, 64> name{"/tmp/daptor-hdf5-XXXXXX"};
    if (world_rank() == 0 && mkdtemp(name.data()) == nullptr) MPI_Abort(world, 1);
    MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, world);
    path_ = name.data();
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    MPI_Barrier(world);
    if (world_rank() == 0) std::filesystem::remove_all(path_);
  }
  /// The path of an HDF5 file in it.
  std::string operator/(const std::string& name) const { return path_ + '/' + name + ".h5"; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The first ranks of MPI_COMM_WORLD; MPI_COMM_NULL on the others. Collective.
class FirstRanks {
 public:
  explicit FirstRanks(int count) {
    MPI_Comm_split(world, world_rank() < count ? 0 : MPI_UNDEFINED, world_rank(), &comm_);
  }
  FirstRanks(const FirstRanks&) = delete;
  FirstRanks& operator=(const FirstRanks&) = delete;
  ~FirstRanks() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  bool inside() const { return comm_ != MPI_COMM_NULL; }
  MPI_Comm comm() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// A layout by its name, for any shape and number of ranks.
enum class Layout {
  blocks,
  ghosts,    ///< communication padding between blocks
  outside,   ///< ghost cells on all sides, as boundary padding on the outer edges
  periodic,  ///< ghost cells on all sides, of neighbours
  fortran,
  strided,  ///< every other element of memory
  uneven,   ///< blocks of which the first are empty
  cyclic,
  block_cyclic,
  one_rank,
  scattered,  ///< a list of indices, each on one process
  listed,     ///< the same with ghosts
  count
};

inline std::string name_of(Layout layout) {
  return std::array{"blocks", "ghosts", "outside",      "periodic", "fortran",   "strided",
                    "uneven", "cyclic", "block_cyclic", "one_rank", "scattered", "listed"}
      .at(static_cast<std::size_t>(layout));
}

/// The same on all ranks.
inline std::vector<Index> shuffled(Index size) {
  std::vector<Index> indices(static_cast<std::size_t>(size));
  std::iota(indices.begin(), indices.end(), 0);
  std::shuffle(indices.begin(), indices.end(), std::mt19937(7));  // NOLINT: the same each time
  return indices;
}

/// A rank's indices of a scattered dimension, and as ghosts the first of those of the next rank.
inline Dimension list_of(Index size, GridPosition line, bool with_ghosts) {
  const std::vector<Index> all = shuffled(size);
  const auto part = [&](Index rank) {
    const IndexRange range = even_block(size, {line.size, rank});
    return std::vector<Index>(all.begin() + range.start, all.begin() + range.stop);
  };
  if (!with_ghosts) return unstructured(size, line, IndexList(part(line.rank)), true);
  std::vector<Index> ghosts = part((line.rank + 1) % line.size);
  ghosts.resize(line.size == 1 ? 0 : std::min<std::size_t>(ghosts.size(), 2));
  return owned_then_ghosts(size, line, part(line.rank), ghosts);
}

inline std::vector<Dimension> blocks_of(const Shape& shape, MPI_Comm comm,
                                        const BlockPadding& padding) {
  int size = 1, rank = 0;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  std::vector<int> grid(shape.size(), 0);
  MPI_Dims_create(size, static_cast<int>(shape.size()), grid.data());
  const std::vector<Index> at =
      grid_coordinates(std::vector<Index>(grid.begin(), grid.end()), rank);
  std::vector<Dimension> dimensions;
  for (std::size_t d = 0; d < shape.size(); ++d)
    dimensions.push_back(block(shape[d], {grid[d], at[d]}, padding));
  return dimensions;
}

inline std::vector<Dimension> dimensions_of(Layout layout, const Shape& shape, MPI_Comm comm) {
  int size = 1, rank = 0;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  const auto with_first = [&](Dimension first) {
    std::vector<Dimension> dimensions{std::move(first)};
    for (std::size_t d = 1; d < shape.size(); ++d) dimensions.push_back(undistributed(shape[d]));
    return dimensions;
  };
  const GridPosition line{size, rank};
  const auto layout_of = [&](const TargetLayout& target) {
    return target.dimensions(shape, rank, size);
  };
  switch (layout) {
    case Layout::ghosts:
      return blocks_of(shape, comm, BlockPadding({1, 1}));
    case Layout::outside:
      return blocks_of(shape, comm, BlockPadding::ghosts({1, 2}));
    case Layout::periodic:
      return blocks_of(shape, comm, BlockPadding::ghosts({1, 1}, true));
    case Layout::uneven: {
      const Index empty = size / 2;
      const IndexRange part =
          rank < empty ? IndexRange{0, 0} : even_block(shape[0], {size - empty, rank - empty});
      return with_first(block(shape[0], line, part));
    }
    case Layout::cyclic:
      return with_first(daptor::cyclic(shape[0], line));
    case Layout::block_cyclic:
      return with_first(daptor::cyclic(shape[0], line, 2, size - 1));
    case Layout::one_rank:
      return layout_of(layout::on_process(size - 1));
    case Layout::scattered:
      return with_first(list_of(shape[0], line, false));
    case Layout::listed:
      return with_first(list_of(shape[0], line, true));
    default:
      return blocks_of(shape, comm, {});
  }
}

/// An array with its memory.
template <class T>
struct Field {
  std::vector<T> memory;
  DistArray array;
  Shape shape;      ///< of the interior
  Index lower = 0;  ///< width of the boundary padding below, in each dimension

  static constexpr int untouched = 99;

  Field(Layout layout, const Shape& interior, MPI_Comm comm)
      : shape(interior), lower(layout == Layout::outside ? 1 : 0) {
    const std::vector<Dimension> dimensions = dimensions_of(layout, shape, comm);
    const Index step = layout == Layout::strided ? 2 : 1;
    memory.assign(static_cast<std::size_t>(step * local_count(dimensions)), T(untouched));
    std::vector<Index> extents;
    for (const Dimension& dimension : dimensions) extents.push_back(dimension.local_extent());
    std::vector<Index> strides = contiguous_strides(
        extents, sizeof(T), layout == Layout::fortran ? Order::fortran : Order::c);
    for (Index& stride : strides) stride *= step;
    array =
        describe(memory.data(), static_cast<Index>(memory.size()), dimensions, strides).on(comm);
  }

  T& at(const Shape& local) {
    Index bytes = 0;
    for (std::size_t d = 0; d < local.size(); ++d) bytes += local[d] * array.byte_strides()[d];
    return *reinterpret_cast<T*>(reinterpret_cast<char*>(memory.data()) + bytes);
  }

  /// Calls `visit` for each element with the stamp of its global index, or `untouched` for
  /// boundary padding, and whether this process owns it.
  template <class F>
  void for_each(F&& visit) {
    std::vector<LocalDimensionMap> maps;
    for (const Dimension& dimension : array.dimensions()) maps.emplace_back(dimension);
    for_each_index(array.local_shape(), [&](const Shape& local) {
      Index number = 0;
      bool owned = true, inside = true;
      for (std::size_t d = 0; d < local.size(); ++d) {
        const Index global = maps[d].global_of(local[d]) - lower;
        inside = inside && 0 <= global && global < shape[d];
        owned = owned && maps[d].is_owned(local[d]);
        number = number * shape[d] + global;
      }
      visit(at(local), inside ? T(number % 90) : T(untouched), owned && inside);
    });
  }
  void stamp() {
    for_each([](T& element, T value, bool owned) {
      if (owned) element = value;
    });
  }
  /// @param ghosts  whether the copies of other processes' elements are right, too
  void expect_stamped(bool ghosts = true) {
    int wrong = 0;
    for_each([&](T& element, T value, bool owned) {
      if ((owned || ghosts) && element != value && ++wrong == 1)
        ADD_FAILURE() << "found " << element << ", expected " << value;
    });
    EXPECT_EQ(wrong, 0);
  }
};

/// The bytes of a file, on this rank; empty if there is none.
inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A one-dimensional array of blocks, each element its global index.
inline DistArray counted(Index size, const Comm& comm) {
  const DistArray a = allocate<double>({block(size, {comm.size(), comm.rank()})}).on(comm);
  const IndexRange mine = even_block(size, {comm.size(), comm.rank()});
  auto* elements = static_cast<double*>(a.mutable_data());
  for (Index i = mine.start; i < mine.stop; ++i) elements[i - mine.start] = static_cast<double>(i);
  return a;
}

}  // namespace daptor::hdf5::test
