// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/convert.hpp"

#include <array>
#include <cstring>
#include <string>
#include <type_traits>

#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/reason.hpp"
#include "exchange/element_types.hpp"
#include "exchange/move.hpp"

namespace daptor::detail {
namespace {

/// Integers that do not fit wrap around.
template <class To, class From>
To cast(const From& value) {
  if constexpr (is_complex<To> && is_complex<From>) {
    using R = typename Real<To>::type;
    return {static_cast<R>(value.real()), static_cast<R>(value.imag())};
  } else if constexpr (is_complex<To>) {
    return static_cast<typename Real<To>::type>(value);
  } else {
    return static_cast<To>(value);
  }
}

/// A real factor multiplies both parts of a complex number, and a factor of 1 leaves it unchanged,
/// including infinities and the sign of zero.
template <class T>
T times(const std::complex<double>& factor, const T& value) {
  using R = typename Real<T>::type;
  const auto real = static_cast<R>(factor.real());
  if constexpr (is_complex<T>) {
    if (factor.imag() != 0) return cast<T>(factor) * value;
    return {real * value.real(), real * value.imag()};
  } else {
    return real * value;
  }
}

struct Plain {
  template <class To, class From>
  static To apply(const From& from, const std::byte*, const Transform&) {
    return cast<To>(from);
  }
};

struct Conjugate {
  template <class To, class From>
  static To apply(const From& from, const std::byte*, const Transform&) {
    if constexpr (is_complex<From>) return cast<To>(std::conj(from));
    return cast<To>(from);
  }
};

/// Every byte other than 0 is true.
template <class T>
T read(const std::byte* at) {
  std::conditional_t<std::is_same_v<T, bool>, unsigned char, T> value;
  std::memcpy(&value, at, sizeof(T));
  if constexpr (std::is_same_v<T, bool>)
    return value != 0;
  else
    return value;
}

/// Requires that `scale` and `keep` are 1: besides copying, integers can only be added.
struct Add {
  template <class To, class From>
  static To apply(const From& from, const std::byte* at, const Transform& transform) {
    const To value =
        transform.conjugate ? Conjugate::apply<To>(from, at, transform) : cast<To>(from);
    return sum(value, read<To>(at));
  }
};

struct Scale {
  template <class To, class From>
  static To apply(const From& from, const std::byte* at, const Transform& transform) {
    const To value =
        transform.conjugate ? Conjugate::apply<To>(from, at, transform) : cast<To>(from);
    return times(transform.scale, value);
  }
};

struct ScaleAndKeep {
  template <class To, class From>
  static To apply(const From& from, const std::byte* at, const Transform& transform) {
    return Scale::apply<To>(from, at, transform) + times(transform.keep, read<To>(at));
  }
};

template <class From, class To, class How>
const std::byte* write_runs(const InnerLoop& into, const std::byte* packed, std::byte* array,
                            const Transform& given) {
  const Transform transform = given;  // so that the compiler can keep it in a register
  for (Index i = 0; i < into.count; ++i) {
    std::byte* at = array + into.offset(i);
    std::byte* const end = at + into.length(i);
    for (; at != end; at += sizeof(To), packed += sizeof(From)) {
      const To value = How::template apply<To>(read<From>(packed), at, transform);
      std::memcpy(at, &value, sizeof(To));
    }
  }
  return packed;
}

template <class From, class To>
Conversion::Kernel kernel_for(const Transform& transform) {
  const bool scaled = transform.scale != 1.0;
  if constexpr (std::is_floating_point_v<To> || is_complex<To>) {
    if (transform.keep == 0.0 && scaled) return write_runs<From, To, Scale>;
    if (scaled || (transform.keep != 0.0 && transform.keep != 1.0))
      return write_runs<From, To, ScaleAndKeep>;
  }
  if constexpr (!std::is_same_v<To, bool>)
    if (transform.keep == 1.0) return write_runs<From, To, Add>;
  if (transform.conjugate && is_complex<From>) return write_runs<From, To, Conjugate>;
  return write_runs<From, To, Plain>;
}

/// The rank of a kind in NumPy's casting order: each kind casts to itself and to all later kinds.
template <class T>
constexpr int rank_of_kind() {
  if (std::is_same_v<T, bool>) return 0;
  if (std::is_unsigned_v<T>) return 1;
  if (std::is_integral_v<T>) return 2;
  return is_complex<T> ? 4 : 3;
}

Conversion::Kernel find_kernel(const DataType& from, const DataType& to,
                               const Transform& transform) {
  return with_type(
      from,
      [&](auto source) {
        return with_type(
            to,
            [&](auto target) -> Conversion::Kernel {
              using From = typename decltype(source)::type;
              using To = typename decltype(target)::type;
              if constexpr (rank_of_kind<From>() <= rank_of_kind<To>())
                return kernel_for<From, To>(transform);
              return nullptr;
            },
            Conversion::Kernel());
      },
      Conversion::Kernel());
}

std::string text(const std::complex<double>& value) {
  std::string real = std::to_string(value.real());
  return value.imag() == 0 ? real : real + " + " + std::to_string(value.imag()) + "i";
}

[[noreturn]] void refuse_transform(const Terms& found, const DataType& type) {
  adapter::refuse_argument(
      "redistribute.transform", found + " of elements of " + type.name(),
      "a transform that is defined for the element type",
      "Use real factors for real elements, a scale of 1 and a keep of 0 or 1 for integers, "
      "and a keep of 0 for bools.");
}

void require_factors(const DataType& type, const Transform& transform) {
  const auto& [scale, conjugate, keep] = transform;
  const bool integer = type.kind() != Kind::floating && type.kind() != Kind::complex;
  if (type.kind() != Kind::complex && (scale.imag() != 0 || keep.imag() != 0))
    refuse_transform("a complex factor", type);
  if (integer && scale != 1.0) refuse_transform("a scale of " + text(scale), type);
  if (integer && keep != 0.0 && (keep != 1.0 || type.kind() == Kind::boolean))
    refuse_transform("a keep of " + text(keep), type);
}

bool plain(const Transform& transform, const DataType& from) {
  return transform.scale == 1.0 && transform.keep == 0.0 &&
         (!transform.conjugate || from.kind() != Kind::complex);
}

}  // namespace

bool converts(const DataType& from, const DataType& to) {
  return from == to || find_kernel(Coding::computed(from), Coding::computed(to), {}) != nullptr;
}

Conversion::Conversion(const DataType& from, const DataType& to, const Transform& transform)
    : transform_(transform), from_(from), to_(to) {
  require_factors(to, transform);
  if (from == to && plain(transform, from)) return;
  if (from != to || to_.none())
    kernel_ = find_kernel(Coding::computed(from), Coding::computed(to), transform);
  if (kernel_ == nullptr && from == to) refuse_transform("a transform", to);
  if (kernel_ == nullptr) adapter::require_conversion(from, to);
}

void Conversion::unpack(const MemoryRuns& runs, const std::byte* packed, std::byte* array,
                        Stores stores) const {
  if (copies()) {
    detail::unpack(runs, packed, array, stores);
    return;
  }
  const bool coded = !from_.none() || !to_.none();
  runs.for_each([&](Index offset, const InnerLoop& loop) {
    packed = coded ? unpack_coded(loop, packed, array + offset)
                   : kernel_(loop, packed, array + offset, transform_);
  });
}

const std::byte* Conversion::unpack_coded(const InnerLoop& into, const std::byte* packed,
                                          std::byte* array) const {
  const auto size = static_cast<Index>(to_.computed_size());
  const InnerLoop one{1, 0, nullptr, nullptr, size, size};
  std::array<std::byte, Coding::longest> source{}, target{};
  for (Index i = 0; i < into.count; ++i) {
    std::byte* at = array + into.offset(i);
    std::byte* const end = at + into.length(i);
    for (; at != end; at += to_.itemsize(), packed += from_.itemsize()) {
      from_.decode(packed, source.data());
      if (transform_.keep != 0.0) to_.decode(at, target.data());
      kernel_(one, source.data(), target.data(), transform_);
      to_.encode(target.data(), at);
    }
  }
  return packed;
}

}  // namespace daptor::detail

namespace daptor::adapter {

void require_conversion(const DataType& from, const DataType& to) {
  if (!detail::converts(from, to))
    refuse_argument("redistribute.type",
                    "elements of " + from.name() + " to be converted to " + to.name(),
                    "a target type to which NumPy's 'same_kind' casting converts");
}

}  // namespace daptor::adapter
