// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/trial.hpp"

#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "proof/merge.hpp"

namespace daptor::conformance {
namespace {

constexpr int listed_ranks = 8;

const BehaviourRule* behaviour_rule(std::string_view id) {
  for (const BehaviourRule& rule : behaviour_rules())
    if (rule.id == id) return &rule;
  return nullptr;
}

Finding thrown(const char* what) {
  return error_finding(rule_producer, -1, "", std::string("the producer threw: ") + what,
                       "no exception",
                       "If the producer must fail, let it fail on all ranks, when it is made.");
}

/// The text of the exception that is being handled.
std::string current_text() {
  try {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an exception of unknown type";
  }
}

}  // namespace

bool on_all(const Comm& comm, bool mine) {
  Call call(comm, "conformance::check");
  const auto all = call.all(mine);
  call.check();
  return all;
}

Trial::Trial(const Subject& subject, const Comm& comm) : comm_(comm) {
  take([&] { candidate_ = subject.make(comm_->original()); }, nullptr);
  ready_ = on_all(comm_, candidate_.has_value());
}

Report Trial::run(const Subject& subject, const Comm& comm, void (*body)(Trial&)) {
  Trial trial(subject, comm);
  if (trial.ready()) body(trial);
  return trial.conclude();
}

bool Trial::export_again(std::optional<Export>& again, const char* what) {
  bool exported = false;
  try {
    again = candidate_->describe();
    static_cast<void>(again->array());
    exported = true;
  } catch (...) {  // the check that expects this failure reports it
  }
  if (on_all(comm_, exported)) return true;
  not_checked(std::string(what) + ": a second export fails", "See behaviour.twice.");
  return false;
}

void Trial::find(const char* rule, Terms found, Terms expected) {
  const BehaviourRule* known = behaviour_rule(rule);
  Finding finding;
  finding.rule = rule;
  finding.severity = known != nullptr ? known->severity : Severity::error;
  finding.found = std::move(found);
  finding.expected = std::move(expected);
  if (known != nullptr) finding.remedy = remedy_of(*known, language());
  report_.add(std::move(finding));
}

void Trial::find(const Report& report) {
  report_.append(report);
}

void Trial::not_checked(std::string what, const Advice& advice) {
  Finding finding;
  finding.rule = "behaviour.not-checked";
  finding.severity = Severity::note;
  finding.found = std::move(what);
  finding.remedy = advice.in(language());
  report_.add(std::move(finding));
}

void Trial::caught(const char* rule, const char* doing) {
  if (rule != nullptr) {
    find(rule, std::string(doing) + ": " + current_text(), "no failure");
    return;
  }
  try {
    throw;
  } catch (const Error& error) {
    report_.append(error.report());
  } catch (...) {
    report_.add(thrown(current_text().c_str()));
  }
}

bool Trial::agree_so_far() {
  return on_all(comm_, report_.first_error() == nullptr);
}

void Trial::destroy() {
  if (destroyed_ || !ready_) return;
  destroyed_ = true;
  if (candidate_->destroy) take([&] { candidate_->destroy(); }, nullptr);
}

Report Trial::conclude() {
  destroy();
  candidate_.reset();
  Call call(comm_, "conformance::check");
  return proof::merge([&] { return std::move(report_); }, listed_ranks, call);
}

}  // namespace daptor::conformance
