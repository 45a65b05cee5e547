// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/section.hpp"

namespace daptor::fft {

/// The frequencies of the indices that this process owns along one dimension, in cycles for the
/// whole length of the dimension: 0, 1, ..., then the negative ones up to -1. Process-local.
/// @param spectrum   an array of complex numbers
/// @param dimension  in [0, ndim())
/// @param real_size  for the dimension in which a transform of real numbers keeps size / 2 + 1 of
///                   `size` frequencies, that size; 0 for any other dimension. `Transform` knows it
/// @returns one whole number for each owned index, in local order
/// @throws InvalidArgument for a dimension that the array does not have, and for a
///   `real_size` that does not fit (`fft.shape`)
std::vector<double> frequencies(const Section& spectrum, int dimension, Index real_size = 0);

}  // namespace daptor::fft
