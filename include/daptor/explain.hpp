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
  int rank = 0;           ///< of this process, in the communicator of the call
  int process_count = 1;  ///< of that communicator
  /// The widest communication padding on any edge of any process.
  Index widest_padding = 0;
};

/// A copy that a target can hold where it cannot hold the array itself.
struct TargetCopy {
  /// The call that makes it, for people: `daptor::petsc::copy_to_vec(a, comm)`. The same on all
  /// ranks.
  std::string call;
  /// What the call redistributes: the array, or a part of it such as a column. Needs no memory.
  DistArray source;
  /// What `source` is copied to. Needs no memory.
  DistArray target;
  RedistributionOptions options = {};
  /// How many such redistributions make the copy: one for each column, for example.
  Index times = 1;
};

/// A kind of native object that an adapter can make: `petsc.vec`, `tpetra.multivector`, ….
struct Target {
  std::string name;  ///< `petsc.vec`; unique among all adapters
  /// Function that imports, for people: `daptor::petsc::import_vec`.
  std::string call;
  /// Judges this process's section of an array on `process_count` processes. Must not communicate,
  /// and must not throw for any array that is described.
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
  std::string target;          ///< `Target::name`
  std::string call;            ///< `Target::call`
  bool representable = false;  ///< the target can hold the sections of all ranks without a copy
  /// The reasons of the lowest rank that refused; empty where the target can hold the array.
  std::vector<Finding> reasons;
  /// Bytes of index metadata for each local element that the target keeps: the largest number of
  /// all ranks, rounded up. 0 where the target cannot hold the array.
  double bytes_per_index = 0;
  /// Where the target cannot hold the array: the call that copies it into such an object; empty
  /// where a copy does not help, or there is no such call.
  std::string copy_call = {};
  /// Bytes that this call would send from one process to another, of all processes together; those
  /// that stay where they are do not count. `nullopt` without a call, and where counting alone
  /// would take more than ten million steps on a process.
  std::optional<std::int64_t> bytes_to_move = std::nullopt;
};

using Explanation = std::vector<Assessment>;
std::ostream& operator<<(std::ostream& out, const Assessment& assessment);
std::ostream& operator<<(std::ostream& out, const Explanation& explanation);

/// Collective over `comm`. Asks every target of every adapter that is loaded in this program; if
/// the program uses only the targets of an adapter, call its `register_targets()`. Makes no native
/// object and copies no element.
///
/// Where an unstructured dimension does not say whether an index is on two processes, the index
/// lists are asked first, as imports ask them (`prove_one_to_one`, O(n/P)). That the sections make
/// one array is not proven for every target: an import does that, and `validate` says what is
/// wrong.
/// @param array  this process's section; a description without memory will do, but for targets that
///               refuse one (`tpetra.memory`)
/// @param comm   the processes that the array is divided among
/// @returns one verdict for each target, in the order in which they were registered; the same on
///   every rank
/// @throws Error the defect of an array that is not described, on all ranks
/// @throws LibraryFailed where the transport fails or a rank lacks the memory
Explanation explain(const DistArray& array, const Comm& comm);

/// Collective over `comm`. Asks one target, which need not be registered.
/// @param target  the same on all ranks
/// @param array, comm  as `explain`
/// @returns the verdict, the same on every rank
/// @throws Error as `explain`
Assessment assess(const Target& target, const DistArray& array, const Comm& comm);

/// Local half of the refusal, for use inside the agreed preconditions of an import. Process-local.
/// @param target         asked through its `assess` alone
/// @param array          this process's section
/// @param process_count  processes of the communicator that the array is divided among
/// @throws NotRepresentable on this process, with the target's reasons
void require_representable(const Target& target, const DistArray& array, int process_count);

/// Adds a target to those that `explain` asks. Adapters call it when they are loaded.
/// Process-local; every rank registers the same targets in the same order. Not to be called from
/// several threads at once.
/// @param target  takes the place of an earlier target of the same name
void register_target(Target target);
/// The targets that `explain` asks, in the order in which they were registered.
const std::vector<Target>& registered_targets();

}  // namespace daptor
