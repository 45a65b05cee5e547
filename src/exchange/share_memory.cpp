// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/share_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
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

}  // namespace

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
