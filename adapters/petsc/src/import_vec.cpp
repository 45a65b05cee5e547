// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>

#include "access.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "daptor/petsc/numbering.hpp"
#include "daptor/petsc/vec.hpp"
#include "daptor/without_padding.hpp"
#include "device_memory.hpp"
#include "exporting.hpp"
#include "forms.hpp"
#include "ghosts.hpp"
#include "locks.hpp"
#include "numbers.hpp"
#include "vec_creation.hpp"

namespace daptor::petsc {
namespace {

using VecGuard = detail::Guard<Vec>;

/// What an import has before PETSc is called: that on which the ranks have agreed, and everything
/// that could fail on one of them.
struct VecPlan {
  adapter::Fit fit;
  Index block = 1;
  bool locked = false;
  DeviceVecs vecs;  ///< what makes the Vec
  std::shared_ptr<detail::Attachment> attachment;
};

/// The kind of device that has this process's elements; 0 for the host, or if there are none. All
/// processes with elements have the same, as is proven.
std::int64_t device_type_of(const Section& array) {
  const MemorySpace space = array.buffer().space();
  return array.local_count() == 0 || space.host() ? 0 : space.device_type;
}

/// Collective. What makes Vecs on memory of this kind; 0 stands for that of the host.
DeviceVecs vecs_on(int device_type, Call& call) {
  if (device_type == 0) return detail::host_vecs;
  // Process-local settings, which could differ.
  return call.check([&] {
    const auto vecs = detail::device_vecs({device_type});
    if (!vecs)
      adapter::refuse_argument("petsc.vec.device", "no Vecs for " + MemorySpace{device_type}.kind(),
                               "those that other ranks know",
                               "Call register_device_vecs on all ranks.");
    return *vecs;
  });
}

/// Collective. The first check of an import.
/// @param grid  of the processes of the Vec
VecPlan agree_on_plan(const adapter::Form& form, const DistArray& array, GridPosition grid,
                      const VecOptions& options, Call& call) {
  call.same(options);
  const unsigned session = call.attempt(detail::require_session);
  Agreed<bool> says_the_same;
  Agreed<std::int64_t> device_type;
  VecPlan plan;
  plan.fit = adapter::agree(
      form, array, call,
      [&] {
        const bool owned = form.part == adapter::SectionPart::owned;
        plan.attachment =
            detail::Attachment::prepare(array, owned ? array.owned_data() : array.data(), session);
        device_type = call.greatest(device_type_of(array));
        // A Vec describes its values in C order.
        const Index block = options.flat ? 1 : adapter::block_size(array, Order::c);
        says_the_same = call.all(detail::says_the_same_as_vec(array, grid, block));
      },
      detail::asked_by(options));
  plan.vecs = vecs_on(static_cast<int>(device_type), call);
  plan.block = options.flat ? 1 : plan.fit.block;
  adapter::require_count(form, "a block size", plan.block);
  plan.locked = !plan.fit.writable || options.readonly;
  plan.attachment->set_locked(plan.locked);
  plan.attachment->set_says_the_same(says_the_same);
  return plan;
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
    call.library(detail::Routine("VecCreateGhostWithArray", VecCreateGhostWithArray),
                 comm->original(), detail::petsc_int(array.owned_count()),
                 detail::petsc_int(global_count), count, ghosts.data(), values, &vec);
  else
    call.library(detail::Routine("VecCreateGhostBlockWithArray", VecCreateGhostBlockWithArray),
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

void require_whole(const VecOptions& options) {
  if (options.interior)
    throw InvalidArgument("interior",
                          "the interior as a Vec of the whole section, with its padding",
                          "this option for a Vec of the owned part");
}

/// The copy of the interior, as a program calls it for the array itself.
Terms copy_of_interior(bool read_from_any) {
  const std::string cpp = "daptor::petsc::copy_to_vec(daptor::without_padding(a)";
  const std::string python = "a.copy_to_petsc(", fortran = "call daptor_redistribute(inside, b";
  const std::string behind = "), where a%without_padding(inside) has made inside, and import b";
  if (!read_from_any) return terms::call(cpp + ")", python + "interior=True)", fortran + behind);
  return terms::call(cpp + ", {PETSC_DECIDE, false, true})",
                     python + "read_from_any=True, interior=True)",
                     fortran + ", read_from_any=.true." + behind);
}

/// Reasons against a Vec of the interior, with what to call on the array itself.
[[noreturn]] void refuse_interior(const Report& report) {
  std::vector<Finding> reasons = report.findings();
  for (Finding& reason : reasons) {
    if (reason.rule == "petsc.vec.one-run") {
      reason.found = "padding between the elements of the interior";
      reason.remedy.clear();
    }
    if (reason.copy.function != "petsc.copy_to_vec") continue;
    reason.copy.text = copy_of_interior(reason.copy.has("read_from_any"));
    reason.copy.options.emplace_back("interior", "true");
  }
  throw NotRepresentable(Report(std::move(reasons)));
}

/// Collective. Ranks that have not set the option learn of it in the first check of the call.
ImportedVec import_interior(const DistArray& array, VecOptions options, Call& call) {
  call.same(options);
  call.check();
  options.interior = false;
  const DistArray inside = without_padding(array);
  try {
    return import_vec(inside, options);
  } catch (const NotRepresentable& refusal) {
    refuse_interior(refusal.report());
  }
}

}  // namespace

ImportedVec import_vec(const DistArray& array, const VecOptions& options) {
  Call call(array, "petsc::import_vec");
  if (options.interior) return import_interior(array, options, call);
  const Comm& comm = call.comm();
  VecPlan plan = agree_on_plan(options.ghosts ? detail::ghosted_vec_form() : detail::vec_form(),
                               array, {comm.size(), comm.rank()}, options, call);
  const PetscInt block = detail::petsc_int(plan.block);
  LocalToGlobal mapping;
  if (options.local_to_global)
    mapping = detail::make_mapping(array, Numbering::contiguous, block, call);

  VecGuard vec =
      options.ghosts
          ? create_ghosted_vec(array, block, plan.fit.global, call)
          : VecGuard(detail::create_global_vec(array.owned_data(), block, array.owned_count(),
                                               plan.fit.global, call, plan.vecs));
  // From here on, PETSc allocates nothing either, so the ranks have nothing to agree on.
  if (mapping)
    call.library(detail::Routine("VecSetLocalToGlobalMapping", VecSetLocalToGlobalMapping),
                 vec.get(), mapping.get());
  call.library("petsc", "VecLockReadPush", [&] {
    detail::Attachment::tie(plan.attachment, detail::object(vec.get()));
    if (options.ghosts) attach_local_form(vec.get(), *plan.attachment);
    if (plan.locked) detail::lock_for_reading(vec.get());
  });
  return detail::Access::imported(vec.release(), std::move(plan.attachment), comm);
}

ImportedVec import_vec_readonly(const DistArray& array, VecOptions options) {
  options.readonly = true;
  return import_vec(array, options);
}

ImportedVec import_padded_vec(const DistArray& array, const VecOptions& options) {
  Call call(array, "petsc::import_padded_vec");
  call.attempt([&] { require_whole(options); });
  VecPlan plan = agree_on_plan(detail::local_vec_form(), array, {}, options, call);
  // These calls are process-local in PETSc, so the ranks agree on their failure.
  VecGuard vec(nullptr);
  call.check([&] {
    vec = VecGuard(detail::create_local_vec(array, detail::petsc_int(plan.block)));
    detail::Attachment::tie(plan.attachment, detail::object(vec.get()));
    if (plan.locked) detail::lock_for_reading(vec.get());
  });
  return detail::Access::imported(vec.release(), std::move(plan.attachment), call.comm());
}

}  // namespace daptor::petsc
