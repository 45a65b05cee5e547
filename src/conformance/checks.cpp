// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/conformance/checks.hpp"

#include <algorithm>

#include "daptor/rules.hpp"

namespace daptor::conformance {

const std::vector<Check>& checks() {
  static const std::vector<Check> all = {
      {"description", "The sections of all ranks describe one array, by every rule.",
       check_description},
      {"communication", "An export does not communicate.", check_communication},
      {"shared-memory",
       "A write through an export is seen by other exports and by the producer, and the "
       "other way round.",
       check_shared_memory},
      {"labels",
       "Every element that the description places at a global index has the label of this index.",
       check_labels},
      {"release", "A section is released once and marked as released, without communication.",
       check_release},
      {"twice", "A second export describes the same array; releasing one leaves the other usable.",
       check_twice},
      {"producer-first", "An export can be used after its producer is destroyed.",
       check_producer_first},
      {"consumer-first", "The producer keeps its data when all exports are released.",
       check_consumer_first},
      {"round-trip",
       "The C struct, the dictionary and the other version of the protocol describe the same "
       "array.",
       check_round_trip},
      {"read-only", "A read-only array is read-only in every export.", check_read_only},
  };
  return all;
}

namespace {

BehaviourRule of_the_table(std::string_view id) {
  const protocol::Rule& rule = *protocol::find_rule(id);
  return {rule.id, rule.severity, rule.clause, rule.remedy};
}

}  // namespace

const std::vector<BehaviourRule>& behaviour_rules() {
  static const std::vector<BehaviourRule> all = {
      of_the_table("T17"),
      of_the_table("T18"),
      {"behaviour.release", Severity::error,
       "`release` is called once, frees everything, sets the `release` of its struct to null, and "
       "does not communicate.",
       "End the function with self->release = NULL, and put communication in the producer's "
       "own clean-up."},
      {"behaviour.twice", Severity::error,
       "An array can be exported while an earlier export exists; each is usable until it is "
       "released.",
       "Count the existing exports, and free the memory with the last of them and the "
       "producer."},
      {"behaviour.producer-first", Severity::error,
       "A section and its memory stay valid until they are released, even if the producer is "
       "destroyed before that.",
       "Let every export hold a reference to the memory."},
      {"behaviour.consumer-first", Severity::error,
       "When all exports have been released, the producer still has its data and can export it "
       "again.",
       "Let release drop the reference of the export only, not that of the producer."},
      {"behaviour.labels", Severity::error,
       "The element that the description places at a global index is the producer's element of "
       "that index.",
       "Compare the order of the dimensions, the strides and the padding with the memory."},
      {"behaviour.round-trip", Severity::error,
       "An array is the same after conversion to the C struct, the dictionary, or the other "
       "version of the protocol.",
       "Correct the part of the description that the finding names."},
      {"behaviour.readonly", Severity::error,
       "An array that is exported as read-only is read-only in every export, and is not opened for "
       "writing.",
       "Set DAPTOR_READ_ONLY in every export, and let begin_access return DAPTOR_FAILED for "
       "DAPTOR_WRITE."},
      {"behaviour.not-checked", Severity::note,
       "A check that the kit could not make, and what it needs for it.",
       "Provide what the kit needs."},
  };
  return all;
}

Report check(const Subject& subject, const Comm& comm, const Options& options) {
  Report all;
  for (const Check& one : checks()) {
    const Report report = one.run(subject, comm, options);
    for (Finding finding : report.findings()) {
      if (options.profile == Profile::strict && finding.severity == Severity::warning)
        finding.severity = Severity::error;
      const auto& known = all.findings();
      if (std::find(known.begin(), known.end(), finding) == known.end()) all.add(finding);
    }
  }
  return all;
}

}  // namespace daptor::conformance
