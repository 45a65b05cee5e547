// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/redistribution/coverage.hpp"

#include <algorithm>
#include <vector>

#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"

namespace daptor::detail {
namespace {

class Tally {
 public:
  Tally(Index first, Index count) : first_(first), seen_(static_cast<std::size_t>(count)) {}

  void add(const Region& region) {
    const Selection& along = region.along.front();
    if (along.is_range()) return add({along.start, along.count});
    along.stretches->for_each([this](Stretch stretch) { add(stretch); });
  }
  Coverage result() const {
    if (arrived_ < static_cast<Index>(seen_.size())) return Coverage::some_never;
    return twice_ ? Coverage::some_twice : Coverage::once;
  }

 private:
  void add(Stretch stretch) {
    for (Index i = stretch.start - first_; stretch.count > 0; ++i, --stretch.count) {
      unsigned char& seen = seen_[static_cast<std::size_t>(i)];
      arrived_ += 1 - seen;
      twice_ = twice_ || seen != 0;
      seen = 1;
    }
  }

  Index first_;
  std::vector<unsigned char> seen_;  // one byte each, because bits would take longer
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

}  // namespace

Coverage coverage_of(const Sharing& sharing, Index first, Index count, const Comm& comm) {
  const Coverage here = agreed(comm, [&] {
    fault_point("core.redistribution.coverage");
    if (arriving(sharing) < count) return Coverage::some_never;
    Tally tally(first, count);
    for (const SharedRegions& shared : sharing.wanted)
      for (const Region& region : shared.regions) tally.add(region);
    for (const OwnRegions& own : sharing.own) tally.add(own.wanted);
    return tally.result();
  });
  std::int64_t found[] = {here == Coverage::some_never ? 1 : 0,
                          here == Coverage::some_twice ? 1 : 0};
  comm->allreduce(found, 2, Reduction::max);
  if (found[0] > 0) return Coverage::some_never;
  return found[1] > 0 ? Coverage::some_twice : Coverage::once;
}

}  // namespace daptor::detail
