#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <variant>
#include <vector>

#include "daptor/types.hpp"
#include "daptor/version.hpp"

namespace daptor {

/// Where a process stands along one dimension of the process grid (`proc_grid_size`,
/// `proc_grid_rank`; D12-D18).
struct GridPosition {
  Index size = 1;
  Index rank = 0;

  constexpr bool first() const { return rank == 0; }
  constexpr bool last() const { return size > 0 && rank == size - 1; }

  friend constexpr bool operator==(GridPosition a, GridPosition b) {
    return a.size == b.size && a.rank == b.rank;
  }
  friend constexpr bool operator!=(GridPosition a, GridPosition b) { return !(a == b); }
};

/// The global indices of an unstructured section, in local order. A cheap value: copies share the
/// list.
class IndexList {
 public:
  IndexList() = default;
  /// Takes the list over.
  explicit IndexList(std::vector<Index> indices);
  /// Refers to `count` indices at `indices` without copying them; `owner` keeps them alive. Throws
  /// InvalidArgument for a negative count, or a null pointer to more than none.
  IndexList(std::shared_ptr<const void> owner, const Index* indices, Index count);

  Index size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const Index* data() const { return data_; }
  const Index* begin() const { return data_; }
  const Index* end() const { return data_ + count_; }
  Index operator[](Index i) const { return data_[i]; }

  friend bool operator==(const IndexList& a, const IndexList& b);
  friend bool operator!=(const IndexList& a, const IndexList& b) { return !(a == b); }

 private:
  std::shared_ptr<const void> owner_;
  const Index* data_ = nullptr;
  Index count_ = 0;
};

/// The whole dimension lies on every process of its grid line (`'n'`): a grid of one process.
struct Undistributed {
  Padding boundary;       ///< inside `size` (non-periodic)
  Padding communication;  ///< outside `size` (periodic: the neighbour is the process itself)
  bool padded = false;    ///< the `padding` key is present
};

/// Each process owns one contiguous range (`'b'`).
struct Block {
  GridPosition grid;
  /// Owned global indices: boundary padding included, communication padding not (P12).
  IndexRange owned;
  /// Part of `owned` at an external edge of a non-periodic dimension.
  Padding boundary;
  /// Beyond `owned`: copies of indices that a neighbour owns.
  Padding communication;
  /// The `padding` key is present: on all processes or on none (P05, P06), also where it is (0, 0).
  bool padded = false;
};

/// Blocks of `block_size` indices dealt to the processes in turn (`'c'`).
struct Cyclic {
  GridPosition grid;
  /// First owned global index; `size` where the process owns nothing.
  Index start = 0;
  Index block_size = 1;
};

/// An arbitrary list of global indices (`'u'`).
struct Unstructured {
  GridPosition grid;
  IndexList indices;
  bool one_to_one = false;
};

/// One dimension of a distributed array as one process knows it, in normal form: the same whichever
/// version of the protocol it was written in.
///
/// Example: 18 elements on two processes with one element of padding at each end (the
/// specification's second example). On process 0 `owned` is [0, 9), of which [0, 1) is boundary
/// padding; `communication` is (0, 1), so its local extent is 10. On process 1 `owned` is [9, 18)
/// and `communication` is (1, 0).
class Dimension {
 public:
  using Distribution = std::variant<Undistributed, Block, Cyclic, Unstructured>;

  /// The form is taken as it is; `check_dimension` says which local clauses it breaks.
  Dimension(Index global_size, Distribution distribution, bool periodic = false)
      : global_size_(global_size), distribution_(std::move(distribution)), periodic_(periodic) {}

  /// Owned indices of the whole dimension, boundary padding included (`size`).
  Index global_size() const { return global_size_; }
  bool periodic() const { return periodic_; }
  const Distribution& distribution() const { return distribution_; }

  template <class T>
  const T* as() const {
    return std::get_if<T>(&distribution_);
  }

  /// `'n'`, `'b'`, `'c'` or `'u'`.
  char dist_type() const;
  /// Position on the grid; (1, 0) for an undistributed dimension.
  GridPosition grid() const;
  /// Padding beyond the owned indices; (0, 0) for cyclic and unstructured dimensions and for an
  /// empty section (A12).
  Padding communication_padding() const;
  Padding boundary_padding() const;

  /// Indices owned by this process, boundary padding included, communication padding not. Like
  /// `local_extent`, of a dimension without an error in `check_dimension`.
  Index owned_count() const;
  /// Extent of this process's section, all padding included.
  Index local_extent() const;

  friend bool operator==(const Dimension& a, const Dimension& b);
  friend bool operator!=(const Dimension& a, const Dimension& b) { return !(a == b); }

 private:
  Index global_size_;
  Distribution distribution_;
  bool periodic_;
};

std::ostream& operator<<(std::ostream& out, const Dimension& dimension);

/// Range of the even block of `grid.rank`: the remainder goes to the first ranks, one index each.
/// Throws InvalidArgument for a grid without processes.
IndexRange even_block(Index global_size, GridPosition grid);

/// Indices that process `position` (0: the one that owns the first block) owns of a cyclic
/// dimension. Throws InvalidArgument for blocks without indices and a grid without processes.
Index cyclic_owned_count(Index global_size, Index block_size, Index grid_size, Index position);

/// \name Builders
/// Each makes a dimension that keeps the local clauses, or throws Malformed with the rule it would
/// break. That the indices of an unstructured section are unique (U04) is not looked at.
/// \{

/// A dimension that is not distributed.
Dimension undistributed(Index global_size);

/// Widths of the two kinds of padding for `block`.
struct BlockPadding {
  BlockPadding() = default;
  // With constructors {4, 7} is not taken for two widths where a range is meant.
  BlockPadding(Padding communication_widths, Padding boundary_widths = {}, bool is_periodic = false)
      : communication(communication_widths), boundary(boundary_widths), periodic(is_periodic) {}

  /// Placed on internal edges, and on all edges of a periodic dimension; outside `size`.
  Padding communication;
  /// Placed on external edges of a non-periodic dimension; inside `size`. A periodic one has none.
  Padding boundary;
  bool periodic = false;
};

/// An even block: the remainder goes to the first processes.
Dimension block(Index global_size, GridPosition grid);
Dimension block(Index global_size, GridPosition grid, const BlockPadding& padding);
/// A block with explicit bounds of the owned range (boundary padding included).
Dimension block(Index global_size, GridPosition grid, IndexRange owned);
Dimension block(Index global_size, GridPosition grid, IndexRange owned,
                const BlockPadding& padding);

/// Cyclic (`block_size` 1) or block-cyclic; `origin` is the grid rank that owns the first block
/// (ScaLAPACK's source process).
Dimension cyclic(Index global_size, GridPosition grid, Index block_size = 1, Index origin = 0);

/// Any list of global indices. `one_to_one` says that no index is on two processes.
Dimension unstructured(Index global_size, GridPosition grid, IndexList indices,
                       bool one_to_one = false);
/// \}

}  // namespace daptor
