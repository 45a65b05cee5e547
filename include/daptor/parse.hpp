// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "daptor/dist_array.hpp"
#include "daptor/report.hpp"
#include "daptor/value.hpp"

namespace daptor {

/// What parsing an untrusted description gave: an array where no finding is an error, and every
/// finding in a fixed order: keys, version, buffer, each dimension as it is read, the clauses of
/// each dimension, and what dimensions and buffer say together.
struct Parsed {
  std::optional<DistArray> array;  ///< on the memory that the description names; not copied
  Report report;                   ///< notes and warnings too
};

/// Judges a description (`__version__`, `buffer`, `dim_data`) by every local clause of the protocol
/// but U04 (unique indices), which `validate` looks at. Process-local; never throws for what the
/// description holds.
/// @param description  the dictionary that a producer gave out on this process
/// @param profile      how ambiguous clauses count
Parsed parse(const Value& description, Profile profile = Profile::recommended);

/// As `parse`. Process-local.
/// @param description, profile  as `parse`
/// @returns the array; what was accepted with a warning is in `warnings()`
/// @throws Malformed or Unsupported on this process, with the whole report
DistArray parse_or_throw(const Value& description, Profile profile = Profile::recommended);

/// Writes the description as the dictionary of `version`'s rules. Process-local: what neighbours
/// hold is not looked at.
/// @param array    this process's section
/// @param version  the version of the protocol whose words are used; without it, the array's own
/// @returns a dictionary with `__version__`, `buffer`, which refers to the same memory, and
///   `dim_data`
/// @throws NotRepresentable where that version cannot say it (V18: communication padding on an
///   external edge, or past the ends, as 0.10.x; V09: boundary padding of a periodic dimension as
///   0.9.x)
/// @throws Unsupported (T07) for a version without rules
Value to_value(const DistArray& array, Version version);
inline Value to_value(const DistArray& array) {
  return to_value(array, array.version());
}

/// The same array on the same memory, described in another version of the protocol: every local
/// index keeps its global one. Process-local. A round trip may change the words: an undistributed
/// dimension with padding or periodic is a block over one process in 0.10.x, and a block of 0.10.x
/// without padding has padding (0, 0) in 0.9.x, where all processes have the key or none.
/// @param array    this process's section; it is not changed
/// @param version  the version that the result has
/// @throws Error as `to_value`
DistArray convert(const DistArray& array, Version version);

}  // namespace daptor
