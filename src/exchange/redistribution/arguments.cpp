// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/redistribution/arguments.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <string>

#include "communication/hash.hpp"
#include "daptor/adapter/same.hpp"
#include "exchange/convert.hpp"
#include "exchange/open_arrays.hpp"
#include "report/refuse.hpp"

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

/// Whether two arrays share memory. This is exact for arrays with the same strides, such as columns
/// of a matrix. Arrays with other strides count as sharing memory if their spans overlap, unless
/// their elements interleave at every step, like the fields of a record.
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

/// A hash of 60 bits that distinguishes different transforms.
std::int64_t code_of(const Transform& transform) {
  std::uint64_t hash = extend(0, transform.conjugate ? 1 : 0);
  for (const double part : {transform.scale.real(), transform.scale.imag(), transform.keep.real(),
                            transform.keep.imag()}) {
    std::int64_t bits = 0;
    const double value = part == 0 ? 0 : part;  // positive and negative zero count as equal
    std::memcpy(&bits, &value, sizeof bits);
    hash = extend(hash, bits);
  }
  return static_cast<std::int64_t>(hash >> 4);
}

}  // namespace

void require_memory(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets) {
  for (const DistArray& source : sources) require_host(source, redistribution_wording);
  for (const DistArray& target : targets) require_target(target, redistribution_wording);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    for (const DistArray& source : sources)
      if (share_memory(source, targets[i]))
        refuse_argument("redistribute.memory", "a target that overlaps a source in memory",
                        "separate memory for every target",
                        "Redistribute to a new array, made by daptor::like, and use that.");
    for (std::size_t j = 0; j < i; ++j)
      if (share_memory(targets[j], targets[i]))
        refuse_argument("redistribute.memory", "two targets that overlap in memory",
                        "separate memory for every target");
  }
  OpenArrays().open(sources, targets);
}

void require_batches(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets) {
  require_one_layout(sources, redistribution_wording);
  require_one_layout(targets, redistribution_wording);
  require_memory(sources, targets);
}

void require_types(const Outline& source, const Outline& target, bool convert) {
  if (source.arrays != target.arrays || source.arrays == 0)
    refuse_argument(
        "redistribute.batch",
        std::to_string(source.arrays) + " sources, " + std::to_string(target.arrays) + " targets",
        "one target for each source, and at least one source");
  if (source.type == target.type) return;
  const std::string found =
      "a source of " + source.type.name() + ", a target of " + target.type.name();
  if (!convert)
    refuse_argument("redistribute.type", found, "the same element type",
                    "Set the option convert to convert elements to the target's type.");
  if (!converts(source.type, target.type))
    refuse_argument("redistribute.type", found,
                    "a target type to which NumPy's 'same_kind' casting converts");
}

OptionWords option_words(const RedistributionOptions& options, const Transform* transform,
                         std::size_t sources, std::size_t targets) {
  const std::int64_t flags = (options.fill_padding ? 1 : 0) + (options.read_from_any ? 2 : 0) +
                             (options.convert ? 4 : 0) +
                             8 * (transform != nullptr ? code_of(*transform) : 0);
  const auto arrays = static_cast<std::int64_t>(std::max(sources, targets));
  // A process without arrays accepts the number of the others.
  const std::int64_t fewest = arrays > 0 ? arrays : std::numeric_limits<std::int64_t>::max();
  return {
      flags,  adapter::falling(flags), options.buffer_bytes, adapter::falling(options.buffer_bytes),
      fewest, adapter::falling(arrays)};
}

void require_same_options(const OptionWords& least, const RedistributionOptions& options,
                          const Transform* transform) {
  if (!adapter::same_on_all(least[0], least[1]) || !adapter::same_on_all(least[2], least[3]))
    refuse_argument("redistribute.options",
                    transform == nullptr ? "options that differ between ranks"
                                         : "options or a transform that differ between ranks",
                    "the same options on all ranks");
  const std::int64_t most = adapter::greatest(least[5]);
  if (least[4] != most && most > 0)
    refuse_argument("redistribute.batch",
                    "from " + std::to_string(least[4]) + " to " + std::to_string(most) + " arrays",
                    "the same number of arrays on all ranks");
  if (options.buffer_bytes < 0)
    refuse_argument("redistribute.options", std::to_string(options.buffer_bytes) + " bytes",
                    "0 bytes or more");
}

}  // namespace daptor::detail
