// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <fstream>
#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

#include "daptor/error.hpp"
#include "daptor/section.hpp"
#include "daptor/validate.hpp"
#include "daptor/value.hpp"

/// \file
/// One distributed array as all its ranks described it, kept in a JSON file: read without MPI and
/// without the data (docs/json.md).

namespace daptor {

/// Stands for a rank's description if its producer failed.
struct ProducerError {
  std::string text;
};

using RecordedRank = std::variant<Value, ProducerError>;

/// The descriptions of an array, in rank order. Buffers have no memory, but index lists do.
struct Recorded {
  std::string name;  ///< may be empty
  /// Ranks that the array has; at least one, and at least `ranks.size()`.
  int nranks = 0;
  std::vector<RecordedRank> ranks;
  /// Findings about the file itself: keys that an object has twice (rule `json.duplicate-key`).
  Report notes;

  /// Whether ranks are missing; only local rules can then be judged.
  bool partial() const { return ranks.size() < static_cast<std::size_t>(nranks); }
  /// Whether the producer failed on a rank.
  bool failed() const;
};

/// The description or failure that a rank submits to a validation.
Submission submission(const RecordedRank& rank);
/// What is recorded of such a submission. Needs the memory of its index lists until it is written.
RecordedRank recorded_rank(const Submission& submission);

/// A file that cannot be read at all, as opposed to one that describes a malformed array. Rule
/// `json.file` (missing, a directory, not readable), `json.syntax` (no JSON), `json.limit` (beyond
/// a ReadLimits) or `json.form` (JSON, but no recorded array). The finding's text has the place.
class Unreadable final : public InvalidArgument {
 public:
  Unreadable(const std::string& rule, std::string found, std::string expected);
};

/// Limits of a reader, which refuses larger files. Its memory is in proportion to these limits,
/// whatever the file contains.
struct ReadLimits {
  int depth = 64;                     ///< arrays and objects inside each other
  std::size_t text = 1U << 20;        ///< bytes of a string or key
  std::size_t values = 10'000'000;    ///< values; typed index lists do not count
  std::size_t indices = 200'000'000;  ///< entries of all typed index lists together
};

/// Reads one file in Daptor's JSON format. The description of a rank is kept as it is, valid or
/// not: integers beyond 64 bits become an Integer that does not fit, other numbers
/// Foreign{"float"}, null Foreign{"null"}; if an object has a key twice, the last value counts.
/// Arrays become tuples where the protocol asks for tuples. An index list with its element type
/// becomes a buffer.
///
/// Throws Unreadable, and no other error for any content of the file.
Recorded read_recorded(std::istream& in, const ReadLimits& limits = {});
/// Opens a file of JSON. Throws Unreadable for one that is missing, a folder or no regular file,
/// unless this process has it open already.
std::ifstream open_json(const std::string& path);
/// The same as read_recorded for the file with this path.
Recorded read_recorded_file(const std::string& path, const ReadLimits& limits = {});

/// Writes a file that read_recorded reads back: `format` 1, a line for each dimension. Index lists
/// are read from memory; element data are not. A value of a type that JSON does not have becomes
/// null. Errors of the stream show in its state.
void write_recorded(std::ostream& out, const Recorded& recorded);

/// The recorded array of these sections, one for each rank.
Recorded record(std::string name, const std::vector<Section>& arrays);

/// \name A recording that is made by all ranks together
/// Each rank sends its text to the one that joins the texts of all, in rank order.
/// \{
std::string rank_text(RecordedRank rank);
/// Throws Unreadable if a text is beyond the limits of a file.
Recorded join_ranks(std::string name, const std::vector<std::string>& texts);
/// \}

}  // namespace daptor
