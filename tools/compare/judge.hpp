// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compare/align.hpp"
#include "compare/trace_file.hpp"

namespace daptor::compare {

/// A number that differs between two runs.
struct Difference {
  std::string what;        ///< `sum`
  std::string one, other;  ///< as text, with the place of an extreme
  double difference = 0;
  double explained = 0;  ///< by rounding and the tolerances of solves; less than `difference`
};

/// By how much numbers of an object may differ: a sum, a norm, and a single element.
struct Scale {
  double sum = 0, norm = 0, element = 0;

  void raise(const Scale& by, double factor = 1);
};

/// Compares the items of two runs in their order, and estimates by how much they may differ.
///
/// What rounding explains is 100 epsilon of the sum of magnitudes, the norm and the largest element
/// that objects of this size have had so far: a residual that is left of large numbers has their
/// rounding. Small differences grow in the course of a run, so that ten times of what was seen of
/// objects of this size is explained, too. Behind a solve the runs agree to its tolerance: what has
/// gone in is equal, and both solutions leave a small residual.
class Judge {
 public:
  /// @param rtol  a part of the magnitudes that is explained, in place of 100 epsilon
  Judge(const Trace& one, const Trace& other, std::optional<double> rtol);

  /// The numbers by which the pair differs beyond what is explained; empty if it is equal. Pairs of
  /// both runs, in their order.
  std::vector<Difference> look(const Pair& pair);

  /// Sentences about what is different and need not be wrong.
  const std::vector<std::string>& notes() const { return notes_; }
  /// The relative difference that solves have left; 0 without any.
  double of_solves() const { return of_solves_; }

 private:
  enum class Order { unknown, same, other };
  /// What is known of objects of one size.
  struct Size {
    Scale noise;
    Order order = Order::unknown;
  };

  /// What has gone into an event, and what its solver says.
  struct Arguments {
    Scale own, noise;
    bool over = false;
    std::optional<Pair> solver;
  };
  Arguments& arguments_of(const Item& item);

  std::vector<Difference> look_at_solve(const Pair& pair);
  std::vector<Difference> look_at_print(const Pair& pair);
  void expect_of_event(const Pair& pair, Size& size, const Scale& own);
  bool is_of_ranks(const Print& one, const Print& other) const;
  double allowed_of_tolerance(double rtol) const;
  double allowed_of_time(const Pair& pair) const;
  double allowed_of_solve(const Pair& pair);
  void compare_order(const Pair& pair, Size& size, std::vector<Difference>& found,
                     const Scale& explained);
  void note(const std::string& sentence);

  const Trace& one_;
  const Trace& other_;
  double rounding_;  ///< a tenth of what is explained
  double epsilon_;
  double of_solves_ = 0;
  double of_time_ = 0;  ///< the largest relative difference of times so far
  std::map<std::string, Size> sizes_;
  std::map<std::int64_t, double> row_sums_;  ///< of matrices, by their number in the first run
  Scale of_scatter_;                         ///< what the last scatter has read
  std::vector<std::string> notes_;
  std::set<std::string> noted_;
  std::map<std::string, Arguments> arguments_;  ///< of events that are open, by name and depth
};

/// `Vec 'load'`, `Mat 3`
std::string object_text(const Item& item);

/// `KSPSolve, right-hand side`: what the object is in its event.
std::string event_text(const Item& item);

/// To 6 digits, or as many as tell two numbers apart.
std::string number_text(double value, int digits = 6);

}  // namespace daptor::compare
