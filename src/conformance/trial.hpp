// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "daptor/comm.hpp"
#include "daptor/conformance/candidate.hpp"
#include "daptor/conformance/checks.hpp"
#include "daptor/report.hpp"

namespace daptor::conformance {

/// The remedy of a rule, in the terms of each language.
struct Advice {
  std::string_view cpp;
  std::string_view c;
  std::string_view python;

  std::string_view in(Language language) const;
};

/// The remedy for a breach of a behaviour rule.
std::string_view remedy_of(const BehaviourRule& rule, Language language);

/// One candidate in one check, on all ranks. Each rank collects its own findings, and the ranks
/// agree between steps: either all of them begin the next step or none.
class Trial {
 public:
  /// Collective. Makes the candidate.
  Trial(const Subject& subject, const Comm& comm);

  /// Collective. Runs the check `body` on the candidate, destroys it, and returns the findings of
  /// all ranks.
  static Report run(const Subject& subject, const Comm& comm, void (*body)(Trial&));

  const Comm& comm() const { return comm_; }
  /// Whether all ranks have a candidate; the same on all ranks.
  bool ready() const { return ready_; }
  const Candidate& candidate() const { return *candidate_; }

  /// Collective. Runs a step on all ranks; an exception becomes a finding. Returns, on all ranks,
  /// whether no rank has found an error so far.
  template <class F>
  bool collectively(F&& step) {
    take(std::forward<F>(step), nullptr);
    return agree_so_far();
  }
  /// The same for a step that a producer must be able to do, named by `doing`: an exception is a
  /// breach of `rule`.
  template <class F>
  bool collectively(const char* rule, const char* doing, F&& step) {
    take(std::forward<F>(step), rule, doing);
    return agree_so_far();
  }

  /// Collective. Makes another export while earlier ones exist. If a rank cannot, reports `what` as
  /// not checked; the failure itself is found by the check of behaviour.twice.
  bool export_again(std::optional<Export>& again, const char* what);

  /// Adds a breach of a behaviour rule on this rank.
  void find(const char* rule, Terms found, Terms expected);
  /// Adds the findings of another report.
  void find(const Report& report);
  void not_checked(std::string what, const Advice& advice);
  /// The same, with one remedy for all languages.
  void not_checked(std::string what, std::string_view remedy) {
    not_checked(std::move(what), {remedy, remedy, remedy});
  }

  /// Collective. Calls Candidate::destroy, at most once.
  void destroy();
  /// Collective. The findings of all ranks.
  Report conclude();

 private:
  template <class F>
  void take(F&& step, const char* rule, const char* doing = "") {
    try {
      std::forward<F>(step)();
    } catch (...) {
      caught(rule, doing);
    }
  }
  void caught(const char* rule, const char* doing);
  Language language() const { return candidate_ ? candidate_->language : Language::cpp; }
  bool agree_so_far();

  Comm comm_;
  std::optional<Candidate> candidate_;
  bool ready_ = false;
  bool destroyed_ = false;
  Report report_;
};

/// Collective. Whether `mine` is true on all ranks.
bool on_all(const Comm& comm, bool mine);

}  // namespace daptor::conformance
