// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/enumerate.hpp"
#include "daptor/adapter/byte_order.hpp"
#include "daptor/call.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "daptor/adapter/reason.hpp"
#include "daptor/detail/scan_kernel.hpp"
#include "daptor/local_index_map.hpp"
#include "exchange/element_types.hpp"
#include "exchange/open_arrays.hpp"
#include "sparse/flags.hpp"
#include "sparse/operands.hpp"
#include "sparse/stream.hpp"

namespace daptor {
namespace {

using detail::store_element;
using detail::Strip;

std::string number_text(const Number& number) {
  return std::visit(
      [](const auto& value) -> std::string {
        if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>)
          return std::to_string(value);
        else
          return std::to_string(value.real()) + " + " + std::to_string(value.imag()) + "i";
      },
      number.value());
}

/// An integer of a width that may be given as a signed or as an unsigned one.
template <class T, class Wide>
std::optional<T> as_integer(Wide value) {
  using U = std::make_unsigned_t<T>;
  using S = std::make_signed_t<T>;
  if constexpr (std::is_floating_point_v<Wide>) {
    if (value != std::trunc(value) || !(value >= -0x1p63L && value < 0x1p64L)) return std::nullopt;
    return value < 0 ? as_integer<T>(static_cast<std::int64_t>(value))
                     : as_integer<T>(static_cast<std::uint64_t>(value));
  } else if constexpr (std::is_signed_v<Wide>) {
    if (value >= 0) return as_integer<T>(static_cast<std::uint64_t>(value));
    if (value < std::numeric_limits<S>::min()) return std::nullopt;
    return static_cast<T>(value);
  } else {
    if (value > std::numeric_limits<U>::max()) return std::nullopt;
    return static_cast<T>(static_cast<U>(value));
  }
}

/// A floating-point number, rounded if it is one; an integer must be exact.
template <class R, class Wide>
std::optional<R> as_floating(Wide value) {
  if constexpr (std::is_floating_point_v<Wide>) {
    if (std::isfinite(value) && std::abs(value) > static_cast<Wide>(std::numeric_limits<R>::max()))
      return std::nullopt;
    return static_cast<R>(value);
  } else {
    const R rounded = static_cast<R>(value);
    // 2^63 and 2^64 may be the results of rounding, and do not convert back.
    constexpr R above = static_cast<R>(std::is_signed_v<Wide> ? 0x1p63L : 0x1p64L);
    if (rounded >= above || static_cast<Wide>(rounded) != value) return std::nullopt;
    return rounded;
  }
}

template <class T, class V>
std::optional<T> converted(const V& value) {
  using R = typename detail::Real<T>::type;
  if constexpr (detail::is_complex<V> && detail::is_complex<T>) {
    const auto real = as_floating<R>(value.real()), imag = as_floating<R>(value.imag());
    return real && imag ? std::optional<T>(T(*real, *imag)) : std::nullopt;
  } else if constexpr (detail::is_complex<V>) {
    return std::nullopt;
  } else if constexpr (std::is_integral_v<T>) {
    return as_integer<T>(value);
  } else {
    const auto real = as_floating<R>(value);
    return real ? std::optional<T>(T(*real)) : std::nullopt;
  }
}

/// The number as an element of type T; `nullopt` if the type does not have it.
template <class T>
std::optional<T> as_element(const Number& number) {
  return std::visit([](const auto& value) { return converted<T>(value); }, number.value());
}

template <class T>
struct Progression {
  T start, stride;

  /// @tparam Position  Index, or std::int32_t, which is converted faster
  template <class Position>
  T at(Position position) const {
    if constexpr (std::is_integral_v<T>) {
      // Narrow unsigned types would be promoted to int, whose products may overflow.
      using U = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
      return static_cast<T>(static_cast<U>(start) +
                            static_cast<U>(position) * static_cast<U>(stride));
    } else {
      return start + static_cast<typename detail::Real<T>::type>(position) * stride;
    }
  }
};

/// Writes the numbers of the positions from `first` on, to elements without gaps. Conversions from
/// 32 bits are made several at a time.
template <class T>
void write_block(const Progression<T>& numbers, std::byte* to, Index first, std::int32_t count) {
  if (first >= 0 && first <= std::numeric_limits<std::int32_t>::max() - count) {
    const auto offset = static_cast<std::int32_t>(first);
    for (std::int32_t i = 0; i < count; ++i)
      store_element(to + static_cast<std::size_t>(i) * sizeof(T), numbers.at(offset + i));
  } else {
    for (std::int32_t i = 0; i < count; ++i)
      store_element(to + static_cast<std::size_t>(i) * sizeof(T), numbers.at(first + i));
  }
}

template <class T>
void write(const Progression<T>& numbers, const Strip& to, Index first, Index count) {
  if (!to.gapless()) {
    for (Index i = 0; i < count; ++i) store_element(to.at(i), numbers.at(first + i));
    return;
  }
  const bool streams = static_cast<std::size_t>(count) * sizeof(T) >= detail::streamed_bytes;
  std::array<std::byte, detail::strip_block * sizeof(T)> block;
  const Index lead = streams ? detail::elements_before_line(to.at(0), sizeof(T)) : 0;
  Index part = 0;
  for (Index i = 0; i < count; i += part) {
    part = std::min(i == 0 && lead > 0 ? lead : detail::strip_block, count - i);
    write_block(numbers, streams ? block.data() : to.at(i), first + i,
                static_cast<std::int32_t>(part));
    if (streams)
      detail::stream_block(to.at(i), block.data(), static_cast<std::size_t>(part) * sizeof(T));
  }
  if (streams) detail::end_of_stream();
}

/// The loop and the code of an enumeration for one element type.
struct Enumeration {
  void (*write)(const Number& start, const Number& stride, const Strip& to, Index first,
                Index count) = nullptr;
};

/// All ranks must have the same element.
template <class T>
void same_element(Call& call, const char* name, const T& element) {
  if constexpr (detail::is_complex<T>) {
    same_element(call, name, element.real());
    same_element(call, name, element.imag());
  } else {
    call.same(name, element);
  }
}

template <class T>
Enumeration enumeration_of(const Number& start, const Number& stride, Call& call) {
  for (const Number* number : {&start, &stride}) {
    const auto element = as_element<T>(*number);
    if (!element)
      adapter::refuse_argument(
          "sparse.number", number_text(*number) + " for elements of " + DataType::of<T>().name(),
          "start and stride that the element type has");
    same_element(call, number == &start ? "start" : "stride", *element);
  }
  return {[](const Number& from, const Number& step, const Strip& to, Index first, Index count) {
    write(Progression<T>{*as_element<T>(from), *as_element<T>(step)}, to, first, count);
  }};
}

Enumeration enumeration(const DataType& type, const Number& start, const Number& stride,
                        Call& call) {
  const Enumeration found = detail::with_type(
      type,
      [&](auto tag) -> Enumeration {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_same_v<T, bool>)
          return {};
        else
          return enumeration_of<T>(start, stride, call);
      },
      Enumeration());
  if (found.write == nullptr)
    adapter::refuse_argument(
        "sparse.type", "elements of " + type.name(),
        "integers, floating or complex numbers with which this machine can compute",
        adapter::remedy_for_type(type, ""));
  return found;
}

/// Calls `f` with a strip and the global index of its first element, for each run of consecutive
/// owned indices within the range.
/// @param map  of the array's dimension
template <class F>
void for_each_owned_run(const Section& array, const LocalDimensionMap& map,
                        const std::optional<IndexRange>& range, F&& f) {
  map.for_each_run([&](const IndexRun& run) {
    IndexRange part{run.global_start, run.global_start + run.count};
    if (range) part = intersect(part, *range);
    if (part.empty()) return;
    f(detail::strip_from(array, run.local_start + part.start - run.global_start), part);
  });
}

}  // namespace

void enumerate(const DistArray& a, const Number& start, const Number& stride,
               const std::optional<IndexRange>& range) {
  Call call(a, "enumerate");
  detail::same_range(call, range);
  detail::HeldArrays open;
  Enumeration numbers;
  std::optional<LocalDimensionMap> map;
  std::optional<IndexRange> part;
  call.check([&] {
    detail::require_one_dimension({a, "destination"});
    detail::require_written(a);
    numbers = enumeration(a.type(), start, stride, call);
    if (range) part = detail::chosen_range(range, a.dimension(0).global_size());
    map.emplace(a.dimension(0));
    open.open({}, {a});
  });
  call.relay([&] {
    for_each_owned_run(a, *map, part, [&](const Strip& to, IndexRange indices) {
      numbers.write(start, stride, to, indices.start - (part ? part->start : 0), indices.size());
    });
    open.close_written();
  });
}

}  // namespace daptor
