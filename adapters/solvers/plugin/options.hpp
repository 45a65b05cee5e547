// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <petsc/private/pcimpl.h>

#include <Teuchos_ParameterList.hpp>

#include "daptor/call.hpp"

namespace daptor::solvers::plugin {

namespace detail {
template <class Result, class Items>
Items items_of(Result (*)(PC, Items));
}
/// The argument of the callback with which PETSc reads options; its type differs between versions
/// of PETSc.
using OptionItems = decltype(detail::items_of(_PCOps{}.setfromoptions));

/// The range of a number: finite values from `least` to `most`, both included.
struct Range {
  double least = -std::numeric_limits<double>::max();
  double most = std::numeric_limits<double>::max();
  bool without_least = false;  ///< exclude `least`
  bool whole = false;

  bool holds(double value) const;
  /// "a whole number, at least 1".
  std::string text() const;
};

constexpr double largest_int = std::numeric_limits<int>::max();
/// Trilinos' integer parameters have type int.
constexpr Range from_one{1, largest_int, false, true};
constexpr Range from_zero{0, largest_int, false, true};
constexpr Range not_negative{0};
/// Damping factors for which an iteration can converge.
constexpr Range damping{0, 2, true};
/// Bounded, because each level has fewer rows than the one before.
constexpr Range number_of_levels{1, 1000, false, true};
/// With 0 the prolongator is not smoothed.
constexpr Range prolongator_damping{0, 2};

/// A PETSc option that sets one parameter of Trilinos.
struct ParameterOption {
  enum class Kind { integer, real, text, flag };
  const char* name;       ///< without the dash: `pc_muelu_levels`
  const char* parameter;  ///< its path: names of sublists and the parameter, joined by `/`
  Kind kind;
  const char* initial;  ///< Trilinos' default, for `-help`
  const char* text;     ///< one line for `-help`
  Range range = {};     ///< the range of a number
};

/// Reads options of the database and lists them for `-help`. Its functions are process-local, and
/// throw LibraryFailed with PETSc's text for a value that cannot be read, InvalidArgument
/// (`trilinos.option`) for a number out of its range.
class Options {
 public:
  /// `prefix` is the options prefix of the object.
  Options(OptionItems items, std::string prefix) : items_(items), prefix_(std::move(prefix)) {}

  void heading(const char* text);
  /// Each returns true if the option was given; otherwise `value` is unchanged.
  bool text(const char* name, const char* help, std::string& value);
  bool integer(const char* name, const char* help, const Range& range, PetscInt& value);
  bool real(const char* name, const char* help, const Range& range, PetscReal& value);
  bool flag(const char* name, const char* help, bool& value);
  /// Sets the parameter in `list` if the option was given.
  void parameter(const ParameterOption& option, Teuchos::ParameterList& list);
  /// Throws InvalidArgument (`trilinos.option`) if the option's `value` is out of `range`.
  void require(const char* name, double value, const Range& range) const;
  /// Names and values of the options that were given.
  const Settings& given() const { return given_; }

 private:
  OptionItems items_;
  std::string prefix_;
  Settings given_;
};

/// Executes assignments such as `"reuse: type=RP; smoother: params/relaxation: sweeps=2"`, each to
/// a parameter, possibly in sublists. A value is an int, a double, a bool (`true`, `false`) or,
/// otherwise, text. Throws InvalidArgument (`trilinos.parameter`) for text that is no assignment,
/// and for a whole number that does not fit in an int.
void assign_parameters(const std::string& assignments, Teuchos::ParameterList& list);

}  // namespace daptor::solvers::plugin
