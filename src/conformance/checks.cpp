// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/conformance/checks.hpp"

#include <algorithm>

#include "daptor/rules.hpp"

namespace daptor::conformance {

const std::vector<Check>& checks() {
  static const std::vector<Check> all = {
      {"description", "The sections of all ranks describe one array, by every rule.",
       check_description},
      {"communication", "Exporting communicates nothing.", check_communication},
      {"shared-memory",
       "What is written through an export is seen by other exports and by the producer, and the "
       "other way round.",
       check_shared_memory},
      {"labels", "Every element, found through the description, is the one of its global index.",
       check_labels},
      {"release", "A section is released once, marked as empty, without communication.",
       check_release},
      {"twice", "A second export describes the same array; releasing one leaves the other usable.",
       check_twice},
      {"producer-first", "An export can be used after its producer is destroyed.",
       check_producer_first},
      {"consumer-first", "The producer keeps its data when all exports are released.",
       check_consumer_first},
      {"round-trip",
       "The C struct, the dictionary and the other version of the protocol say the same array.",
       check_round_trip},
      {"read-only", "What is read-only stays read-only.", check_read_only},
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
       "`release` gives everything up at its one call, sets the `release` of the struct that it is "
       "given to null, and communicates nothing.",
       "End the function with self->release = NULL, and leave what communicates to the producer's "
       "own end."},
      {"behaviour.twice", Severity::error,
       "An array can be exported while an earlier export is out; both are usable until each is "
       "released.",
       "Count the exports that are out, and give up the memory with the last of them and the "
       "producer."},
      {"behaviour.producer-first", Severity::error,
       "A section and its memory stay valid until they are released, also where the producer is "
       "destroyed before.",
       "Let every export hold a reference of the memory."},
      {"behaviour.consumer-first", Severity::error,
       "The producer keeps its data, and can export it again, when all exports are released.",
       "Let release give up the export's reference only, not the producer's."},
      {"behaviour.labels", Severity::error,
       "The element that the description places at a global index is the producer's element of "
       "that index.",
       "Compare the order of the dimensions, the strides and the padding with the memory."},
      {"behaviour.round-trip", Severity::error,
       "An array is the same after a way through the C struct, the dictionary, or the other "
       "version of the protocol.",
       "Describe the array by what these forms can say; see what the finding names."},
      {"behaviour.readonly", Severity::error,
       "An array that is exported as read-only is so in every export, and is not opened for "
       "writing.",
       "Set DAPTOR_READ_ONLY in every export, and let begin_access return DAPTOR_FAILED for "
       "DAPTOR_WRITE."},
      {"behaviour.not-checked", Severity::note,
       "What the kit could not check, and what it would need.", "Give the kit what it asks for."},
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
