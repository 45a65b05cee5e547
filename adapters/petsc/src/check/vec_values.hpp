// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include <petscvec.h>

namespace daptor::petsc::detail {

/// The values of a Vec in the memory of the host, read without a change of its state. Empty for
/// other types than `seq`, `mpi` and `shared`. Process-local.
class VecValues {
 public:
  explicit VecValues(Vec vec);
  VecValues(const VecValues&) = delete;
  VecValues& operator=(const VecValues&) = delete;
  ~VecValues();

  bool readable() const { return readable_; }
  const PetscScalar* begin() const { return values_; }
  const PetscScalar* end() const { return values_ + count_; }
  std::size_t count() const { return count_; }

 private:
  Vec vec_;
  bool readable_ = false;
  const PetscScalar* values_ = nullptr;
  std::size_t count_ = 0;
};

/// A hash of the values, by which a change is noticed.
std::uint64_t hash_of(const PetscScalar* begin, const PetscScalar* end);

}  // namespace daptor::petsc::detail
