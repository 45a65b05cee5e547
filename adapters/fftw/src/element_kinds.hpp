// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>

#include "daptor/datatype.hpp"

namespace daptor::fft::detail {

inline bool is_real_type(const DataType& type) {
  return type == DataType::of<double>() || type == DataType::of<float>();
}
inline bool is_complex_type(const DataType& type) {
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

}  // namespace daptor::fft::detail
