// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/enumerate.hpp"
#include "daptor/adapter/byte_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/same.hpp"
#include "daptor/agreement.hpp"
#include "daptor/consistent.hpp"
#include "daptor/detail/fault.hpp"
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
  std::int64_t code = 0;  ///< of start and stride as elements
};

/// Adds words that differ if the elements do.
template <class T>
void add_words(std::vector<std::int64_t>& words, const T& element) {
  if constexpr (std::is_integral_v<T>) {
    words.push_back(static_cast<std::int64_t>(element));
  } else if constexpr (detail::is_complex<T>) {
    add_words(words, element.real());
    add_words(words, element.imag());
  } else {
    long double rest = element;
    // Two doubles hold every digit of a long double, which has bytes without a meaning.
    for (int part = 0; part < 2; ++part) {
      const auto high = static_cast<double>(rest);
      std::int64_t bits = 0;
      std::memcpy(&bits, &high, sizeof bits);
      words.push_back(bits);
      rest -= high;
    }
  }
}

template <class T>
Enumeration enumeration_of(const Number& start, const Number& stride) {
  std::vector<std::int64_t> words;
  for (const Number* number : {&start, &stride}) {
    const auto element = as_element<T>(*number);
    if (!element)
      adapter::refuse_argument(
          "sparse.number", number_text(*number) + " for elements of " + DataType::of<T>().name(),
          "start and stride that the element type has");
    add_words(words, *element);
  }
  return {[](const Number& from, const Number& step, const Strip& to, Index first, Index count) {
            write(Progression<T>{*as_element<T>(from), *as_element<T>(step)}, to, first, count);
          },
          adapter::code_of(words)};
}

Enumeration enumeration(const DataType& type, const Number& start, const Number& stride) {
  const Enumeration found = detail::with_type(
      type,
      [&](auto tag) -> Enumeration {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_same_v<T, bool>)
          return {};
        else
          return enumeration_of<T>(start, stride);
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
void for_each_owned_run(const DistArray& array, const LocalDimensionMap& map,
                        const std::optional<IndexRange>& range, F&& f) {
  map.for_each_run([&](const IndexRun& run) {
    IndexRange part{run.global_start, run.global_start + run.count};
    if (range) part = intersect(part, *range);
    if (part.empty()) return;
    f(detail::strip_from(array, run.local_start + part.start - run.global_start), part);
  });
}

}  // namespace

void enumerate(const DistArray& a, const Number& start, const Number& stride, const Comm& comm,
               const std::optional<IndexRange>& range) {
  const CollectiveCall call(comm, "enumerate");
  detail::HeldArrays open;
  Enumeration numbers;
  std::optional<LocalDimensionMap> map;
  std::optional<IndexRange> part;
  const auto least = consistent_minima<2>(a, comm, [&]() -> std::array<std::int64_t, 2> {
    detail::fault_point("core.enumerate.check");
    detail::require_one_dimension({a, "destination"});
    detail::require_written(a);
    numbers = enumeration(a.type(), start, stride);
    if (range) part = detail::chosen_range(range, a.dimension(0).global_size());
    map.emplace(a.dimension(0));
    open.open({}, {a});
    const std::int64_t code = detail::code_of(range, numbers.code);
    return {code, adapter::falling(code)};
  });
  if (!adapter::same_on_all(least[0], least[1])) detail::refuse_options_that_differ("enumerate");
  detail::relayed(comm, [&] {
    for_each_owned_run(a, *map, part, [&](const Strip& to, IndexRange indices) {
      numbers.write(start, stride, to, indices.start - (part ? part->start : 0), indices.size());
    });
    open.close_written();
    detail::fault_point("core.enumerate.close");
  });
}

}  // namespace daptor
