// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "daptor/comm.hpp"
#include "daptor/report.hpp"
#include "daptor/section.hpp"
#include "daptor/value.hpp"

namespace daptor {

/// The result of parsing an untrusted description: an array, unless a finding is an error, and all
/// findings in a fixed order: keys, version, buffer, each dimension as it is read, the clauses of
/// each dimension, and those of dimensions and buffer together.
struct Parsed {
  std::optional<Section> array;  ///< on the memory that the description names; not copied
  Report report;                 ///< all findings, including notes and warnings
};

/// Judges a description (`__version__`, `buffer`, `dim_data`) by every local clause of the protocol
/// except U04 (unique indices), which `validate` checks. Process-local; never throws because of
/// what the description contains.
/// @param description  the dictionary that a producer exported on this process
/// @param profile      how ambiguous clauses count
Parsed parse(const Value& description, Profile profile = Profile::recommended);

/// Like `parse`, but throws. Process-local.
/// @param description, profile  see `parse`
/// @returns the array; its `warnings()` say what was accepted with a warning
/// @throws Malformed or Unsupported on this process, with the whole report
Section parse_or_throw(const Value& description, Profile profile = Profile::recommended);

/// Completes a description whose distributed dimensions all lack `proc_grid_size` and
/// `proc_grid_rank` by those of a Cartesian communicator of as many dimensions, in the same order,
/// and by its periods where blocks do not say `periodic`. The protocol demands these keys (D12,
/// D16): `parse` reports them where they are missing, and where this has nothing to add.
/// Process-local.
/// @param comm         the processes among which the array is divided
/// @param description  the dictionary that a producer exported on this process
/// @returns the description with these keys, or as it was
/// @throws InvalidArgument (`periodic`) if a block contradicts the communicator
Value placed_on(const Comm& comm, const Value& description);

/// Writes the description as a dictionary by the rules of `version`. Process-local: the sections of
/// neighbours are not considered.
/// @param array    this process's section
/// @param version  the version of the protocol to write; without it, the array's own
/// @returns a dictionary with `__version__`, `buffer` (which refers to the same memory) and
///   `dim_data`
/// @throws NotRepresentable if that version cannot express the array (V18: communication padding on
///   an external edge, or past the ends, in 0.10.x; V09: boundary padding of a periodic dimension
///   in 0.9.x)
/// @throws Unsupported (T07) for a version without rules
Value to_value(const Section& array, Version version);
inline Value to_value(const Section& array) {
  return to_value(array, array.version());
}

/// Describes the same array on the same memory in another version of the protocol: every local
/// index keeps its global index. Process-local. A round trip may change the form: an undistributed
/// dimension that has padding or is periodic becomes a block on one process in 0.10.x; and a block
/// of 0.10.x without padding gets padding (0, 0) in 0.9.x, where either all processes have the key
/// or none.
/// @param array    this process's section, which is not changed
/// @param version  the version of the result
/// @throws Error like `to_value`
Section convert(const Section& array, Version version);

}  // namespace daptor
