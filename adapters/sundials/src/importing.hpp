// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sundials/sundials_nvector.h>

#include "daptor/call.hpp"

/// \file
/// What the imports have in common.

namespace daptor::sundials::detail {

/// Throws InvalidArgument (`sundials.nvector.context`) for a null context. Process-local.
void require_context(SUNContext context);

/// Collective. Proves that no index of the array is on two processes, unless the array says so
/// itself. Throws NotRepresentable (`sundials.nvector.overlap`) on all ranks if one is.
void require_one_to_one(const DistArray& array);

/// The first owned element, for SUNDIALS. The array is writable, as its reasons have seen.
/// Process-local.
sunrealtype* owned_elements(const Section& array);

/// Throws LibraryFailed (`library.sundials`) if `function` has made no vector. Process-local.
void require_made(N_Vector vector, const char* function);

}  // namespace daptor::sundials::detail
