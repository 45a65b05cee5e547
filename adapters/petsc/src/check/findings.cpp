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

/// The text, without the end of a long one.
std::string shortened(const std::string& text) {
  constexpr std::size_t most = 300;
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

}  // namespace

Findings::Findings(PetscObject object, const std::string& part)
    : adapter::Findings(key_of(object, part), subject_of(object, part)) {}

void compare_settings(const char* rule, const std::string& mine, const std::string& first,
                      const Terms& remedy, Findings& findings) {
  if (mine == first) return;
  findings.error(rule, shortened(mine), "what rank 0 has, on all ranks: " + shortened(first),
                 remedy);
}

}  // namespace daptor::petsc::detail
