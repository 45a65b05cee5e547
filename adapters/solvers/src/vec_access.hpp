// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <petscvec.h>

#include "daptor/error.hpp"
#include "daptor/types.hpp"

namespace daptor::solvers {

/// A Vec's own array, open for reading while this object lives.
class ReadArray {
 public:
  /// Throws NotRepresentable (`petsc.vec.device`) for memory that the host cannot reach,
  /// InvalidArgument for a different local length, and LibraryFailed for a type without an array
  /// (which PETSc also prints, unless the caller holds a QuietErrors).
  ReadArray(Vec vec, Index local_count);
  ReadArray(const ReadArray&) = delete;
  ReadArray& operator=(const ReadArray&) = delete;
  ~ReadArray();
  const PetscScalar* data() const { return data_; }

 private:
  Vec vec_;
  const PetscScalar* data_ = nullptr;
};

/// The same for writing the whole array. The destructor changes the state of the Vec.
class WriteArray {
 public:
  WriteArray(Vec vec, Index local_count);
  WriteArray(const WriteArray&) = delete;
  WriteArray& operator=(const WriteArray&) = delete;
  ~WriteArray();
  PetscScalar* data() const { return data_; }

 private:
  Vec vec_;
  PetscScalar* data_ = nullptr;
};

}  // namespace daptor::solvers
