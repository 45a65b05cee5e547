// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <sstream>

#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"

namespace daptor::solvers::plugin {
namespace {

using petsc::detail::check;
using petsc::detail::petsc_int;

// PETSc's macros need a variable of this name, and contain return statements, so each is in a
// function of its own.
PetscErrorCode get_text(OptionItems PetscOptionsObject, const char* name, const char* help,
                        const char* now, char* value, std::size_t size, PetscBool* given) {
  return PetscOptionsString(name, help, nullptr, now, value, size, given);
}
PetscErrorCode get_integer(OptionItems PetscOptionsObject, const char* name, const char* help,
                           PetscInt* value, PetscBool* given) {
  return PetscOptionsInt(name, help, nullptr, *value, value, given);
}
/// Reads the number alone: from PETSc 3.22 on, `list_real` refuses one that is not finite, in other
/// words than ours.
PetscErrorCode get_real(OptionItems PetscOptionsObject, const char* name, PetscReal* value,
                        PetscBool* given) {
  return PetscOptionsGetReal(PetscOptionsObject->options, PetscOptionsObject->prefix, name, value,
                             given);
}
/// Reads the number and lists it for `-help`.
PetscErrorCode list_real(OptionItems PetscOptionsObject, const char* name, const char* help,
                         PetscReal* value, PetscBool* given) {
  return PetscOptionsReal(name, help, nullptr, *value, value, given);
}
PetscErrorCode get_flag(OptionItems PetscOptionsObject, const char* name, const char* help,
                        PetscBool* value, PetscBool* given) {
  return PetscOptionsBool(name, help, nullptr, *value, value, given);
}
PetscErrorCode print_heading(OptionItems PetscOptionsObject, const char* text) {
  PetscOptionsHeadBegin(PetscOptionsObject, text);
  return PetscErrorCode{};
}

std::string trimmed(const std::string& text) {
  const char* const blank = " \t\n";
  const auto first = text.find_first_not_of(blank);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/// Sets the parameter at a path, the names of sublists and of the parameter joined by `/`.
template <class T>
void set_at(Teuchos::ParameterList& list, const std::string& path, const T& value) {
  const auto slash = path.find('/');
  if (slash == std::string::npos) {
    list.set(trimmed(path), value);
  } else {
    set_at(list.sublist(trimmed(path.substr(0, slash))), path.substr(slash + 1), value);
  }
}

bool fits_int(long value) {
  return value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max();
}

/// The value with as many digits as are needed to read it back unchanged.
std::string spelt(double number) {
  for (const int digits : {6, std::numeric_limits<double>::max_digits10}) {
    std::ostringstream out;
    out << std::setprecision(digits) << number;
    if (!std::isfinite(number) || std::strtod(out.str().c_str(), nullptr) == number)
      return out.str();
  }
  return {};
}

void set_value(Teuchos::ParameterList& list, const std::string& path, const std::string& text) {
  char* end = nullptr;
  errno = 0;
  const long integer = std::strtol(text.c_str(), &end, 10);
  if (!text.empty() && *end == '\0') {
    if (errno != 0 || !fits_int(integer))
      adapter::refuse_argument("trilinos.parameter", "'" + path + "' with the value " + text,
                               "a whole number that fits in an int",
                               "Give another value, or a real number.");
    return set_at(list, path, static_cast<int>(integer));
  }
  const double real = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == '\0') return set_at(list, path, real);
  if (text == "true" || text == "false") return set_at(list, path, text == "true");
  set_at(list, path, text);
}

}  // namespace

void Options::heading(const char* text) {
  check(print_heading(items_, text), "PetscOptionsHeadBegin");
}

bool Options::text(const char* name, const char* help, std::string& value) {
  std::vector<char> buffer(PETSC_MAX_PATH_LEN);
  PetscBool given = PETSC_FALSE;
  const std::string dashed = std::string("-") + name;
  check(get_text(items_, dashed.c_str(), help, value.c_str(), buffer.data(), buffer.size(), &given),
        "PetscOptionsString");
  if (given == PETSC_TRUE) {
    value = buffer.data();
    given_[dashed] = value;
  }
  return given == PETSC_TRUE;
}

bool Range::holds(double value) const {
  if (!std::isfinite(value) || (whole && value != std::floor(value))) return false;
  return (without_least ? value > least : value >= least) && value <= most;
}

std::string Range::text() const {
  std::string text = whole ? "a whole number" : "a finite number";
  if (least > -std::numeric_limits<double>::max())
    text += (without_least ? ", more than " : ", at least ") + spelt(least);
  if (most < std::numeric_limits<double>::max()) text += ", at most " + spelt(most);
  return text;
}

void Options::require(const char* name, double value, const Range& range) const {
  if (range.holds(value)) return;
  adapter::refuse_argument("trilinos.option", "-" + prefix_ + name + " " + spelt(value),
                           range.text(), "Give another value, or leave the option out.");
}

bool Options::integer(const char* name, const char* help, const Range& range, PetscInt& value) {
  PetscBool given = PETSC_FALSE;
  const std::string dashed = std::string("-") + name;
  check(get_integer(items_, dashed.c_str(), help, &value, &given), "PetscOptionsInt");
  if (given == PETSC_TRUE) {
    require(name, static_cast<double>(value), range);
    given_[dashed] = std::to_string(value);
  }
  return given == PETSC_TRUE;
}

bool Options::real(const char* name, const char* help, const Range& range, PetscReal& value) {
  PetscBool given = PETSC_FALSE;
  const std::string dashed = std::string("-") + name;
  PetscReal wanted = value;
  check(get_real(items_, dashed.c_str(), &wanted, &given), "PetscOptionsGetReal");
  if (given == PETSC_TRUE) require(name, wanted, range);
  check(list_real(items_, dashed.c_str(), help, &value, &given), "PetscOptionsReal");
  if (given == PETSC_TRUE) given_[dashed] = spelt(value);
  return given == PETSC_TRUE;
}

bool Options::flag(const char* name, const char* help, bool& value) {
  PetscBool given = PETSC_FALSE;
  PetscBool found = value ? PETSC_TRUE : PETSC_FALSE;
  const std::string dashed = std::string("-") + name;
  check(get_flag(items_, dashed.c_str(), help, &found, &given), "PetscOptionsBool");
  value = found == PETSC_TRUE;
  if (given == PETSC_TRUE) given_[dashed] = value ? "true" : "false";
  return given == PETSC_TRUE;
}

void Options::parameter(const ParameterOption& option, Teuchos::ParameterList& list) {
  using Kind = ParameterOption::Kind;
  switch (option.kind) {
    case Kind::integer: {
      PetscInt value = petsc_int(std::atoll(option.initial));
      if (integer(option.name, option.text, option.range, value))
        set_at(list, option.parameter, static_cast<int>(value));
      break;
    }
    case Kind::real: {
      PetscReal value = std::atof(option.initial);
      if (real(option.name, option.text, option.range, value))
        set_at(list, option.parameter, double{value});
      break;
    }
    case Kind::flag: {
      bool value = std::string(option.initial) == "true";
      if (flag(option.name, option.text, value)) set_at(list, option.parameter, value);
      break;
    }
    case Kind::text: {
      std::string value = option.initial;
      if (text(option.name, option.text, value)) set_at(list, option.parameter, value);
      break;
    }
  }
}

void assign_parameters(const std::string& assignments, Teuchos::ParameterList& list) {
  std::size_t begin = 0;
  while (begin < assignments.size()) {
    const std::size_t end = std::min(assignments.find(';', begin), assignments.size());
    const std::string one = trimmed(assignments.substr(begin, end - begin));
    begin = end + 1;
    if (one.empty()) continue;
    const auto equals = one.find('=');
    if (equals == std::string::npos || trimmed(one.substr(0, equals)).empty())
      adapter::refuse_argument(
          "trilinos.parameter", "'" + one + "'", "assignments as in 'max levels=3'",
          "Write name=value, separate several assignments by ';', and write a parameter in a "
          "sublist as 'sublist/name=value'.");
    set_value(list, trimmed(one.substr(0, equals)), trimmed(one.substr(equals + 1)));
  }
}

}  // namespace daptor::solvers::plugin
