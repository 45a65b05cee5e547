// SPDX-License-Identifier: BSD-3-Clause
#include "findings.hpp"

#include <petsc/private/petscimpl.h>

namespace daptor::petsc::detail {
namespace {

/// PetscObjectGetName would give a name to an object that has none.
std::string subject_of(PetscObject object, const std::string& part) {
  std::string text = object->class_name == nullptr ? "object" : object->class_name;
  if (object->name != nullptr) text += std::string(" '") + object->name + "'";
  std::string kind;
  if (object->type_name != nullptr) kind = std::string("type ") + object->type_name;
  if (object->prefix != nullptr)
    kind += (kind.empty() ? "options prefix '" : ", options prefix '") +
            std::string(object->prefix) + "'";
  if (!kind.empty()) text += " (" + kind + ")";
  if (!part.empty()) text += ", " + part;
  return text;
}

std::string key_of(PetscObject object, const std::string& part) {
  const std::string key = object->class_name == nullptr ? "" : object->class_name;
  return part.empty() ? key : key + ", " + part;
}

}  // namespace

Findings::Findings(PetscObject object, const std::string& part)
    : adapter::Findings(key_of(object, part), subject_of(object, part)) {}

}  // namespace daptor::petsc::detail
