// SPDX-License-Identifier: BSD-3-Clause
#include "option_set.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include <petscksp.h>

#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "database_options.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::call;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Splits a line at white space, except within a pair of quotation marks.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = '\0';
  for (const char c : line) {
    if (quote == '\0' && is_space(c)) {
      if (inside) words.push_back(std::move(word));
      word.clear();
      inside = false;
      continue;
    }
    inside = true;
    if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
    } else {
      word += c;
    }
  }
  if (quote != '\0')
    adapter::refuse_argument("options.syntax", "an unmatched quotation mark in '" + line + "'",
                             "pairs of quotation marks", "Add the missing quotation mark.");
  if (inside) words.push_back(std::move(word));
  return words;
}

bool used(PetscOptions options, const std::string& name) {
  PetscBool asked_for = PETSC_FALSE;
  // PETSc stores names without their dash, and does not strip it here.
  call("PetscOptionsUsed", PetscOptionsUsed, options, name.c_str() + 1, &asked_for);
  return asked_for == PETSC_TRUE;
}

/// Whether PETSc reads an option when it is initialized or finalized, for the whole program.
bool is_of_program(const std::string& name) {
  constexpr const char* begins[] = {
      "-info",      "-log_",          "-malloc",     "-memory_view",
      "-options_",  "-on_error_",     "-fp_trap",    "-help",
      "-version",   "-citations",     "-no_signal_", "-start_in_debugger",
      "-debugger_", "-error_output_", "-get_total_", "-checkstack",
      "-objects_",  "-dll_",          "-saws",       "-stop_for_debugger"};
  return name != "-options_file" &&
         std::any_of(std::begin(begins), std::end(begins),
                     [&](const char* begin) { return name.rfind(begin, 0) == 0; });
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Options that are right although PETSc has not asked for them when an object is set up.
class Unasked {
 public:
  /// Process-local. Throws LibraryFailed.
  explicit Unasked(PetscObject object) {
    PetscClassId id = 0;
    call("PetscObjectGetClassId", PetscObjectGetClassId, object, &id);
    auto pc = reinterpret_cast<PC>(object);
    is_ksp_ = id == KSP_CLASSID;
    if (is_ksp_) call("KSPGetPC", KSPGetPC, reinterpret_cast<KSP>(object), &pc);
    PetscBool multigrid = PETSC_FALSE;
    petsc::detail::check(
        PetscObjectTypeCompareAny(petsc::detail::object(pc), &multigrid, PCMG, PCGAMG, ""),
        "PetscObjectTypeCompareAny");
    PetscInt levels = 0;
    if (multigrid == PETSC_TRUE) call("PCMGGetLevels", PCMGGetLevels, pc, &levels);
    coarsest_alone_ = levels == 1;
    multigrid_ = multigrid == PETSC_TRUE;
  }

  bool may_be(const std::string& name) const {
    // A KSP asks for these in its solve; the names of inner ones have a prefix.
    for (const char* of_solve :
         {"ksp_converged_reason", "ksp_converged_rate", "ksp_test_null_space"})
      if (ends_with(name, of_solve) && (is_ksp_ || name.size() > std::strlen(of_solve) + 1))
        return true;
    if (!multigrid_ || name.rfind("-mg_levels_", 0) != 0) return false;
    // There is no level above the coarsest, or no eigenvalues have to be estimated on it.
    return coarsest_alone_ || name.find("_esteig_ksp_") != std::string::npos;
  }

 private:
  bool is_ksp_ = false;
  bool multigrid_ = false;
  bool coarsest_alone_ = false;
};

}  // namespace

std::shared_ptr<OptionSet> OptionSet::parse(const std::string& line, Call& call) {
  call.same("options", line);
  return call.check([&] { return std::shared_ptr<OptionSet>(new OptionSet(line)); });
}

OptionSet::OptionSet(const std::string& line) : session_(petsc::detail::require_session()) {
  const std::vector<std::string> words = words_of(line);
  call("PetscOptionsCreate", PetscOptionsCreate, &options_);
  try {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!is_option_name(words[i]))
        adapter::refuse_argument("options.syntax",
                                 "'" + words[i] + "' in place of the name of an option",
                                 "names that begin with a dash, each with at most one value",
                                 "Write it as for a PETSc program: \"-pc_type gamg\".");
      const bool has_value = i + 1 < words.size() && !is_option_name(words[i + 1]);
      set(words[i], has_value ? &words[i + 1] : nullptr);
      if (has_value) ++i;
    }
  } catch (...) {
    static_cast<void>(PetscOptionsDestroy(&options_));
    throw;
  }
}

void OptionSet::set(const std::string& name, const std::string* value) {
  call("PetscOptionsSetValue", PetscOptionsSetValue, options_, name.c_str(),
       value == nullptr ? nullptr : value->c_str());
  if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
}

OptionSet::~OptionSet() {
  if (petsc::detail::alive(session_)) static_cast<void>(PetscOptionsDestroy(&options_));
}

void OptionSet::require_used(PetscObject object, Call& call) const {
  std::vector<std::int64_t> flags = call.check([&] {
    const Unasked unasked(object);
    std::vector<std::int64_t> mine;
    mine.reserve(names_.size());
    for (const std::string& name : names_)
      mine.push_back(used(options_, name) || unasked.may_be(name) ? 1 : 0);
    return mine;
  });
  if (flags.empty()) return;
  call.comm()->allreduce(flags.data(), static_cast<int>(flags.size()), Reduction::max);
  std::string unknown, of_program;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] != 0) continue;
    std::string& list = is_of_program(names_[i]) ? of_program : unknown;
    list += (list.empty() ? "" : ", ") + names_[i];
  }
  if (!unknown.empty())
    adapter::refuse_argument(
        "options.unknown", unknown + ", which no object has queried",
        "only options of the object that is set up",
        "Check the spelling, and whether the option belongs to the selected type.");
  if (!of_program.empty())
    adapter::refuse_argument(
        "options.program", of_program + ", which PETSc reads when it is initialized",
        "only options of the object that is set up",
        "Give it to the program, on its command line or in the variable PETSC_OPTIONS.");
}

OptionSet::Active::Active(OptionSet* options)
    : options_(options == nullptr || options->active_ ? nullptr : options) {
  if (options_ == nullptr) return;
  call("PetscOptionsPush", PetscOptionsPush, options_->options_);
  options_->active_ = true;
}

OptionSet::Active::~Active() {
  if (options_ == nullptr) return;
  options_->active_ = false;
  static_cast<void>(PetscOptionsPop());
}

}  // namespace daptor::solvers
