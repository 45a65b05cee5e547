// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <petsc/private/pcimpl.h>

#include <Teuchos_ParameterList.hpp>

#include "daptor/comm.hpp"
#include "solvers/src/settings.hpp"

namespace daptor::solvers::plugin {

namespace detail {
template <class Result, class Items>
Items items_of(Result (*)(PC, Items));
}
/// What PETSc hands to a function that reads options; its versions differ.
using OptionItems = decltype(detail::items_of(_PCOps{}.setfromoptions));

/// The values that a number may have: finite ones from `least` to `most`.
struct Range {
  double least = -std::numeric_limits<double>::max();
  double most = std::numeric_limits<double>::max();
  bool without_least = false;  ///< more than `least`
  bool whole = false;

  bool holds(double value) const;
  /// "a whole number, at least 1".
  std::string text() const;
};

constexpr double largest_int = std::numeric_limits<int>::max();
/// Trilinos counts in int.
constexpr Range from_one{1, largest_int, false, true};
constexpr Range from_zero{0, largest_int, false, true};
constexpr Range not_negative{0};
/// Damping: beyond it an iteration grows.
constexpr Range damping{0, 2, true};

/// An option of the database that stands for one parameter of Trilinos.
struct ParameterOption {
  enum class Kind { integer, real, text, flag };
  const char* name;       ///< without the dash, `pc_muelu_levels`
  const char* parameter;  ///< where it goes: names of sublists and the parameter, joined by `/`
  Kind kind;
  const char* initial;  ///< what Trilinos takes otherwise, for `-help`
  const char* text;     ///< one line for `-help`
  Range range = {};     ///< of a number
};

/// Reads options of the database and lists them for `-help`. Its functions are process-local, and
/// throw LibraryFailed with PETSc's text for a value that cannot be read, InvalidArgument
/// (`trilinos.option`) for a number out of its range.
class Options {
 public:
  /// `prefix` is that of the object whose options they are.
  Options(OptionItems items, std::string prefix) : items_(items), prefix_(std::move(prefix)) {}

  void heading(const char* text);
  /// Each returns true where the option was given, and leaves `value` alone otherwise.
  bool text(const char* name, const char* help, std::string& value);
  bool integer(const char* name, const char* help, const Range& range, PetscInt& value);
  bool real(const char* name, const char* help, const Range& range, PetscReal& value);
  bool flag(const char* name, const char* help, bool& value);
  /// Into `list` where it was given.
  void parameter(const ParameterOption& option, Teuchos::ParameterList& list);
  /// Throws InvalidArgument (`trilinos.option`) where `value` of the option is out of `range`.
  void require(const char* name, double value, const Range& range) const;
  /// Names and values of those that were given.
  const Settings& given() const { return given_; }

 private:
  OptionItems items_;
  std::string prefix_;
  Settings given_;
};

/// `"reuse: type=RP; smoother: params/relaxation: sweeps=2"`: a list of assignments, each to a
/// parameter in sublists. A value is an int, a double, a bool (`true`, `false`) or, otherwise,
/// text. Throws InvalidArgument (`trilinos.parameter`) for what is no assignment, and for a whole
/// number that is too large for Trilinos, which counts in int.
void assign_parameters(const std::string& assignments, Teuchos::ParameterList& list);

/// Collective. The parameter list in an XML file, which the first rank reads. Throws, on all ranks,
/// InvalidArgument with rule `xml.file` (it cannot be read, is no regular file, or has more than
/// 16 MiB) or `xml.syntax`.
Teuchos::ParameterList read_xml(const std::string& path, const Comm& comm);

}  // namespace daptor::solvers::plugin
