// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>
#include <petscksp.h>
// The documentation names petscsys.h, but this installed header declares it.
#include <petsc/private/petscimpl.h>

#include <atomic>
#include <string>
#include <vector>

#include "daptor/solvers.hpp"
#include "everywhere.hpp"

namespace daptor::test {

#define DAPTOR_EXPECT_OK(call) EXPECT_EQ(static_cast<int>(call), 0) << #call

/// Destroys a PETSc object at the end of the scope.
template <class Object, PetscErrorCode (*destroy)(Object*)>
struct Owned {
  Object object = nullptr;
  Owned() = default;
  explicit Owned(Object taken) : object(taken) {}
  Owned(Owned&& other) noexcept : object(other.object) { other.object = nullptr; }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Owned& operator=(Owned&&) = delete;
  ~Owned() { static_cast<void>(destroy(&object)); }
  operator Object() const { return object; }
  Object* address() { return &object; }
};
using OwnMat = Owned<Mat, MatDestroy>;
using OwnVec = Owned<Vec, VecDestroy>;
using OwnKsp = Owned<KSP, KSPDestroy>;
using OwnPc = Owned<PC, PCDestroy>;

/// The number of rows of each rank.
using Counts = std::vector<PetscInt>;

inline PetscInt sum(const Counts& counts) {
  PetscInt total = 0;
  for (const PetscInt count : counts) total += count;
  return total;
}

inline PetscInt mine(const Counts& counts) {
  return counts[static_cast<std::size_t>(world_rank())];
}

/// Even; uneven with an empty first, middle or last rank; one row per rank; all rows on one rank.
inline std::vector<Counts> row_layouts(PetscInt total) {
  const auto p = static_cast<std::size_t>(world_size());
  std::vector<Counts> all;
  Counts even(p);
  for (std::size_t r = 0; r < p; ++r)
    even[r] = total / static_cast<PetscInt>(p) +
              (r < static_cast<std::size_t>(total) % p ? PetscInt{1} : PetscInt{0});
  all.push_back(even);
  all.push_back(Counts(p, 1));
  for (const std::size_t empty : {std::size_t{0}, p / 2, p - 1}) {
    Counts uneven(p);
    for (std::size_t r = 0; r < p; ++r)
      uneven[r] = r == empty && p > 1 ? 0 : static_cast<PetscInt>(3 + 5 * r % 7);
    all.push_back(uneven);
  }
  for (const std::size_t holder : {std::size_t{0}, p - 1}) {
    Counts single(p, 0);
    single[holder] = total;
    all.push_back(single);
  }
  return all;
}

/// A number in (-1, 1) that depends on the place only.
inline double scattered(PetscInt row, PetscInt column) {
  auto x =
      static_cast<std::uint64_t>(row) * 2654435761U + static_cast<std::uint64_t>(column) * 40503U;
  x ^= x >> 13;
  x *= 0x9E3779B97F4A7C15U;
  x ^= x >> 31;
  return static_cast<double>(x % 2000003U) / 1000001.5 - 1.0;
}

/// True at about a third of the places, including some of every other rank's, with empty rows.
inline bool has_entry(PetscInt row, PetscInt column) {
  return row % 5 != 3 && (row == column || scattered(row + 7, column) > 0.3);
}

/// An AIJ matrix with an irregular pattern.
inline OwnMat scattered_matrix(const Counts& rows, const Counts& columns, MatType type = MATAIJ) {
  OwnMat a;
  MatCreate(PETSC_COMM_WORLD, a.address());
  MatSetSizes(a, mine(rows), mine(columns), PETSC_DETERMINE, PETSC_DETERMINE);
  MatSetType(a, type);
  MatSetUp(a);
  MatSetOption(a, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE);
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  for (PetscInt r = first; r < last; ++r)
    for (PetscInt c = 0; c < sum(columns); ++c)
      if (has_entry(r, c)) MatSetValue(a, r, c, scattered(r, c), INSERT_VALUES);
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  return a;
}

/// The five-point Laplacian of an n by n grid, its rows divided by `rows`, or by PETSc without
/// them.
inline OwnMat laplacian(PetscInt n, const Counts& rows = {}) {
  OwnMat a;
  MatCreate(PETSC_COMM_WORLD, a.address());
  const PetscInt local = rows.empty() ? PETSC_DECIDE : mine(rows);
  MatSetSizes(a, local, local, n * n, n * n);
  MatSetType(a, MATAIJ);
  MatSeqAIJSetPreallocation(a, 5, nullptr);
  MatMPIAIJSetPreallocation(a, 5, nullptr, 4, nullptr);
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  for (PetscInt row = first; row < last; ++row) {
    const PetscInt i = row / n;
    const PetscInt j = row % n;
    MatSetValue(a, row, row, 4.0, INSERT_VALUES);
    if (i > 0) MatSetValue(a, row, row - n, -1.0, INSERT_VALUES);
    if (i + 1 < n) MatSetValue(a, row, row + n, -1.0, INSERT_VALUES);
    if (j > 0) MatSetValue(a, row, row - 1, -1.0, INSERT_VALUES);
    if (j + 1 < n) MatSetValue(a, row, row + 1, -1.0, INSERT_VALUES);
  }
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  return a;
}

/// Vectors that fit a matrix; the right one has a number at each global index.
struct Vectors {
  OwnVec right, left;
};

inline void fill(Vec x) {
  PetscInt first = 0;
  PetscInt last = 0;
  VecGetOwnershipRange(x, &first, &last);
  PetscScalar* values = nullptr;
  VecGetArray(x, &values);
  for (PetscInt i = first; i < last; ++i) values[i - first] = scattered(i, 11);
  VecRestoreArray(x, &values);
}

inline Vectors vectors_of(Mat a) {
  Vectors vectors;
  MatCreateVecs(a, vectors.right.address(), vectors.left.address());
  fill(vectors.right);
  return vectors;
}

inline double distance(Vec x, Vec y) {
  OwnVec difference;
  VecDuplicate(x, difference.address());
  VecWAXPY(difference, -1.0, x, y);
  PetscReal norm = 0;
  VecNorm(difference, NORM_INFINITY, &norm);
  return norm;
}

/// Compares the products of two matrices with one vector.
inline void expect_same_product(Mat a, Mat b, double tolerance = 1e-12) {
  const Vectors vectors = vectors_of(a);
  OwnVec other;
  VecDuplicate(vectors.left, other.address());
  DAPTOR_EXPECT_OK(MatMult(a, vectors.right, vectors.left));
  DAPTOR_EXPECT_OK(MatMult(b, vectors.right, other));
  EXPECT_LT(distance(vectors.left, other), tolerance);
}

inline const PetscScalar* memory_of(Vec x) {
  const PetscScalar* memory = nullptr;
  VecGetArrayRead(x, &memory);
  const PetscScalar* const result = memory;
  VecRestoreArrayRead(x, &memory);
  return result;
}

inline PetscObjectState state_of(Mat mat) {
  PetscObjectState state = 0;
  PetscObjectStateGet(reinterpret_cast<PetscObject>(mat), &state);
  return state;
}

/// Until the end of the scope, PETSc returns errors to its caller without printing them.
class Silence {
 public:
  Silence() { PetscPushErrorHandler(PetscReturnErrorHandler, nullptr); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  ~Silence() { PetscPopErrorHandler(); }
};

}  // namespace daptor::test
