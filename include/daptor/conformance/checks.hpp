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
/// All are collective over `comm` and give the same report on every rank. A producer that throws or
/// fails on some ranks is a finding (`producer`), and nobody waits for it: what the kit asks of the
/// producer next, it asks of all ranks or of none. Only where a producer leaves a collective call
/// of its own on one rank, others may wait in that call.

namespace daptor::conformance {

struct Options {
  /// For the rules of the description.
  Profile profile = Profile::recommended;
};

/// One check.
struct Check {
  std::string_view name;  ///< `shared-memory`
  std::string_view asks;  ///< what a producer must be able to do, in a sentence
  /// The function that makes the check. Collective, as those below.
  Report (*run)(const Subject& subject, const Comm& comm, const Options& options);
};

/// All checks, in the order in which `check` makes them.
const std::vector<Check>& checks();

/// A rule about what a producer does, where the rules of descriptions are about what it says.
struct BehaviourRule {
  std::string_view id;  ///< `behaviour.twice`, or T17, T18
  Severity severity = Severity::error;
  std::string_view clause;  ///< what it asks of a producer
  std::string_view remedy;  ///< what the producer's author can do
};
/// All such rules. Process-local.
const std::vector<BehaviourRule>& behaviour_rules();

/// Collective over `comm`. Makes all checks, each with a producer of its own.
/// @param subject, comm, options  as the checks below
/// @returns the findings of all checks, the same on every rank; a finding that several checks make
///   is there once
Report check(const Subject& subject, const Comm& comm, const Options& options = {});

/// \name The checks
/// Collective. What is not checked, for want of something that the producer could say or do, is a
/// note `behaviour.not-checked`.
/// @param subject  makes the producer, once for each check
/// @param comm     the processes that the producer is made on, over MPI
/// @param options  the same on all ranks
/// @returns what the producer does wrong, the same on every rank
/// \{

/// `description`: `validate` at level full. Findings: the rules of the protocol, and of the C
/// struct (`abi.…`).
Report check_description(const Subject& subject, const Comm& comm, const Options& options = {});

/// `communication`: exporting communicates nothing (T17). Needs the MPI wrappers
/// (`daptor/conformance/mpi_watch.hpp`).
Report check_communication(const Subject& subject, const Comm& comm, const Options& options = {});

/// `shared-memory`: what is written through one export is seen through another and by the producer,
/// and what the producer writes through the exports (T18). Elements have their old values
/// afterwards. A read-only array is not written; its exports must share their memory.
Report check_shared_memory(const Subject& subject, const Comm& comm, const Options& options = {});

/// `release`: a section that was moved and shared is released once, `release` marks the struct as
/// empty and communicates nothing (`behaviour.release`).
Report check_release(const Subject& subject, const Comm& comm, const Options& options = {});

/// `twice`: a second export, with the first still out, describes the same array, and releasing
/// either leaves the other usable, in both orders (`behaviour.twice`).
Report check_twice(const Subject& subject, const Comm& comm, const Options& options = {});

/// `producer-first`: an export can be read and written after the producer is destroyed
/// (`behaviour.producer-first`). Needs Candidate::destroy.
Report check_producer_first(const Subject& subject, const Comm& comm, const Options& options = {});

/// `consumer-first`: when all exports are released the producer still has its data, and exports
/// again (`behaviour.consumer-first`).
Report check_consumer_first(const Subject& subject, const Comm& comm, const Options& options = {});

/// `labels`: every owned element, found through the description, holds the label of its global
/// index (`behaviour.labels`).
Report check_labels(const Subject& subject, const Comm& comm, const Options& options = {});

/// `round-trip`: export_abi and import_abi, to_value and parse, and version 0.9 and 0.10 where both
/// can say it, give the same array on the same memory (`behaviour.round-trip`).
Report check_round_trip(const Subject& subject, const Comm& comm, const Options& options = {});

/// `read-only`: what is exported as read-only is so in every export and every form, and is not
/// opened for writing (`behaviour.readonly`).
Report check_read_only(const Subject& subject, const Comm& comm, const Options& options = {});
/// \}

}  // namespace daptor::conformance
