// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "daptor/adapter/findings.hpp"
#include "daptor/adapter/merged.hpp"
#include "daptor/call.hpp"

/// \file
/// For authors of adapters: the frame in which all ranks find out what is wrong with an object of
/// another library.

namespace daptor::adapter {

/// One check of one object, in three rounds, of which the first is the only one if nothing is
/// wrong. It costs one agreement:
///
/// 1. `gather`: each rank looks at what it has of the object.
/// 2. Facts that no rank knows alone ask the other ranks.
/// 3. Each rank judges what it knows, and all findings become one report (`merged`).
///
/// A fact is any object with these functions, and one of its own that is called in the first round:
///
/// - `bool settled() const`: it has nothing to ask, and nothing was found. Process-local, behind
///   the first round, and the same on all ranks.
/// - `void ask(Call&)`: collective. Also called if another fact is not settled.
/// - `void tell(Findings&)`: adds what this rank has found. Process-local, inside a check.
///
/// \code
/// Report check(const Grid& grid) {
///   adapter::Inspection look(comm_of(grid), "toy::check", [&] { return findings_about(grid); });
///   adapter::SharedIndex points;
///   look.gather([&](adapter::Findings& findings) {
///     look_at_spacing(grid, findings);
///     points.gather(true, grid.size(), points_of(grid), point_words, look.call());
///   });
///   return look.conclude(points);
/// }
/// \endcode
class Inspection {
 public:
  /// Process-local.
  /// @param subject  makes the findings about the object, in the first round; may throw
  Inspection(const Comm& comm, CallName name, std::function<Findings()> subject)
      : call_(comm, name), subject_(std::move(subject)) {}

  Call& call() { return call_; }

  /// Collective. The first round; the facts of a second one are added to those of the first.
  /// @param look  takes the findings; may throw, and must not communicate
  template <class Look>
  void gather(Look&& look) {
    call_.check([&] {
      if (!findings_) findings_.emplace(subject_());
      look(*findings_);
      clean_ = call_.all(findings_->report().findings().empty());
    });
  }
  /// Collective. The other rounds. Call it once.
  template <class... Facts>
  Report conclude(Facts&... facts) {
    if (clean_ && (... && facts.settled())) return {};
    (facts.ask(call_), ...);
    return merged(call_, [&] {
      (facts.tell(*findings_), ...);
      return findings_->report();
    });
  }

 private:
  Call call_;
  const std::function<Findings()> subject_;
  std::optional<Findings> findings_;
  Agreed<bool> clean_;
};

/// Whether a text, such as settings in words, is that of rank 0 on all ranks. A fact.
class SameText {
 public:
  SameText(const char* rule, Terms remedy) : rule_(rule), remedy_(std::move(remedy)) {}

  void gather(std::string mine, Call& call) {
    mine_ = std::move(mine);
    same_ = call.alike(mine_);
  }
  bool settled() const { return same_; }
  void ask(Call& call) {
    if (!same_) first_ = call.of_first_rank(mine_);
  }
  void tell(Findings& findings) const;

 private:
  const char* rule_;
  Terms remedy_;
  std::string mine_;
  std::optional<std::string> first_;
  AgreedSame same_;
};

}  // namespace daptor::adapter
