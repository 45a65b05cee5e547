// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "exchange/region.hpp"

namespace daptor::detail {

/// Consecutive indices on both sides.
struct PairedStretch {
  Index from = 0, to = 0, count = 0;
};

/// Loops over the same elements in two places at once, in the order that suits both.
///
/// Example: 600 x 400 doubles from C order (strides 3200 and 8 bytes) to Fortran order (8 and
/// 4800). The two loops, in the order of the dimensions, are
///
///     count 600   from: 3200 bytes apart   to:    8 bytes apart
///     count 400   from:    8 bytes apart   to: 4800 bytes apart
///
/// Each goes along the memory of one side, so they cross: with either as the inner one, the other
/// side touches a new cache line for each element. `arrange` puts the loop along `to` last (600
/// times, called down), the one along `from` before it (400 times, called across), and the kernel
/// goes through both in tiles of 8 x 8 elements, each of which reads 8 runs of 64 bytes and writes
/// 8 such runs. `divide` makes portions of 256 x 256 elements: three down, two across, six in all.
///
/// Had both sides the same order, a row of 400 doubles would be a run of 3200 bytes: one loop of
/// 600 runs, or a single run where neither side has gaps between rows.
class PairedLoops {
 public:
  /// Where an iteration is: `stride` bytes after the one before, or at `offsets` where there are
  /// any.
  struct Steps {
    Index stride = 0;
    Offsets offsets;

    Index offset(Index i) const { return offsets.empty() ? i * stride : offsets[i]; }
  };
  struct Loop {
    Index count = 1;
    Steps from, to;
  };

  /// Of runs of `run` bytes.
  PairedLoops(std::vector<Loop> loops, Index run);
  /// Of regions with the same counts and order, the k-th element of one for the k-th of the other.
  PairedLoops(const Region& from, const std::vector<Index>& from_strides, const Region& to,
              const std::vector<Index>& to_strides, std::size_t itemsize);

  /// The two places do not overlap. Addresses are those of the arrays' first elements.
  void copy(const std::byte* from, std::byte* to) const;
  /// The same in portions of some 100 KiB, where other things have to be looked after in between.
  Index portions() const { return portions_; }
  void copy_portion(Index i, const std::byte* from, std::byte* to) const;

  /// What a kernel copies: runs along the memory of `to`, and `across` it, along that of `from`,
  /// where that is another way.
  struct Innermost {
    const Loop* down;
    const Loop* across;
    IndexRange down_part, across_part;
    const Index* lengths;
    Index run;
  };
  using Kernel = void (*)(const Innermost&, const std::byte* from, std::byte* to);

 private:
  void add(const Selection& from, Index from_stride, const Selection& to, Index to_stride);
  void add_runs(const std::vector<PairedStretch>& stretches);
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
  std::vector<Index> lengths_;  // in bytes; of the innermost loop's runs, where they differ
  Index run_;
  Index from_first_ = 0, to_first_ = 0;
  Index portions_ = 0, each_ = 1;            // iterations of the outermost loop
  Index down_portions_ = 1, down_each_ = 1;  // and of the innermost, where these two cross
  bool crossed_ = false;  // the last two loops go along the memory of one side each
};

}  // namespace daptor::detail
