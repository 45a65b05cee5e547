// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "exchange/region.hpp"
#include "exchange/stores.hpp"

namespace daptor::detail {

/// A span of indices that are consecutive on both sides.
struct PairedSpan {
  Index from = 0, to = 0, count = 0;
};

/// Loops over the same elements in two places at once, in the order that suits both sides best.
///
/// Example: 600 x 400 doubles from C order (strides 3200 and 8 bytes) to Fortran order (8 and
/// 4800). The two loops, in the order of the dimensions, are
///
///     count 600   from: 3200 bytes apart   to:    8 bytes apart
///     count 400   from:    8 bytes apart   to: 4800 bytes apart
///
/// Each loop goes along the memory of one side, so they cross: whichever is the inner one, on the
/// other side every element is on a new cache line. `arrange` makes the loop along `to` the
/// innermost (600 iterations, called down) and puts the loop along `from` around it (400
/// iterations, called across), and the kernel goes through both in tiles of 8 x 16 elements, each
/// of which reads 8 runs of 128 bytes and writes 16 runs of 64 bytes. `divide` makes portions of
/// 512 x 256 elements: two down and two across, four in all. Past the caches, the kernel goes
/// through such a portion line by line: it reads 8 runs of 2048 bytes and writes 256 runs of 64
/// bytes.
///
/// If both sides had the same order, a row of 400 doubles would be one run of 3200 bytes: a loop of
/// 600 runs, or a single run if neither side has gaps between rows.
class PairedLoops {
 public:
  /// Offsets of the iterations of a loop: each `stride` bytes after the previous one, or at
  /// `offsets` if there are any.
  struct Steps {
    Index stride = 0;
    Offsets offsets;

    Index offset(Index i) const { return offsets.empty() ? i * stride : offsets[i]; }
  };
  struct Loop {
    Index count = 1;
    Steps from, to;
  };

  /// Loops around runs of `run` bytes.
  PairedLoops(std::vector<Loop> loops, Index run);
  /// Loops over two regions with the same counts and order; element k of one is copied to element k
  /// of the other.
  PairedLoops(const Region& from, const std::vector<Index>& from_strides, const Region& to,
              const std::vector<Index>& to_strides, std::size_t itemsize);

  /// Copies all elements. The two places must not overlap; the addresses are those of the arrays'
  /// first elements.
  void copy(const std::byte* from, std::byte* to, Stores stores = Stores::cached) const;
  /// Number of portions, of about 1 MiB each, for callers that have other work to do in between.
  Index portions() const { return portions_; }
  void copy_portion(Index i, const std::byte* from, std::byte* to, Stores stores) const;

  /// What a kernel copies: runs along the memory of `to` (down), and, if that is a different loop,
  /// along the memory of `from` (across).
  struct Innermost {
    const Loop* down;
    const Loop* across;
    IndexRange down_part, across_part;
    const Index* lengths;
    Index run;
    Stores stores;
  };
  using Kernel = void (*)(const Innermost&, const std::byte* from, std::byte* to);

 private:
  void add(const Selection& from, Index from_stride, const Selection& to, Index to_stride);
  void add_runs(const std::vector<PairedSpan>& spans);
  bool extends(Index from_stride, Index to_stride) const;
  void arrange();
  void divide();
  struct Work {
    Innermost innermost;
    Kernel kernel;
  };
  void descend(std::size_t depth, IndexRange part, const Work& work, const std::byte* from,
               std::byte* to) const;

  std::vector<Loop> loops_;     // the outermost first
  std::vector<Index> lengths_;  // lengths in bytes of the innermost loop's runs, if they differ
  Index run_;
  Index from_first_ = 0, to_first_ = 0;
  // number of portions, and of iterations of the outermost loop in each
  Index portions_ = 0, each_ = 1;
  Index down_portions_ = 1, down_each_ = 1;  // the same for the innermost of two crossed loops
  bool crossed_ = false;  // the last two loops each go along the memory of one side
};

}  // namespace daptor::detail
