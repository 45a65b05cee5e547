// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/dimension.hpp"
#include "daptor/types.hpp"

namespace daptor::scalapack {

/// Where an index is in a block-cyclic distribution: the `block`-th block of `process`, position
/// `index` within the block. All count from 0.
struct BlockPlace {
  Index process = 0;
  Index block = 0;
  Index index = 0;

  friend bool operator==(const BlockPlace& a, const BlockPlace& b) {
    return a.process == b.process && a.block == b.block && a.index == b.index;
  }
  friend bool operator!=(const BlockPlace& a, const BlockPlace& b) { return !(a == b); }
};

/// How the blocks of a process are counted. The two differ where dealing does not begin at process
/// 0, on the processes before the one where it begins.
enum class BlockNumbering {
  /// By turns of dealing, each of which begins at process 0: the (p, b, i) of the block-cyclic
  /// mapping with an offset. Processes before the first one get no block in turn 0, and their
  /// blocks count from 1.
  turns,
  /// As they are stored: the blocks of every process count from 0, and local index
  /// `block * block_size + index` is where ScaLAPACK has the element.
  stored
};

/// One dimension of a matrix in ScaLAPACK's distribution: blocks of indices dealt in turn to the
/// processes of one row or column of the grid. The rows and the columns of a matrix are dealt
/// independently of each other, each by a mapping like this. Pure arithmetic in 64 bits: no
/// communication, and no need for a grid or for memory.
///
/// Example, 23 indices in blocks of 2 on 3 processes, beginning with process 1:
///
///     process 0 has            4  5 10 11 16 17 22    blocks 1, 2, 3, 4 by turns; 0, 1, 2, 3
///     stored process 1 has   0  1  6  7 12 13 18 19          blocks 0, 1, 2, 3 in both numberings
///     process 2 has   2  3  8  9 14 15 20 21          the same
class BlockCyclic {
 public:
  /// @param size        indices that are dealt, at least 0
  /// @param block_size  indices in a block, at least 1 (MB_ or NB_ of a descriptor)
  /// @param processes   that they are dealt to, at least 1 and less than 2^31
  /// @param source      the process with the first block, in [0, processes) (RSRC_ or CSRC_)
  /// @throws InvalidArgument (`scalapack.block-cyclic`) for other values
  BlockCyclic(Index size, Index block_size, Index processes, Index source = 0);

  /// One block for each process, `ceil(size / processes)` indices long (at least 1); the last
  /// processes may have fewer or none. Not the even blocks of `daptor::block(size, grid)`: 10
  /// indices on 3 processes are 4, 4 and 2 here, and 4, 3 and 3 there.
  static BlockCyclic blocks(Index size, Index processes);

  Index size() const { return size_; }
  Index block_size() const { return block_size_; }
  Index processes() const { return processes_; }
  Index source() const { return source_; }

  /// Indices that a process has; ScaLAPACK's `numroc`. Throws InvalidArgument
  /// (`scalapack.block-place`) where there is no such process.
  Index local_count(Index process) const;

  /// Where a global index is. Throws InvalidArgument (`scalapack.block-place`) outside [0, size()).
  BlockPlace place_of(Index global, BlockNumbering numbering) const;
  /// The global index at a place. Throws InvalidArgument (`scalapack.block-place`) where there is
  /// none: beyond the last index, outside of the block, for no process, and, by turns, for block 0
  /// of a process before `source()`.
  Index global_of(const BlockPlace& place, BlockNumbering numbering) const;

  /// The process that has a global index, and its local index there: ScaLAPACK's `indxg2p` and
  /// `indxg2l`, but from 0. Throw as `place_of`.
  Index process_of(Index global) const { return place_of(global, BlockNumbering::stored).process; }
  Index local_of(Index global) const;

  /// The same as a dimension of the protocol, on one process.
  Dimension dimension(Index process) const;

 private:
  void require_process(Index process) const;

  Index size_;
  Index block_size_;
  Index processes_;
  Index source_;
};

}  // namespace daptor::scalapack
