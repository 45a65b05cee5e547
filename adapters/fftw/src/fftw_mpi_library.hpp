// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fftw3-mpi.h>

#include <cstddef>
#include <vector>

#include "fftw_library.hpp"

namespace daptor::fft::detail {

/// FFTW-MPI in one precision, in its default blocks. Making and destroying plans is collective.
template <class Real>
struct FftwMpi;

#define DAPTOR_FFTW_MPI_LIBRARY(Real, prefix)                                                      \
  template <>                                                                                      \
  struct FftwMpi<Real> {                                                                           \
    using Number = Real;                                                                           \
    using Plan = prefix##_plan;                                                                    \
    using Sizes = std::vector<std::ptrdiff_t>;                                                     \
    /* Never cleaned up, because that would free plans of the program's own. */                    \
    static void start() {                                                                          \
      static const bool started = [] {                                                             \
        prefix##_mpi_init();                                                                       \
        return true;                                                                               \
      }();                                                                                         \
      static_cast<void>(started);                                                                  \
    }                                                                                              \
    static Plan complex_to_complex(const Sizes& n, void* from, void* to, MPI_Comm comm, int sign,  \
                                   unsigned flags) {                                               \
      return prefix##_mpi_plan_many_dft(static_cast<int>(n.size()), n.data(), 1,                   \
                                        FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,            \
                                        complex(from), complex(to), comm, sign, flags);            \
    }                                                                                              \
    static Plan real_to_complex(const Sizes& n, void* from, void* to, MPI_Comm comm,               \
                                unsigned flags) {                                                  \
      return prefix##_mpi_plan_many_dft_r2c(static_cast<int>(n.size()), n.data(), 1,               \
                                            FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,        \
                                            static_cast<Number*>(from), complex(to), comm, flags); \
    }                                                                                              \
    static Plan complex_to_real(const Sizes& n, void* from, void* to, MPI_Comm comm,               \
                                unsigned flags) {                                                  \
      return prefix##_mpi_plan_many_dft_c2r(static_cast<int>(n.size()), n.data(), 1,               \
                                            FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,        \
                                            complex(from), static_cast<Number*>(to), comm, flags); \
    }                                                                                              \
    static void execute(Plan plan, void* from, void* to) {                                         \
      prefix##_mpi_execute_dft(plan, complex(from), complex(to));                                  \
    }                                                                                              \
    static void execute_real_to_complex(Plan plan, void* from, void* to) {                         \
      prefix##_mpi_execute_dft_r2c(plan, static_cast<Number*>(from), complex(to));                 \
    }                                                                                              \
    static void execute_complex_to_real(Plan plan, void* from, void* to) {                         \
      prefix##_mpi_execute_dft_c2r(plan, complex(from), static_cast<Number*>(to));                 \
    }                                                                                              \
    static void destroy(Plan plan) { prefix##_destroy_plan(plan); }                                \
                                                                                                   \
   private:                                                                                        \
    static prefix##_complex* complex(void* data) { return Fftw<Real>::complex(data); }             \
  };

DAPTOR_FFTW_MPI_LIBRARY(double, fftw)
DAPTOR_FFTW_MPI_LIBRARY(float, fftwf)
#undef DAPTOR_FFTW_MPI_LIBRARY

}  // namespace daptor::fft::detail
