// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/abi.h"
#include "daptor/report.hpp"
#include "daptor/section.hpp"

/// \file
/// Converts a Section to the plain C struct of `daptor/abi.h` and back, on the same memory.

namespace daptor {

/// Describes `array` in `*out`, in the array's own protocol version; the previous content of `*out`
/// is overwritten. The struct keeps the memory, and everything else to which it points, alive until
/// its `release` is called, which may happen on any thread and after `array` is gone.
///
/// If the buffer is flat but the array is not (A03), it is written with one extent per dimension.
///
/// Process-local. If it throws, `*out` is unchanged.
/// @param array  this process's section; without memory, the struct's `data` is null
/// @param out    the struct to fill, provided by the caller, who must call its `release` once
/// @throws NotRepresentable if there are more than DAPTOR_MAX_NDIM dimensions (rule `abi.ndim`)
/// @throws InvalidArgument for a null `out`; the defect of an array that is not described
void export_abi(const Section& array, daptor_array* out);

/// Takes over the section that `*in` holds: it is moved into the result (`in->release` becomes
/// null), and released when the last copy and the last import of the result are gone. Element data
/// and index lists stay in place.
///
/// The struct is an untrusted description. First the requirements of the interface itself are
/// checked (rules `abi.…`, docs/c-abi.md); the rest is judged like any other description. A struct
/// of another `abi_version` is Unsupported; a larger struct of the same version is accepted and
/// moved as a whole.
///
/// Leases and `modified()` of the result call the producer's callbacks, and throw Stale or
/// ProducerFailed with the text of `last_error`.
///
/// Process-local. If it throws, `*in` still holds the section, unchanged.
/// @param in       the section to take over
/// @param profile  how ambiguous clauses count
/// @returns the section on the producer's memory; its `warnings()` say what was accepted with a
///   warning
/// @throws Malformed or Unsupported with all findings
/// @throws InvalidArgument for a null `in`
Section import_abi(daptor_array* in, Profile profile = Profile::recommended);

/// The findings of import_abi about `in`. Process-local; the section stays where it is.
/// @returns errors, warnings and notes; true if import_abi would accept the struct
Report check_abi(const daptor_array& in, Profile profile = Profile::recommended);

}  // namespace daptor
