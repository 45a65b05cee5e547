#pragma once

#include <optional>

#include "daptor/dist_array.hpp"
#include "daptor/report.hpp"
#include "daptor/value.hpp"

namespace daptor {

/// What parsing an untrusted description gave: an array where no finding is an error, and every
/// finding, in the order of the checklist's sections.
struct Parsed {
  std::optional<DistArray> array;
  Report report;
};

/// Judges a description (`__version__`, `buffer`, `dim_data`) by every local clause of the
/// protocol. Process-local; never throws for what the description holds.
Parsed parse(const Value& description, Profile profile = Profile::recommended);

/// The same, throwing Malformed or Unsupported with the whole report where there is no array.
DistArray parse_or_throw(const Value& description, Profile profile = Profile::recommended);

/// Writes the description as the dictionary of `version`'s rules; the buffer refers to the same
/// memory. Throws NotRepresentable (rule V10 or V18) where that version cannot say it, and
/// Unsupported for an unknown version. Process-local: what neighbours hold is not looked at.
Value to_value(const DistArray& array, Version version);
inline Value to_value(const DistArray& array) {
  return to_value(array, array.version());
}

/// The same array, described in another version of the protocol. Errors as `to_value`.
DistArray convert(const DistArray& array, Version version);

}  // namespace daptor
