// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscdmda.h>

#include <array>
#include <vector>

#include "scheme.hpp"

/// The same with PETSc alone, as its users write it: with global vectors of a DMDA, and a local
/// vector that is filled in each step.
class DmdaWave {
 public:
  /// Collective. Uses the same blocks as Wave.
  DmdaWave(int points, MPI_Comm comm);
  DmdaWave(const DmdaWave&) = delete;
  DmdaWave& operator=(const DmdaWave&) = delete;
  ~DmdaWave();

  Box owned() const;
  void start(const std::vector<PetscScalar>& before, const std::vector<PetscScalar>& now);
  void advance(int steps);
  void exchange();
  std::vector<PetscScalar> values() const;

 private:
  void fill_local(Vec local) const;

  MPI_Comm comm_;
  DM dm_ = nullptr;
  std::array<Vec, 3> levels_{};  // the previous, the present and the next level
};
