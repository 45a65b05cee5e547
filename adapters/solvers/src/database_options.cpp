// SPDX-License-Identifier: BSD-3-Clause
#include "database_options.hpp"

#include <cctype>
#include <sstream>

#include <petscsys.h>

#include "daptor/petsc/adapter/call.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::call;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The whole options database as PETSc prints it: "-name value -name -name value".
std::string all_options() {
  char* text = nullptr;
  call("PetscOptionsGetAll", PetscOptionsGetAll, static_cast<PetscOptions>(nullptr), &text);
  std::string copy = text == nullptr ? "" : text;
  static_cast<void>(PetscFree(text));
  return copy;
}

}  // namespace

bool is_option_name(const std::string& word) {
  PetscBool name = PETSC_FALSE;
  call("PetscOptionsValidKey", PetscOptionsValidKey, word.c_str(), &name);
  return name == PETSC_TRUE;
}

Settings options_under(const std::string& prefix) {
  const std::string dashed = lower("-" + prefix);
  Settings found;
  // value of the option that is being read; null if the option has another prefix
  std::string* value = nullptr;
  std::istringstream words(all_options());
  for (std::string word; words >> word;) {
    if (is_option_name(word)) {
      const bool ours = lower(word).rfind(dashed, 0) == 0;
      value = ours ? &found["-" + word.substr(dashed.size())] : nullptr;
    } else if (value != nullptr) {
      *value += (value->empty() ? "" : " ") + word;
    }
  }
  return found;
}

}  // namespace daptor::solvers
