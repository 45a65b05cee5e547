// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/order.hpp"

#include <algorithm>
#include <cstdlib>

#include "daptor/detail/layout.hpp"

namespace daptor::adapter {

OrderFit gapless(const Section& array, const std::vector<Index>& shape, int first) {
  const auto fits = [&](Order order) {
    return daptor::detail::gapless(shape, array.byte_strides(), array.type().itemsize(), order,
                                   static_cast<std::size_t>(first));
  };
  return {fits(Order::c), fits(Order::fortran)};
}

OrderFit owned_run(const Section& array, int first) {
  return array.owned_apart() ? OrderFit{} : gapless(array, array.owned_shape(), first);
}

OrderFit local_run(const Section& array, int first) {
  return gapless(array, array.local_shape(), first);
}

OrderFit memory_order(const Section& array) {
  OrderFit fit{true, true};
  if (array.local_count() == 0) return fit;
  Index previous = -1;
  for (int d = 0; d < array.ndim(); ++d) {
    const auto u = static_cast<std::size_t>(d);
    if (array.local_shape()[u] == 1) continue;
    const Index stride = std::abs(array.byte_strides()[u]);
    if (previous >= 0 && stride > previous) fit.c = false;
    if (previous >= 0 && stride < previous) fit.fortran = false;
    previous = stride;
  }
  return fit;
}

int fastest(const Section& array, Order order) {
  return order == Order::c ? array.ndim() - 1 : 0;
}

int slowest(const Section& array, Order order) {
  return order == Order::c ? 0 : array.ndim() - 1;
}

bool whole_on_each_process(const Dimension& dimension) {
  return dimension.as<Undistributed>() != nullptr && dimension.communication_padding() == Padding{};
}

Index block_size(const Section& array, Order order) {
  if (array.ndim() < 2) return 1;
  const Dimension& dimension = array.dimension(fastest(array, order));
  return whole_on_each_process(dimension) && dimension.global_size() > 0 ? dimension.global_size()
                                                                         : 1;
}

bool has_lists(const Section& array) {
  return std::any_of(array.dimensions().begin(), array.dimensions().end(),
                     [](const Dimension& each) { return each.as<Unstructured>() != nullptr; });
}

std::optional<IndexRange> owned_range(const Dimension& dimension) {
  const Index size = dimension.global_size();
  if (dimension.as<Undistributed>() != nullptr) return IndexRange{0, size};
  if (const auto* block = dimension.as<Block>()) return block->owned;
  const auto* cyclic = dimension.as<Cyclic>();
  if (cyclic == nullptr) return std::nullopt;
  if (cyclic->start >= size) return IndexRange{size, size};
  if (cyclic->grid.size == 1) return IndexRange{0, size};
  const Index blocks = (size - 1) / cyclic->block_size + 1;
  if (blocks > cyclic->grid.size) return std::nullopt;
  return IndexRange{cyclic->start,
                    cyclic->start + std::min(size - cyclic->start, cyclic->block_size)};
}

Dimension owned_only(const Dimension& dimension) {
  if (const auto* block = dimension.as<Block>()) {
    Block bare = *block;
    bare.communication = {};
    bare.asked.reset();
    return {dimension.global_size(), bare, dimension.periodic()};
  }
  if (const auto* whole = dimension.as<Undistributed>()) {
    Undistributed bare = *whole;
    bare.communication = {};
    return {dimension.global_size(), bare, dimension.periodic()};
  }
  const auto* list = dimension.as<Unstructured>();
  if (list == nullptr || !list->owned) return dimension;
  Unstructured bare = *list;
  bare.indices = owned_indices(*list);
  bare.owned = bare.indices.size();
  return {dimension.global_size(), bare, dimension.periodic()};
}

}  // namespace daptor::adapter
