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

/// What to do, in the words of each language.
struct Advice {
  std::string_view cpp;
  std::string_view c;
  std::string_view python;

  std::string_view in(Language language) const;
};

/// What to do about a breach of a behaviour rule.
std::string_view remedy_of(const BehaviourRule& rule, Language language);

/// One candidate in one check, on all ranks. What it does wrong is found on each rank, and agreed
/// on between steps: a step is begun on all ranks, or on none.
class Trial {
 public:
  /// Collective. Makes the candidate.
  Trial(const Subject& subject, const Comm& comm);

  /// Collective. Lets `body` put the candidate through the check, destroys it, and says what all
  /// ranks found.
  static Report run(const Subject& subject, const Comm& comm, void (*body)(Trial&));

  const Comm& comm() const { return comm_; }
  /// The same on all ranks: they all have a candidate.
  bool ready() const { return ready_; }
  const Candidate& candidate() const { return *candidate_; }

  /// Collective. A step on all ranks; what it throws is a finding. True, on all ranks, where no
  /// rank has found an error by then.
  template <class F>
  bool together(F&& step) {
    take(std::forward<F>(step), nullptr);
    return agree_so_far();
  }
  /// The same for what a producer must be able to do: what is thrown breaks `rule`, in the course
  /// of `doing`.
  template <class F>
  bool together(const char* rule, const char* doing, F&& step) {
    take(std::forward<F>(step), rule, doing);
    return agree_so_far();
  }

  /// Collective. An export beside others that are still out. Where a rank has none, `what` is not
  /// checked: that it cannot be had is behaviour.twice's matter.
  bool export_again(std::optional<Export>& again, const char* what);

  /// A breach of a behaviour rule on this rank.
  void find(const char* rule, std::string found, std::string expected);
  /// The same findings as somebody else's report.
  void find(const Report& report);
  void not_checked(std::string what, const Advice& advice);
  /// The same with advice that all languages share.
  void not_checked(std::string what, std::string_view remedy) {
    not_checked(std::move(what), {remedy, remedy, remedy});
  }

  /// Collective. Calls Candidate::destroy, once.
  void destroy();
  /// Collective. What all ranks found.
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

/// Collective. Whether it holds on all ranks.
bool on_all(const Comm& comm, bool mine);

}  // namespace daptor::conformance
