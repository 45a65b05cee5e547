// SPDX-License-Identifier: BSD-3-Clause
#include "placed.hpp"

#include "daptor/petsc/adapter/call.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::call;

/// Memory under the Mats while no columns are placed, so that PETSc allocates none.
PetscScalar nothing[1] = {0};

}  // namespace

Placeholders::Placeholders(MPI_Comm comm, const VecLayout& from, const VecLayout& to)
    : comm_(comm), layouts_{from, to}, session_(petsc::detail::require_session()) {
  try {
    for (int which : {0, 1}) make_vec(which);
  } catch (...) {
    destroy();
    throw;
  }
}

Placeholders::~Placeholders() {
  if (petsc::detail::alive(session_)) destroy();
}

void Placeholders::make_vec(int which) {
  const VecLayout& layout = layouts_[which];
  constexpr const PetscScalar* nowhere = nullptr;
  PetscMPIInt ranks = 1;
  MPI_Comm_size(comm_, &ranks);
  if (ranks == 1)
    call("VecCreateSeqWithArray", VecCreateSeqWithArray, comm_, layout.block_size, layout.local,
         nowhere, &vecs_[which]);
  else
    call("VecCreateMPIWithArray", VecCreateMPIWithArray, comm_, layout.block_size, layout.local,
         layout.global, nowhere, &vecs_[which]);
}

void Placeholders::make_mat(int which, PetscInt columns) {
  const VecLayout& layout = layouts_[which];
  call("MatCreateDense", MatCreateDense, comm_, layout.local, PetscInt{PETSC_DECIDE}, layout.global,
       columns, nothing, &mats_[which]);
}

void Placeholders::make_columns(PetscInt columns) {
  destroy_columns();
  for (int which : {0, 1}) make_mat(which, columns);
  columns_ = columns;
}

void Placeholders::destroy_columns() noexcept {
  columns_ = 0;
  // The second matrix may be a product of the first.
  static_cast<void>(MatDestroy(&mats_[1]));
  static_cast<void>(MatDestroy(&mats_[0]));
}

void Placeholders::destroy() noexcept {
  destroy_columns();
  for (Vec& vec : vecs_) static_cast<void>(VecDestroy(&vec));
}

PlacedVec::PlacedVec(Vec vec, const PetscScalar* data) : vec_(vec) {
  call("VecPlaceArray", VecPlaceArray, vec_, data);
}

PlacedVec::~PlacedVec() {
  static_cast<void>(VecResetArray(vec_));
}

PlacedColumns::PlacedColumns(Mat mat, const PetscScalar* data) : mat_(mat) {
  call("MatDensePlaceArray", MatDensePlaceArray, mat_, data == nullptr ? nothing : data);
}

PlacedColumns::~PlacedColumns() {
  static_cast<void>(MatDenseResetArray(mat_));
}

}  // namespace daptor::solvers
