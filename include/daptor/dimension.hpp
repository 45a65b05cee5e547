// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <ostream>
#include <type_traits>
#include <variant>
#include <vector>

#include "daptor/defect.hpp"
#include "daptor/index_list.hpp"
#include "daptor/index_vector.hpp"
#include "daptor/owned_part.hpp"
#include "daptor/types.hpp"
#include "daptor/version.hpp"

namespace daptor {

/// Position of a process along one dimension of the process grid (`proc_grid_size`,
/// `proc_grid_rank`; D12-D18).
struct GridPosition {
  constexpr GridPosition() = default;
  /// Of integers of any type.
  template <class A, class B, detail::RequireIntegers<A, B> = 0>
  constexpr GridPosition(A processes, B position)
      : size(static_cast<Index>(processes)), rank(static_cast<Index>(position)) {}

  Index size = 1;  ///< number of processes along this dimension of the grid
  Index rank = 0;  ///< in [0, size), along this dimension; not the communicator's rank

  constexpr bool first() const { return rank == 0; }
  constexpr bool last() const { return size > 0 && rank == size - 1; }

  friend constexpr bool operator==(GridPosition a, GridPosition b) {
    return a.size == b.size && a.rank == b.rank;
  }
  friend constexpr bool operator!=(GridPosition a, GridPosition b) { return !(a == b); }
};

/// Widths of the two kinds of padding for `block`.
struct BlockPadding {
  BlockPadding() = default;
  // This constructor, in place of an aggregate, prevents that {4, 7} is taken for two widths where
  // a range is meant.
  /// Sets the members of the same names. The same widths are requested on all processes; `block`
  /// places them on the edges that have them.
  BlockPadding(Padding communication_widths, Padding boundary_widths = {}, bool is_periodic = false)
      : communication(communication_widths), boundary(boundary_widths), periodic(is_periodic) {}

  /// Ghost cells at both ends of every section's memory, whatever the edges are. The size and the
  /// bounds passed to `block` are then those of the interior, without any ghost cells.
  ///
  /// Except for a process without cells at the end of a periodic dimension, as one of four has for
  /// three cells: its section starts at the size, and is empty in the protocol (A12).
  ///
  /// At internal and periodic edges, the ghost cells are communication padding. At an external edge
  /// they are boundary padding: the described dimension is larger by them, and the first index of
  /// the interior is global index `widths.lower`.
  ///
  /// Example: 10 cells on two processes with `ghosts({2, 2})`. The described size is 14; process 0
  /// owns [0, 7), of which [0, 2) are ghost cells of the boundary, and has two copies above;
  /// process 1 owns [7, 14). Both have 2 + 5 + 2 = 9 elements in memory.
  /// @param widths       number of ghost cells at the lower and at the upper end of each section
  /// @param is_periodic  whether the last and the first interior cell are neighbours
  static BlockPadding ghosts(Padding widths, bool is_periodic = false) {
    BlockPadding padding(widths, widths, is_periodic);
    padding.outside = true;
    return padding;
  }

  /// On internal edges, and on all edges of a periodic dimension; outside `size`.
  Padding communication;
  /// On external edges of a dimension that is not periodic; inside `size`. A periodic dimension has
  /// none.
  Padding boundary;
  /// Whether the last and the first index of the dimension are neighbours.
  bool periodic = false;
  /// Whether the boundary padding is added to the given size and bounds (`ghosts`).
  bool outside = false;
};

/// A dimension that is whole on every process (`'n'`): its grid has one process.
struct Undistributed {
  Padding boundary;       ///< inside `size`, if the dimension is not periodic
  Padding communication;  ///< outside `size`, if it is periodic: the process is its own neighbour
  bool padded = false;    ///< whether the `padding` key is present
};

/// Each process owns one contiguous range (`'b'`).
struct Block {
  GridPosition grid;
  /// Owned global indices: boundary padding is included, communication padding is not (P12).
  IndexRange owned;
  /// The part of `owned` at an external edge of a dimension that is not periodic.
  Padding boundary;
  /// Outside `owned`: copies of indices that a neighbour owns.
  Padding communication;
  /// Whether the `padding` key is present, even with the value (0, 0): on all processes or on none
  /// (P05, P06).
  bool padded = false;
  /// The padding that was requested from a builder, the same on all processes, even if their edges
  /// do not have it. It is a hint for the targets of an import (a stencil width); it is not part of
  /// the protocol, not compared, and not visible to other languages.
  std::optional<BlockPadding> asked = std::nullopt;
};

/// Blocks of `block_size` indices dealt to the processes in turn (`'c'`).
struct Cyclic {
  GridPosition grid;
  /// First owned global index; `size` if the process owns no index.
  Index start = 0;
  /// Number of global indices in a block, at least 1; the last block of the dimension may have
  /// fewer.
  Index block_size = 1;
};

/// An arbitrary list of global indices (`'u'`).
///
/// If `owned` is set, this process owns these elements of the list, and the others are ghosts:
/// copies of elements that other processes own, or that this one owns elsewhere in its list. Every
/// process then says what it owns, and each index is owned by exactly one of them. In a dictionary
/// this is the key `owned`, which Daptor adds to the protocol and which others ignore.
///
/// Example: six elements on two processes. Process 0 lists [0, 1, 2, 3] and owns 3 of them, process
/// 1 lists [3, 4, 5, 2] and owns 3. Index 3 on process 0 and index 2 on process 1 are ghosts.
struct Unstructured {
  GridPosition grid;
  /// Global indices of the whole section, in local order.
  IndexList indices;
  /// Whether the producer states that no index is on two processes.
  bool one_to_one = false;
  /// The owned elements, or the number of those at the front; `nullopt` if it is not stated.
  std::optional<OwnedPart> owned = std::nullopt;
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

  /// Takes the form as it is; `check_dimension` says which local clauses it breaks. If the index
  /// list has a defect, so has the dimension.
  /// @param global_size   number of owned indices of all processes, boundary padding included
  /// @param distribution  this process's part, in normal form
  /// @param periodic      whether the last and the first index are neighbours
  Dimension(Index global_size, Distribution distribution, bool periodic = false);
  /// A dimension that could not be made: its numbers have no meaning, and an array described with
  /// it has the defect.
  Dimension(Defect defect, Index global_size, Distribution distribution, bool periodic = false);

  /// What is wrong with the arguments that were passed to a builder.
  const Defect& defect() const { return defect_; }

  /// Number of owned indices of the whole dimension, boundary padding included (`size`).
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
  /// Padding outside the owned indices. (0, 0) for cyclic dimensions and for an empty section
  /// (A12). For an unstructured dimension that says which elements are owned, the number of ghosts
  /// before the first owned one and the number of all others; otherwise (0, 0).
  Padding communication_padding() const;
  Padding boundary_padding() const;
  /// The communication padding that was requested from a builder, the same on all processes; if
  /// none was requested, `communication_padding()`.
  Padding asked_communication_padding() const;
  /// Global indices that are owned and not boundary padding, if a process owns one range (block,
  /// undistributed); `nullopt` for other distributions.
  std::optional<IndexRange> interior() const;

  /// Number of indices that this process owns: boundary padding is included, communication padding
  /// is not. Like `local_extent`, it requires a dimension without an error in `check_dimension`.
  Index owned_count() const;
  /// Extent of this process's section, including all padding.
  Index local_extent() const;
  /// Local index of the first owned index: the width of the lower communication padding.
  Index owned_offset() const { return communication_padding().lower; }
  /// The local indices that are owned: a run, unless ghosts lie between them (`OwnedPart::apart`),
  /// as they can in a list.
  OwnedPart owned_part() const;

  friend bool operator==(const Dimension& a, const Dimension& b);
  friend bool operator!=(const Dimension& a, const Dimension& b) { return !(a == b); }

 private:
  Index global_size_;
  Distribution distribution_;
  bool periodic_;
  Defect defect_;
};

std::ostream& operator<<(std::ostream& out, const Dimension& dimension);

/// Computes the block of one process if a dimension is divided evenly: the first processes get the
/// remainder, one index each. Process-local.
///
/// Example: of 10 indices on three processes, process 0 has [0, 4), and the others have [4, 7) and
/// [7, 10).
/// @param global_size  number of indices to divide, zero or more
/// @param grid         the process, and the number of processes; only its size is checked
/// @returns the global indices of that process
/// @throws InvalidArgument if the grid has no processes
IndexRange even_block(Index global_size, GridPosition grid);

/// Computes the number of indices that one process owns of a cyclic dimension. Process-local.
/// @param global_size  number of indices of the dimension, zero or more
/// @param block_size   number of indices in a block, at least 1
/// @param grid_size    number of processes along the dimension, at least 1
/// @param position     the process, in [0, grid_size), counted from the one that owns the first
///                     block
/// @throws InvalidArgument if blocks have no indices or the grid has no processes
Index cyclic_owned_count(Index global_size, Index block_size, Index grid_size, Index position);

/// \name Builders
/// Each makes a dimension that satisfies the local clauses. Process-local. None of them throws
/// because of its arguments, which may be wrong on one process alone: the dimension then carries
/// the defect (Malformed with the rule that it would break, or InvalidArgument), and the first
/// collective call with the array throws it on all ranks. It is not checked that the indices of an
/// unstructured section are unique (U04).
/// @param global_size  number of owned indices of all processes together, boundary padding included
///                     (with `BlockPadding::ghosts`: of the interior); the same on all processes
/// @param grid         position of this process along the dimension: {number of processes, number
///                     of this one}
/// @param padding      which edges have padding, and how wide; the same on all processes
/// @param block_size   number of global indices in a block, at least 1; the same on all processes
/// @param origin       grid rank that owns the first block, in [0, grid.size) (ScaLAPACK's source
///                     process); the same on all processes
/// @param indices      global indices of this process's section, in local order
/// @param one_to_one   states that no index is on two processes: the same on all processes, not
///                     proven here
/// @param ghosts       global indices that other processes own, in local order
/// @returns this process's part of the dimension, in normal form
/// \{

/// A dimension that is not distributed.
Dimension undistributed(Index global_size);

/// An even block: the first processes get the remainder. With `BlockPadding::ghosts`, the size is
/// that of the interior, which is divided evenly.
Dimension block(Index global_size, GridPosition grid);
Dimension block(Index global_size, GridPosition grid, const BlockPadding& padding);
/// A block with explicit bounds; blocks need not be even.
/// @param owned  global indices that this process owns, boundary padding included; with
///               `BlockPadding::ghosts`, its part of the interior, counted from the first index
///               of the interior
Dimension block(Index global_size, GridPosition grid, IndexRange owned);
Dimension block(Index global_size, GridPosition grid, IndexRange owned,
                const BlockPadding& padding);

/// A cyclic (`block_size` 1) or block-cyclic dimension.
Dimension cyclic(Index global_size, GridPosition grid, Index block_size = 1, Index origin = 0);

/// Any list of global indices. If processes share indices, say who owns them, as the next ones do.
Dimension unstructured(Index global_size, GridPosition grid, IndexList indices,
                       bool one_to_one = false);

/// A list of which this process owns some elements; the others are ghosts, which other processes
/// own. Every index must be owned by exactly one process (`owned.twice`, `owned.nobody`;
/// `validate` at level full proves this, and so do calls that need it), and all processes must say
/// what they own (`owned.keys`). An index may be several times in a list, as where one process has
/// several blocks with ghosts; it then owns at most one of them.
/// @param owned  the owned elements: `OwnedPart::at` their positions, or `OwnedPart::where` a mask
///               with one entry for each index is true
Dimension unstructured(Index global_size, GridPosition grid, IndexList indices, OwnedPart owned);
Dimension unstructured(Index global_size, GridPosition grid, IndexList indices,
                       const std::vector<bool>& owned);
/// Not `bool one_to_one`: a number of owned indices is for `owned_then_ghosts`.
template <class T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, int> = 0>
Dimension unstructured(Index global_size, GridPosition grid, IndexList indices, T owned) = delete;
/// The same for a list that begins with the owned indices.
/// @param owned  number of owned indices at the front of the list, in [0, indices.size()]
Dimension owned_then_ghosts(Index global_size, GridPosition grid, IndexList indices, Index owned);
/// The same with owned indices and ghosts in two lists; in memory the ghosts follow the owned
/// elements.
/// @param owned  global indices that this process owns, in local order
Dimension owned_then_ghosts(Index global_size, GridPosition grid, const IndexVector& owned,
                            const IndexVector& ghosts);
/// The same if each process owns one range, as in VecCreateGhost.
/// @param owned  the range of global indices that this process owns
Dimension block_then_ghosts(Index global_size, GridPosition grid, IndexRange owned,
                            const IndexVector& ghosts);
/// Even ranges.
Dimension block_then_ghosts(Index global_size, GridPosition grid, const IndexVector& ghosts);
/// \}

/// The global indices that this process owns, in local order: all of a list that does not say what
/// is owned. Shares the list, unless ghosts lie between owned elements. Process-local.
IndexList owned_indices(const Unstructured& list);

/// Whether the dimension lists indices, and states neither that they are on no other process
/// (`one_to_one`) nor which of them this process owns. Process-local.
bool leaves_open_who_owns(const Dimension& dimension);

}  // namespace daptor
