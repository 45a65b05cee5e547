// SPDX-License-Identifier: BSD-3-Clause
#include "dmda_wave.hpp"

#include <algorithm>
#include <utility>

#include <daptor/block_dimensions.hpp>
#include <daptor/builders.hpp>

DmdaWave::DmdaWave(int points, MPI_Comm comm) : comm_(comm) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  const auto grid = daptor::block_grid(2, ranks);
  // PETSc's x is the dimension that varies fastest, so it counts columns.
  PetscCallAbort(comm,
                 DMDACreate2d(comm, DM_BOUNDARY_PERIODIC, DM_BOUNDARY_PERIODIC, DMDA_STENCIL_STAR,
                              points, points, static_cast<PetscInt>(grid[1]),
                              static_cast<PetscInt>(grid[0]), 1, 1, nullptr, nullptr, &dm_));
  PetscCallAbort(comm, DMSetUp(dm_));
  for (Vec& level : levels_) PetscCallAbort(comm, DMCreateGlobalVector(dm_, &level));
}

DmdaWave::~DmdaWave() {
  for (Vec& level : levels_) PetscCallAbort(comm_, VecDestroy(&level));
  PetscCallAbort(comm_, DMDestroy(&dm_));
}

Box DmdaWave::owned() const {
  PetscInt x = 0, y = 0, width = 0, height = 0;
  PetscCallAbort(comm_, DMDAGetCorners(dm_, &x, &y, nullptr, &width, &height, nullptr));
  return {y, x, height, width};
}

void DmdaWave::start(const std::vector<PetscScalar>& before, const std::vector<PetscScalar>& now) {
  for (const auto& [level, values] : {std::pair(levels_[0], &before), {levels_[1], &now}}) {
    PetscScalar* u = nullptr;
    PetscCallAbort(comm_, VecGetArrayWrite(level, &u));
    std::copy(values->begin(), values->end(), u);
    PetscCallAbort(comm_, VecRestoreArrayWrite(level, &u));
  }
}

void DmdaWave::fill_local(Vec local) const {
  PetscCallAbort(comm_, DMGlobalToLocalBegin(dm_, levels_[1], INSERT_VALUES, local));
  PetscCallAbort(comm_, DMGlobalToLocalEnd(dm_, levels_[1], INSERT_VALUES, local));
}

void DmdaWave::advance(int steps) {
  const Box box = owned();
  for (int step = 0; step < steps; ++step) {
    Vec local = nullptr;
    PetscCallAbort(comm_, DMGetLocalVector(dm_, &local));
    fill_local(local);
    const PetscScalar* const* before = nullptr;
    const PetscScalar* const* now = nullptr;
    PetscScalar** next = nullptr;
    PetscCallAbort(comm_, DMDAVecGetArrayRead(dm_, levels_[0], &before));
    PetscCallAbort(comm_, DMDAVecGetArrayRead(dm_, local, &now));
    PetscCallAbort(comm_, DMDAVecGetArrayWrite(dm_, levels_[2], &next));
    for (std::int64_t j = box.first_row; j < box.first_row + box.rows; ++j)
      for (std::int64_t i = box.first_column; i < box.first_column + box.columns; ++i)
        next[j][i] = leapfrog(before[j][i], now[j][i], now[j - 1][i], now[j][i - 1], now[j][i + 1],
                              now[j + 1][i]);
    PetscCallAbort(comm_, DMDAVecRestoreArrayWrite(dm_, levels_[2], &next));
    PetscCallAbort(comm_, DMDAVecRestoreArrayRead(dm_, local, &now));
    PetscCallAbort(comm_, DMDAVecRestoreArrayRead(dm_, levels_[0], &before));
    PetscCallAbort(comm_, DMRestoreLocalVector(dm_, &local));
    std::rotate(levels_.begin(), levels_.begin() + 1, levels_.end());
  }
}

void DmdaWave::exchange() {
  Vec local = nullptr;
  PetscCallAbort(comm_, DMGetLocalVector(dm_, &local));
  fill_local(local);
  PetscCallAbort(comm_, DMRestoreLocalVector(dm_, &local));
}

std::vector<PetscScalar> DmdaWave::values() const {
  PetscInt count = 0;
  const PetscScalar* u = nullptr;
  PetscCallAbort(comm_, VecGetLocalSize(levels_[1], &count));
  PetscCallAbort(comm_, VecGetArrayRead(levels_[1], &u));
  std::vector<PetscScalar> all(u, u + count);
  PetscCallAbort(comm_, VecRestoreArrayRead(levels_[1], &u));
  return all;
}
