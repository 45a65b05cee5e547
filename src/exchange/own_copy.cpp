// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/own_copy.hpp"

#include <algorithm>
#include <utility>

#include "exchange/move.hpp"
#include "exchange/split.hpp"

namespace daptor::detail {
namespace {

constexpr std::size_t part_bytes = 128 * 1024;

}  // namespace

OwnCopy::OwnCopy(const std::vector<OwnRegions>& regions, const ArrayMemory& source,
                 const ArrayMemory& target)
    : regions_(regions), source_(source), target_(target) {
  if (source.box || target.box || source.itemsize != target.itemsize) {
    by_runs_ = true;
    pair_runs();
    return;
  }
  for (const OwnRegions& own : regions_) {
    loops_.emplace_back(own.owned, source.byte_strides, own.wanted, target.byte_strides,
                        source.itemsize);
    portions_ += loops_.back().portions();
  }
}

Index OwnCopy::count() const {
  Index sum = 0;
  for (const OwnRegions& own : regions_) sum += own.owned.count();
  return sum;
}

void OwnCopy::pair_runs() {
  const auto most = std::max<Index>(1, static_cast<Index>(part_bytes / source_.itemsize));
  std::vector<RunPair> pairs;
  std::size_t bytes = 0;
  for (const OwnRegions& own : regions_) {
    std::vector<Region> from, to;
    split(own.owned, {most}, from);
    split(own.wanted, {most}, to);
    for (std::size_t i = 0; i < from.size(); ++i) {
      pairs.push_back({source_.runs(from[i]), target_.runs(to[i])});
      if (!pairs.back().from.contiguous()) bytes = std::max(part_bytes, source_.itemsize);
    }
  }
  if (bytes > 0) buffer_.reset(new std::byte[bytes]);
  buffer_bytes_ = bytes;
  run_pairs_ = std::move(pairs);
}

bool OwnCopy::straight(const Conversion& conversion) const {
  return conversion.copies() && portions_ > 0;
}

void OwnCopy::prepare(const Conversion& conversion) {
  by_runs_ = !straight(conversion);
  if (by_runs_) reserve_for_conversion();
}

void OwnCopy::reserve_for_conversion() {
  if (run_pairs_.empty()) pair_runs();
}

void OwnCopy::step(Index i, const std::byte* source, std::byte* target,
                   const Conversion& conversion, Stores stores) {
  if (!by_runs_) {
    for (const PairedLoops& loops : loops_) {
      if (i < loops.portions()) return loops.copy_portion(i, source, target, stores);
      i -= loops.portions();
    }
    return;
  }
  const auto& [from, to] = run_pairs_[static_cast<std::size_t>(i)];
  if (from.contiguous()) {
    conversion.unpack(to, source + from.first(), target, stores);
  } else if (to.contiguous() && conversion.copies()) {
    pack(from, source, target + to.first());
  } else {
    pack(from, source, buffer_.get());
    conversion.unpack(to, buffer_.get(), target, stores);
  }
}

}  // namespace daptor::detail
