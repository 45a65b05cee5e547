// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

#include "daptor/dist_array.hpp"
#include "daptor/error.hpp"
#include "daptor/validate.hpp"
#include "daptor/value.hpp"

/// \file
/// One distributed array as all its ranks described it, kept in a JSON file: read without MPI and
/// without the data (docs/json.md).

namespace daptor {

/// What a rank has in place of a description where its producer failed.
struct ProducerError {
  std::string text;
};

using RecordedRank = std::variant<Value, ProducerError>;

/// The descriptions of an array, in rank order. Buffers are described only; index lists are there.
struct Recorded {
  std::string name;  ///< may be empty
  /// Ranks that the array has; at least one, and at least `ranks.size()`.
  int nranks = 0;
  std::vector<RecordedRank> ranks;
  /// What the file itself gave occasion for: keys that it has twice (rule `json.duplicate-key`).
  Report notes;

  /// Some ranks are missing: only local rules can be judged.
  bool partial() const { return ranks.size() < static_cast<std::size_t>(nranks); }
};

/// What a rank brings to a validation.
Submission submission(const RecordedRank& rank);

/// A file that cannot be read at all, as opposed to one that describes a malformed array. Rule
/// `json.file` (missing, a directory, not readable), `json.syntax` (no JSON), `json.limit` (beyond
/// a ReadLimits) or `json.form` (JSON, but no recorded array). The finding's text has the place.
class Unreadable final : public InvalidArgument {
 public:
  Unreadable(const std::string& rule, std::string found, std::string expected);
};

/// What a reader takes before it refuses; memory stays in proportion to these, whatever the file
/// holds.
struct ReadLimits {
  int depth = 64;                     ///< arrays and objects inside each other
  std::size_t text = 1U << 20;        ///< bytes of a string or key
  std::size_t values = 10'000'000;    ///< values; typed index lists do not count
  std::size_t indices = 200'000'000;  ///< entries of all typed index lists together
};

/// Reads one file in Daptor's JSON format. Whatever stands under a rank is kept as it is, right or
/// wrong: integers beyond 64 bits as an Integer that does not fit, other numbers as
/// Foreign{"float"}, null as Foreign{"null"}; of a key that an object has twice the last counts.
/// Arrays count as tuples where the protocol asks for tuples. An index list with its element type
/// becomes a buffer.
///
/// Throws Unreadable; nothing else of what the file holds makes it throw.
Recorded read_recorded(std::istream& in, const ReadLimits& limits = {});
/// The same of a file by its path.
Recorded read_recorded_file(const std::string& path, const ReadLimits& limits = {});

/// Writes a file that read_recorded reads back: `format` 1, a line for each dimension. Index lists
/// are read from memory; element data are not. A value of a type that JSON does not have becomes
/// null. Errors of the stream show in its state.
void write_recorded(std::ostream& out, const Recorded& recorded);

/// What `arrays`, one a rank, look like as a recorded array.
Recorded record(std::string name, const std::vector<DistArray>& arrays);

}  // namespace daptor
