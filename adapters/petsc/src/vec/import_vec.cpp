// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "daptor/petsc/vec.hpp"
#include "import_interior.hpp"
#include "numbers.hpp"
#include "petsc/src/form/access.hpp"
#include "vec_creation.hpp"
#include "vec_plan.hpp"

namespace daptor::petsc {
namespace {

using VecGuard = detail::Guard<Vec>;

}  // namespace

ImportedVec import_vec(const DistArray& array, const VecOptions& options) {
  Call call(array, "petsc::import_vec");
  if (options.interior) return detail::import_interior(array, options, call);
  detail::VecPlan plan = detail::agree_on_vec(array, options, call);
  const adapter::Fit& fit = plan.fit;
  const PetscInt block = detail::petsc_int(plan.block);
  LocalToGlobal mapping;
  if (options.local_to_global)
    mapping = detail::make_mapping(array, Numbering::contiguous, block, call);

  VecGuard vec(options.ghosts ? detail::create_ghosted_vec(array, block, fit.global, call)
                              : detail::create_global_vec(fit.data, block, fit.local, fit.global,
                                                          call, plan.vecs));
  // From here on, PETSc allocates nothing either, so the ranks have nothing to agree on.
  if (mapping)
    call.library(detail::Routine("VecSetLocalToGlobalMapping", VecSetLocalToGlobalMapping),
                 vec.get(), mapping.get());
  call.library("petsc", "VecLockReadPush", [&] {
    if (options.ghosts) detail::attach_local_form(vec.get(), *plan.attachment);
    detail::tie_vec(plan.attachment, vec.get());
  });
  return detail::Access::imported(vec.release(), std::move(plan.attachment), call.comm());
}

ImportedVec import_vec_readonly(const DistArray& array, VecOptions options) {
  options.readonly = true;
  return import_vec(array, options);
}

ImportedVec import_padded_vec(const DistArray& array, const VecOptions& options) {
  Call call(array, "petsc::import_padded_vec");
  call.attempt([&] { detail::require_no_interior(options); });
  detail::VecPlan plan = detail::agree_on_local_vec(array, options, call);
  // These calls are process-local in PETSc, so the ranks agree on their failure.
  VecGuard vec(nullptr);
  call.check([&] {
    vec = VecGuard(detail::create_local_vec(array, detail::petsc_int(plan.block)));
    detail::tie_vec(plan.attachment, vec.get());
  });
  return detail::Access::imported(vec.release(), std::move(plan.attachment), call.comm());
}

}  // namespace daptor::petsc
