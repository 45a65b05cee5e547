// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cfenv>

#include "daptor/adapter/reduce.hpp"

namespace daptor::detail {

/// Notes what floating-point arithmetic meets in its life, and restores what was noted before.
class Arithmetic {
 public:
  explicit Arithmetic(adapter::Partial& partial) : partial_(partial) {
    std::fegetexceptflag(&before_, noted);
    std::feclearexcept(noted);
  }
  Arithmetic(const Arithmetic&) = delete;
  Arithmetic& operator=(const Arithmetic&) = delete;
  ~Arithmetic() {
    if (std::fetestexcept(FE_OVERFLOW) != 0) partial_.overflow = 1;
    if (std::fetestexcept(FE_INVALID) != 0) partial_.invalid = 1;
    std::fesetexceptflag(&before_, noted);
  }

 private:
  static constexpr int noted = FE_OVERFLOW | FE_INVALID;
  adapter::Partial& partial_;
  std::fexcept_t before_;
};

/// Whether the reduction adds: comparisons with a NaN are noted as invalid, too.
inline bool adds(adapter::Reduce how) {
  switch (how) {
    case adapter::Reduce::sum:
    case adapter::Reduce::mean:
    case adapter::Reduce::dot:
    case adapter::Reduce::vdot:
    case adapter::Reduce::square:
    case adapter::Reduce::absolute:
    case adapter::Reduce::deviation:
      return true;
    default:
      return false;
  }
}

/// Runs `compute`, and notes in the partial what its sums have met.
template <class F>
void noting(adapter::Reduce how, adapter::Partial& partial, const F& compute) {
  {
    const Arithmetic arithmetic(partial);
    compute();
  }
  if (!adds(how)) partial.overflow = partial.invalid = 0;
}

}  // namespace daptor::detail
