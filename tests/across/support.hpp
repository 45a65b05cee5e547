// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>
#include <petscdmda.h>

#include <Tpetra_Core.hpp>
#include <Tpetra_Import.hpp>
#include <Tpetra_Map.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Vector.hpp>
#include <vector>

#include "daptor/daptor.hpp"
#include "daptor/petsc.hpp"
#include "daptor/tpetra.hpp"
#include "world.hpp"

namespace daptor::test {

using Map = Tpetra::Map<>;
using MultiVector = Tpetra::MultiVector<double>;

#define DAPTOR_EXPECT_OK(call) EXPECT_EQ(static_cast<int>(call), 0) << #call

/// Number of elements of this rank: some ranks have none, some have one.
inline PetscInt local_count() {
  constexpr PetscInt counts[] = {7, 0, 1, 13, 4, 0, 2, 31};
  return counts[world_rank() % 8];
}

inline Vec make_vec(PetscInt block_size = 1) {
  Vec x = nullptr;
  VecCreate(PETSC_COMM_WORLD, &x);
  VecSetSizes(x, block_size * local_count(), PETSC_DETERMINE);
  VecSetBlockSize(x, block_size);
  VecSetType(x, VECSTANDARD);
  return x;
}

inline const double* memory_of(Vec x) {
  const PetscScalar* memory = nullptr;
  VecGetArrayRead(x, &memory);
  const double* const result = memory;
  VecRestoreArrayRead(x, &memory);
  return result;
}

inline const double* memory_of(const MultiVector& x) {
  return x.getLocalViewHost(Tpetra::Access::ReadOnly).data();
}

inline double norm_of(Vec x) {
  PetscReal norm = 0;
  VecNorm(x, NORM_1, &norm);
  return norm;
}

inline double norm_of(const MultiVector& x, std::size_t column = 0) {
  return x.getVector(column)->norm1();
}

/// The sum of the `count` elements of all ranks, computed anew.
inline double summed(const double* values, Index count) {
  double sum = 0;
  for (Index i = 0; i < count; ++i) sum += std::abs(values[i]);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

/// The address of a rank without elements does not matter.
inline void expect_same_memory(const double* a, const double* b, Index count = local_count()) {
  if (count == 0) return;
  EXPECT_EQ(a, b);
}

}  // namespace daptor::test
