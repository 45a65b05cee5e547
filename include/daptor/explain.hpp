// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/error.hpp"
#include "daptor/layout.hpp"
#include "daptor/redistribute.hpp"
#include "daptor/suggestion.hpp"

/// \file
/// Tells which native objects can hold an array without a copy, before any object is made, how much
/// a copy would move if an object cannot, and how much using the object moves if it can. Imports
/// refuse through the same code.

namespace daptor {

/// What a target says about one process's section.
struct LocalAssessment {
  /// The reasons why the target cannot hold the section; empty if it can.
  std::vector<Finding> reasons;
  /// Number of bytes of index metadata that the target itself keeps for each local element.
  double bytes_per_index = 0;
};

/// What is known about an array besides this process's section.
struct CopyRequest {
  int rank = 0;           ///< rank of this process in the communicator of the call
  int process_count = 1;  ///< number of processes of that communicator
  /// The widest communication padding on any edge of any process.
  Index widest_padding = 0;
};

/// A copy that a target can hold although it cannot hold the array itself.
struct TargetCopy {
  /// The call that makes the copy: `petsc.copy_to_vec`. The same on all ranks.
  Suggestion call;
  /// What the call redistributes: the array, or a part of it such as a column. Needs no memory.
  Section source;
  /// To what `source` is copied. Needs no memory.
  Section target;
  RedistributionOptions options = {};
  /// Number of such redistributions that make the copy: for example, one for each column.
  Index times = 1;
};

/// The copy that `call` makes of an array: elements of its type in other dimensions, without gaps
/// in memory. With the option `read_from_any` of the call, the redistribution has it too.
TargetCopy copy_of(const Section& array, Suggestion call, std::vector<Dimension> dimensions,
                   Order order = Order::c);
/// The same in a layout.
TargetCopy copy_of(const Section& array, Suggestion call, const CopyRequest& request,
                   const TargetLayout& layout);
/// The same in the array's own layout, with its padding filled.
TargetCopy padded_copy_of(const Section& array, Suggestion call);

/// A redistribution between sections on the communicator of the array. Neither needs memory.
struct TargetMove {
  Section source;
  Section target;
  RedistributionOptions options = {};
};

/// Something that a target does with an array that it can hold, by moving elements between
/// processes: for example, a Fourier transform to an output of one layout.
struct TargetUse {
  /// What is done: `a forward transform to its fitting output`. The same on all ranks.
  std::string name;
  /// The redistributions that it makes, as many on all ranks.
  std::vector<TargetMove> moves;
};

/// A kind of native object that an adapter can make: `petsc.vec`, `tpetra.multivector`, ….
struct Target {
  std::string name;  ///< `petsc.vec`; unique among all adapters
  /// The importing function: `daptor::petsc::import_vec`, in Python `a.to_petsc()`.
  Terms call;
  /// Judges this process's section of an array on `process_count` processes. Must not communicate,
  /// and must not throw for any array that is described.
  std::function<LocalAssessment(const Section&, int process_count)> assess;
  /// Describes this process's section of a copy that the target can hold; `nullopt` if no copy
  /// helps. Must not communicate. Null if the target has no call that copies.
  std::function<std::optional<TargetCopy>(const Section&, const CopyRequest&)> copy = nullptr;
  /// Collective. Judges the sections of all processes together, after each has been accepted by
  /// itself and all are known to form one array: for example, whether their memory orders differ.
  /// `call` is open. Throws NotRepresentable or Malformed on all ranks. Null if there is nothing to
  /// judge together.
  std::function<void(const DistArray&, Call& call)> agree = nullptr;
  /// Collective. What the target does with an array that nothing above refuses; the same uses in
  /// the same order on all ranks. If this throws InvalidArgument, NotRepresentable or Malformed (on
  /// all ranks), or redistribution refuses one of the moves while its bytes are counted, the target
  /// cannot hold the array, for that reason. Null if the target moves nothing.
  std::function<std::vector<TargetUse>(const DistArray&)> uses = nullptr;
};

/// What one use of a target moves.
struct UseCost {
  std::string name;                  ///< `TargetUse::name`
  std::int64_t redistributions = 0;  ///< number of `TargetUse::moves`
  /// Number of bytes that they send between processes, in total; bytes that stay on their process
  /// do not count. `nullopt` if counting alone would take more than ten million steps on a process.
  std::optional<std::int64_t> bytes_to_move = std::nullopt;
};

/// The verdict about one target, the same on every rank.
struct Assessment {
  std::string target;  ///< `Target::name`
  Terms call;          ///< `Target::call`
  /// Whether the target can hold the sections of all ranks without a copy.
  bool representable = false;
  /// The reasons of the lowest rank that refused; empty if the target can hold the array.
  std::vector<Finding> reasons;
  /// Number of bytes of index metadata that the target keeps for each local element: the maximum
  /// over all ranks, rounded up. 0 if the target cannot hold the array.
  double bytes_per_index = 0;
  /// If the target cannot hold the array, the call that copies it into such an object; empty if a
  /// copy does not help or there is no such call. What must be true before it, `copy.condition()`
  /// says.
  Suggestion copy = {};
  /// Number of bytes that this call would send between processes, in total; bytes that stay on
  /// their process do not count. `nullopt` if there is no call, or if counting alone would take
  /// more than ten million steps on a process.
  std::optional<std::int64_t> bytes_to_move = std::nullopt;
  /// What using the object moves, if the target can hold the array; empty if that is nothing.
  std::vector<UseCost> uses = {};
  /// Global extents of the array, which are those of the object or of its copy, if boundary padding
  /// counts in them on any rank; otherwise empty.
  std::vector<Index> padded_shape = {};
  /// The same of the interior, which `without_padding` describes.
  std::vector<Index> interior_shape = {};
  /// `8 x 10 elements with boundary padding, 6 x 8 without: daptor::without_padding(a)`; empty if
  /// there is none.
  Terms sizes() const;
};

using Explanation = std::vector<Assessment>;
/// `a forward transform to its fitting output moves 96 bytes between processes in 1 redistribution`
std::ostream& operator<<(std::ostream& out, const UseCost& cost);
std::ostream& operator<<(std::ostream& out, const Assessment& assessment);
std::ostream& operator<<(std::ostream& out, const Explanation& explanation);
/// \name The same in the terms of a language
/// \{
std::string to_string(const Assessment& assessment, const Rendering& rendering = {});
std::string to_string(const Explanation& explanation, const Rendering& rendering = {});
/// \}

/// Collective. Asks every target of every adapter that is loaded in this program. If the program
/// uses nothing of a shared adapter but its targets, call the adapter's `register_targets()` first,
/// so that the linker keeps it. Makes no native object and copies no element.
///
/// First it is proven that the sections form one array, as imports prove it (`require_consistent`).
/// If they do not, no target can hold them, and the reasons are what is wrong with the array. If an
/// unstructured dimension does not state whether an index is on two processes, its index lists are
/// examined too (`prove_one_to_one`, O(n/P)).
/// @param array  the array; a description without memory is enough, except for targets that refuse
///               it (`tpetra.memory`)
/// @returns one verdict for each target, in the order in which they were registered; the same on
///   every rank
/// @throws Error the defect of an array that is not described, on all ranks
/// @throws LibraryFailed if the transport fails or a rank runs out of memory
Explanation explain(const DistArray& array);

/// Collective. The same of these targets, which need not be registered. The array is proven once,
/// however many they are.
/// @param targets  the same on all ranks, in the same order
Explanation explain(const DistArray& array, const std::vector<Target>& targets);

/// Collective. Asks one target, which need not be registered.
/// @param target  the target, the same on all ranks
/// @param array   see `explain`
/// @returns the verdict, the same on every rank
/// @throws Error like `explain`
Assessment assess(const Target& target, const DistArray& array);

/// The process-local half of the refusal, for use inside the agreed preconditions of an import.
/// @param target         only its `assess` is called
/// @param array          this process's section
/// @param process_count  number of processes among which the array is divided
/// @throws NotRepresentable on this process, with the target's reasons
void require_representable(const Target& target, const Section& array, int process_count);

/// Adds a target to those that `explain` asks. Adapters call this when they are loaded.
/// Process-local; every rank must register the same targets in the same order. Must not be called
/// from several threads at once.
/// @param target  replaces an earlier target of the same name
void register_target(Target target);
/// The targets that `explain` asks, in the order in which they were registered.
const std::vector<Target>& registered_targets();

}  // namespace daptor
