// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/redistribution/coverage.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include "daptor/call.hpp"

namespace daptor::detail {
namespace {

class Tally {
 public:
  Tally(Index first, Index count) : first_(first), seen_(static_cast<std::size_t>(count)) {}

  void add(const Region& region) {
    const Selection& along = region.along.front();
    if (along.is_range()) return add({along.start, along.count});
    along.spans->for_each([this](IndexSpan span) { add(span); });
  }
  Coverage result() const {
    if (arrived_ < static_cast<Index>(seen_.size())) return Coverage::some_never;
    return twice_ ? Coverage::some_twice : Coverage::once;
  }

 private:
  void add(IndexSpan span) {
    for (Index i = span.start - first_; span.count > 0; ++i, --span.count) {
      unsigned char& seen = seen_[static_cast<std::size_t>(i)];
      arrived_ += 1 - seen;
      twice_ = twice_ || seen != 0;
      seen = 1;
    }
  }

  Index first_;
  std::vector<unsigned char> seen_;  // one byte each, because bits would be slower
  Index arrived_ = 0;
  bool twice_ = false;
};

/// Number of arriving elements, repeated ones included.
Index arriving(const Sharing& sharing) {
  Index sum = 0;
  for (const SharedRegions& shared : sharing.wanted)
    for (const Region& region : shared.regions) sum += region.count();
  for (const OwnRegions& own : sharing.own) sum += own.wanted.count();
  return sum;
}

Coverage coverage_here(const Sharing& sharing, Index first, Index count) {
  if (arriving(sharing) < count) return Coverage::some_never;
  Tally tally(first, count);
  for (const SharedRegions& shared : sharing.wanted)
    for (const Region& region : shared.regions) tally.add(region);
  for (const OwnRegions& own : sharing.own) tally.add(own.wanted);
  return tally.result();
}

}  // namespace

Coverage coverage_of(const Sharing& sharing, Index first, Index count, Call& call) {
  const auto least =
      call.least([&] { return static_cast<std::int64_t>(coverage_here(sharing, first, count)); });
  call.check();
  return static_cast<Coverage>(std::int64_t{least});
}

}  // namespace daptor::detail
