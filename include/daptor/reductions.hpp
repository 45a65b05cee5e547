// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "daptor/datatype.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/fields.hpp"

/// \file
/// Sums, extremes and other numbers of all elements of a distributed array.

namespace daptor {

/// The result of a reduction, the same on all ranks: a number with more digits than the elements
/// have, and the element type that NumPy's function of the same name gives its result.
class Scalar {
 public:
  using Value = std::variant<std::int64_t, std::uint64_t, double, long double, std::complex<double>,
                             std::complex<long double>>;

  Scalar() : type_(DataType::of<double>()), value_(0.0) {}
  Scalar(DataType type, Value value) : type_(type), value_(value) {}

  const DataType& type() const { return type_; }
  const Value& value() const { return value_; }

  /// The result as a T. Integers are rounded to floating-point numbers, and these to shorter ones.
  /// @throws InvalidArgument (`reduction.type`) for a complex number as a real one, a
  ///   floating-point number as an integer, and an integer that T cannot hold
  template <class T>
  T as() const {
    return std::visit([&](const auto& value) { return this->template converted<T>(value); },
                      value_);
  }

 private:
  template <class T, class From>
  T converted(const From& value) const {
    constexpr bool from_complex = std::is_class_v<From>;
    if constexpr (std::is_class_v<T>) {
      using R = typename T::value_type;
      if constexpr (from_complex)
        return T(static_cast<R>(value.real()), static_cast<R>(value.imag()));
      else
        return T(static_cast<R>(value));
    } else if constexpr (from_complex || (std::is_integral_v<T> && !std::is_integral_v<From>)) {
      refuse(DataType::of<T>());
    } else if constexpr (std::is_integral_v<T>) {
      const bool negative = value < From{0};
      if (negative ? (!std::is_signed_v<T> ||
                      static_cast<std::int64_t>(value) <
                          static_cast<std::int64_t>(std::numeric_limits<T>::min()))
                   : static_cast<std::uint64_t>(value) >
                         static_cast<std::uint64_t>(std::numeric_limits<T>::max()))
        refuse(DataType::of<T>());
      return static_cast<T>(value);
    } else {
      return static_cast<T>(value);
    }
  }
  [[noreturn]] void refuse(const DataType& wanted) const;

  DataType type_;
  Value value_;
};

struct ReductionOptions {
  /// Elements that count: an array of integers or bools, of the shape and layout of the first
  /// array, of which those that are not 0 are set. On all ranks or on none.
  std::optional<DistArray> where = std::nullopt;
};

/// When two elements count as equal: |a - b| <= absolute + relative * |b|.
struct Tolerance {
  double relative = 1e-5;
  double absolute = 1e-8;
  bool equal_nan = false;
};
constexpr auto fields(const Tolerance&) {
  return field_list(field("relative", &Tolerance::relative, "tolerance as a part of |b|"),
                    field("absolute", &Tolerance::absolute, "tolerance by itself"),
                    field("equal_nan", &Tolerance::equal_nan, "whether NaN equals NaN"));
}

enum class Norm { one, two, infinity };
constexpr auto words(Norm) {
  return word_list(word("one", Norm::one, "sum of the absolute values"),
                   word("two", Norm::two, "square root of the sum of their squares"),
                   word("infinity", Norm::infinity, "greatest absolute value"));
}

namespace detail {
Scalar sum(const DistArray& a, const ReductionOptions& options);
Scalar mean(const DistArray& a, const ReductionOptions& options);
Scalar variance(const DistArray& a, double ddof, bool root, const ReductionOptions& options);
Scalar extreme(const DistArray& a, bool greatest, const ReductionOptions& options);
Scalar product(const DistArray& a, const DistArray& b, bool conjugate,
               const ReductionOptions& options);
Scalar norm(const DistArray& a, Norm which, const ReductionOptions& options);
/// @param column_major  of equal extremes, take the first in the order of Fortran
std::vector<Index> place_of_extreme(const char* name, const DistArray& a, bool greatest,
                                    bool column_major, const ReductionOptions& options);
}  // namespace detail

/// \name Reductions. Collective.
/// Each element of the interior counts once: communication and boundary padding do not count. Of an
/// index that several processes have, the owner's element counts or, in lists that do not say who
/// owns it, that of the lowest grid rank; the first reduction of such an array exchanges the lists,
/// and keeps 8 bytes for each index beside the proof.
///
/// Any layout, strides, element type (half precision and foreign byte order included) and
/// read-only memory; ranks may be simulated. Sums of floating-point numbers are pairwise, in double
/// precision or that of long double, and the results of the ranks are combined in pairs in their
/// order: the same layout gives the same digits. Sums of integers wrap around at 64 bits.
///
/// \code
/// double total = daptor::sum(a);                           // on all ranks
/// auto count = daptor::sum<std::int64_t>(flags);
/// double wet = daptor::mean(depth, {mask});                // where the mask is not 0
/// std::vector<daptor::Index> place = daptor::argmax(a);    // global indices
/// \endcode
/// @tparam T       type of the result; double if it is not given. It must hold the result
///                 (`Scalar::as`), such as std::complex<double> for complex elements
/// @param a        the array
/// @param options  which elements count
/// @returns the same on all ranks
/// @throws InvalidArgument on all ranks: `reduction.layout` for another array of another shape or
///   layout; `reduction.type` for a mask that is neither of integers nor of bools, and a result
///   that T cannot hold; `reduction.empty` for an extreme of no elements; `collective.different`
///   for a mask on some ranks alone; `lease.memory`; `view.device` for memory that the host cannot
///   reach. Malformed on all ranks, if the
///   sections of `a` do not form one array; what a ReadLease throws, on all ranks
/// \{
template <class T = double>
T sum(const DistArray& a, const ReductionOptions& options = {}) {
  return detail::sum(a, options).as<T>();
}
/// The arithmetic mean; NaN without elements.
template <class T = double>
T mean(const DistArray& a, const ReductionOptions& options = {}) {
  return detail::mean(a, options).as<T>();
}
/// The mean of the squared distances from the mean.
/// @param ddof  the divisor is the number of elements less this; NaN or infinite if it is not
///              positive
template <class T = double>
T var(const DistArray& a, double ddof = 0, const ReductionOptions& options = {}) {
  return detail::variance(a, ddof, false, options).as<T>();
}
/// The standard deviation: the root of `var`.
template <class T = double>
T stddev(const DistArray& a, double ddof = 0, const ReductionOptions& options = {}) {
  return detail::variance(a, ddof, true, options).as<T>();
}
/// The least element; NaN if one is. Complex numbers are ordered by their real, then by their
/// imaginary part.
template <class T = double>
T min(const DistArray& a, const ReductionOptions& options = {}) {
  return detail::extreme(a, false, options).as<T>();
}
/// The greatest element; NaN if one is.
template <class T = double>
T max(const DistArray& a, const ReductionOptions& options = {}) {
  return detail::extreme(a, true, options).as<T>();
}
/// The global indices of the least element, one for each dimension; of several equal ones, those of
/// the first in row-major order. A NaN counts as the least.
std::vector<Index> argmin(const DistArray& a, const ReductionOptions& options = {});
/// The global indices of the greatest element; see `argmin`.
std::vector<Index> argmax(const DistArray& a, const ReductionOptions& options = {});
/// The sum of the products of the elements.
/// @param b  an array of the shape and layout of `a`, whose padding and strides may differ
template <class T = double>
T dot(const DistArray& a, const DistArray& b, const ReductionOptions& options = {}) {
  return detail::product(a, b, false, options).as<T>();
}
/// The same with the elements of `a` conjugated.
template <class T = double>
T vdot(const DistArray& a, const DistArray& b, const ReductionOptions& options = {}) {
  return detail::product(a, b, true, options).as<T>();
}
/// A norm of all elements as of one vector, whatever the number of dimensions.
template <class T = double>
T norm(const DistArray& a, Norm which = Norm::two, const ReductionOptions& options = {}) {
  return detail::norm(a, which, options).as<T>();
}
/// Whether an element is not 0.
bool any(const DistArray& a, const ReductionOptions& options = {});
/// Whether no element is 0.
bool all(const DistArray& a, const ReductionOptions& options = {});
/// The number of elements that are not 0.
Index count_nonzero(const DistArray& a, const ReductionOptions& options = {});
/// Whether the elements of both arrays are equal within a tolerance.
/// @param b          see `dot`
/// @param tolerance  the same on all ranks
bool allclose(const DistArray& a, const DistArray& b, const Tolerance& tolerance = {},
              const ReductionOptions& options = {});
/// \}

}  // namespace daptor
