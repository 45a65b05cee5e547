// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "exchange/array_memory.hpp"
#include "exchange/convert.hpp"
#include "exchange/paired_loops.hpp"
#include "exchange/sharing.hpp"

namespace daptor::detail {

/// Copies the elements that stay on this process, in steps between which the caller can progress
/// its messages.
///
/// Elements are copied directly. If they are converted, or if one side is numbered row-major, they
/// are copied through a buffer that stays in the cache.
class OwnCopy {
 public:
  OwnCopy(const std::vector<OwnRegions>& regions, const ArrayMemory& source,
          const ArrayMemory& target);

  /// Number of elements of one array.
  Index count() const;
  /// Allocates the memory that a conversion needs, the first time.
  void prepare(const Conversion& conversion);
  /// Allocates the memory that every conversion needs.
  void reserve_for_conversion();
  /// Number of steps for one array.
  Index steps() const { return by_runs_ ? static_cast<Index>(run_pairs_.size()) : portions_; }
  /// `prepare` must have been called for the conversion.
  void step(Index i, const std::byte* source, std::byte* target, const Conversion& conversion,
            Stores stores);
  std::size_t buffer_bytes() const { return buffer_bytes_; }

 private:
  /// A pair of regions as runs.
  struct RunPair {
    MemoryRuns from, to;
  };
  void pair_runs();
  bool straight(const Conversion& conversion) const;

  std::vector<OwnRegions> regions_;
  ArrayMemory source_, target_;
  std::vector<PairedLoops> loops_;
  Index portions_ = 0;  // in all loops together
  std::vector<RunPair> run_pairs_;
  bool by_runs_ = false;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t buffer_bytes_ = 0;
};

}  // namespace daptor::detail
