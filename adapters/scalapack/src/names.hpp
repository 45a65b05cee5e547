// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/terms.hpp"

/// \file
/// What calls and options of this adapter are called in C++ and Python, as its messages name them.
/// Fortran has none of them.

namespace daptor::scalapack::names {

inline constexpr Name copy_to_matrix{"copy_to_matrix", "daptor.scalapack.copy_to_matrix"};
inline constexpr Name correct_block_cyclic{"Correct the argument of BlockCyclic."};
inline constexpr Name export_matrix{"export_matrix", "daptor.scalapack.export_matrix"};
inline constexpr Name grid_of{"daptor::scalapack::Grid::of(a)", "daptor.scalapack.Grid.of(a)"};
inline constexpr Name import_matrix{"import_matrix", "daptor.scalapack.import_matrix"};
inline constexpr Name import_call{"daptor::scalapack::import_matrix",
                                  "daptor.scalapack.import_matrix(a, grid)"};
inline constexpr Name import_readonly{"import_matrix_readonly", "import_matrix(readonly=True)"};
inline constexpr Name positive_result{"daptor::scalapack::PositiveInfo::result",
                                      "daptor.scalapack.call(..., positive=\"result\")"};
inline constexpr Name transposed{"daptor::scalapack::transposed(a)",
                                 "daptor.scalapack.transposed(a)"};

}  // namespace daptor::scalapack::names
