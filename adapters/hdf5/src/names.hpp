// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/terms.hpp"

/// \file
/// What options of this adapter are called in C++, Python and Fortran, as its messages name them.

namespace daptor::hdf5::names {

/// \name Options
/// \{
inline constexpr Name step{"Set the option step", "Pass step=", "Pass number="};
inline constexpr Name no_step{"Leave out the option step", "Leave out step=", "Leave out number="};
inline constexpr Name overwrite{"the option overwrite", "pass overwrite=True",
                                "pass overwrite=.true."};
inline constexpr Name no_boundary{"Leave out the option boundary",
                                  "Leave out boundary=", "Leave out boundary="};
/// \}

}  // namespace daptor::hdf5::names
