// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/combine.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "daptor/error.hpp"
#include "exchange/element_types.hpp"
#include "exchange/move.hpp"

namespace daptor::detail {
namespace {

template <Combine How, class T>
T combined(T a, T b) {
  if constexpr (How == Combine::sum) return sum(a, b);
  if constexpr (How == Combine::min) return std::min(a, b);
  if constexpr (How == Combine::max) return std::max(a, b);
}

template <class T, Combine How>
void combine_runs(const InnerLoop& loop, std::byte* into, const std::byte* from, bool packed) {
  for (Index i = 0; i < loop.count; ++i) {
    std::byte* const target = into + loop.offset(i);
    const std::byte* const source = packed ? from : from + loop.offset(i);
    const Index length = loop.length(i);
    if (packed) from += length;
    for (Index at = 0; at < length; at += static_cast<Index>(sizeof(T))) {
      T a, b;
      std::memcpy(&a, target + at, sizeof(T));
      std::memcpy(&b, source + at, sizeof(T));
      a = combined<How>(a, b);
      std::memcpy(target + at, &a, sizeof(T));
    }
  }
}

/// Null if the type does not have the operation: bools have no sum, and complex numbers no order.
template <class T>
Combiner::Kernel kernel_of(Combine how) {
  constexpr bool has_sum = !std::is_same_v<T, bool>;
  using Ordered = std::conditional_t<has_sum, T, std::uint8_t>;
  if constexpr (has_sum)
    if (how == Combine::sum) return combine_runs<T, Combine::sum>;
  if constexpr (!is_complex<T>) {
    if (how == Combine::min) return combine_runs<Ordered, Combine::min>;
    if (how == Combine::max) return combine_runs<Ordered, Combine::max>;
  }
  return nullptr;
}

const char* name(Combine how) {
  switch (how) {
    case Combine::sum:
      return "a sum";
    case Combine::min:
      return "the minimum";
    case Combine::max:
      return "the maximum";
    case Combine::insert:
      break;
  }
  return "insertion";
}

}  // namespace

Combiner::Combiner(Combine how, const DataType& type) : kernel_(kernel(how, type)) {}

Combiner::Kernel Combiner::kernel(Combine how, const DataType& type) {
  if (how == Combine::insert) return nullptr;
  const Combiner::Kernel found = with_type(
      type, [how](auto tag) { return kernel_of<typename decltype(tag)::type>(how); },
      Combiner::Kernel());
  if (found == nullptr)
    throw InvalidArgument("combine", std::string(name(how)) + " of elements of " + type.name(),
                          "an operation that is defined for the type");
  return found;
}

const std::byte* Combiner::unpack(const MemoryRuns& runs, const std::byte* packed,
                                  std::byte* array) const {
  if (kernel_ == nullptr) return detail::unpack(runs, packed, array);
  runs.for_each([&](Index offset, const InnerLoop& loop) {
    kernel_(loop, array + offset, packed, true);
    packed += loop.bytes;
  });
  return packed;
}

void Combiner::within(const MemoryRuns& runs, std::byte* array, Index distance) const {
  if (kernel_ == nullptr) return copy_within(runs, array, distance);
  runs.for_each([&](Index offset, const InnerLoop& loop) {
    kernel_(loop, array + offset + distance, array + offset, false);
  });
}

}  // namespace daptor::detail
