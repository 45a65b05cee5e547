// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/stale_padding.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "daptor/adapter/inspection.hpp"
#include "daptor/adapter/names.hpp"
#include "daptor/adapter/stale_copies.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/copy_to_host.hpp"
#include "daptor/lease.hpp"
#include "daptor/local_index_map.hpp"
#include "exchange/batch.hpp"
#include "exchange/coding.hpp"
#include "exchange/element_types.hpp"

namespace daptor {
namespace {

constexpr detail::Wording wording{"halo", "an exchange", names::halo_exchange};

template <class T>
std::string text_of(T value) {
  if constexpr (std::is_integral_v<T>)
    return std::to_string(value);
  else if constexpr (detail::is_complex<T>)
    return '(' + text_of(value.real()) + ", " + text_of(value.imag()) + ')';
  else
    return adapter::value_text(static_cast<double>(value));
}

/// The absolute difference of two elements, if they differ.
template <class T>
std::optional<double> difference_of(T a, T b) {
  if constexpr (detail::is_complex<T>) {
    const auto real = difference_of(a.real(), b.real()),
               imaginary = difference_of(a.imag(), b.imag());
    if (!real && !imaginary) return std::nullopt;
    return std::hypot(real.value_or(0), imaginary.value_or(0));
  } else {
    // Not true for two values that are no numbers, which do not differ.
    if (a == b || (a != a && b != b)) return std::nullopt;
    return adapter::difference_of(static_cast<double>(a), static_cast<double>(b));
  }
}

/// Reads elements of a type that is known at run time.
class Elements {
 public:
  explicit Elements(const DataType& type)
      : coding_(type), computed_(detail::Coding::computed(type)) {}

  std::optional<double> difference(const std::byte* a, const std::byte* b) const {
    const auto find = [&](auto tag) {
      using T = typename decltype(tag)::type;
      return difference_of(read<T>(a), read<T>(b));
    };
    return detail::with_type(computed_, find, std::optional<double>());
  }
  std::string text(const std::byte* element) const {
    const auto write = [&](auto tag) {
      return text_of(read<typename decltype(tag)::type>(element));
    };
    return detail::with_type(computed_, write, std::string());
  }

 private:
  template <class T>
  T read(const std::byte* element) const {
    std::array<std::byte, detail::Coding::longest> decoded{};
    T value{};
    if (!coding_.none()) {
      coding_.decode(element, decoded.data());
      element = decoded.data();
    }
    std::memcpy(&value, element, sizeof(value));
    return value;
  }

  detail::Coding coding_;
  DataType computed_;
};

/// The copies of one array, beside what an exchange would make of them.
class Comparison {
 public:
  /// @param updated  the same section after an exchange
  Comparison(const Section& array, const Section& updated)
      : array_(array), updated_(updated), elements_(array.type()) {}

  void compare(adapter::StaleCopies& stale) const {
    const std::size_t size = array_.type().itemsize();
    for (Index i = 0; i < array_.local_count(); ++i) {
      const Index offset = offset_of(local_of(i));
      const std::byte *here = at(array_, offset), *there = at(updated_, offset);
      if (std::memcmp(here, there, size) == 0) continue;
      // Different bytes may be one value: 0 and -0, two NaN, and the gaps of a long double.
      if (const auto difference = elements_.difference(here, there)) stale.differs(i, *difference);
    }
  }

  Terms text(Index number) const {
    const std::vector<Index> local = local_of(number);
    const std::vector<Index> global = LocalIndexMap(array_).global_of(local);
    Terms at_index;
    for (std::size_t d = 0; d < global.size(); ++d)
      at_index += (d == 0 ? Terms() : Terms(", ")) + terms::index(global[d], static_cast<int>(d));
    const Index offset = offset_of(local);
    return "the copy of element (" + at_index + ") holds " + elements_.text(at(array_, offset)) +
           ", and its owner has " + elements_.text(at(updated_, offset));
  }

 private:
  std::vector<Index> local_of(Index number) const {
    const std::vector<Index>& shape = array_.local_shape();
    std::vector<Index> local(shape.size());
    for (std::size_t d = shape.size(); d-- > 0; number /= shape[d]) local[d] = number % shape[d];
    return local;
  }
  Index offset_of(const std::vector<Index>& local) const {
    Index offset = 0;
    for (std::size_t d = 0; d < local.size(); ++d) offset += local[d] * array_.byte_strides()[d];
    return offset;
  }
  static const std::byte* at(const Section& array, Index offset) {
    return static_cast<const std::byte*>(array.data()) + offset;
  }

  const Section& array_;
  const Section& updated_;
  const Elements elements_;
};

/// `array of 18 x 6 elements of float64`
adapter::Findings findings_about(const DistArray& array) {
  return {"array", "array of " + adapter::shape_text(array.global_shape()) + " elements of " +
                       array.type().name()};
}

/// Where the host can read the elements.
Section on_host(const Section& array) {
  return array.buffer().space().host() ? array : copy_to_host(array);
}

}  // namespace

Report stale_padding(const DistArray& array, const HaloOptions& options) {
  Call call(array, "stale_padding");
  call.same("through_host", options.through_host);
  std::optional<Section> here;
  const DistArray updated = call.check([&] {
    detail::require_reachable(array, wording, options.through_host);
    here = on_host(array);
    return copy_to_host(*here).on(array.comm());
  });
  HaloExchange halo(updated, options);
  halo.update();
  adapter::Inspection look(array.comm(), "stale_padding", [&] { return findings_about(array); });
  adapter::StaleCopies stale(names::update_padding);
  look.gather([&](adapter::Findings&) {
    const ReadLease lease(*here);
    const Comparison comparison(*here, updated);
    comparison.compare(stale);
    const auto bytes = halo.bytes_received() + halo.bytes_copied();
    stale.gather(
        bytes / static_cast<Index>(array.type().itemsize()),
        [&](Index number) { return comparison.text(number); }, look.call());
  });
  return look.conclude(stale);
}

}  // namespace daptor
