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
