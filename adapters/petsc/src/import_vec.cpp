// SPDX-License-Identifier: BSD-3-Clause
#include "access.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "daptor/petsc/numbering.hpp"
#include "daptor/petsc/vec.hpp"
#include "exporting.hpp"
#include "ghosts.hpp"
#include "numbers.hpp"
#include "order.hpp"
#include "overlap.hpp"
#include "vec_creation.hpp"
#include "vec_reasons.hpp"

namespace daptor::petsc {
namespace {

using VecGuard = detail::Guard<Vec>;

/// The properties on which the ranks have agreed before PETSc is called.
struct VecPlan {
  Order order = Order::c;
  bool locked = false;
};

/// Collective. The first check of an import.
template <class Judge, class Fit>
VecPlan agree_on_plan(const Section& array, const VecOptions& options, Judge&& judge, Fit&& fit,
                      Call& call) {
  call.same(options);
  Agreed<bool> writable;
  const Order order = detail::agree_on_order(
      call,
      [&] {
        detail::require_session();
        adapter::require_none(judge(array, options));
        adapter::require_memory(array);
        writable = call.all(!array.readonly() && !options.readonly);
        return fit(array);
      },
      [&] { return detail::mixed_vec_orders_reason(array); });
  return {order, !writable};
}

/// All reasons except that indices are on several processes, so that norms and products would count
/// them twice; that reason is judged after the ranks have agreed on their options.
adapter::Reasons all_but_overlap(const Section& array, VecOptions options) {
  options.allow_overlap = true;
  return detail::vec_reasons(array, options);
}

PetscInt block_of(const Section& array, Order order, const VecOptions& options) {
  return options.flat ? 1 : detail::petsc_int(detail::block_size(array, order));
}

/// Collective. PETSc's numbers of the ghosts, in blocks.
std::vector<PetscInt> ghost_numbers(const DistArray& array, Index block, Call& call) {
  const std::vector<Index> numbers = detail::local_numbers(array, Numbering::contiguous, call);
  return call.check([&] {
    std::vector<PetscInt> ghosts;
    for (Index i = array.owned_count(); i < array.local_count(); i += block)
      ghosts.push_back(detail::petsc_int(numbers[static_cast<std::size_t>(i)] / block));
    return ghosts;
  });
}

VecGuard create_ghosted_vec(const DistArray& array, PetscInt block, Index global_count,
                            Call& call) {
  const std::vector<PetscInt> ghosts = ghost_numbers(array, block, call);
  const auto count = detail::petsc_int(static_cast<Index>(ghosts.size()));
  const auto* const values = static_cast<const PetscScalar*>(array.data());
  const Comm& comm = call.comm();
  Vec vec = nullptr;
  if (block == 1)
    detail::collective(comm, "VecCreateGhostWithArray", VecCreateGhostWithArray, comm->original(),
                       detail::petsc_int(array.owned_count()), detail::petsc_int(global_count),
                       count, ghosts.data(), values, &vec);
  else
    detail::collective(comm, "VecCreateGhostBlockWithArray", VecCreateGhostBlockWithArray,
                       comm->original(), block, detail::petsc_int(array.owned_count()),
                       detail::petsc_int(global_count), count, ghosts.data(), values, &vec);
  return VecGuard(vec);
}

/// The local form is a separate Vec on the same memory.
void attach_local_form(Vec vec, detail::Attachment& attachment) {
  Vec local = nullptr;
  detail::call("VecGhostGetLocalForm", VecGhostGetLocalForm, vec, &local);
  attachment.add_inner(detail::object(local));
  detail::call("VecGhostRestoreLocalForm", VecGhostRestoreLocalForm, vec, &local);
  attachment.set_ghosted();
}

}  // namespace

ImportedVec import_vec(const DistArray& array, const VecOptions& options) {
  Call call(array, "petsc::import_vec");
  const VecPlan plan =
      agree_on_plan(array, options, all_but_overlap,
                    options.ghosts ? detail::ghosted_order : detail::owned_run, call);
  if (!options.allow_overlap)
    detail::require_one_to_one(array, [&] { return detail::vec_reasons(array, options); });
  const Index global_count = detail::count_owned(array);
  const PetscInt block = block_of(array, plan.order, options);
  LocalToGlobal mapping;
  if (options.local_to_global)
    mapping = detail::make_mapping(array, Numbering::contiguous, block, call);

  VecGuard vec = options.ghosts
                     ? create_ghosted_vec(array, block, global_count, call)
                     : VecGuard(detail::create_global_vec(call.comm(), array.owned_data(), block,
                                                          array.owned_count(), global_count));
  std::shared_ptr<detail::Attachment> attachment;
  Agreed<bool> says_the_same;
  call.check([&] {
    if (mapping)
      detail::call("VecSetLocalToGlobalMapping", VecSetLocalToGlobalMapping, vec.get(),
                   mapping.get());
    attachment = detail::attach_vec(vec.get(), array, array.owned_data(), plan.locked);
    if (options.ghosts) attach_local_form(vec.get(), *attachment);
    says_the_same = call.all(detail::says_the_same(array, detail::layout_of(vec.get())));
  });
  attachment->set_says_the_same(says_the_same);
  return detail::Access::imported(vec.release(), std::move(attachment), call.comm());
}

ImportedVec import_vec_readonly(const DistArray& array, VecOptions options) {
  options.readonly = true;
  return import_vec(array, options);
}

ImportedVec import_padded_vec(const DistArray& array, const VecOptions& options) {
  Call call(array, "petsc::import_padded_vec");
  const VecPlan plan =
      agree_on_plan(array, options, detail::local_vec_reasons, detail::local_run, call);
  // This call is process-local in PETSc, so the ranks agree on its failure.
  VecGuard vec(nullptr);
  std::shared_ptr<detail::Attachment> attachment;
  Agreed<bool> says_the_same;
  call.check([&] {
    vec = VecGuard(detail::create_local_vec(array, block_of(array, plan.order, options)));
    attachment = detail::attach_vec(vec.get(), array, array.data(), plan.locked);
    says_the_same = call.all(detail::says_the_same(array, detail::layout_of(vec.get())));
  });
  attachment->set_says_the_same(says_the_same);
  return detail::Access::imported(vec.release(), std::move(attachment), call.comm());
}

}  // namespace daptor::petsc
