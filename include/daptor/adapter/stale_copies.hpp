// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>

#include "daptor/adapter/findings.hpp"
#include "daptor/call.hpp"
#include "daptor/terms.hpp"

/// \file
/// For authors of adapters: copies of elements that other ranks own, against the values of the
/// owners.

namespace daptor::adapter {

/// The copies on this rank that have not the values of their owners. Rule `check.ghosts.stale`. A
/// fact of an Inspection.
///
/// \code
/// adapter::StaleCopies stale("Update them before they are read.");
/// look.gather([&](adapter::Findings&) {
///   for (Index i = 0; i < ghosts.count; ++i) stale.compare(i, values[i], of_owners[i]);
///   stale.gather(ghosts.count, [&](Index i) { return text_of(i); }, look.call());
/// });
/// return look.conclude(stale);
/// \endcode
class StaleCopies {
 public:
  /// @param remedy  what to do about copies that differ
  explicit StaleCopies(Terms remedy) : remedy_(std::move(remedy)) {}

  /// A copy differs from its owner. Process-local, in increasing order of `position`.
  /// @param difference  see `difference_of`
  void differs(Index position, double difference);
  /// Behind all of them, in the first round.
  /// @param copies  number of copies on this rank, those that do not differ included
  /// @param text    says of a position which copy it is and what the two values are
  template <class Text>
  void gather(Index copies, const Text& text, Call& call) {
    copies_ = copies;
    if (count_ > 0) first_text_ = text(first_);
    none_ = call.all(count_ == 0);
  }

  bool settled() const { return none_; }
  void ask(Call& call);
  void tell(Findings& findings) const;

 private:
  const Terms remedy_;
  Index copies_ = 0, count_ = 0, first_ = 0;
  Terms first_text_;
  double largest_ = -1;  ///< of this rank; below 0 without any
  double largest_of_all_ = 0;
  int where_ = 0;  ///< the lowest rank with that one
  Agreed<bool> none_;
};

/// The absolute difference of two values; infinite if one of them alone is not a number, or if they
/// are different infinite ones. Two values that are no numbers do not differ.
double difference_of(double a, double b);

/// `0.1`, with as many digits as a difference is likely to show in.
std::string value_text(double value);

}  // namespace daptor::adapter
