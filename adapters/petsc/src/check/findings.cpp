// SPDX-License-Identifier: BSD-3-Clause
#include "findings.hpp"

#include <petsc/private/petscimpl.h>
#include <petscmat.h>

#include <array>
#include <cstdio>

#include "daptor/petsc/adapter/call.hpp"

namespace daptor::petsc::detail {
namespace {

/// The global size of a Vec, Mat or IS: `, 9 elements`. Empty for others, and without a layout.
std::string size_text(PetscObject object) {
  PetscInt size = -1, columns = -1;
  if (object->type_name == nullptr) return {};
  if (object->classid == VEC_CLASSID)
    call("VecGetSize", VecGetSize, reinterpret_cast<Vec>(object), &size);
  if (object->classid == IS_CLASSID)
    call("ISGetSize", ISGetSize, reinterpret_cast<IS>(object), &size);
  if (object->classid == MAT_CLASSID)
    call("MatGetSize", MatGetSize, reinterpret_cast<Mat>(object), &size, &columns);
  if (size < 0) return {};
  if (columns < 0) return ", " + counted(size, "element", "elements");
  return ", " + std::to_string(size) + " x " + std::to_string(columns);
}

}  // namespace

std::string subject_of(PetscObject object, const std::string& part) {
  std::string text = object->class_name == nullptr ? "object" : object->class_name;
  if (object->name != nullptr) text += std::string(" '") + object->name + "'";
  std::string kind;
  if (object->type_name != nullptr) kind = std::string("type ") + object->type_name;
  // PetscObjectGetName would give it a name.
  if (object->name == nullptr) kind += size_text(object);
  if (object->prefix != nullptr)
    kind += (kind.empty() ? "options prefix '" : ", options prefix '") +
            std::string(object->prefix) + "'";
  if (!kind.empty()) text += " (" + kind + ")";
  if (!part.empty()) text += ", " + part;
  return text;
}

Findings findings_about(PetscObject object, const std::string& part) {
  const std::string key = object->class_name == nullptr ? "" : object->class_name;
  return {part.empty() ? key : key + ", " + part, subject_of(object, part)};
}

Inspection::Inspection(PetscObject object, PetscObject on, CallName name)
    : adapter::Inspection(comm_of(on), name, [object] {
        require_session();
        return findings_about(object);
      }) {}

std::string number_text(double value, int digits) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return text.data();
}

}  // namespace daptor::petsc::detail
