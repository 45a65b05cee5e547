// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/terms.hpp"

/// \file
/// What calls of this adapter are called in C++, as its messages name them. Python and Fortran have
/// none of them.

namespace daptor::sundials::names {

/// \name Calls
/// \{
inline constexpr Name import_nvector{"daptor::sundials::import_nvector"};
inline constexpr Name import_strided{"daptor::sundials::import_strided_nvector"};
inline constexpr Name use_strided{"import_strided_nvector"};
/// \}

}  // namespace daptor::sundials::names
