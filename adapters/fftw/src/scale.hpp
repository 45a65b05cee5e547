// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/section.hpp"

namespace daptor::fft::detail {

/// Multiplies the owned elements, which are real or complex numbers. Process-local.
void scale_owned(const Section& array, double factor);

}  // namespace daptor::fft::detail
