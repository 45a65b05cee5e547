// SPDX-License-Identifier: BSD-3-Clause
#include "findings.hpp"

#include <petsc/private/petscimpl.h>

#include <utility>

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

}  // namespace

Findings::Findings(PetscObject object, const std::string& part)
    : key_(object->class_name == nullptr ? "" : object->class_name),
      subject_(subject_of(object, part)) {
  if (!part.empty()) key_ += ", " + part;
}

void Findings::add(Severity severity, const char* rule, const std::string& found,
                   std::string expected, std::string remedy) {
  Finding finding = error_finding(rule, -1, key_, subject_ + ": " + found, std::move(expected),
                                  std::move(remedy));
  finding.severity = severity;
  report_.add(std::move(finding));
}

std::string counted(Index count, const char* one, const char* several) {
  return std::to_string(count) + " " + (count == 1 ? one : several);
}

}  // namespace daptor::petsc::detail
