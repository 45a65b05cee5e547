// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "daptor/builders.hpp"
#include "daptor/section.hpp"

namespace daptor::fft {

/// Real numbers and, in the same memory, their spectrum, for a transform in place: two
/// descriptions, of which one is valid at a time. The rows of the last dimension have room for size
/// / 2 + 1 complex numbers, hence 2 * (size / 2 + 1) real ones, as FFTW, oneMKL and cuFFTMp ask
/// for.
struct RealAndSpectrum {
  Section real;      ///< the last dimension has its own size; rows are 2 * (size / 2 + 1) apart
  Section spectrum;  ///< the last dimension has size / 2 + 1; packed
};

/// \name Making both descriptions. Process-local.
/// Neither call throws: what is wrong with the arguments is a defect of both arrays.
/// @param dimensions  those of the real array: at least one, without communication padding, and
///                    the last one whole on every process (`fft.last`)
/// @param type        float32 or float64
/// @param length      number of real elements at `data`, at least `real_and_spectrum_count`
/// @param owner       keeps the memory alive; if it is null, the caller does
/// \{

/// Number of real elements that this process needs for both; 0 if the dimensions have a defect or
/// it does not fit in 64 bits.
Index real_and_spectrum_count(const std::vector<Dimension>& dimensions);
/// On memory of the caller's.
RealAndSpectrum real_and_spectrum(const DataType& type, void* data, Index length,
                                  std::vector<Dimension> dimensions,
                                  std::shared_ptr<const void> owner = nullptr);
template <class T>
RealAndSpectrum real_and_spectrum(T* data, Index length, std::vector<Dimension> dimensions,
                                  std::shared_ptr<const void> owner = nullptr) {
  return real_and_spectrum(DataType::of<T>(), data, length, std::move(dimensions),
                           std::move(owner));
}
/// On memory of its own, which is zeroed and freed with the last description of it.
RealAndSpectrum allocate_real_and_spectrum(const DataType& type, std::vector<Dimension> dimensions);
template <class T>
RealAndSpectrum allocate_real_and_spectrum(std::vector<Dimension> dimensions) {
  return allocate_real_and_spectrum(DataType::of<T>(), std::move(dimensions));
}
/// \}

}  // namespace daptor::fft
