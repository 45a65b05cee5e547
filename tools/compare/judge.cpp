// SPDX-License-Identifier: BSD-3-Clause
#include "compare/judge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace daptor::compare {
namespace {

/// A jump is a difference: ten times of what was there before.
constexpr double jump = 10;
constexpr double most_of_solve = 0.5;
constexpr double most_of_step = 0.01;
constexpr double time_of_steps = 1e-9;
constexpr double most_varied = 0.99;
/// By how much an operator of which nothing is known enlarges a difference.
constexpr double most_enlarged = 1e4;
/// By so much an order must show to be known as the same.
constexpr double most_of_order = 100;

double distance(std::complex<double> a, std::complex<double> b) {
  const double d = std::abs(a - b);
  if (!std::isnan(d)) return d;
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return same(a.real(), b.real()) && same(a.imag(), b.imag())
             ? 0
             : std::numeric_limits<double>::infinity();
}

Scale scale_of(const Print& print) {
  return {print.magnitudes, print.norm, print.largest ? print.largest->value : 0};
}

Scale scale_of(const Print& one, const Print& other) {
  Scale scale = scale_of(one);
  scale.raise(scale_of(other));
  return scale;
}

std::string text_of(std::complex<double> value, bool is_complex, int digits) {
  if (!is_complex) return number_text(value.real(), digits);
  return "(" + number_text(value.real(), digits) + ", " + number_text(value.imag(), digits) + ")";
}

/// The place of an extreme: `(3, 4)` of a matrix or in a grid, `17` of a Vec.
std::string place_text(const Extreme& extreme, const Print& print) {
  if (extreme.at.empty()) return "";
  std::string text;
  const auto add = [&](std::int64_t i) { text += (text.empty() ? "" : ", ") + std::to_string(i); };
  if (!print.grid.empty() && extreme.at.size() == 1) {
    const std::int64_t components = print.grid[3];
    std::int64_t rest = extreme.at[0] / components;
    for (std::size_t d = 0; d < 3; ++d) {
      if (print.grid[d] > 1 || d == 0) add(rest % print.grid[d]);
      rest /= print.grid[d];
    }
    text = " at point (" + text + ")";
    return components == 1 ? text
                           : text + ", component " + std::to_string(extreme.at[0] % components);
  }
  for (const std::int64_t i : extreme.at) add(i);
  return extreme.at.size() == 1 ? " at index " + text : " at (" + text + ")";
}

/// Collects the numbers that differ.
class Numbers {
 public:
  Numbers(const Print& one, const Print& other) : one_(one), other_(other) {}

  void exact(const char* what, std::int64_t one, std::int64_t other) {
    if (one != other)
      found_.push_back({what, std::to_string(one), std::to_string(other),
                        static_cast<double>(std::abs(one - other)), 0});
  }
  void number(const char* what, std::complex<double> one, std::complex<double> other,
              double explained, const std::string& place = "",
              const std::string& other_place = "") {
    const double difference = distance(one, other);
    if (!(difference > explained)) return;
    const bool is_complex = one_.is_complex && (one.imag() != 0 || other.imag() != 0);
    int digits = 6;
    while (digits < 17 && text_of(one, is_complex, digits) == text_of(other, is_complex, digits))
      ++digits;
    found_.push_back({what, text_of(one, is_complex, digits) + place,
                      text_of(other, is_complex, digits) + other_place, difference, explained});
  }
  void extreme(const char* what, const std::optional<Extreme>& one,
               const std::optional<Extreme>& other, double explained) {
    if (one && other)
      number(what, one->value, other->value, explained, place_text(*one, one_),
             place_text(*other, other_));
  }
  std::vector<Difference>& found() { return found_; }

 private:
  const Print& one_;
  const Print& other_;
  std::vector<Difference> found_;
};

/// All but where elements are.
std::vector<Difference> differences(const Print& one, const Print& other, const Scale& explained) {
  Numbers numbers(one, other);
  if (one.is_matrix() || other.is_matrix()) {
    numbers.exact("rows", one.rows, other.rows);
    numbers.exact("columns", one.columns, other.columns);
  } else {
    numbers.exact("elements", one.count, other.count);
  }
  numbers.exact("NaN and Inf", one.not_finite, other.not_finite);
  if (!numbers.found().empty()) return numbers.found();
  numbers.number("sum", one.sum, other.sum, explained.sum);
  numbers.number("sum of magnitudes", one.magnitudes, other.magnitudes, explained.sum);
  numbers.number("norm", one.norm, other.norm, explained.norm);
  numbers.extreme("least", one.least, other.least, explained.element);
  numbers.extreme("greatest", one.greatest, other.greatest, explained.element);
  if (one.is_complex) numbers.extreme("largest", one.largest, other.largest, explained.element);
  const double magnitudes = std::max(one.magnitudes, other.magnitudes);
  const double part = magnitudes > 0 ? explained.sum / magnitudes : 0;
  if (one.diagonal && other.diagonal && one.diagonal_magnitudes && other.diagonal_magnitudes)
    numbers.number("diagonal", *one.diagonal, *other.diagonal, explained.sum);
  if (one.row_sum && other.row_sum)
    numbers.number("largest sum of a row", *one.row_sum, *other.row_sum,
                   part * std::max(*one.row_sum, *other.row_sum) + explained.element);
  return numbers.found();
}

Scale measured(const Print& one, const Print& other) {
  Scale scale;
  scale.sum = std::max(distance(one.sum, other.sum), std::abs(one.magnitudes - other.magnitudes));
  scale.norm = std::abs(one.norm - other.norm);
  const auto raise = [&](const std::optional<Extreme>& a, const std::optional<Extreme>& b) {
    if (a && b) scale.element = std::max(scale.element, std::abs(a->value - b->value));
  };
  raise(one.least, other.least);
  raise(one.greatest, other.greatest);
  raise(one.largest, other.largest);
  return scale;
}

double relative(const Scale& part, const Scale& whole) {
  const auto ratio = [](double a, double b) { return b > 0 && std::isfinite(a) ? a / b : 0; };
  return std::max({ratio(part.sum, whole.sum), ratio(part.norm, whole.norm),
                   ratio(part.element, whole.element)});
}

/// About how far the sum with weights is from that of the same elements in another order, if these
/// tell: a Vec must have more than two different values, and a matrix entries beside its diagonal.
/// 0 if they do not tell.
double told_by_order(const Print& print) {
  const auto n = static_cast<double>(print.count);
  if (print.is_matrix()) {
    if (print.count < 2 * print.rows || print.rows < 16) return 0;
    const double outside = print.magnitudes - print.diagonal_magnitudes.value_or(0);
    return outside / std::sqrt(n);
  }
  if (print.count < 16 || !print.least || !print.greatest) return 0;
  const double least = print.least->value, greatest = print.greatest->value;
  const double range = greatest - least, mean = print.sum.real() / n;
  const double variance = print.norm * print.norm / n - std::norm(print.sum / n);
  // Two values alone, such as 1 and 0 in the components of a motion along x, have the largest
  // variance that their mean allows.
  const bool varies =
      variance > range * range / 64 && variance < most_varied * (greatest - mean) * (mean - least);
  return varies ? std::sqrt(n * variance) : 0;
}

/// The relative tolerance of a solver in both runs.
double rtol_of(const Pair& solver) {
  return std::max(solver.one->solve->rtol.value_or(0), solver.other->solve->rtol.value_or(0));
}

bool is_product(const std::string& event) {
  return event.rfind("MatMult", 0) == 0;
}

}  // namespace

void Scale::raise(const Scale& by, double factor) {
  const auto larger = [&](double own, double value) {
    return std::isfinite(value) ? std::max(own, factor * value) : own;
  };
  sum = larger(sum, by.sum);
  norm = larger(norm, by.norm);
  element = larger(element, by.element);
}

std::string number_text(double value, int digits) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return text.data();
}

std::string object_text(const Item& item) {
  if (!item.name.empty()) return item.object_class + " '" + item.name + "'";
  std::string text = item.object_class;
  if (item.print && item.print->is_matrix())
    text += " (unnamed, " + std::to_string(item.print->rows) + " x " +
            std::to_string(item.print->columns) + ")";
  else if (item.print)
    text += " (unnamed, " + std::to_string(item.print->count) + " elements)";
  return text;
}

std::string event_text(const Item& item) {
  return item.event + (item.role.empty() ? "" : ", " + item.role);
}

Judge::Judge(const Trace& one, const Trace& other, std::optional<double> rtol)
    : one_(one),
      other_(other),
      rounding_(rtol ? *rtol / jump : jump * std::max(one.epsilon, other.epsilon)),
      epsilon_(std::max(one.epsilon, other.epsilon)) {}

void Judge::note(const std::string& sentence) {
  if (noted_.insert(sentence).second) notes_.push_back(sentence);
}

std::vector<Difference> Judge::look(const Pair& pair) {
  if (pair.one->solve && pair.other->solve) return look_at_solve(pair);
  if (pair.one->print && pair.other->print) return look_at_print(pair);
  return {};
}

Judge::Arguments& Judge::arguments_of(const Item& item) {
  Arguments& arguments = arguments_[item.event + ' ' + std::to_string(item.within.size())];
  const bool in = item.when == "in";
  if (in && arguments.over) arguments = {};
  arguments.over = !in;
  return arguments;
}

std::vector<Difference> Judge::look_at_solve(const Pair& pair) {
  const Solve& one = *pair.one->solve;
  const Solve& other = *pair.other->solve;
  arguments_of(*pair.one).solver = pair;
  std::vector<Difference> found;
  const std::string subject = pair.one->event + " of " + object_text(*pair.one);
  if (one.type != other.type || one.preconditioner != other.preconditioner)
    note(subject + ": " + one.type + " with " + one.preconditioner + " in " + one_.file + ", " +
         other.type + " with " + other.preconditioner + " in " + other_.file);
  if ((one.reason < 0) != (other.reason < 0))
    found.push_back({"reason of convergence", std::to_string(one.reason),
                     std::to_string(other.reason),
                     static_cast<double>(std::abs(one.reason - other.reason)), 0});
  else if (one.steps != other.steps && !one.time)
    note(subject + ": " + std::to_string(one.steps) + " steps in " + one_.file + ", " +
         std::to_string(other.steps) + " in " + other_.file +
         "; its preconditioner may depend on the number of ranks");
  if (one.time && other.time) {
    const double explained =
        allowed_of_time(pair) * std::max(std::abs(*one.time), std::abs(*other.time));
    const double d = distance(*one.time, *other.time);
    if (d > explained)
      found.push_back(
          {"time", number_text(*one.time, 12), number_text(*other.time, 12), d, explained});
    else if (*one.time != 0)
      of_time_ = std::max(of_time_, d / std::abs(*one.time));
  }
  return found;
}

/// The part by which the times of two runs may differ. Steps that adapt depend on estimates of
/// errors, which are differences of two solutions: these are as large as the tolerance of the
/// steps, and known to that of the solves in them.
double Judge::allowed_of_time(const Pair& pair) const {
  const double step = pair.one->solve->step_tolerance.value_or(0);
  const double of_estimate = step > 0 ? rtol_of(pair) / step : 0;
  return std::max(time_of_steps, jump * std::max({of_estimate, rounding_, of_solves_, of_time_}));
}

/// The part by which what solves have made may differ if nothing is known of their residuals.
double Judge::allowed_of_tolerance(double rtol) const {
  return std::min(most_of_solve, 1e4 * std::max(rtol, epsilon_));
}

/// The relative difference of two results that is that of solves, if what went in was equal.
double Judge::allowed_of_solve(const Pair& pair) {
  const double inside = std::max(pair.one->tolerance, pair.other->tolerance);
  if (inside > 0) return allowed_of_tolerance(inside);
  const auto& solver = arguments_of(*pair.one).solver;
  if (!solver || pair.one->when != "out") return 0;
  const Solve& one = *solver->one->solve;
  const Solve& other = *solver->other->solve;
  const double rtol = rtol_of(*solver);
  if (one.time && other.time) {
    const double apart = std::abs(*one.time - *other.time) / std::max(std::abs(*one.time), 1e-300);
    return std::min(most_of_step, std::max({1e4 * rtol, 1e4 * epsilon_, 1e3 * apart}));
  }
  // Both residuals are small, so that both are solutions, however far the condition lets them be
  // apart.
  const double right = std::max(one.right_hand_side.value_or(0), other.right_hand_side.value_or(0));
  if (one.true_residual && other.true_residual && right > 0) {
    const double left = std::max(*one.true_residual, *other.true_residual) / right;
    if (left <= std::max(1e3 * rtol, 1e-8))
      return std::min(most_of_solve, 1e8 * std::max(left, epsilon_));
  }
  return allowed_of_tolerance(rtol);
}

/// Raises what is expected of an event's result by what its arguments explain.
void Judge::expect_of_event(const Pair& pair, Size& size, const Scale& own) {
  const Item& item = *pair.one;
  if (item.when != "out") return;
  const std::string& event = item.event;
  const Arguments& arguments = arguments_of(item);
  if (event == "VecScatterEnd") {
    const auto n = static_cast<double>(item.print->count);
    const double element = of_scatter_.element;
    size.noise.raise({n * element, std::sqrt(n) * element, element});
    return;
  }
  const auto row_sum = row_sums_.find(item.by);
  if (is_product(event) && row_sum != row_sums_.end()) {
    size.noise.raise(arguments.noise, row_sum->second);
    return;
  }
  // A time step applies the program's function, which enlarges the rounding of each stage.
  if (event == "TSStep") size.noise.raise(own, most_enlarged * jump * epsilon_);
  const bool applied =
      is_product(event) || event == "PCApply" || event.find("FunctionEval") != std::string::npos;
  const double factor = event == "MatSolve" ? 1e8 : applied ? most_enlarged : 0;
  if (factor > 0) size.noise.raise(own, factor * relative(arguments.noise, arguments.own));
}

void Judge::compare_order(const Pair& pair, Size& size, std::vector<Difference>& found,
                          const Scale& explained) {
  const Print& one = *pair.one->print;
  const Print& other = *pair.other->print;
  const bool equal = distance(one.mixed, other.mixed) <= explained.sum;
  const bool in_place = (one.natural && other.natural) || one_.ranks == other_.ranks;
  if (equal) {
    // Points of a grid say nothing of how PETSc numbers others.
    if (!in_place && size.order == Order::unknown &&
        told_by_order(one) > most_of_order * explained.sum)
      size.order = Order::same;
    return;
  }
  if (in_place || size.order == Order::same) {
    Numbers numbers(one, other);
    numbers.number("elements in other places: sum with weights by index", one.mixed, other.mixed,
                   explained.sum);
    found = numbers.found();
    return;
  }
  size.order = Order::other;
  note(object_text(*pair.one) +
       ": the same values in another order, as PETSc numbers them; where they are is not compared");
}

/// Whether the elements of a Vec are as many as the ranks, or as those along a direction of a grid
/// of ranks.
bool Judge::is_of_ranks(const Print& one, const Print& other) const {
  const auto divides = [](std::int64_t count, int ranks) {
    return count > 0 && ranks % count == 0;
  };
  return one_.ranks != other_.ranks && one.count != other.count && !one.is_matrix() &&
         divides(one.count, one_.ranks) && divides(other.count, other_.ranks);
}

std::vector<Difference> Judge::look_at_print(const Pair& pair) {
  const Item& item = *pair.one;
  const Print& one = *item.print;
  const Print& other = *pair.other->print;
  if (is_of_ranks(one, other)) {
    note(object_text(item) +
         ": an element for each rank, or for each row of ranks, which is not compared");
    return {};
  }
  const std::string kind = item.object_class + ' ' +
                           std::to_string(one.is_matrix() ? one.rows : one.count) + ' ' +
                           std::to_string(one.columns);
  Size& size = sizes_[kind];
  const Scale own = scale_of(one, other);
  size.noise.raise(own, std::max(rounding_, of_solves_));
  expect_of_event(pair, size, own);
  const double allowed = allowed_of_solve(pair);
  Scale explained;
  explained.raise(size.noise, jump);
  explained.raise(own, allowed);

  std::vector<Difference> found = differences(one, other, explained);
  if (found.empty()) compare_order(pair, size, found, explained);
  if (!found.empty()) return found;

  const Scale seen = measured(one, other);
  size.noise.raise(own, relative(seen, own));
  Arguments& arguments = arguments_of(item);
  if (allowed > 0) {
    const double inside = std::max(pair.one->tolerance, pair.other->tolerance);
    const double rtol = inside > 0 ? inside : rtol_of(*arguments.solver);
    of_solves_ = std::max({of_solves_, relative(seen, own), std::min(rtol, 1e-2)});
    size.noise.raise(own, of_solves_);
  }
  if (one.is_matrix() && one.count != other.count)
    note(object_text(item) + ": " + std::to_string(one.count) + " entries in " + one_.file + ", " +
         std::to_string(other.count) + " in " + other_.file + ", of equal sums: some are 0");
  if (one.is_matrix() && one.row_sum) row_sums_[item.object] = *one.row_sum;
  if (item.when == "in") {
    arguments.own.raise(own);
    arguments.noise.raise(size.noise);
    if (item.event == "VecScatterBegin") of_scatter_ = size.noise;
  }
  return {};
}

}  // namespace daptor::compare
