// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/fields.hpp"
#include "daptor/report.hpp"
#include "daptor/value.hpp"

/// \file
/// Proves a description right across all ranks, by every rule of the checklist, and reports all
/// that is wrong with it. Every rank gets the same report.

namespace daptor {

/// How much a validation examines.
enum class Level { metadata, full };
constexpr auto words(Level) {
  return word_list(
      word("metadata", Level::metadata,
           "what imports examine: no work in proportion to index lists"),
      word("full", Level::full, "index lists too: U04, U09, U11, U12, owned.twice, owned.nobody"));
}

constexpr auto words(Profile) {
  return word_list(word("recommended", Profile::recommended,
                        "the recommended readings of the checklist's section 8"),
                   word("strict", Profile::strict, "the same, but its warnings are errors"));
}

struct ValidateOptions {
  Level level = Level::full;
  Profile profile = Profile::recommended;
  int listed_ranks = 8;
};
constexpr auto fields(const ValidateOptions&) {
  return field_list(
      field("level", &ValidateOptions::level,
            "how much is examined; an array without unstructured dimensions costs the same at "
            "either level"),
      field("profile", &ValidateOptions::profile, "how implied and ambiguous clauses count"),
      field("listed_ranks", &ValidateOptions::listed_ranks,
            "maximum number of ranks that a finding names, the lowest ones; if it is more than "
            "eight, each rank needs that much memory, and sends as much in one of log2 P steps"));
}

/// What one rank contributes to a validation: a description, trusted or not, or the fact that its
/// producer failed. A rank whose producer failed takes part like all others.
class Submission {
 public:
  /* implicit */ Submission(Section array) : array_(std::move(array)) {}
  /* implicit */ Submission(Value description) : description_(std::move(description)) {}
  /// For a rank whose producer failed.
  /// @param text  the text of what the producer threw, or says what it returned instead of a
  ///              description
  static Submission failed(std::string text) {
    Submission submission{Value()};
    submission.failure_ = std::move(text);
    return submission;
  }

  /// Null unless the submission was made from a Section.
  const Section* array() const { return array_ ? &*array_ : nullptr; }
  /// The untrusted description; it has no meaning if there is an array or a failure.
  const Value& description() const { return description_; }
  /// What the producer's failure was; `nullopt` if it did not fail.
  const std::optional<std::string>& failure() const { return failure_; }

 private:
  std::optional<Section> array_;
  Value description_;
  std::optional<std::string> failure_;
};

/// Process-local. Judges the clauses for which one process's description is enough; at level full
/// (the default) also U04, in time and memory O(n) for n indices.
/// @param submission  this rank's description: a Section, an untrusted Value, or a failure
/// @param options     how much to examine
/// @returns what is wrong with this description; rules that involve other ranks are not judged
Report validate_local(const Submission& submission, const ValidateOptions& options = {});
/// The same for the descriptions of several ranks, of which some may be missing, on this process.
/// @param submissions  `submissions[i]` comes from rank i
/// @param options      how much to examine
/// @returns what is wrong with each of them, in one report; findings name their ranks
Report validate_local(const std::vector<Submission>& submissions,
                      const ValidateOptions& options = {});

/// Collective over `comm`. Judges every rule that can be judged from descriptions. The report has
/// all that is wrong, in the order of the checklist and then by dimension, and is the same on every
/// rank. The defect of an array that could not be described (`Section::defect`) is a finding like
/// any other. For each rule and dimension the report says how many ranks are at fault, which are
/// the lowest of them (`listed_ranks`), and what was found on the lowest. A finding about every
/// rank names none.
///
/// Throws only if the transport or the machine fails, never because of what a description contains.
///
/// Cost if nothing is wrong, without index lists or at level metadata: one all-reduce of 256 bytes
/// for a regular array without padding (ranks in row-major order, even blocks, cyclic dimensions
/// dealt from process 0). Otherwise one more all-reduce, and two messages per distributed dimension
/// or, if ranks are not in row-major order, two exchanges (on more than 64 ranks also one more
/// all-reduce). Memory is O(ndim). At level full, an
/// unstructured dimension of n indices on all ranks together costs 8 to 14 more collective calls,
/// and O(n / P) memory on each rank. Reports cost O(log P) steps per finding. docs/validation.md
/// has the numbers.
/// @param submission  this rank's description: a Section, an untrusted Value, or a failure
/// @param comm        the ranks whose sections form the array
/// @param options     how much to examine; the same on all ranks
/// @returns what is wrong, the same on every rank; true if the array conforms
/// @throws LibraryFailed if MPI fails or a rank runs out of memory
/// @throws InvalidArgument on all ranks, if ranks are in different calls (`collective.mixed`)
Report validate(const Submission& submission, const Comm& comm,
                const ValidateOptions& options = {});
/// The same for an array, over the ranks of its communicator.
Report validate(const DistArray& array, const ValidateOptions& options = {});

}  // namespace daptor
