// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/terms.hpp"

/// \file
/// What calls of this adapter and of Global Arrays are called in C++, as its messages name them.
/// Python and Fortran have none of them.

namespace daptor::ga::names {

/// \name Calls
/// \{
inline constexpr Name import_array{"daptor::ga::import_array"};
inline constexpr Name copy_to_array{"daptor::ga::copy_to_array(a)"};
inline constexpr Name export_array{"export_array"};
inline constexpr Name default_group{"GA_MPI_Comm_pgroup_default()"};
inline constexpr Name redistribute{"daptor::redistribute(sources, targets, comm)"};
inline constexpr Name redistributed_blocks{"daptor::redistributed(a, daptor::layout::blocks())"};
/// \}

}  // namespace daptor::ga::names
