// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>

#include <petscsys.h>

/// \file
/// For adapters that join PETSc with another library, and for the plug-in: whether the PETSc that
/// this process has loaded is one that this library can use. What is here can be called with any
/// PETSc.

namespace daptor::petsc::detail {

/// Memory for a PetscBool that the loaded PETSc writes. A PetscBool has 1 byte from PETSc 3.24 on
/// and had 4 bytes before, so the one of the headers may be too small for the library.
class AnyBool {
 public:
  /// The argument for a function of PETSc.
  PetscBool* place() noexcept { return reinterpret_cast<PetscBool*>(bytes_); }
  explicit operator bool() const noexcept {
    return std::any_of(std::begin(bytes_), std::end(bytes_), [](auto byte) { return byte != 0; });
  }

 private:
  alignas(std::int32_t) unsigned char bytes_[sizeof(std::int32_t)] = {};
};

/// Whether PetscFinalize has been called, and not PetscInitialize since.
bool is_finalized() noexcept;
/// Whether PETSc is initialized and not finalized.
bool is_running() noexcept;

/// What is wrong with the PETSc of this process, in two phrases for an error.
struct PetscMismatch {
  std::string found;     ///< empty where nothing is wrong
  std::string expected;  ///< what Daptor was built with
};

/// Compares the library, not its headers, with the headers that Daptor was built with: scalars,
/// index width, and the version without its last number. PETSc need not be initialised.
PetscMismatch petsc_mismatch();

/// The functions of a PETSc that say what it is. They have the same meaning in all builds.
struct PetscFunctions {
  decltype(&PetscDataTypeFromString) type_of_name;
  decltype(&PetscDataTypeGetSize) size_of_type;
  decltype(&PetscGetVersionNumber) version;
};

/// Compares the PETSc with these functions, which need not be the one that this library calls: a
/// process may have loaded several. Also names it where it fits.
struct PetscKind {
  std::string text;      ///< `PETSc 3.18.5, real double, 32-bit indices`
  std::string expected;  ///< the same of the one that Daptor was built with
  bool fits = false;
};
PetscKind petsc_kind(const PetscFunctions& functions);

/// Throws InvalidArgument (`petsc.build`) where there is a mismatch. Process-local.
void require_same_petsc();

/// Answers `daptor --version` and `daptor explain`.
void register_found_petsc();

}  // namespace daptor::petsc::detail
