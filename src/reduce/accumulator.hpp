// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>

#include "daptor/adapter/reduce.hpp"
#include "reduce/extremes.hpp"
#include "reduce/pairwise.hpp"
#include "reduce/walk.hpp"
#include "reduce/wide.hpp"

namespace daptor::detail {

/// What a reduction makes of blocks of elements of one rank.
template <class W>
class Accumulator {
 public:
  using R = typename Real<W>::type;

  explicit Accumulator(const adapter::ReduceArguments& arguments)
      : how_(arguments.how), tolerance_(arguments.tolerance) {
    if (arguments.centre) centre_ = number_as(*arguments.centre);
    if (arguments.number) number_ = number_as(*arguments.number);
    single_ = arguments.number.has_value();
  }

  void take(const W* x, const W* y, Index n) {
    count_ += n;
    switch (how_) {
      case adapter::Reduce::sum:
      case adapter::Reduce::mean:
        total_.add(x, n);
        break;
      case adapter::Reduce::dot:
        add(n, [&](Index i) { return product(x[i], y[i]); });
        break;
      case adapter::Reduce::vdot:
        add(n, [&](Index i) { return product(conjugate(x[i]), y[i]); });
        break;
      case adapter::Reduce::square:
        add_real(n, [&](Index i) { return square(x[i]); });
        break;
      case adapter::Reduce::deviation:
        add_real(n, [&](Index i) { return square(static_cast<W>(x[i] - centre_)); });
        break;
      case adapter::Reduce::absolute:
        add_real(n, [&](Index i) { return absolute(x[i]); });
        break;
      case adapter::Reduce::largest:
        for (Index i = 0; i < n; ++i) real_terms_[static_cast<std::size_t>(i)] = absolute(x[i]);
        if (const R value = extreme_of<true>(real_terms_.data(), n);
            replaces(true, value, largest_))
          largest_ = value;
        break;
      case adapter::Reduce::nonzero:
        for (Index i = 0; i < n; ++i) matches_ += x[i] != W(0) ? 1 : 0;
        break;
      case adapter::Reduce::differences:
        for (Index i = 0; i < n; ++i) matches_ += close(x[i], single_ ? number_ : y[i]) ? 0 : 1;
        break;
      default:
        extreme(x, n);
    }
  }

  void write(adapter::Partial& partial) const {
    partial.count = count_;
    partial.matches = matches_;
    switch (how_) {
      case adapter::Reduce::min:
      case adapter::Reduce::max:
        return put(partial, extreme_);
      case adapter::Reduce::square:
      case adapter::Reduce::absolute:
      case adapter::Reduce::deviation:
        return put(partial, real_total_.total());
      case adapter::Reduce::largest:
        return put(partial, largest_);
      default:
        put(partial, total_.total());
    }
  }

  template <class V>
  static void put(adapter::Partial& partial, const V& value) {
    partial.wide = static_cast<std::uint8_t>(wide_tag<V>());
    std::memcpy(partial.value, &value, sizeof value);
  }

 private:
  static W number_as(const Scalar& number) {
    return std::visit([](const auto& value) { return widened<W>(value); }, number.value());
  }
  static W conjugate(const W& value) {
    if constexpr (is_complex<W>)
      return std::conj(value);
    else
      return value;
  }
  static R square(const W& value) {
    if constexpr (is_complex<W>)
      return value.real() * value.real() + value.imag() * value.imag();
    else
      return product(value, value);
  }
  static R absolute(const W& value) {
    if constexpr (is_complex<W>)
      return std::hypot(value.real(), value.imag());
    else if constexpr (std::is_unsigned_v<W>)
      return value;
    else
      return value < 0 ? static_cast<W>(-value) : value;
  }

  bool close(const W& a, const W& b) const {
    if (a == b) return true;
    if constexpr (std::is_integral_v<W>) {
      const auto bits = [](const W& value) { return static_cast<std::uint64_t>(value); };
      const std::uint64_t distance = a < b ? bits(b) - bits(a) : bits(a) - bits(b);
      return static_cast<double>(distance) <=
             tolerance_.absolute + tolerance_.relative * std::abs(static_cast<double>(b));
    } else {
      if (is_nan(a) || is_nan(b)) return tolerance_.equal_nan && is_nan(a) && is_nan(b);
      const R limit =
          static_cast<R>(tolerance_.absolute) + static_cast<R>(tolerance_.relative) * absolute(b);
      return finite(b) && absolute(static_cast<W>(a - b)) <= limit;
    }
  }
  static bool finite(const W& value) {
    if constexpr (is_complex<W>) return std::isfinite(value.real()) && std::isfinite(value.imag());
    if constexpr (std::is_floating_point_v<W>) return std::isfinite(value);
    return true;
  }

  void extreme(const W* x, Index n) {
    const bool greatest = how_ == adapter::Reduce::max;
    const W value = greatest ? extreme_of<true>(x, n) : extreme_of<false>(x, n);
    if (count_ == n || replaces(greatest, value, extreme_)) extreme_ = value;
  }

  template <class F>
  void add(Index n, const F& term) {
    for (Index i = 0; i < n; ++i) terms_[static_cast<std::size_t>(i)] = term(i);
    total_.add(terms_.data(), n);
  }
  template <class F>
  void add_real(Index n, const F& term) {
    for (Index i = 0; i < n; ++i) real_terms_[static_cast<std::size_t>(i)] = term(i);
    real_total_.add(real_terms_.data(), n);
  }

  adapter::Reduce how_;
  Tolerance tolerance_;
  W centre_{}, number_{}, extreme_{};
  R largest_{};
  bool single_ = false;
  Index count_ = 0, matches_ = 0;
  PairwiseSum<W> total_;
  PairwiseSum<R> real_total_;
  std::array<W, wide_block> terms_;
  std::array<R, wide_block> real_terms_;
};

}  // namespace daptor::detail
