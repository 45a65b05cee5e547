// SPDX-License-Identifier: BSD-3-Clause
#include <limits>
#include <utility>

#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/redistribute.hpp"
#include "exchange/redistribution/plan_redistribution.hpp"

namespace daptor {
namespace {

/// Collective. The sum over all ranks of `count * size`, or 2^63 - 1 if it is greater.
std::int64_t sum_of_products(std::uint64_t count, std::size_t size, const Comm& comm) {
  constexpr int half = 32;
  constexpr std::uint64_t low = (std::uint64_t{1} << half) - 1;
  // A count has 63 bits and a size fewer than 16, so sums of 32-bit digits do not overflow.
  const std::uint64_t lower = (count & low) * size;
  const std::uint64_t upper = (count >> half) * size + (lower >> half);
  std::int64_t digits[] = {static_cast<std::int64_t>(lower & low),
                           static_cast<std::int64_t>(upper)};
  comm->allreduce(digits, 2, Reduction::sum);
  const std::int64_t carried = digits[1] + (digits[0] >> half);
  if (carried >= std::int64_t{1} << (half - 1)) return std::numeric_limits<std::int64_t>::max();
  return (carried << half) + (digits[0] & static_cast<std::int64_t>(low));
}

}  // namespace

std::int64_t bytes_to_redistribute(const DistArray& source, const DistArray& target,
                                   const RedistributionOptions& options) {
  Call call(source.comm(), "bytes_to_redistribute");
  const detail::Sides sides = detail::prepared_sides(source, target, call, options, false);
  const auto plan = detail::plan_redistribution(sides, options, call);
  call.check();
  std::uint64_t elements = 0;
  for (const detail::SharedRegions& shared : plan.sharing.wanted)
    for (const detail::Region& region : shared.regions)
      elements += static_cast<std::uint64_t>(region.count());
  return sum_of_products(elements, source.type().itemsize(), sides.comm);
}

}  // namespace daptor
