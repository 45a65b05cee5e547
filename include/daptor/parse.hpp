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
  std::optional<DistArray> array;
  Report report;
};

/// Judges a description (`__version__`, `buffer`, `dim_data`) by every local clause of the protocol
/// but U04 (unique indices), which `validate` looks at. Process-local; never throws for what the
/// description holds.
Parsed parse(const Value& description, Profile profile = Profile::recommended);

/// The same, throwing Malformed or Unsupported with the whole report where there is no array.
DistArray parse_or_throw(const Value& description, Profile profile = Profile::recommended);

/// Writes the description as the dictionary of `version`'s rules; the buffer refers to the same
/// memory. Throws NotRepresentable where that version cannot say it (V18: communication padding on
/// an external edge, or past the ends, as 0.10.x; V09: boundary padding of a periodic dimension as
/// 0.9.x), and Unsupported for an unknown version. Process-local: what neighbours hold is not
/// looked at.
Value to_value(const DistArray& array, Version version);
inline Value to_value(const DistArray& array) {
  return to_value(array, array.version());
}

/// The same array, described in another version of the protocol: every local index keeps its global
/// one. Errors as `to_value`. What comes back in the first version may differ in words: an
/// undistributed dimension with padding or periodic is a block over one process in 0.10.x, and a
/// block of 0.10.x without padding has padding (0, 0) in 0.9.x, where all processes have the key or
/// none.
DistArray convert(const DistArray& array, Version version);

}  // namespace daptor
