// SPDX-License-Identifier: BSD-3-Clause
#include <optional>

#include "conformance/trial.hpp"
#include "daptor/abi.hpp"
#include "daptor/error.hpp"
#include "daptor/parse.hpp"

namespace daptor::conformance {
namespace {

constexpr const char* read_only_rule = "behaviour.readonly";

void expect_same_flag(Trial& trial, const Section& first, const Section& second) {
  if (first.readonly() == second.readonly()) return;
  trial.find(read_only_rule,
             first.readonly() ? "one export is read-only, the next writable"
                              : "one export is writable, the next read-only",
             "the same access in every export");
}

/// Requires that the producer itself refuses to open the memory for writing.
void expect_refusal(Trial& trial, const Export& section) {
  daptor_array* const producers = section.producers_struct();
  if (producers == nullptr || producers->begin_access == nullptr) return;
  if (producers->begin_access(producers, DAPTOR_WRITE) != DAPTOR_OK) return;
  producers->end_access(producers, DAPTOR_WRITE);
  trial.find(read_only_rule, "begin_access opened read-only memory for DAPTOR_WRITE",
             "DAPTOR_FAILED");
}

void expect_read_only(Trial& trial, const char* form, const Section& array) {
  if (!array.readonly())
    trial.find(read_only_rule, std::string("writable ") + form, "read-only in every form");
}

void keep_read_only(Trial& trial) {
  std::optional<Export> first;
  std::optional<Export> second;
  if (!trial.collectively([&] {
        first = trial.candidate().describe();
        static_cast<void>(first->array());
      }))
    return;
  if (trial.export_again(second, "whether another export is as read-only as the first"))
    trial.collectively([&] { expect_same_flag(trial, first->array(), second->array()); });
  trial.collectively([&] {
    if (!first->array().readonly()) return;
    expect_refusal(trial, *first);
    expect_read_only(trial, "as a dictionary", parse_or_throw(to_value(first->array())));
    daptor_array as_struct;
    export_abi(first->array(), &as_struct);
    Export round(&as_struct);
    expect_read_only(trial, "as a C struct", round.array());
    expect_refusal(trial, round);
  });
}

}  // namespace

Report check_read_only(const Subject& subject, const Comm& comm, const Options&) {
  return Trial::run(subject, comm, keep_read_only);
}

}  // namespace daptor::conformance
