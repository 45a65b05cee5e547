// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/terms.hpp"

/// \file
/// What calls of this adapter, and of Trilinos, are called in C++, as its messages name them.
/// Python and Fortran have none of them.

namespace daptor::solvers::names {

/// \name Calls
/// \{
inline constexpr Name copy_matrix{"copy_matrix"};
inline constexpr Name copy_matrix_again{"copy_matrix(A)"};
inline constexpr Name set_up_again{"set_up_again"};
/// \}

/// \name Trilinos' own functions
/// \{
inline constexpr Name create_muelu{"MueLu::CreateTpetraPreconditioner"};
inline constexpr Name muelu_operator{"MueLu::TpetraOperator"};
inline constexpr Name one_to_one{"Tpetra::createOneToOne"};
inline constexpr Name without_transpose{"hasTransposeApply() is false"};
/// \}

}  // namespace daptor::solvers::names
