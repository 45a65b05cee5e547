// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/terms.hpp"

/// \file
/// What calls and options of this adapter are called in C++, as its messages name them. Python and
/// Fortran have none of them.

namespace daptor::tpetra::names {

/// \name Calls
/// \{
inline constexpr Name copy_csr{"copy_csr"};
inline constexpr Name copy_matrix{"copy_matrix"};
inline constexpr Name import_map{"daptor::tpetra::import_map"};
inline constexpr Name import_vector{"daptor::tpetra::import_vector"};
inline constexpr Name import_multivector{"daptor::tpetra::import_multivector"};
inline constexpr Name import_overlap{"daptor::tpetra::import_multivector with Part::overlap"};
inline constexpr Name import_readonly{"import_vector_readonly or import_multivector_readonly"};
inline constexpr Name copy_to_device{"daptor::copy_to_device"};
inline constexpr Name with_memory{"Section::with_memory"};
/// \}

/// \name Options
/// \{
inline constexpr Name convert{"CopyOptions::convert"};
inline constexpr Name contiguous{"Numbering::contiguous"};
inline constexpr Name overlap{"Part::overlap"};
/// \}

/// \name Trilinos' own functions
/// \{
inline constexpr Name add{"Tpetra::ADD"};
inline constexpr Name one_to_one{"Tpetra::createOneToOne"};
inline constexpr Name invalid_count{"Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid()"};
inline constexpr Name initialize{"Tpetra::initialize"};
inline constexpr Name scope_guard{"Tpetra::ScopeGuard"};
inline constexpr Name view_on_host{"x.getLocalViewHost(Tpetra::Access::ReadOnly)"};
inline constexpr Name view_on_device{"x.getLocalViewDevice(Tpetra::Access::ReadOnly)"};
/// \}

}  // namespace daptor::tpetra::names
