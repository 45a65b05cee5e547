// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/extents.hpp"

namespace daptor::adapter {
namespace {

/// The product of `factor(k)` for k in [first, last).
template <class F>
std::optional<Index> product_of(std::size_t first, std::size_t last, F&& factor) {
  std::optional<Index> result = 1;
  for (std::size_t k = first; k < last; ++k) {
    if (factor(k) == 0) return 0;
    if (result) result = checked_multiply(*result, factor(k));
  }
  return result;
}

}  // namespace

std::optional<Index> product(const std::vector<Index>& factors, std::size_t first) {
  return product_of(first, factors.size(), [&](std::size_t k) { return factors[k]; });
}

std::optional<Index> global_count(const std::vector<Dimension>& dimensions, std::size_t first) {
  return product_of(first, dimensions.size(),
                    [&](std::size_t k) { return dimensions[k].global_size(); });
}

}  // namespace daptor::adapter
