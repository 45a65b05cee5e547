// SPDX-License-Identifier: BSD-3-Clause
// The combinations of scans that Daptor has itself.
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "daptor/adapter/reason.hpp"
#include "daptor/scan.hpp"
#include "exchange/element_types.hpp"

namespace daptor {
namespace {

/// More lanes are faster on elements in the cache, and slower on those that come from memory.
constexpr std::size_t scan_lanes = 2;

/// `neutral` where a segment starts, otherwise `running`. Without a branch, because the processor
/// could not predict it.
template <class T>
T restarted(T running, T neutral, std::uint8_t start) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    const auto keep = static_cast<U>(start - 1);
    return static_cast<T>((static_cast<U>(running) & keep) |
                          (static_cast<U>(neutral) & static_cast<U>(~keep)));
  } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>) {
    // In a vector, of which one lane is used, the value stays in its floating-point register.
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    using Lanes [[gnu::vector_size(16)]] = T;
    using Masks [[gnu::vector_size(16)]] = Bits;
    const auto keep = static_cast<Bits>(Bits{start} - 1);
    Bits bits = 0;
    std::memcpy(&bits, &neutral, sizeof bits);
    const Lanes value{running};
    const Masks kept{keep}, fresh{static_cast<Bits>(bits & ~keep)};
    Masks lanes;
    std::memcpy(&lanes, &value, sizeof lanes);
    lanes = (lanes & kept) | fresh;
    Lanes result;
    std::memcpy(&result, &lanes, sizeof result);
    return result[0];
  } else {
    return start != 0 ? neutral : running;
  }
}

/// A combination and its two values for the start of a segment: `neutral`, which changes no element
/// with which it is combined (not even the sign of a zero), and `first`, which an exclusive scan
/// writes.
template <class T, class Operation>
struct OwnStep {
  static constexpr std::size_t lanes = scan_lanes;
  static T combined(const T& a, const T& b) { return Operation::apply(a, b); }
  static T next(const T& running, const T& element, std::uint8_t start) {
    return Operation::apply(restarted<T>(running, Operation::neutral(), start), element);
  }
  static T before(const T& running, std::uint8_t start) {
    return restarted<T>(running, Operation::first(), start);
  }
};

/// Two numbers of type double in one register.
template <class Operation>
class DoublePair {
 public:
  DoublePair(double first, double second) : values_{first, second} {}
  double operator[](int k) const { return values_[k]; }

  DoublePair before(unsigned starts) const { return restarted(starts, Operation::first()); }
  DoublePair next(unsigned starts, const DoublePair& elements) const {
    return DoublePair(
        Operation::of_both(restarted(starts, Operation::neutral()).values_, elements.values_));
  }

 private:
  using Values [[gnu::vector_size(16)]] = double;
  using Masks [[gnu::vector_size(16)]] = std::uint64_t;
  struct alignas(16) Bits {
    std::uint64_t of[2];
  };

  explicit DoublePair(const Values& values) : values_(values) {}

  /// `neutral` in the parts in which a segment starts.
  DoublePair restarted(unsigned starts, double neutral) const {
    constexpr std::uint64_t all = ~std::uint64_t{0};
    static constexpr Bits kept[] = {{{all, all}}, {{0, all}}, {{all, 0}}, {{0, 0}}};
    Masks bits, keep;
    std::memcpy(&bits, &values_, sizeof bits);
    std::memcpy(&keep, &kept[starts], sizeof keep);
    const Values both{neutral, neutral};
    Masks fresh;
    std::memcpy(&fresh, &both, sizeof fresh);
    bits = (bits & keep) | (fresh & ~keep);
    Values result;
    std::memcpy(&result, &bits, sizeof result);
    return DoublePair(result);
  }

  Values values_;
};

template <class T>
struct Sum {
  static T apply(const T& a, const T& b) { return detail::sum(a, b); }
  static T neutral() {
    using R = typename detail::Real<T>::type;
    if constexpr (detail::is_complex<T>)
      return {-R(0), -R(0)};
    else
      return std::is_floating_point_v<T> ? -T(0) : T(0);
  }
  static T first() { return T(0); }
  template <class Values>
  static Values of_both(const Values& a, const Values& b) {
    return a + b;
  }
};

template <class T>
struct Product {
  static T apply(const T& a, const T& b) { return detail::product(a, b); }
  template <class Values>
  static Values of_both(const Values& a, const Values& b) {
    return a * b;
  }
  static T neutral() { return T(1); }
  static T first() { return T(1); }
};

/// The same with two parts at a time.
template <class Operation>
struct PairStep : OwnStep<double, Operation> {
  using Pair = DoublePair<Operation>;
};

template <class T>
struct Least {
  static T apply(T a, T b) { return a < b || a != a ? a : b; }
  static T neutral() { return first(); }
  static T first() {
    return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                : std::numeric_limits<T>::max();
  }
};

template <class T>
struct Greatest {
  static T apply(T a, T b) { return b < a || a != a ? a : b; }
  static T neutral() { return first(); }
  static T first() {
    return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                : std::numeric_limits<T>::lowest();
  }
};

/// Bools are computed as bytes, whose greatest value is 1.
struct And {
  static std::uint8_t apply(std::uint8_t a, std::uint8_t b) { return a < b ? a : b; }
  static std::uint8_t neutral() { return 1; }
  static std::uint8_t first() { return 1; }
};
struct Or {
  static std::uint8_t apply(std::uint8_t a, std::uint8_t b) { return a < b ? b : a; }
  static std::uint8_t neutral() { return 0; }
  static std::uint8_t first() { return 0; }
};

/// The product of a complex number and 1 may have another NaN or sign of a zero, so segments start
/// with the element itself.
template <class T>
struct ComplexProductStep {
  static constexpr std::size_t lanes = 1;
  static T combined(const T& a, const T& b) { return a * b; }
  static T next(const T& running, const T& element, std::uint8_t start) {
    return start != 0 ? element : running * element;
  }
  static T before(const T& running, std::uint8_t start) { return start != 0 ? T(1) : running; }
};

template <class T, class Operation>
using StepOf =
    std::conditional_t<std::is_same_v<T, double>, PairStep<Operation>, OwnStep<T, Operation>>;

template <class T, class Step>
detail::ScanKernel kernel_with() {
  return detail::ScanLoops<T, Step>::kernel(std::make_shared<const Step>(), true);
}

/// Without loops if the type does not have the operation.
template <class T>
detail::ScanKernel arithmetic_kernel(ScanBy how) {
  if constexpr (std::is_same_v<T, bool>) {
    if (how == ScanBy::min) return kernel_with<std::uint8_t, OwnStep<std::uint8_t, And>>();
    if (how == ScanBy::max) return kernel_with<std::uint8_t, OwnStep<std::uint8_t, Or>>();
    return {};
  } else {
    if (how == ScanBy::sum) return kernel_with<T, StepOf<T, Sum<T>>>();
    if constexpr (detail::is_complex<T>) {
      if (how == ScanBy::multiply) return kernel_with<T, ComplexProductStep<T>>();
    } else {
      if (how == ScanBy::multiply) return kernel_with<T, StepOf<T, Product<T>>>();
      if (how == ScanBy::min) return kernel_with<T, OwnStep<T, Least<T>>>();
      if (how == ScanBy::max) return kernel_with<T, OwnStep<T, Greatest<T>>>();
    }
    return {};
  }
}

/// Repeats the first element of a segment, as bits. The value of a part without a start does not
/// matter.
template <class U>
struct CopyStep {
  static constexpr std::size_t lanes = scan_lanes;
  static U combined(const U& a, const U&) { return a; }
  static U next(const U& running, const U& element, std::uint8_t start) {
    const auto keep = static_cast<U>(start - 1);
    return static_cast<U>((running & keep) | (element & static_cast<U>(~keep)));
  }
  static U before(const U& running, std::uint8_t) { return running; }
};

struct Bytes16 {
  std::uint64_t low, high;
};
struct Bytes32 {
  std::uint64_t words[4];
};
template <class Bytes>
struct LongCopyStep {
  static constexpr std::size_t lanes = 1;
  static Bytes combined(const Bytes& a, const Bytes&) { return a; }
  static Bytes next(const Bytes& running, const Bytes& element, std::uint8_t start) {
    return start != 0 ? element : running;
  }
  static Bytes before(const Bytes& running, std::uint8_t) { return running; }
};

template <class U, class Step>
detail::ScanKernel copy_with() {
  return detail::ScanLoops<U, Step>::kernel(std::make_shared<const Step>(), false);
}

detail::ScanKernel copy_kernel(std::size_t itemsize) {
  switch (itemsize) {
    case 1:
      return copy_with<std::uint8_t, CopyStep<std::uint8_t>>();
    case 2:
      return copy_with<std::uint16_t, CopyStep<std::uint16_t>>();
    case 4:
      return copy_with<std::uint32_t, CopyStep<std::uint32_t>>();
    case 8:
      return copy_with<std::uint64_t, CopyStep<std::uint64_t>>();
    case 16:
      return copy_with<Bytes16, LongCopyStep<Bytes16>>();
    case 32:
      return copy_with<Bytes32, LongCopyStep<Bytes32>>();
    default:
      return {};
  }
}

const char* scan_name(ScanBy how) {
  switch (how) {
    case ScanBy::copy:
      return "copies";
    case ScanBy::sum:
      return "sums";
    case ScanBy::multiply:
      return "products";
    case ScanBy::min:
      return "minima";
    case ScanBy::max:
      break;
  }
  return "maxima";
}

}  // namespace

detail::ScanKernel Combination::kernel(const DataType& type) const {
  if (callers_) {
    if (callers_->type != type)
      adapter::refuse_argument(
          "sparse.type",
          "a combination of " + callers_->type.name() + " for elements of " + type.name(),
          "a combination of the array's element type");
    return callers_->kernel;
  }
  detail::ScanKernel found =
      how_ == ScanBy::copy
          ? copy_kernel(type.itemsize())
          : detail::with_type(
                type,
                [this](auto tag) { return arithmetic_kernel<typename decltype(tag)::type>(how_); },
                detail::ScanKernel());
  if (found.inclusive == nullptr)
    adapter::refuse_argument("sparse.type",
                             std::string(scan_name(how_)) + " of elements of " + type.name(),
                             "an operation that is defined for the type");
  return found;
}

}  // namespace daptor
