// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>

#include <petscdm.h>
#include <petscmat.h>
#include <petscvec.h>

#include "attachment.hpp"
#include "call.hpp"

namespace daptor::petsc::detail {

inline PetscErrorCode destroy_object(Vec* vec) {
  return VecDestroy(vec);
}
inline PetscErrorCode destroy_object(Mat* mat) {
  return MatDestroy(mat);
}
inline PetscErrorCode destroy_object(DM* dm) {
  return DMDestroy(dm);
}

/// Destroys a new object where it could not be finished: on all ranks, as they agreed on that.
template <class Object>
class Guard {
 public:
  explicit Guard(Object object) : object_(object) {}
  Guard(Guard&& other) noexcept : object_(other.release()) {}
  Guard& operator=(Guard&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Guard() {
    const QuietErrors quiet;
    static_cast<void>(destroy_object(&object_));
  }
  Object get() const { return object_; }
  Object release() { return std::exchange(object_, nullptr); }

 private:
  Object object_;
};

/// Collective. `local_count` elements at `memory` of each rank as a `seq` or `mpi` Vec on `user`.
Vec create_global_vec(const MpiCommunicator& comm, MPI_Comm user, const void* memory,
                      PetscInt block, Index local_count, Index global_count);
/// Process-local. The whole section, proven to be one run, as a sequential Vec.
Vec create_local_vec(const DistArray& array, PetscInt block);
/// Process-local. Ties the description to the Vec, and locks it where asked.
std::shared_ptr<Attachment> attach_vec(Vec vec, const DistArray& array, const void* pointer,
                                       bool locked);

}  // namespace daptor::petsc::detail
