// SPDX-License-Identifier: BSD-3-Clause
#include "counts.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/extents.hpp"

namespace daptor::sundials::detail {
namespace {

constexpr Index largest = std::numeric_limits<sunindextype>::max();

bool has_lists(const Section& array) {
  return std::any_of(array.dimensions().begin(), array.dimensions().end(),
                     [](const Dimension& each) { return each.as<Unstructured>() != nullptr; });
}

void count_reason(const char* what, std::optional<Index> count, adapter::Reasons& reasons) {
  if (count && *count <= largest) return;
  reasons.push_back(adapter::reason(
      "sundials.nvector.index-range",
      std::string(what) + " of " + (count ? std::to_string(*count) : "more than 2^63 - 1"),
      "at most " + std::to_string(largest) + ", the largest sunindextype",
      "Use a SUNDIALS with 64-bit indices (SUNDIALS_INDEX_SIZE)."));
}

}  // namespace

void count_reasons(const Section& array, adapter::Reasons& reasons) {
  count_reason("an owned count", array.owned_count(), reasons);
  if (!has_lists(array))
    count_reason("a global count", adapter::global_count(array.dimensions()), reasons);
}

Counts count_owned(const Section& array, const Comm& comm) {
  const auto local = static_cast<sunindextype>(array.owned_count());
  if (!has_lists(array))
    return {local,
            static_cast<sunindextype>(adapter::global_count(array.dimensions()).value_or(0))};
  // Bounded so that the sum over all ranks fits in 64 bits.
  std::int64_t count =
      std::min(array.owned_count(), std::numeric_limits<Index>::max() / comm.size());
  comm->allreduce(&count, 1, Reduction::sum);
  adapter::Reasons reasons;
  count_reason("a global count", count, reasons);
  adapter::require_none(std::move(reasons));
  return {local, static_cast<sunindextype>(count)};
}

}  // namespace daptor::sundials::detail
