// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <petscvec.h>

#include "findings.hpp"

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

/// What is said of values that are NaN or Inf: `NaN at index 12, 3 such values on this rank`, by
/// the global index of the first one. Empty if all are finite. Process-local.
std::string not_finite_text(Vec vec, const VecValues& values);
/// Adds `check.vec.not-finite`.
/// @param text  of `not_finite_text`, and what else is known of the values
void add_not_finite(const std::string& text, Findings& findings);
/// A hash of the values, by which a change is noticed.
std::uint64_t hash_of(const PetscScalar* begin, const PetscScalar* end);

}  // namespace daptor::petsc::detail
