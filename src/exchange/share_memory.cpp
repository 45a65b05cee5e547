// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/share_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace daptor::detail {
namespace {

/// Addresses from the lowest byte to one past the highest.
struct Span {
  std::uintptr_t start, stop;
};

Span span_of(const DistArray& array) {
  const auto data = reinterpret_cast<std::uintptr_t>(array.data());
  const IndexRange bytes = array.buffer().byte_span();
  return {data + static_cast<std::uintptr_t>(bytes.start),
          data + static_cast<std::uintptr_t>(bytes.stop)};
}

/// The greatest common divisor of all strides of both arrays.
Index common_stride(const DistArray& a, const DistArray& b) {
  Index common = 0;
  for (const DistArray* array : {&a, &b})
    for (std::size_t d = 0; d < array->local_shape().size(); ++d)
      if (array->local_shape()[d] > 1) common = std::gcd(common, array->byte_strides()[d]);
  return common;
}

/// A dimension in which two arrays have the same stride, with the extent of each array.
struct CommonDimension {
  Index stride, first, second;
};

/// The dimensions by decreasing stride, with all strides made positive. `nullopt` if the arrays
/// have different strides, or if the elements of one array interleave.
std::optional<std::vector<CommonDimension>> common_dimensions(const DistArray& a,
                                                              const DistArray& b) {
  std::vector<CommonDimension> dimensions;
  if (a.ndim() != b.ndim()) return std::nullopt;
  for (std::size_t d = 0; d < a.local_shape().size(); ++d) {
    const Index first = a.local_shape()[d], second = b.local_shape()[d];
    if (first == 1 && second == 1) continue;
    const Index stride = std::abs((first > 1 ? a : b).byte_strides()[d]);
    if (first > 1 && second > 1 && std::abs(b.byte_strides()[d]) != stride) return std::nullopt;
    dimensions.push_back({stride, first, second});
  }
  std::sort(dimensions.begin(), dimensions.end(),
            [](const auto& x, const auto& y) { return x.stride > y.stride; });
  auto inner = static_cast<Index>(std::max(a.type().itemsize(), b.type().itemsize()));
  for (auto d = dimensions.rbegin(); d != dimensions.rend(); ++d) {
    if (d->stride < inner) return std::nullopt;
    inner += (std::max(d->first, d->second) - 1) * d->stride;
  }
  return dimensions;
}

/// Whether elements of the second array, which begins `distance` bytes after the first, overlap
/// elements of the first. Along dimension `d` the number of steps between them is `distance`
/// divided by the stride, rounded down, or one more.
bool meet(const std::vector<CommonDimension>& dimensions, std::size_t d, Index distance,
          Index first_size, Index second_size) {
  if (d == dimensions.size()) return distance < first_size && -distance < second_size;
  const auto& [stride, first, second] = dimensions[d];
  const Index steps = distance / stride - (distance % stride < 0 ? 1 : 0);
  for (const Index k : {steps, steps + 1})
    if (-second < k && k < first &&
        meet(dimensions, d + 1, distance - k * stride, first_size, second_size))
      return true;
  return false;
}

/// A dimension of one array, with its stride made positive.
struct Step {
  Index stride, most;  ///< the most steps between two elements: the extent minus 1
};

/// Searches for two elements at less than an element's size from each other.
class SelfOverlap {
 public:
  /// `steps` by increasing stride.
  SelfOverlap(std::vector<Step> steps, Index itemsize)
      : steps_(std::move(steps)), itemsize_(itemsize) {
    Index reach = itemsize - 1;
    for (const Step& step : steps_) {
      reaches_.push_back(reach);
      reach += step.most * step.stride;
    }
    searchable_ = reach < std::numeric_limits<Index>::max() / 4;
  }

  bool found() {
    // Where each stride leaves room for all that is within it, no search is needed.
    const auto inside = [this](std::size_t d) { return steps_[d].stride > reaches_[d]; };
    std::size_t d = steps_.size();
    while (d > 0 && inside(d - 1)) --d;
    return d > 0 && (!searchable_ || search(d, 0, false));
  }

 private:
  /// Whether steps along the first `d` dimensions, at least one if there were none before, lead
  /// from `distance` bytes back to less than an element's size. Steps forwards and backwards are
  /// tried, since strides are positive.
  bool search(std::size_t d, Index distance, bool moved) {
    if (d == 0) return moved && std::abs(distance) < itemsize_;
    if (++tried_ > most_tried) return true;
    const auto [stride, most] = steps_[d - 1];
    const Index reach = reaches_[d - 1];
    // |distance + k * stride| <= reach
    const Index lowest = std::max(-most, -((distance + reach) / stride));
    const Index highest = std::min(most, (reach - distance) / stride);
    for (Index k = lowest; k <= highest; ++k)
      if (search(d - 1, distance + k * stride, moved || k != 0)) return true;
    return false;
  }

  static constexpr Index most_tried = 1000000;
  std::vector<Step> steps_;
  Index itemsize_;
  /// How far the dimensions before each one reach, together with an element, in bytes.
  std::vector<Index> reaches_;
  bool searchable_ = false;  ///< sums of distances fit in 64 bits
  Index tried_ = 0;
};

}  // namespace

bool elements_share_memory(const DistArray& array) {
  if (array.local_count() == 0) return false;
  std::vector<Step> steps;
  for (std::size_t d = 0; d < array.local_shape().size(); ++d) {
    if (array.local_shape()[d] == 1) continue;
    const Index stride = std::abs(array.byte_strides()[d]);
    if (stride == 0) return true;
    steps.push_back({stride, array.local_shape()[d] - 1});
  }
  std::sort(steps.begin(), steps.end(),
            [](const Step& a, const Step& b) { return a.stride < b.stride; });
  return SelfOverlap(std::move(steps), static_cast<Index>(array.type().itemsize())).found();
}

bool share_memory(const DistArray& a, const DistArray& b) {
  if (a.local_count() == 0 || b.local_count() == 0) return false;
  const Span first = span_of(a), second = span_of(b);
  if (first.stop <= second.start || second.stop <= first.start) return false;
  const auto size_a = static_cast<Index>(a.type().itemsize());
  const auto size_b = static_cast<Index>(b.type().itemsize());
  const auto distance = static_cast<Index>(second.start - first.start);
  if (const auto dimensions = common_dimensions(a, b))
    return meet(*dimensions, 0, distance, size_a, size_b);
  const Index stride = common_stride(a, b);
  if (stride == 0) return true;
  const Index between = (distance % stride + stride) % stride;
  return between < size_a || stride - between < size_b;
}

}  // namespace daptor::detail
