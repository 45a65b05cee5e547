// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>
#include <vector>

#include "daptor/comm.hpp"
#include "daptor/conformance/candidate.hpp"
#include "daptor/report.hpp"
#include "daptor/validate.hpp"

/// \file
/// The checks of the conformance kit. Each makes a producer, lets it do what producers must be able
/// to do, and reports what it does wrong.
///
/// All checks are collective over `comm` and give the same report on every rank. If a producer
/// throws or fails on some ranks, that is a finding (`producer`), and the other ranks do not wait:
/// the kit takes the next step with the producer on all ranks or on none. Only if a producer leaves
/// a collective call of its own on one rank, others may wait in that call.

namespace daptor::conformance {

struct Options {
  /// How the rules of the description are judged.
  Profile profile = Profile::recommended;
};

/// One check.
struct Check {
  std::string_view name;  ///< `shared-memory`
  std::string_view asks;  ///< what a producer must be able to do, in a sentence
  /// The function that makes the check. Collective, like those below.
  Report (*run)(const Subject& subject, const Comm& comm, const Options& options);
};

/// All checks, in the order in which `check` makes them.
const std::vector<Check>& checks();

/// A rule about what a producer does; the rules of descriptions are about what it says.
struct BehaviourRule {
  std::string_view id;  ///< `behaviour.twice`, or T17, T18
  Severity severity = Severity::error;
  std::string_view clause;  ///< what it asks of a producer
  std::string_view remedy;  ///< what the producer's author can do
};
/// All such rules. Process-local.
const std::vector<BehaviourRule>& behaviour_rules();

/// Collective over `comm`. Makes all checks, each with a producer of its own.
/// @param subject, comm, options  see the checks below
/// @returns the findings of all checks, the same on every rank; a finding that several checks make
///   appears once
Report check(const Subject& subject, const Comm& comm, const Options& options = {});

/// \name The checks
/// Collective. If something cannot be checked, because the producer lacks what the check needs, the
/// report has a note `behaviour.not-checked`.
/// @param subject  makes the producer, once for each check
/// @param comm     the processes on which the producer is made, over MPI
/// @param options  the same on all ranks
/// @returns what the producer does wrong, the same on every rank
/// \{

/// `description`: `validate` at level full. Findings: the rules of the protocol, and of the C
/// struct (`abi.…`).
Report check_description(const Subject& subject, const Comm& comm, const Options& options = {});

/// `communication`: an export does not communicate (T17). Needs the MPI wrappers
/// (`daptor/conformance/mpi_watch.hpp`).
Report check_communication(const Subject& subject, const Comm& comm, const Options& options = {});

/// `shared-memory`: a write through one export is seen through another export and by the producer,
/// and a write of the producer through the exports (T18). Elements have their old values
/// afterwards. A read-only array is not written; its exports must share their memory.
Report check_shared_memory(const Subject& subject, const Comm& comm, const Options& options = {});

/// `release`: a section that was moved and shared is released once; `release` marks the struct as
/// empty and does not communicate (`behaviour.release`).
Report check_release(const Subject& subject, const Comm& comm, const Options& options = {});

/// `twice`: a second export, made while the first one exists, describes the same array, and
/// releasing either leaves the other usable, in both orders (`behaviour.twice`).
Report check_twice(const Subject& subject, const Comm& comm, const Options& options = {});

/// `producer-first`: an export can be read and written after the producer is destroyed
/// (`behaviour.producer-first`). Needs Candidate::destroy.
Report check_producer_first(const Subject& subject, const Comm& comm, const Options& options = {});

/// `consumer-first`: when all exports have been released, the producer still has its data, and can
/// export again (`behaviour.consumer-first`).
Report check_consumer_first(const Subject& subject, const Comm& comm, const Options& options = {});

/// `labels`: every element of the interior, found through the description, has the label of its
/// global index, which counts the interior; boundary padding is not compared (`behaviour.labels`).
Report check_labels(const Subject& subject, const Comm& comm, const Options& options = {});

/// `round-trip`: conversions by export_abi and import_abi, by to_value and parse, and between the
/// versions 0.9 and 0.10, if both can express the array, give the same array on the same memory
/// (`behaviour.round-trip`).
Report check_round_trip(const Subject& subject, const Comm& comm, const Options& options = {});

/// `read-only`: an array that is exported as read-only is read-only in every export and every form,
/// and is not opened for writing (`behaviour.readonly`).
Report check_read_only(const Subject& subject, const Comm& comm, const Options& options = {});
/// \}

}  // namespace daptor::conformance
