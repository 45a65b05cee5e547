// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/report.hpp"
#include "daptor/value.hpp"

/// \file
/// Proves a description right across all ranks, by every rule of the checklist, and says all that
/// is wrong with it. Every rank gets the same report.

namespace daptor {

/// How far a validation looks.
enum class Level {
  metadata,  ///< no work in proportion to index lists; what imports look at
  full       ///< index lists too: U04, U09, U11, U12, `owned.twice`, `owned.nobody`
};

struct ValidateOptions {
  /// An array without unstructured dimensions costs the same at either level.
  Level level = Level::full;
  /// How implied and ambiguous clauses count.
  Profile profile = Profile::recommended;
  /// Ranks that a finding names at the most, the lowest ones. Naming more than eight costs each
  /// rank that much memory, and rank 0 a message from each rank at fault.
  int listed_ranks = 8;
};

/// What one rank brings to a validation: a description, trusted or not, or the news that its
/// producer failed. A rank whose producer failed takes part like all others.
class Submission {
 public:
  /* implicit */ Submission(DistArray array) : array_(std::move(array)) {}
  /* implicit */ Submission(Value description) : description_(std::move(description)) {}
  /// What a rank brings whose producer failed.
  /// @param text  what the producer threw, or what it gave in place of a description
  static Submission failed(std::string text) {
    Submission submission{Value()};
    submission.failure_ = std::move(text);
    return submission;
  }

  /// Null unless it was made of a DistArray.
  const DistArray* array() const { return array_ ? &*array_ : nullptr; }
  /// The untrusted description; without meaning where there is an array or a failure.
  const Value& description() const { return description_; }
  /// What the producer's failure was; `nullopt` where it did not fail.
  const std::optional<std::string>& failure() const { return failure_; }

 private:
  std::optional<DistArray> array_;
  Value description_;
  std::optional<std::string> failure_;
};

/// Process-local: the clauses that one process's description can be judged by alone; at level full
/// (the default) U04 too, in time and memory O(n) for n indices.
/// @param submission  this rank's description: a DistArray, an untrusted Value, or a failure
/// @param options     how far to look
/// @returns what is wrong with this description; rules that involve other ranks are not judged
Report validate_local(const Submission& submission, const ValidateOptions& options = {});
/// The same of several ranks that are all here, for arrays of which some ranks are not known.
/// @param submissions  `submissions[i]` is that of rank i
/// @param options      how far to look
/// @returns what is wrong with each of them, in one report; findings name their ranks
Report validate_local(const std::vector<Submission>& submissions,
                      const ValidateOptions& options = {});

/// Collective over `comm`. Every rule that can be judged from descriptions; all that is wrong, in
/// the order of the checklist and then by dimension, the same report on every rank. The defect of
/// an array that could not be described (`DistArray::defect`) is a finding like any other. For each
/// rule and dimension: how many ranks are at fault, the lowest of them (`listed_ranks`), and what
/// was found at the lowest. A finding that is about every rank names none.
///
/// Throws only where the transport or the machine fails, never for what a description holds.
///
/// Cost where nothing is wrong, without index lists or at level metadata: one all-reduce of 80
/// bytes for a regular array without padding (ranks row-major, blocks even, cyclic dimensions dealt
/// from process 0); one more and two messages a distributed dimension otherwise, and two exchanges
/// more where ranks are not row-major. Memory O(ndim). An unstructured dimension of n indices on
/// all ranks together costs 8 to 14 collective calls more at level full, and O(n / P) memory on
/// each rank. Reports cost O(log P) steps a finding. docs/validation.md has the numbers.
/// @param submission  this rank's description: a DistArray, an untrusted Value, or a failure
/// @param comm        the ranks whose sections make the array together
/// @param options     how far to look; the same on all ranks
/// @returns what is wrong, the same on every rank; true where the array conforms
/// @throws LibraryFailed where MPI fails or a rank lacks the memory
/// @throws InvalidArgument on all ranks, for ranks that are in different calls (`collective.mixed`)
Report validate(const Submission& submission, const Comm& comm,
                const ValidateOptions& options = {});

}  // namespace daptor
