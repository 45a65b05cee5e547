// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscvec.h>

namespace daptor::petsc::detail {

/// The local form of a ghosted Vec, while this object lives. Process-local. PETSc would make the
/// states of both Vecs equal, by which caches are lost, and by which nobody can tell any more
/// whether the program itself has ever opened the local form; here both keep their states.
class LocalForm {
 public:
  explicit LocalForm(Vec vec);
  LocalForm(const LocalForm&) = delete;
  LocalForm& operator=(const LocalForm&) = delete;
  ~LocalForm();

  /// Null if the Vec has no ghosts, as one of type `seq`.
  Vec get() const { return local_ == vec_ ? nullptr : local_; }

 private:
  Vec vec_;
  Vec local_ = nullptr;
};

}  // namespace daptor::petsc::detail
