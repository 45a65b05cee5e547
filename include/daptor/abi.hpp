// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/abi.h"
#include "daptor/dist_array.hpp"
#include "daptor/report.hpp"

/// \file
/// DistArray to the plain C struct of `daptor/abi.h` and back, on the same memory.

namespace daptor {

/// Describes `array` in `*out`, in the form of its own protocol version; what `*out` held before is
/// overwritten. The struct keeps the memory, and everything else it points to, alive until its
/// `release` is called, which may be on any thread and after `array` is gone.
///
/// A buffer that is flat where the array is not (A03) is written with one extent a dimension.
///
/// Process-local; `*out` is left as it was where it throws.
/// @param array  this process's section; an array without memory gives a struct whose `data` is
///               null
/// @param out    the struct to fill, provided by the caller, who then calls its `release` once
/// @throws NotRepresentable where the dictionary of the array's version cannot say it (V09, V18) or
///   there are more than DAPTOR_MAX_NDIM dimensions (rule `abi.ndim`)
/// @throws InvalidArgument for a null `out`; the defect of an array that is not described
void export_abi(const DistArray& array, daptor_array* out);

/// Takes the section that `*in` holds: it is moved into the result (`in->release` becomes null),
/// and released when the last copy and the last import of the result are gone. Element data and
/// index lists stay where they are.
///
/// The struct is an untrusted description. What the interface itself asks for is checked first
/// (rules `abi.…`, docs/c-abi.md); the rest is judged as any other description. A struct of another
/// `abi_version` is Unsupported; a larger one of the same version is accepted, and moved whole.
///
/// Leases and `modified()` of the result call the producer's callbacks, and throw Stale or
/// ProducerFailed with the text of `last_error`.
///
/// Process-local. Where it throws, `*in` still holds the section, unchanged.
/// @param in       the section to take
/// @param profile  how ambiguous clauses count
/// @returns the section on the producer's memory; what was accepted with a warning is in
///   `warnings()`
/// @throws Malformed or Unsupported with everything found
/// @throws InvalidArgument for a null `in`
DistArray import_abi(daptor_array* in, Profile profile = Profile::recommended);

/// What import_abi would find in `in`. Process-local; the section stays where it is.
/// @returns errors, warnings and notes; true where import_abi would accept the struct
Report check_abi(const daptor_array& in, Profile profile = Profile::recommended);

}  // namespace daptor
