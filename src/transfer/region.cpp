#include "transfer/region.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>

namespace daptor::detail {

Index Region::count() const {
  Index product = 1;
  for (const Selection& selection : along) product *= selection.count;
  return product;
}

std::vector<int> memory_order(const std::vector<Index>& shape,
                              const std::vector<Index>& byte_strides) {
  std::vector<int> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  const auto distance = [&](int d) {
    const auto i = static_cast<std::size_t>(d);
    return shape[i] > 1 ? std::abs(byte_strides[i]) : std::numeric_limits<Index>::max();
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return distance(a) > distance(b); });
  return order;
}

Runs::Runs(const Region& region, const std::vector<Index>& byte_strides, std::size_t itemsize)
    : bytes_(region.count() * static_cast<Index>(itemsize)), run_(static_cast<Index>(itemsize)) {
  if (bytes_ == 0) return;
  for (const int d : region.order)
    append(region.along[static_cast<std::size_t>(d)], byte_strides[static_cast<std::size_t>(d)]);
  while (!outer_.empty() && outer_.back().offsets.empty() && outer_.back().stride == run_) {
    run_ *= outer_.back().count;
    outer_.pop_back();
  }
  if (outer_.empty()) return;
  inner_ = std::move(outer_.back());
  outer_.pop_back();
}

void Runs::append(const Selection& selection, Index stride) {
  if (!selection.is_range() && selection.count > 1) {
    Loop loop{selection.count, 0, *selection.list};
    for (Index& offset : loop.offsets) offset *= stride;
    outer_.push_back(std::move(loop));
    return;
  }
  first_ += selection.at(0) * stride;
  if (selection.count == 1) return;
  if (!outer_.empty() && outer_.back().offsets.empty() &&
      outer_.back().stride == selection.count * stride) {
    outer_.back().count *= selection.count;
    outer_.back().stride = stride;
  } else {
    outer_.push_back({selection.count, stride, {}});
  }
}

std::vector<const Runs::Loop*> Runs::loops() const {
  std::vector<const Loop*> all;
  for (const Loop& loop : outer_) all.push_back(&loop);
  if (inner_.count > 1) all.push_back(&inner_);
  return all;
}

}  // namespace daptor::detail
