// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/terms.hpp"

/// \file
/// Sentences of this room that name what Python and Fortran do not have.

namespace daptor::names {

inline constexpr Name keep_dimensions{
    "Keep the dimensions, or use the contiguous numbering of a GlobalIndexMap.",
    "Keep the dimensions.", "Keep the dimensions."};
inline constexpr Name space_of_memory{
    "Ask for the space in which the memory is: array.buffer().space()."};
inline constexpr Name with_memory{"Give it memory with with_memory()."};

}  // namespace daptor::names
