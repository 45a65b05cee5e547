// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/combine.hpp"

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "daptor/error.hpp"
#include "exchange/move.hpp"

namespace daptor::detail {
namespace {

struct Sum {
  // Integers wrap around, as those of MPI_SUM do.
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {
      using U = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
    } else {
      return a + b;
    }
  }
};

struct Min {
  template <class T>
  T operator()(T a, T b) const {
    return std::min(a, b);
  }
};

struct Max {
  template <class T>
  T operator()(T a, T b) const {
    return std::max(a, b);
  }
};

template <class T, class Op>
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
      a = Op()(a, b);
      std::memcpy(target + at, &a, sizeof(T));
    }
  }
}

using Kernel = void (*)(const InnerLoop&, std::byte*, const std::byte*, bool);

template <class T>
Kernel ordered(Combine how) {
  if (how == Combine::sum) return combine_runs<T, Sum>;
  return how == Combine::min ? combine_runs<T, Min> : combine_runs<T, Max>;
}

template <class T>
Kernel complex_number(Combine how) {
  return how == Combine::sum ? combine_runs<std::complex<T>, Sum> : nullptr;
}

/// Of the fixed-width types of one kind the one of that size.
template <class T1, class T2, class T4, class T8>
Kernel integer(Combine how, std::size_t size) {
  switch (size) {
    case 1:
      return ordered<T1>(how);
    case 2:
      return ordered<T2>(how);
    case 4:
      return ordered<T4>(how);
    case 8:
      return ordered<T8>(how);
    default:
      return nullptr;
  }
}

Kernel floating(Combine how, std::size_t size) {
  if (size == sizeof(float)) return ordered<float>(how);
  if (size == sizeof(double)) return ordered<double>(how);
  return size == sizeof(long double) ? ordered<long double>(how) : nullptr;
}

Kernel complex_kernel(Combine how, std::size_t size) {
  if (size == 2 * sizeof(float)) return complex_number<float>(how);
  if (size == 2 * sizeof(double)) return complex_number<double>(how);
  return size == 2 * sizeof(long double) ? complex_number<long double>(how) : nullptr;
}

Kernel arithmetic(Combine how, const DataType& type) {
  switch (type.kind()) {
    case Kind::boolean:
      return how == Combine::sum ? nullptr : ordered<std::uint8_t>(how);
    case Kind::signed_integer:
      return integer<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(how, type.itemsize());
    case Kind::unsigned_integer:
      return integer<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(how,
                                                                                type.itemsize());
    case Kind::floating:
      return floating(how, type.itemsize());
    case Kind::complex:
      return complex_kernel(how, type.itemsize());
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
  const Kernel found = type.native() ? arithmetic(how, type) : nullptr;
  if (found == nullptr)
    throw InvalidArgument("combine", std::string(name(how)) + " of elements of " + type.name(),
                          "a way of combining that this machine has for the type");
  return found;
}

const std::byte* Combiner::unpack(const Runs& runs, const std::byte* packed,
                                  std::byte* array) const {
  if (kernel_ == nullptr) return detail::unpack(runs, packed, array);
  runs.for_each([&](Index offset, const InnerLoop& loop) {
    kernel_(loop, array + offset, packed, true);
    packed += loop.bytes;
  });
  return packed;
}

void Combiner::within(const Runs& runs, std::byte* array, Index distance) const {
  if (kernel_ == nullptr) return copy_within(runs, array, distance);
  runs.for_each([&](Index offset, const InnerLoop& loop) {
    kernel_(loop, array + offset + distance, array + offset, false);
  });
}

}  // namespace daptor::detail
