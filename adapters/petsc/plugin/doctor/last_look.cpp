// SPDX-License-Identifier: BSD-3-Clause
#include "last_look.hpp"

#include <petsc/private/vecimpl.h>

#include <array>
#include <cstddef>
#include <string>

#include "daptor/petsc/adapter/call.hpp"
#include "petsc/src/check/objects.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

using Destroy = PetscErrorCode (*)(Vec);

void (*told)(Vec) = nullptr;

/// A type of Vec, and how PETSc destroys it. VecDuplicate copies the functions of a Vec, so that
/// they must not depend on which Vec it is.
struct Type {
  const char* name;
  Destroy original;  ///< null until a Vec of the type is watched
};
std::array<Type, 3> types{{{VECSEQ, nullptr}, {VECMPI, nullptr}, {VECSHARED, nullptr}}};

template <std::size_t type>
PetscErrorCode destroy(Vec vec) {
  if (told != nullptr) told(vec);
  return types[type].original(vec);
}
constexpr std::array<Destroy, 3> ours{destroy<0>, destroy<1>, destroy<2>};

/// How the memory of Vecs of these types begins.
struct Memory {
  VECHEADER
};

}  // namespace

void before_destruction(Vec vec, void (*look)(Vec)) {
  told = look;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (!detail::is_one_of(detail::object(vec), {types[i].name})) continue;
    if (types[i].original == nullptr) types[i].original = vec->ops->destroy;
    if (vec->ops->destroy == types[i].original) vec->ops->destroy = ours[i];
    return;
  }
}

bool owns_values(Vec vec) {
  if (vec->data == nullptr || !detail::is_one_of(detail::object(vec), {VECSEQ, VECMPI}))
    return false;
  const auto* const memory = static_cast<const Memory*>(vec->data);
  return memory->array != nullptr && memory->array == memory->array_allocated;
}

bool has_cached_norm(Vec vec) {
  for (const NormType type : {NORM_1, NORM_2, NORM_FROBENIUS, NORM_INFINITY}) {
    PetscBool known = PETSC_FALSE;
    PetscReal norm = 0;
    detail::call("VecNormAvailable", VecNormAvailable, vec, type, &known, &norm);
    if (known == PETSC_TRUE) return true;
  }
  return false;
}

}  // namespace daptor::petsc::plugin::doctor
