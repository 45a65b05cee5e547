// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "daptor/adapter/form.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/device.hpp"
#include "daptor/petsc/vec.hpp"
#include "petsc/src/native/attachment.hpp"

namespace daptor::petsc::detail {

/// What an import has before PETSc is called: that on which the ranks have agreed, and everything
/// that could fail on one of them.
struct VecPlan {
  adapter::Fit fit;
  Index block = 1;
  DeviceVecs vecs;  ///< what makes the Vec
  std::shared_ptr<Attachment> attachment;
};

/// Collective. The first check of an import of the owned part.
VecPlan agree_on_vec(const DistArray& array, const VecOptions& options, Call& call);
/// Collective. The same for the whole section of each process.
VecPlan agree_on_local_vec(const DistArray& array, const VecOptions& options, Call& call);

}  // namespace daptor::petsc::detail
