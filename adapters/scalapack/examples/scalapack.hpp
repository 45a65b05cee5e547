// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the examples call of ScaLAPACK, which comes without a header.
extern "C" {
void pdgesv_(const int* size, const int* right_sides, double* a, const int* row, const int* column,
             const int* desc, int* pivots, double* b, const int* row_of_b, const int* column_of_b,
             const int* desc_of_b, int* info);
void pdsyev_(const char* vectors, const char* part, const int* size, double* a, const int* row,
             const int* column, const int* desc, double* values, double* z, const int* row_of_z,
             const int* column_of_z, const int* desc_of_z, double* work, const int* length,
             int* info);
void pdgeqrf_(const int* rows, const int* columns, double* a, const int* row, const int* column,
              const int* desc, double* tau, double* work, const int* length, int* info);
void pdorgqr_(const int* rows, const int* columns, const int* reflectors, double* a, const int* row,
              const int* column, const int* desc, const double* tau, double* work,
              const int* length, int* info);
}

#include <cstddef>
#include <vector>

#include "daptor/scalapack.hpp"

namespace example {

inline constexpr int one = 1;

/// Collective. Asks a routine for the length of its work space, allocates that, and calls it.
template <class Routine>
void with_work_space(const char* name, const daptor::Comm& comm, const Routine& routine) {
  std::vector<double> work(1);
  daptor::scalapack::check_info(name, routine(work.data(), -1), comm);
  work.resize(static_cast<std::size_t>(work[0]) + 1);
  daptor::scalapack::check_info(name, routine(work.data(), static_cast<int>(work.size())), comm);
}

}  // namespace example
