// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>

#include "daptor/datatype.hpp"

/// \file
/// For adapters of FFT libraries: the element types that they have. Process-local.

namespace daptor::fft {

/// float32 or float64.
inline bool is_real(const DataType& type) {
  return type == DataType::of<double>() || type == DataType::of<float>();
}
/// complex64 or complex128.
inline bool is_complex(const DataType& type) {
  return type == DataType::of<std::complex<double>>() ||
         type == DataType::of<std::complex<float>>();
}
/// Whether numbers, or the two parts of complex ones, are float32.
inline bool is_single(const DataType& type) {
  return type == DataType::of<float>() || type == DataType::of<std::complex<float>>();
}
/// The complex numbers of the same precision.
inline DataType complex_of(const DataType& type) {
  return is_single(type) ? DataType::of<std::complex<float>>()
                         : DataType::of<std::complex<double>>();
}

}  // namespace daptor::fft
