// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "daptor/comm.hpp"
#include "daptor/local_index_map.hpp"

namespace daptor {

class Call;

namespace detail {
class IndexDirectory;
struct Proven;
}  // namespace detail

/// Adds the other processes to a LocalDimensionMap, along one dimension of the grid. A
/// GlobalIndexMap makes it. Every query is process-local and takes O(1), or O(log P) where it says
/// so.
///
/// Undistributed, even block and cyclic dimensions keep no table. An irregular block keeps one
/// bound for each process of the dimension, the documented exception to the rule that nothing has
/// size P. An unstructured dimension answers through GlobalIndexMap::owners_of_unstructured.
///
/// Example: 10 elements in blocks of 4, 4 and 2. On every process, `owner_of(5)` is grid rank 1
/// with owned index 1, and `owned_range(2)` is [8, 10).
class GlobalDimensionMap {
 public:
  const LocalDimensionMap& local() const { return local_; }
  Index grid_size() const { return local_.dimension().grid().size; }

  /// The owner of a global index. O(log P) for an irregular block.
  /// @returns `nullopt` outside [0, global_size())
  /// @throws InvalidArgument for an unstructured dimension
  std::optional<OwnerAlong> owner_of(Index global) const;
  /// The global indices of a block dimension that one process owns (all of them if it is
  /// undistributed).
  /// @param grid_rank  the process, in [0, grid_size())
  /// @throws InvalidArgument for cyclic and unstructured dimensions, and outside the grid
  IndexRange owned_range(Index grid_rank) const;
  /// The number of indices of a block, cyclic or undistributed dimension that one process owns.
  /// @param grid_rank  the process, in [0, grid_size())
  /// @throws InvalidArgument for an unstructured dimension, and outside the grid
  Index owned_count(Index grid_rank) const;
  /// The number of indices that all processes with a lower grid rank own. Parameter and errors are
  /// those of `owned_count`.
  Index owned_before(Index grid_rank) const;
  /// Grid rank of the process next to this one.
  /// @param direction  -1 or +1
  /// @returns `nullopt` past an external edge; a periodic dimension wraps around, and if it has one
  ///   process, that process is its own neighbour
  /// @throws InvalidArgument for another direction
  std::optional<Index> neighbour(int direction) const;
  /// Whether no table is kept; true for undistributed, cyclic and unstructured dimensions too.
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

/// The owner of one element of the array.
struct Owner {
  int rank = 0;  ///< rank in the communicator
  /// Position among the owner's owned indices, along each dimension.
  std::vector<Index> owned_index;
};

/// Says which process owns which element, and where the neighbours are. Built collectively; queries
/// are process-local unless they say Collective. Copies share the tables.
///
/// The map is the result of a proof of the array: building it proves the array as
/// `require_consistent` does, unless it was proven on this communicator before, and keeps what was
/// found out on the way.
///
/// Example: a 4 x 6 array in even blocks on a 2 x 2 grid. On rank 0, `owner_of({3, 1})` is rank 2
/// with owned index (1, 1), `neighbour(0, +1)` is rank 2, and `neighbour(0, -1)` is `nullopt`.
class GlobalIndexMap {
 public:
  /// Collective. Throws what `require_consistent` throws: Malformed on all ranks, with the same
  /// findings, if the descriptions do not form one array. Memory: O(ndim), and for each irregular
  /// block dimension one bound per process.
  ///
  /// Communication: that of `require_consistent`, which is one all-reduce if the array was proven
  /// before; and, for each irregular block dimension of P processes, log2(P) messages, or 3 log2(P)
  /// if ranks are not in row-major order.
  /// @param array  the array, also on simulated ranks; it needs no memory, which is not kept
  GlobalIndexMap(const DistArray& array);
  /// Within a call, of an array that it has proven: process-local if all blocks are even, otherwise
  /// collective. If this rank has failed in the call, the map must not be asked.
  GlobalIndexMap(const Section& array, std::shared_ptr<const detail::Proven> proven, Call& call);

  /// What follows from this process's description alone.
  const LocalIndexMap& local() const { return local_; }
  /// The map along dimension `d`, in [0, ndim()). Throws std::out_of_range for other values.
  const GlobalDimensionMap& dimension(int d) const {
    return dimensions_.at(static_cast<std::size_t>(d));
  }
  int ndim() const { return local_.ndim(); }

  /// This process's coordinates on the grid, one for each dimension.
  const std::vector<Index>& coordinates() const { return coordinates_; }
  /// Number of processes along each dimension.
  const std::vector<Index>& grid() const { return grid_; }
  /// Whether ranks are placed on the grid in row-major order (D20).
  bool row_major() const;
  /// The communicator rank at grid coordinates.
  /// @param coordinates  one for each dimension, in [0, `grid()[d]`)
  /// @throws InvalidArgument if ranks are not in row-major order (use `ranks_at`), and for
  ///   coordinates outside the grid
  int rank_at(const std::vector<Index>& coordinates) const;
  /// Collective. The same for a batch of coordinates, with ranks in any order.
  /// @param coordinates  positions on the grid; each rank may pass any number of them
  /// @returns communicator ranks, in the order of `coordinates`
  /// @throws InvalidArgument on all ranks, if a rank passes coordinates outside the grid
  std::vector<int> ranks_at(const std::vector<std::vector<Index>>& coordinates) const;
  /// The communicator rank of the neighbour along a dimension, with ranks in any order: it was
  /// found when the map was built.
  /// @param dimension  in [0, ndim())
  /// @param direction  -1 or +1
  /// @returns `nullopt` past an external edge
  /// @throws InvalidArgument for another dimension or direction
  std::optional<int> neighbour(int dimension, int direction) const;

  /// The owner of one element.
  /// @param global  its global indices, one for each dimension
  /// @returns `nullopt` outside the array
  /// @throws InvalidArgument for a wrong number of indices, if a dimension is unstructured, and if
  ///   ranks are not in row-major order
  std::optional<Owner> owner_of(const std::vector<Index>& global) const;
  /// Collective. The owners of any global indices along an unstructured dimension, found through a
  /// directory that is distributed over the ranks: the grid rank and the owned index of one owner
  /// of each index (the lowest grid rank), or `nullopt` for an index that no process has. If the
  /// dimension says how many of its indices are owned (`Unstructured::owned`), only those count.
  /// Ranks may pass different numbers of indices. Processes with the same grid rank must hold the
  /// same indices (U12); those at coordinate 0 of the other dimensions represent them.
  ///
  /// The first call makes the directory, which is kept, also for copies of this map. It takes 24
  /// bytes per index, evenly distributed, whatever the indices are. Making it, and querying it,
  /// temporarily takes 60 bytes more per index. On more than 64 ranks, a rank between asks for
  /// several others, so that no rank answers all of them.
  /// @param dimension  the dimension, the same on all ranks
  /// @param globals    any number of indices of that dimension, in any order
  /// @returns one owner for each of `globals`, in their order
  /// @throws InvalidArgument on all ranks, if the dimension is not unstructured, or is not the same
  ///   on all ranks
  std::vector<std::optional<OwnerAlong>> owners_of_unstructured(
      int dimension, const std::vector<Index>& globals) const;

  /// Collective. Whether no index of an unstructured dimension is on two processes, or twice on
  /// one; if the dimension says how many are owned, only owned indices count. Makes the directory
  /// like `owners_of_unstructured`, and throws the same errors.
  /// @param dimension  the dimension, the same on all ranks
  /// @returns the same on all ranks
  bool one_to_one(int dimension) const;

  /// Collective. The first number of this process in the contiguous numbering (rank after rank,
  /// PETSc's own).
  ///
  /// Needs no communication if ranks are in row-major order and no dimension is unstructured.
  /// Otherwise the first call makes an all-reduce and a prefix sum, and the number is kept, also
  /// for copies of this map.
  /// @returns the number of owned elements of all lower ranks
  /// @throws Malformed (D09) on all ranks, if the number of elements does not fit in 64 bits
  Index contiguous_offset() const;
  /// Whether the offsets of all processes are known without asking them: their ranks are in
  /// row-major order, and no dimension is unstructured. The same on all ranks. Process-local.
  bool knows_contiguous_offsets() const;
  /// The contiguous offset of the process at these coordinates on the grid. Process-local.
  /// @throws InvalidArgument (`coordinates`) if they are not on the grid, or if offsets are not
  ///   known (`knows_contiguous_offsets`); Malformed (D09) like `contiguous_offset`
  Index contiguous_offset_at(const std::vector<Index>& coordinates) const;

  /// Collective. The contiguous numbers of all elements of the section, communication padding and
  /// ghosts included: each element has the number that its owner gives it. A process owns all
  /// indices of a list that does not say which of them are owned.
  ///
  /// Example: a 2 x 4 array, whose columns are divided between two processes with one column of
  /// padding. In C order, process 0 owns the numbers 0, 1 and 2, 3 of its two rows, and process 1
  /// owns 4, 5 and 6, 7. Process 0 gets {0, 1, 4, 2, 3, 6}, process 1 {1, 4, 5, 3, 6, 7}.
  ///
  /// Takes one all-reduce if `knows_contiguous_offsets`. Otherwise it also takes what
  /// `contiguous_offset` does and, if any process has padding or ghosts, two exchanges, in which
  /// the owners are asked for their numbers. The owners of ghosts are found as by
  /// `owners_of_unstructured`. Takes 8 bytes for each element and, until it returns, about 16 more
  /// for each local index along each dimension.
  /// @param order  the memory order of the sections, the same on all ranks: the order in which each
  ///               process numbers its own elements, and in which the numbers are returned
  /// @returns one number for each of the `local().local_count()` elements
  /// @throws InvalidArgument on all ranks (`collective.different`) for different orders
  /// @throws Malformed on all ranks: D09 like `contiguous_offset`; P14 in padding that reaches past
  ///   the end of a dimension; `owned.twice`, `owned.nobody` or U12 if index lists do not give each
  ///   index of the section one owner
  std::vector<Index> local_contiguous(Order order = Order::c) const;
  /// The same within a call over the same ranks, which does not compare the orders.
  std::vector<Index> local_contiguous(Order order, Call& call) const;

 private:
  /// Numbers of the contiguous numbering, which copies of a map share.
  struct Numbering {
    bool known = false;
    std::optional<Index> offset;  // nullopt if the number of elements does not fit in 64 bits
  };
  void prepare(const Section& array);
  void take(const Section& array, std::shared_ptr<const detail::Proven> proven, Call& call);
  void sum_contiguous_offset(Index most) const;
  std::optional<Index> offset_by_arithmetic(const std::vector<Index>& coordinates) const;
  std::vector<Index> local_contiguous_by_arithmetic(Order order) const;
  std::vector<OwnerAlong> owners_of_ghosts(std::size_t dimension, const std::vector<Index>& ghosts,
                                           Call& call) const;
  detail::IndexDirectory& directory(int dimension, Call& call) const;

  Comm comm_;
  LocalIndexMap local_;
  std::vector<GlobalDimensionMap> dimensions_;
  std::vector<Index> grid_;
  std::vector<Index> coordinates_;
  std::shared_ptr<const detail::Proven> proven_;
  bool listed_ = false;  // some dimension is unstructured
  Section description_;  // without memory; only if `listed_`
  // null for dimensions that are not unstructured
  std::vector<std::shared_ptr<detail::IndexDirectory>> directories_;
  std::shared_ptr<Numbering> numbering_;
};

}  // namespace daptor
