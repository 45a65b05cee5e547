#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "daptor/communicator.hpp"
#include "daptor/local_index_map.hpp"

namespace daptor {

/// Who owns an index along one dimension: the process's grid rank and the local index there
/// (communication padding of that process counted where it is known, see `GlobalDimensionMap`).
struct OwnerAlong {
  Index grid_rank = 0;
  /// Position among the owner's owned indices: 0 is its first owned one.
  Index owned_index = 0;
};

/// Adds the other processes to a LocalDimensionMap, along one dimension of the grid.
///
/// Undistributed, even block and cyclic dimensions keep no table. An irregular block keeps one
/// bound for each process of the dimension, the documented exception to "nothing of size P". An
/// unstructured dimension answers through GlobalIndexMap::owners_of_unstructured.
class GlobalDimensionMap {
 public:
  const LocalDimensionMap& local() const { return local_; }
  Index grid_size() const { return local_.dimension().grid().size; }

  /// Owner of a global index; nothing outside [0, global_size()). Throws InvalidArgument for an
  /// unstructured dimension.
  std::optional<OwnerAlong> owner_of(Index global) const;
  /// Owned range of a process of a block dimension (the whole for an undistributed one). Throws
  /// InvalidArgument for cyclic and unstructured dimensions.
  IndexRange owned_range(Index grid_rank) const;
  /// Owned indices of a process of a block, cyclic or undistributed dimension.
  Index owned_count(Index grid_rank) const;
  /// Grid rank next to this process, -1 or +1 away; wraps around a periodic dimension (it may be
  /// the process itself), nothing past an external edge.
  std::optional<Index> neighbour(int direction) const;
  /// True where an even block is kept without a table.
  bool even() const { return bounds_ == nullptr; }
  /// Grid rank that owns the first block of a cyclic dimension; 0 for others.
  Index origin() const { return origin_; }

 private:
  friend class GlobalIndexMap;
  explicit GlobalDimensionMap(LocalDimensionMap local) : local_(std::move(local)) {}

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
/// unless they say Collective.
///
/// Proves on the way that the grid is a bijection of processes and coordinates (D19), that blocks
/// meet (B09, B10, B11) and that the starts of a cyclic dimension are a rotation (C11).
class GlobalIndexMap {
 public:
  /// Collective over `comm`. Throws Malformed on all ranks where the descriptions do not make one
  /// array. Memory: O(ndim), for each irregular block dimension one bound a process of it, and
  /// where ranks are not row-major on the grid one slot. Copies share the tables.
  GlobalIndexMap(const DistArray& array, std::shared_ptr<const Communicator> comm);

  const LocalIndexMap& local() const { return local_; }
  const GlobalDimensionMap& dimension(int d) const {
    return dimensions_.at(static_cast<std::size_t>(d));
  }
  int ndim() const { return local_.ndim(); }

  /// This process's coordinates on the grid, one for each dimension.
  const std::vector<Index>& coordinates() const { return coordinates_; }
  const std::vector<Index>& grid() const { return grid_; }
  /// Ranks sit on the grid in row-major order (D20).
  bool row_major() const { return row_major_; }
  /// Communicator rank at grid coordinates. Throws InvalidArgument where ranks are not row-major:
  /// use `ranks_at`.
  int rank_at(const std::vector<Index>& coordinates) const;
  /// Collective. The same for a batch, in any rank order.
  std::vector<int> ranks_at(const std::vector<std::vector<Index>>& coordinates) const;
  /// Communicator rank of the neighbour along a dimension; nothing past an external edge.
  /// Neighbours are found when the map is built, in any rank order.
  std::optional<int> neighbour(int dimension, int direction) const;

  /// Owner of a global multi-index of an array without unstructured dimensions, ranks row-major.
  std::optional<Owner> owner_of(const std::vector<Index>& global) const;
  /// Collective. Owners along an unstructured dimension of any global indices, through a directory
  /// that is distributed over the ranks: grid rank and local index of one owner of each (the lowest
  /// grid rank), nothing for an index that nobody has.
  std::vector<std::optional<OwnerAlong>> owners_of_unstructured(
      int dimension, const std::vector<Index>& globals) const;

  /// First number of this process in the contiguous numbering (rank after rank, PETSc's own).
  Index contiguous_offset() const { return contiguous_offset_; }

 private:
  std::shared_ptr<const Communicator> comm_;
  LocalIndexMap local_;
  std::vector<GlobalDimensionMap> dimensions_;
  std::vector<Index> grid_;
  std::vector<Index> coordinates_;
  bool row_major_ = true;
  int slot_ = -1;  // not row-major: the rank at the coordinates whose row-major number is this rank
  std::vector<std::optional<int>> neighbours_;  // lower and upper for each dimension
  Index contiguous_offset_ = 0;
};

}  // namespace daptor
