// SPDX-License-Identifier: BSD-3-Clause
#include "program_option.hpp"

#include <petscsys.h>

#include <vector>

#include "daptor/petsc/adapter/call.hpp"

namespace daptor::petsc::plugin {

std::optional<std::string> program_option(const char* name) {
  std::vector<char> text(PETSC_MAX_PATH_LEN);
  PetscBool given = PETSC_FALSE;
  detail::call("PetscOptionsGetString", PetscOptionsGetString, PetscOptions{nullptr}, nullptr, name,
               text.data(), text.size(), &given);
  if (given == PETSC_FALSE) return std::nullopt;
  return std::string(text.data());
}

bool program_flag(const char* name) {
  PetscBool value = PETSC_FALSE;
  detail::call("PetscOptionsGetBool", PetscOptionsGetBool, PetscOptions{nullptr}, nullptr, name,
               &value, nullptr);
  return value == PETSC_TRUE;
}

}  // namespace daptor::petsc::plugin
