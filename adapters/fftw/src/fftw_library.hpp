// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fftw3.h>

#include <complex>
#include <mutex>
#include <vector>

#include "daptor/fft/transform.hpp"

namespace daptor::fft::detail {

/// FFTW's planner and `destroy_plan` must not run on two threads at once. The user's own calls of
/// them are not covered.
inline std::mutex& planner_mutex() {
  static std::mutex mutex;
  return mutex;
}

inline unsigned planning_flag(Planning planning) {
  switch (planning) {
    case Planning::estimate:
      return FFTW_ESTIMATE;
    case Planning::measure:
      return FFTW_MEASURE;
    case Planning::patient:
      return FFTW_PATIENT;
  }
  return FFTW_MEASURE;
}

/// FFTW in one precision. `alignment` only looks at the address, although FFTW takes a pointer to
/// memory that may be written.
template <class Real>
struct Fftw;

#define DAPTOR_FFTW(Real, prefix)                                                                 \
  template <>                                                                                     \
  struct Fftw<Real> {                                                                             \
    using Number = Real;                                                                          \
    using Plan = prefix##_plan;                                                                   \
    using Loops = std::vector<prefix##_iodim64>;                                                  \
    static prefix##_complex* complex(void* data) { return static_cast<prefix##_complex*>(data); } \
    static Plan complex_to_complex(const Loops& transformed, const Loops& others, void* from,     \
                                   void* to, int sign, unsigned flags) {                          \
      return prefix##_plan_guru64_dft(static_cast<int>(transformed.size()), transformed.data(),   \
                                      static_cast<int>(others.size()), others.data(),             \
                                      complex(from), complex(to), sign, flags);                   \
    }                                                                                             \
    static Plan real_to_complex(const Loops& transformed, const Loops& others, void* from,        \
                                void* to, unsigned flags) {                                       \
      return prefix##_plan_guru64_dft_r2c(static_cast<int>(transformed.size()),                   \
                                          transformed.data(), static_cast<int>(others.size()),    \
                                          others.data(), static_cast<Number*>(from), complex(to), \
                                          flags);                                                 \
    }                                                                                             \
    static Plan complex_to_real(const Loops& transformed, const Loops& others, void* from,        \
                                void* to, unsigned flags) {                                       \
      return prefix##_plan_guru64_dft_c2r(static_cast<int>(transformed.size()),                   \
                                          transformed.data(), static_cast<int>(others.size()),    \
                                          others.data(), complex(from), static_cast<Number*>(to), \
                                          flags);                                                 \
    }                                                                                             \
    static void execute(Plan plan, void* from, void* to) {                                        \
      prefix##_execute_dft(plan, complex(from), complex(to));                                     \
    }                                                                                             \
    static void execute_real_to_complex(Plan plan, void* from, void* to) {                        \
      prefix##_execute_dft_r2c(plan, static_cast<Number*>(from), complex(to));                    \
    }                                                                                             \
    static void execute_complex_to_real(Plan plan, void* from, void* to) {                        \
      prefix##_execute_dft_c2r(plan, complex(from), static_cast<Number*>(to));                    \
    }                                                                                             \
    static int alignment(const void* data) {                                                      \
      return prefix##_alignment_of(static_cast<Number*>(const_cast<void*>(data)));                \
    }                                                                                             \
    static void destroy(Plan plan) {                                                              \
      const std::lock_guard<std::mutex> lock(planner_mutex());                                    \
      prefix##_destroy_plan(plan);                                                                \
    }                                                                                             \
  };

DAPTOR_FFTW(double, fftw)
DAPTOR_FFTW(float, fftwf)
#undef DAPTOR_FFTW

}  // namespace daptor::fft::detail
