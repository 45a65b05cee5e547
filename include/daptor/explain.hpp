// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/error.hpp"
#include "daptor/redistribute.hpp"

/// \file
/// Which native objects can hold an array without a copy, asked before anything is made, and what a
/// copy would move where they cannot. Imports refuse through the same code.

namespace daptor {

/// What a target says about one process's section.
struct LocalAssessment {
  /// Why the target cannot hold the section; empty: it can.
  std::vector<Finding> reasons;
  /// Bytes of index metadata for each local element that the target itself keeps.
  double bytes_per_index = 0;
};

/// What is known of an array besides this process's section.
struct CopyRequest {
  int rank = 0;
  int process_count = 1;
  /// The widest communication padding on any edge of any process.
  Index widest_padding = 0;
};

/// A copy that a target can hold where it cannot hold the array itself.
struct TargetCopy {
  /// The call that makes it, for people: `daptor::petsc::copy_to_vec(a, comm)`. The same on all
  /// ranks.
  std::string call;
  /// What is redistributed: the array, or a part of it such as a column, `times` times; and to
  /// what. Neither needs memory.
  DistArray source;
  DistArray target;
  RedistributionOptions options = {};
  Index times = 1;
};

/// A kind of native object that an adapter can make: `petsc.vec`, `tpetra.multivector`, ….
struct Target {
  std::string name;
  /// Function that imports, for people: `daptor::petsc::import_vec`.
  std::string call;
  /// Judges this process's section. Must not communicate, and must not throw for any DistArray.
  std::function<LocalAssessment(const DistArray&, int process_count)> assess;
  /// Describes this process's section of a copy that the target can hold; `nullopt` if no copy
  /// helps. Must not communicate. Null: the target has no call that copies.
  std::function<std::optional<TargetCopy>(const DistArray&, const CopyRequest&)> copy = nullptr;
  /// Collective. Judges the sections of all processes together, after each has been accepted by
  /// itself: memory orders that differ between processes, for example. Throws NotRepresentable or
  /// Malformed on all ranks. Null: there is nothing to judge together.
  std::function<void(const DistArray&, const Comm&)> agree = nullptr;
};

/// The verdict about one target, the same on every rank.
struct Assessment {
  std::string target;
  std::string call;
  bool representable = false;
  /// The reasons of the lowest rank that refused.
  std::vector<Finding> reasons;
  /// The largest of all ranks.
  double bytes_per_index = 0;
  /// Where the target cannot hold the array: the call that copies it into such an object; empty
  /// where a copy does not help, or there is no such call.
  std::string copy_call = {};
  /// Bytes that this call would send from one process to another, of all processes together; those
  /// that stay where they are do not count. Nothing without a call, and where counting alone would
  /// take more than ten million steps on a process.
  std::optional<std::int64_t> bytes_to_move = std::nullopt;
};

using Explanation = std::vector<Assessment>;
std::ostream& operator<<(std::ostream& out, const Assessment& assessment);
std::ostream& operator<<(std::ostream& out, const Explanation& explanation);

/// Collective. Asks every target of every adapter that is loaded in this program; if the program
/// uses only the targets of an adapter, call its `register_targets()`. Copies nothing. An array
/// whose unstructured dimensions do not say `one_to_one` is asked for it first, as imports ask
/// (`prove_one_to_one`, O(n/P)).
Explanation explain(const DistArray& array, const Comm& comm);

/// Collective. Asks one target.
Assessment assess(const Target& target, const DistArray& array, const Comm& comm);

/// Local half of the refusal: throws NotRepresentable with the target's reasons. For use inside the
/// agreed preconditions of an import.
void require_representable(const Target& target, const DistArray& array, int process_count);

/// Adds a target to those that `explain` asks; the last one of a name counts. Adapters call it when
/// they are loaded.
void register_target(Target target);
const std::vector<Target>& registered_targets();

}  // namespace daptor
