// SPDX-License-Identifier: BSD-3-Clause
#include "probe.hpp"

#include <cstdint>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/library.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "objects.hpp"

namespace daptor::petsc::detail {
namespace {

/// Between -1 and 1; the last step of SplitMix64.
double random_at(std::uint64_t index, std::uint64_t seed) {
  std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15 + seed * 0xd1342543de82ef95;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-52 - 1;
}

PetscScalar random_scalar(std::uint64_t index, std::uint64_t seed) {
#ifdef PETSC_USE_COMPLEX
  return {static_cast<PetscReal>(random_at(2 * index, seed)),
          static_cast<PetscReal>(random_at(2 * index + 1, seed))};
#else
  return static_cast<PetscScalar>(random_at(index, seed));
#endif
}

void fill(Vec vec, int seed) {
  PetscInt start = 0, stop = 0;
  PetscScalar* values = nullptr;
  call("VecGetOwnershipRange", VecGetOwnershipRange, vec, &start, &stop);
  call("VecGetArray", VecGetArray, vec, &values);
  for (PetscInt i = start; i < stop; ++i)
    values[i - start] =
        random_scalar(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(seed));
  call("VecRestoreArray", VecRestoreArray, vec, &values);
}

}  // namespace

Probe::VecGuard Probe::of_columns() const {
  VecGuard vec;
  call_.library(Routine("MatCreateVecs", MatCreateVecs), mat_, vec.out(), nullptr);
  return vec;
}

Probe::VecGuard Probe::of_rows() const {
  VecGuard vec;
  call_.library(Routine("MatCreateVecs", MatCreateVecs), mat_, nullptr, vec.out());
  return vec;
}

Probe::VecGuard Probe::like(Vec vec) const {
  VecGuard duplicate;
  call_.library(Routine("VecDuplicate", VecDuplicate), vec, duplicate.out());
  return duplicate;
}

void Probe::set_random(Vec vec, int seed) const {
  call_.check([&] { fill(vec, seed); });
}

void Probe::copy(Vec from, Vec to) const {
  call_.library(Routine("VecCopy", VecCopy), from, to);
}

void Probe::set(Vec vec, PetscScalar value) const {
  call_.library(Routine("VecSet", VecSet), vec, value);
}

void Probe::apply(Vec x, Vec y) const {
  call_.library(Routine("MatMult", MatMult), mat_, x, y);
}

void Probe::apply_transpose(Vec x, Vec y) const {
  call_.library(Routine("MatMultTranspose", MatMultTranspose), mat_, x, y);
}

void Probe::add(Vec y, PetscScalar a, Vec x) const {
  call_.library(Routine("VecAXPY", VecAXPY), y, a, x);
}

double Probe::norm(Vec vec) const {
  PetscReal norm = 0;
  call_.library(Routine("VecNorm", VecNorm), vec, NORM_2, &norm);
  return static_cast<double>(norm);
}

PetscScalar Probe::dot(Vec u, Vec v) const {
  PetscScalar product = 0;
  call_.library(Routine("VecDot", VecDot), u, v, &product);
  return product;
}

PetscScalar Probe::plain_dot(Vec u, Vec v) const {
  PetscScalar product = 0;
  call_.library(Routine("VecTDot", VecTDot), u, v, &product);
  return product;
}

PetscScalar Probe::sum(Vec vec) const {
  PetscScalar sum = 0;
  call_.library(Routine("VecSum", VecSum), vec, &sum);
  return sum;
}

std::vector<double> Probe::sums(std::vector<double> mine) const {
  call_.library("mpi", "MPI_Allreduce", [&] {
    adapter::check_mpi(MPI_Allreduce(MPI_IN_PLACE, mine.data(), static_cast<int>(mine.size()),
                                     MPI_DOUBLE, MPI_SUM, call_.comm()->mpi()),
                       "MPI_Allreduce");
  });
  return mine;
}

void Probe::make(
    Vec from, Vec to,
    const std::function<void(const PetscScalar*, PetscScalar*, PetscInt)>& make) const {
  call_.check([&] {
    const PetscScalar* values = nullptr;
    PetscScalar* made = nullptr;
    call("VecGetArrayRead", VecGetArrayRead, from, &values);
    call("VecGetArray", VecGetArray, to, &made);
    make(values, made, local_size(to));
    call("VecRestoreArray", VecRestoreArray, to, &made);
    call("VecRestoreArrayRead", VecRestoreArrayRead, from, &values);
  });
}

void Probe::gather(Vec from, Vec to, const std::function<PetscInt(PetscInt)>& source) const {
  std::vector<PetscInt> sources;
  call_.check([&] {
    PetscInt start = 0, stop = 0;
    call("VecGetOwnershipRange", VecGetOwnershipRange, to, &start, &stop);
    for (PetscInt i = start; i < stop; ++i) sources.push_back(source(i));
  });
  Guard<IS> indices;
  Guard<VecScatter> scatter;
  call_.library(Routine("ISCreateGeneral", ISCreateGeneral), PetscObjectComm(object(from)),
                static_cast<PetscInt>(sources.size()), sources.data(), PETSC_COPY_VALUES,
                indices.out());
  call_.library(Routine("VecScatterCreate", VecScatterCreate), from, indices.get(), to, nullptr,
                scatter.out());
  call_.library(Routine("VecScatterBegin", VecScatterBegin), scatter.get(), from, to, INSERT_VALUES,
                SCATTER_FORWARD);
  call_.library(Routine("VecScatterEnd", VecScatterEnd), scatter.get(), from, to, INSERT_VALUES,
                SCATTER_FORWARD);
}

void Probe::read(Vec vec, const std::function<void(const PetscScalar*, PetscInt)>& read) const {
  call_.check([&] {
    const PetscScalar* values = nullptr;
    call("VecGetArrayRead", VecGetArrayRead, vec, &values);
    read(values, local_size(vec));
    call("VecRestoreArrayRead", VecRestoreArrayRead, vec, &values);
  });
}

bool can_apply(Mat mat) {
  PetscBool assembled = PETSC_FALSE, multiplies = PETSC_FALSE;
  call("MatAssembled", MatAssembled, mat, &assembled);
  if (assembled == PETSC_FALSE) return false;
  MatFactorType factor = MAT_FACTOR_NONE;
  call("MatGetFactorType", MatGetFactorType, mat, &factor);
  call("MatHasOperation", MatHasOperation, mat, MATOP_MULT, &multiplies);
  return factor == MAT_FACTOR_NONE && !is_one_of(object(mat), {MATMFFD}) &&
         multiplies == PETSC_TRUE;
}

}  // namespace daptor::petsc::detail
