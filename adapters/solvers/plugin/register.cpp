// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The function that PETSc calls in `libdaptor_pc.so` (option `-dll_append`).

#include <cstdio>
#include <string>

#include "solvers/src/petsc_error.hpp"
#include "trilinos_pc.hpp"

namespace daptor::solvers::plugin {
namespace {

std::string kind(bool complex, std::size_t scalar_bytes, std::size_t index_bytes) {
  return std::string(complex ? "complex" : "real") + " scalars of " + std::to_string(scalar_bytes) +
         " bytes and indices of " + std::to_string(8 * index_bytes) + " bits";
}

/// How the running PETSc differs from the one with which this was compiled, as a sentence; empty if
/// it does not. Asks the library, not its headers.
std::string difference() {
  PetscDataType type = PETSC_DATATYPE_UNKNOWN;
  PetscBool known = PETSC_FALSE;
  std::size_t scalar_bytes = 0;
  std::size_t index_bytes = 0;
  PetscInt major = 0;
  PetscInt minor = 0;
  // No PetscInt is passed before its width is known.
  static_cast<void>(PetscDataTypeFromString("scalar", &type, &known));
  static_cast<void>(PetscDataTypeGetSize(type, &scalar_bytes));
  static_cast<void>(PetscDataTypeGetSize(PETSC_INT, &index_bytes));
  const bool complex = type == PETSC_COMPLEX;
  const bool same_kind = complex == (PETSC_SCALAR == PETSC_COMPLEX) &&
                         scalar_bytes == sizeof(PetscScalar) && index_bytes == sizeof(PetscInt);
  if (!same_kind)
    return "the program runs a PETSc with " + kind(complex, scalar_bytes, index_bytes) +
           ", and this plug-in was built for one with " +
           kind(PETSC_SCALAR == PETSC_COMPLEX, sizeof(PetscScalar), sizeof(PetscInt)) +
           "; build Daptor with the program's PETSc";
  static_cast<void>(PetscGetVersionNumber(&major, &minor, nullptr, nullptr));
  if (major != PETSC_VERSION_MAJOR || minor != PETSC_VERSION_MINOR)
    return "the program runs PETSc " + std::to_string(major) + "." + std::to_string(minor) +
           ", and this plug-in was built for PETSc " + std::to_string(PETSC_VERSION_MAJOR) + "." +
           std::to_string(PETSC_VERSION_MINOR) + "; build Daptor with the program's PETSc";
  return {};
}

PetscErrorCode register_types() {
  const PetscErrorCode code = PCRegister("muelu", create_muelu);
  return static_cast<int>(code) != 0 ? code : PCRegister("ifpack2", create_ifpack2);
}

}  // namespace
}  // namespace daptor::solvers::plugin

PETSC_EXTERN PETSC_VISIBILITY_PUBLIC PetscErrorCode PetscDLLibraryRegister_daptor_pc();

/// Called by PETSc when it has loaded the library, in every session. Adds `muelu` and `ifpack2`.
PetscErrorCode PetscDLLibraryRegister_daptor_pc() {
  using namespace daptor::solvers;
  try {
    const std::string why = plugin::difference();
    if (!why.empty()) return raise(PETSC_COMM_WORLD, why, PETSC_ERR_SUP);
    return plugin::register_types();
  } catch (...) {
    return raise(PETSC_COMM_SELF, current_text("PetscDLLibraryRegister_daptor_pc"));
  }
}
