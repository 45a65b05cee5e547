// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "daptor/comm.hpp"
#include "daptor/local_index_map.hpp"

namespace daptor {

namespace detail {
class IndexDirectory;
struct Proven;
}  // namespace detail

/// Who owns an index along one dimension.
struct OwnerAlong {
  /// Of the owner along the dimension; not a rank of the communicator.
  Index grid_rank = 0;
  /// Position among the owner's owned indices: 0 is its first owned one (its communication padding
  /// is not counted).
  Index owned_index = 0;

  friend bool operator==(OwnerAlong a, OwnerAlong b) {
    return a.grid_rank == b.grid_rank && a.owned_index == b.owned_index;
  }
  friend bool operator!=(OwnerAlong a, OwnerAlong b) { return !(a == b); }
};

/// Adds the other processes to a LocalDimensionMap, along one dimension of the grid. Made by
/// GlobalIndexMap; every query is process-local and O(1), or O(log P) where it says so.
///
/// Undistributed, even block and cyclic dimensions keep no table. An irregular block keeps one
/// bound for each process of the dimension, the documented exception to "nothing of size P". An
/// unstructured dimension answers through GlobalIndexMap::owners_of_unstructured.
///
/// Example: 10 elements in blocks of 4, 4 and 2. On every process `owner_of(5)` is grid rank 1, its
/// owned index 1, and `owned_range(2)` is [8, 10).
class GlobalDimensionMap {
 public:
  const LocalDimensionMap& local() const { return local_; }
  Index grid_size() const { return local_.dimension().grid().size; }

  /// Owner of a global index. O(log P) for an irregular block.
  /// @returns `nullopt` outside [0, global_size())
  /// @throws InvalidArgument for an unstructured dimension
  std::optional<OwnerAlong> owner_of(Index global) const;
  /// Global indices that one process owns of a block dimension (all for an undistributed one).
  /// @param grid_rank  which process, in [0, grid_size())
  /// @throws InvalidArgument for cyclic and unstructured dimensions, and outside the grid
  IndexRange owned_range(Index grid_rank) const;
  /// How many indices one process owns of a block, cyclic or undistributed dimension.
  /// @param grid_rank  which process, in [0, grid_size())
  /// @throws InvalidArgument for an unstructured dimension, and outside the grid
  Index owned_count(Index grid_rank) const;
  /// How many indices all processes with a lower grid rank own. Parameter and errors as
  /// `owned_count`.
  Index owned_before(Index grid_rank) const;
  /// Grid rank of the process next to this one.
  /// @param direction  -1 or +1
  /// @returns `nullopt` past an external edge; a periodic dimension wraps around, and of one
  ///   process it is the process itself
  /// @throws InvalidArgument for another direction
  std::optional<Index> neighbour(int direction) const;
  /// Whether no table is kept: true for undistributed, cyclic and unstructured dimensions too.
  bool even() const { return bounds_ == nullptr; }
  /// Grid rank that owns the first block of a cyclic dimension; 0 for others.
  Index origin() const { return origin_; }

 private:
  friend class GlobalIndexMap;
  explicit GlobalDimensionMap(LocalDimensionMap local) : local_(std::move(local)) {}
  void require_grid_rank(Index grid_rank) const;

  LocalDimensionMap local_;
  std::shared_ptr<const std::vector<Index>> bounds_;  // irregular block: grid_size() + 1 bounds
  Index origin_ = 0;
};

/// Owner of one element of the array.
struct Owner {
  int rank = 0;  ///< in the communicator
  /// Position along each dimension among the owner's owned indices.
  std::vector<Index> owned_index;
};

/// Who owns what, and where the neighbours are. Built collectively; queries are process-local
/// unless they say Collective. Copies share the tables.
///
/// It is what a proof of the array leaves behind: building one proves the array as
/// `require_consistent` does, unless it was proven on this communicator before, and keeps what was
/// found out on the way.
///
/// Example, a 4 x 6 array in even blocks on a 2 x 2 grid: on rank 0 `owner_of({3, 1})` is rank 2,
/// owned index (1, 1); `neighbour(0, +1)` is rank 2 and `neighbour(0, -1)` is `nullopt`.
class GlobalIndexMap {
 public:
  /// Collective over `comm`. Throws as `require_consistent`: Malformed on all ranks where the
  /// descriptions do not make one array, with the same findings. Memory: O(ndim), and for each
  /// irregular block dimension one bound a process of it.
  ///
  /// Communication: that of `require_consistent`, which is one all-reduce for an array that was
  /// proven before; and log2(P) messages for each irregular block dimension of P processes, 3
  /// log2(P) where ranks are not row-major.
  /// @param array  this process's section; it needs no memory, and is not kept
  /// @param comm   the processes that the array is divided among; simulated ranks will do
  GlobalIndexMap(const DistArray& array, const Comm& comm);

  /// What this process's description alone tells.
  const LocalIndexMap& local() const { return local_; }
  /// The map along dimension `d`, in [0, ndim()). Throws std::out_of_range outside of it.
  const GlobalDimensionMap& dimension(int d) const {
    return dimensions_.at(static_cast<std::size_t>(d));
  }
  int ndim() const { return local_.ndim(); }

  /// This process's coordinates on the grid, one for each dimension.
  const std::vector<Index>& coordinates() const { return coordinates_; }
  /// Processes along each dimension.
  const std::vector<Index>& grid() const { return grid_; }
  /// Whether ranks sit on the grid in row-major order (D20).
  bool row_major() const;
  /// Communicator rank at grid coordinates.
  /// @param coordinates  one for each dimension, in [0, `grid()[d]`)
  /// @throws InvalidArgument where ranks are not row-major (use `ranks_at`), and for coordinates
  ///   outside the grid
  int rank_at(const std::vector<Index>& coordinates) const;
  /// Collective. The same for a batch, in any rank order.
  /// @param coordinates  places on the grid; each rank may ask for as many as it likes
  /// @returns communicator ranks, in the order of `coordinates`
  /// @throws InvalidArgument on all ranks, where one asks outside the grid
  std::vector<int> ranks_at(const std::vector<std::vector<Index>>& coordinates) const;
  /// Communicator rank of the neighbour along a dimension, in any rank order: it was found when the
  /// map was built.
  /// @param dimension  in [0, ndim())
  /// @param direction  -1 or +1
  /// @returns `nullopt` past an external edge
  /// @throws InvalidArgument for another dimension or direction
  std::optional<int> neighbour(int dimension, int direction) const;

  /// Owner of one element.
  /// @param global  its global indices, one for each dimension
  /// @returns `nullopt` outside the array
  /// @throws InvalidArgument for another number of indices, and where a dimension is unstructured
  ///   or ranks are not row-major
  std::optional<Owner> owner_of(const std::vector<Index>& global) const;
  /// Collective. Owners along an unstructured dimension of any global indices, through a directory
  /// that is distributed over the ranks: grid rank and owned index of one owner of each (the lowest
  /// grid rank), `nullopt` for an index that no process has. Where the dimension says how many of
  /// its indices are owned (`Unstructured::owned`), those alone count. Ranks may ask for different
  /// numbers of indices. Processes that share a grid rank must hold the same indices (U12): those
  /// at coordinate 0 of the other dimensions speak for them.
  ///
  /// The directory is made at the first call and kept, also for copies of this map: 24 bytes an
  /// index, evenly spread, whatever the indices are; making it and asking take 60 bytes for each
  /// index more for their duration.
  /// @param dimension  which dimension, the same on all ranks
  /// @param globals    indices of that dimension, of any number and in any order
  /// @returns one owner for each of `globals`, in their order
  /// @throws InvalidArgument on all ranks, for a dimension that is not unstructured, or is not the
  ///   same on all of them
  std::vector<std::optional<OwnerAlong>> owners_of_unstructured(
      int dimension, const std::vector<Index>& globals) const;

  /// Collective. Whether no index of an unstructured dimension is on two processes, or twice on
  /// one; of one that says how many are owned: no owned index. Makes the directory as
  /// `owners_of_unstructured`, and throws as that.
  /// @param dimension  which dimension, the same on all ranks
  /// @returns the same on all ranks
  bool one_to_one(int dimension) const;

  /// Collective. First number of this process in the contiguous numbering (rank after rank, PETSc's
  /// own).
  ///
  /// Needs no communication where ranks are row-major and no dimension is unstructured. Elsewhere
  /// the first call makes an all-reduce and a prefix sum, and the number is kept, also for copies
  /// of this map.
  /// @returns owned elements of all ranks below this one
  /// @throws Malformed (D09) on all ranks, where 64 bits do not hold the number of elements
  Index contiguous_offset() const;

 private:
  /// Numbers of the contiguous numbering, which copies of a map share.
  struct Numbering {
    bool known = false;
    std::optional<Index> offset;  // nullopt: 64 bits do not hold the number of elements
  };
  void prepare(const DistArray& array);
  void number_contiguously() const;
  std::optional<Index> offset_by_arithmetic() const;
  detail::IndexDirectory& directory(int dimension) const;

  Comm comm_;
  LocalIndexMap local_;
  std::vector<GlobalDimensionMap> dimensions_;
  std::vector<Index> grid_;
  std::vector<Index> coordinates_;
  std::shared_ptr<const detail::Proven> proven_;
  std::vector<std::shared_ptr<detail::IndexDirectory>> directories_;  // null: not unstructured
  std::shared_ptr<Numbering> numbering_;
};

}  // namespace daptor
