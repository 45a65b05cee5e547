// SPDX-License-Identifier: BSD-3-Clause
#include "scale.hpp"

#include <complex>
#include <cstddef>
#include <vector>

#include "daptor/fft/adapter/elements.hpp"

namespace daptor::fft::detail {
namespace {

template <class T, class Factor>
void multiply(std::byte* first, const Section& array, std::size_t d, Factor factor) {
  const Index extent = array.owned_shape()[d];
  const Index stride = array.byte_strides()[d];
  if (d + 1 < array.owned_shape().size()) {
    for (Index i = 0; i < extent; ++i) multiply<T>(first + i * stride, array, d + 1, factor);
  } else {
    for (Index i = 0; i < extent; ++i) *reinterpret_cast<T*>(first + i * stride) *= factor;
  }
}

}  // namespace

void scale_owned(const Section& array, double factor) {
  if (array.owned_count() == 0) return;
  auto* const first = static_cast<std::byte*>(const_cast<void*>(array.owned_data()));
  const auto single = static_cast<float>(factor);
  const DataType& type = array.type();
  if (type == DataType::of<double>())
    multiply<double>(first, array, 0, factor);
  else if (type == DataType::of<float>())
    multiply<float>(first, array, 0, single);
  else if (is_single(type))
    multiply<std::complex<float>>(first, array, 0, single);
  else
    multiply<std::complex<double>>(first, array, 0, factor);
}

}  // namespace daptor::fft::detail
