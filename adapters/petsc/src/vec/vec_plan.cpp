// SPDX-License-Identifier: BSD-3-Clause
#include "vec_plan.hpp"

#include <cstdint>

#include "daptor/adapter/reason.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "petsc/src/form/exporting.hpp"
#include "petsc/src/form/forms.hpp"
#include "petsc/src/native/device_memory.hpp"

namespace daptor::petsc::detail {
namespace {

/// The kind of device that has this process's elements; 0 for the host, or if there are none. All
/// processes with elements have the same, as is proven.
std::int64_t device_type_of(const Section& array) {
  const MemorySpace space = array.buffer().space();
  return array.local_count() == 0 || space.host() ? 0 : space.device_type;
}

/// Collective. What makes Vecs on memory of this kind; 0 stands for that of the host.
DeviceVecs vecs_on(int device_type, Call& call) {
  if (device_type == 0) return host_vecs;
  // Process-local settings, which could differ.
  return call.check([&] {
    const auto vecs = device_vecs({device_type});
    if (!vecs)
      adapter::refuse_argument("petsc.vec.device", "no Vecs for " + MemorySpace{device_type}.kind(),
                               "those that other ranks know",
                               "Call register_device_vecs on all ranks.");
    return *vecs;
  });
}

/// @param grid  of the processes of the Vec
VecPlan agree_on(const adapter::Form& form, const DistArray& array, GridPosition grid,
                 const VecOptions& options, Call& call) {
  call.same(options);
  const unsigned session = call.attempt(require_session);
  Agreed<bool> says_the_same;
  Agreed<std::int64_t> device_type;
  VecPlan plan;
  plan.fit = adapter::agree(
      form, array, call,
      [&](const adapter::Fit& fit) {
        plan.attachment = Attachment::prepare(array, fit.data, session);
        device_type = call.greatest(device_type_of(array));
        // A Vec describes its values in C order.
        const Index block = options.flat ? 1 : adapter::block_size(array, Order::c);
        says_the_same = call.all(says_the_same_as_vec(array, grid, block));
      },
      asked_by(options));
  plan.vecs = vecs_on(static_cast<int>(device_type), call);
  plan.block = options.flat ? 1 : plan.fit.block;
  adapter::require_count(form, "a block size", plan.block);
  plan.attachment->set_locked(!plan.fit.writable || options.readonly);
  plan.attachment->set_says_the_same(says_the_same);
  return plan;
}

}  // namespace

VecPlan agree_on_vec(const DistArray& array, const VecOptions& options, Call& call) {
  const Comm& comm = call.comm();
  return agree_on(options.ghosts ? ghosted_vec_form() : vec_form(), array,
                  {comm.size(), comm.rank()}, options, call);
}

VecPlan agree_on_local_vec(const DistArray& array, const VecOptions& options, Call& call) {
  return agree_on(local_vec_form(), array, {}, options, call);
}

}  // namespace daptor::petsc::detail
