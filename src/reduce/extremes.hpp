// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "exchange/element_types.hpp"

namespace daptor::detail {

template <class W>
bool is_nan(const W& value) {
  if constexpr (is_complex<W>) return std::isnan(value.real()) || std::isnan(value.imag());
  if constexpr (std::is_floating_point_v<W>) return std::isnan(value);
  return false;
}

/// Complex numbers by their real, then by their imaginary part.
template <class W>
bool less(const W& a, const W& b) {
  if constexpr (is_complex<W>)
    return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
  else
    return a < b;
}

/// Whether `candidate` replaces an extreme that was found before it. A NaN is the extreme.
template <class W>
bool replaces(bool greatest, const W& candidate, const W& found) {
  if (is_nan(found)) return false;
  return is_nan(candidate) || (greatest ? less(found, candidate) : less(candidate, found));
}

#ifdef __SSE2__
/// The extreme of two numbers or more at an even place, and whether one is a NaN. NumPy compares
/// vectors, too, which compilers do not make of a loop that keeps to the rules for NaN.
template <bool greatest>
double extreme_of_pairs(const double* x, Index n, bool& odd) {
  const auto better = [](__m128d candidate, __m128d found) {
    return greatest ? _mm_max_pd(candidate, found) : _mm_min_pd(candidate, found);
  };
  const __m128d first = _mm_set1_pd(x[0]);
  __m128d best[4] = {first, first, first, first};
  __m128d unordered = _mm_setzero_pd();
  Index i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m128d a = _mm_loadu_pd(x + i), b = _mm_loadu_pd(x + i + 2);
    const __m128d c = _mm_loadu_pd(x + i + 4), d = _mm_loadu_pd(x + i + 6);
    best[0] = better(a, best[0]);
    best[1] = better(b, best[1]);
    best[2] = better(c, best[2]);
    best[3] = better(d, best[3]);
    unordered = _mm_or_pd(unordered, _mm_or_pd(_mm_cmpunord_pd(a, b), _mm_cmpunord_pd(c, d)));
  }
  for (; i + 2 <= n; i += 2) {
    const __m128d a = _mm_loadu_pd(x + i);
    best[0] = better(a, best[0]);
    unordered = _mm_or_pd(unordered, _mm_cmpunord_pd(a, a));
  }
  std::array<double, 2> two;
  _mm_storeu_pd(two.data(), better(better(best[0], best[1]), better(best[2], best[3])));
  odd = _mm_movemask_pd(unordered) != 0;
  return replaces(greatest, two[1], two[0]) ? two[1] : two[0];
}
#endif

/// The extreme of one element or more.
template <bool greatest, class W>
W extreme_of(const W* x, Index n) {
#ifdef __SSE2__
  if constexpr (std::is_same_v<W, double>) {
    const Index even = n / 2 * 2;
    if (even > 0) {
      bool odd = false;
      const double found = extreme_of_pairs<greatest>(x, even, odd);
      if (odd) return std::numeric_limits<double>::quiet_NaN();
      return even < n && replaces(greatest, x[even], found) ? x[even] : found;
    }
  }
#endif
  W found = x[0];
  for (Index i = 1; i < n; ++i)
    if (replaces(greatest, x[i], found)) found = x[i];
  return found;
}

}  // namespace daptor::detail
