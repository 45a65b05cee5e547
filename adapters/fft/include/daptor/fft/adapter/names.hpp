// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/terms.hpp"

/// \file
/// For adapters of FFT libraries: what calls and options are called in C++ and Python, as messages
/// name them. Fortran has none of them.

namespace daptor::fft::names {

inline constexpr Name allocate_slabs{"daptor::fft::allocate_slabs"};
inline constexpr Name box{"daptor::fft::box(a)", "daptor.fft.box(a)"};
inline constexpr Name box_of{"daptor::fft::box", "daptor.fft.box(a)"};
inline constexpr Name complex_view{"daptor::fft::complex_view(a)", "daptor.fft.complex_view(a)"};
inline constexpr Name dimensions{"TransformOptions::dimensions has", "axes= has"};
inline constexpr Name engine{"TransformOptions::engine"};
inline constexpr Name fitting_output{"daptor::fft::fitting_output(input)",
                                     "daptor.fft.fitting_output(input)"};
inline constexpr Name frequencies{"Transform::frequencies"};
inline constexpr Name spectrum_count{"daptor::fft::real_and_spectrum_count(dimensions)"};
inline constexpr Name slab{"daptor::fft::slab", "daptor.fft.slab(a)"};
inline constexpr Name tile{"daptor::fft::tile", "daptor.fft.tile(a)"};
inline constexpr Name transform{"fft::Transform", "daptor.fft.Transform"};
inline constexpr Name transform_call{"daptor::fft::Transform", "daptor.fft.Transform(a)"};
inline constexpr Name undistributed{"daptor::undistributed(size)", "None in grid="};

/// \name Calls in which ranks are, as agreements name them
/// \{
inline constexpr Name in_forward{"fft::Transform::forward", "fft.Transform.forward"};
inline constexpr Name in_backward{"fft::Transform::backward", "fft.Transform.backward"};
/// \}

/// \name Sentences
/// \{
inline constexpr Name one_memory{
    "the same array, both parts of RealAndSpectrum, or separate memory",
    "the same array, or separate memory"};
inline constexpr Name as_list{
    "Describe it as a list of elements, daptor::fft::describe_as_list, and redistribute it.",
    "Describe its elements by their indices (daptor.unstructured), and redistribute it."};
/// \}

}  // namespace daptor::fft::names
