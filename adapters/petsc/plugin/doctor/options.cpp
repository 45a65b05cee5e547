// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include <petscsys.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <sstream>

#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "petsc/plugin/program_option.hpp"
#include "record.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

struct Option {
  const char* name;
  const char* meaning;
};

constexpr std::array listed_options{
    Option{"-daptor_check [values,calls,ghosts]",
           "look at mappings, layouts, matrices, solvers and scatters; values: and at the values "
           "of Vecs; ghosts: and fill stale ghosts with NaN; calls: look at which collective calls "
           "the ranks make"},
    Option{"-daptor_check_patience <30>",
           "so many seconds without an event of PETSc are nobody going on"},
    Option{"-daptor_check_report <file.json>", "write all findings"},
    Option{"-daptor_check_abort", "end the job at the first error"},
    Option{"-daptor_check_suppress <file>", "leave out what its lines say is meant"},
    Option{"-daptor_check_baseline <old.json>", "leave out what this report has"},
    Option{"-daptor_check_status <n>", "end with this exit status if an error is left"},
    Option{"-daptor_check_severity <error>",
           "what counts for -daptor_check_status and -daptor_check_abort: error, warning or note"},
};

double seconds_of(const char* option, const std::string& text) {
  std::istringstream in(text);
  double seconds = 0;
  if (!(in >> seconds) || !in.eof() || !(seconds > 0) || !(seconds < 1e9))
    throw InvalidArgument(option, text, "a number of seconds above 0");
  return seconds;
}

/// Whether the text is one of PETSc's words for a truth value.
bool is_word(const std::string& text, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

}  // namespace

std::optional<Options> Options::of_program() {
  const auto what = program_option("-daptor_check");
  if (!what || is_word(*what, {"0", "false", "no", "off"})) return std::nullopt;
  Options options;
  std::istringstream words(is_word(*what, {"1", "true", "yes", "on"}) ? "" : *what);
  for (std::string word; std::getline(words, word, ',');) {
    if (word == "values")
      options.values = true;
    else if (word == "calls")
      options.calls = true;
    else if (word == "ghosts")
      options.values = options.ghosts = true;
    else
      throw InvalidArgument("-daptor_check", *what,
                            "no value, or 'values', 'calls' or 'ghosts', with commas between");
  }
  if (const auto report = program_option("-daptor_check_report")) options.report = *report;
  if (!options.report.empty() && !writes_reports)
    throw InvalidArgument("-daptor_check_report", options.report,
                          "no report: nlohmann-json was not found when the plug-in was built");
  options.abort = program_flag("-daptor_check_abort");
  if (const auto patience = program_option("-daptor_check_patience"))
    options.patience = seconds_of("-daptor_check_patience", *patience);
  options.counting = Counting::of_program();
  return options;
}

void print_help_if_asked() {
  PetscBool asked = PETSC_FALSE;
  detail::call("PetscOptionsHasHelp", PetscOptionsHasHelp, PetscOptions{nullptr}, &asked);
  if (asked == PETSC_FALSE) return;
  const MPI_Comm world = PETSC_COMM_WORLD;
  detail::check((*PetscHelpPrintf)(world, "Daptor's doctor for layouts (docs/check.md):\n"),
                "PetscHelpPrintf");
  for (const Option& option : listed_options)
    detail::check((*PetscHelpPrintf)(world, "  %s: %s\n", option.name, option.meaning),
                  "PetscHelpPrintf");
}

}  // namespace daptor::petsc::plugin::doctor
