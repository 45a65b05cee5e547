// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <petscsys.h>

/// \file
/// The PETSc that loads the plug-in. It need not be the one that the plug-in is linked to: petsc4py
/// keeps its PETSc to itself, so that the plug-in then brings a second one, which nobody has
/// started.

namespace daptor::petsc::plugin {

/// The shared library that contains an address, among those that this process has loaded.
class RunningPetsc {
 public:
  /// @param caller  an address in the function of PETSc that called the plug-in
  explicit RunningPetsc(const void* caller);
  RunningPetsc(const RunningPetsc&) = delete;
  RunningPetsc& operator=(const RunningPetsc&) = delete;
  ~RunningPetsc();

  /// Why the plug-in does not work with it, as a sentence; empty if it does. Calls no function
  /// whose meaning differs between builds of PETSc.
  std::string difference() const;
  /// Raises an error of this PETSc with `text` as its message, and returns its code.
  PetscErrorCode raise(const std::string& text) const;

 private:
  template <class Function>
  Function find(const char* name, Function linked) const;
  bool is_linked() const;
  MPI_Comm world() const;  ///< its PETSC_COMM_WORLD

  std::string file_;
  void* library_ = nullptr;  ///< null: not found, so the PETSc that the plug-in calls is taken
};

}  // namespace daptor::petsc::plugin
