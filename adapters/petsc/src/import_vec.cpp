#include <algorithm>
#include <limits>

#include "access.hpp"
#include "call.hpp"
#include "copy_layout.hpp"
#include "daptor/petsc/numbering.hpp"
#include "daptor/petsc/vec.hpp"
#include "numbers.hpp"
#include "vec_creation.hpp"
#include "vec_reasons.hpp"

namespace daptor::petsc {
namespace {

using detail::fault_point;
using VecGuard = detail::Guard<Vec>;
using Comm = std::shared_ptr<const MpiCommunicator>;

/// What the ranks have agreed on before PETSc is called.
struct VecPlan {
  Order order = Order::c;
  bool locked = false;
  Index global_count = 0;
};

std::int64_t digest(const VecOptions& options) {
  return (options.flat ? 1 : 0) | (options.readonly ? 2 : 0) | (options.trust_readonly ? 4 : 0) |
         (options.allow_overlap ? 8 : 0) | (options.local_to_global ? 16 : 0);
}

[[noreturn]] void refuse_different_orders(const DistArray& array) {
  throw NotRepresentable(detail::reason(
      "vec.order", -1, "sections of C order on some ranks and of Fortran order on others",
      "one order on all ranks, as the numbering of a Vec follows it",
      "Let the producer hold all sections in one order." +
          detail::or_copy(detail::vec_copy_call(array))));
}

/// The local checks of all ranks and what they must have in common, in one all-reduce.
template <class Reasons, class Fit>
VecPlan agree_on_plan(const DistArray& array, const MpiCommunicator& comm,
                      const VecOptions& options, const char* point, Reasons&& reasons, Fit&& fit) {
  const auto minima = detail::agreed_minima<5>(comm, [&]() -> std::array<std::int64_t, 5> {
    fault_point(point);
    detail::require_session();
    detail::require_none(reasons(array, options));
    detail::require_memory(array);
    const detail::OrderFit orders = fit(array);
    return {digest(options), -digest(options), orders.c ? 1 : 0, orders.fortran ? 1 : 0,
            array.readonly() || options.readonly ? 0 : 1};
  });
  if (!detail::same_on_all(minima[0], minima[1])) detail::refuse_different_options("import");
  if (minima[2] == 0 && minima[3] == 0) refuse_different_orders(array);
  return {minima[2] != 0 ? Order::c : Order::fortran, minima[4] == 0, 0};
}

/// Unstructured sections: how many elements there are is known to all ranks together only.
Index count_owned(const DistArray& array, const MpiCommunicator& comm) {
  if (!detail::has_unstructured(array)) return detail::global_count(array).value_or(0);
  // Bounded, so that the sum of all ranks stays within 64 bits.
  const Index limit = std::numeric_limits<Index>::max() / comm.size();
  std::int64_t count = std::min(array.owned_count(), limit);
  comm.allreduce(&count, 1, Reduction::sum);
  detail::Reasons reasons;
  detail::count_reason("vec", "a global count", count, reasons);
  detail::require_none(std::move(reasons));
  return count;
}

PetscInt block_of(const DistArray& array, Order order, const VecOptions& options) {
  return options.flat ? 1 : detail::petsc_int(detail::block_size(array, order));
}

}  // namespace

ImportedVec import_vec(const DistArray& array, MPI_Comm comm, const VecOptions& options) {
  const Comm ranks = std::make_shared<const MpiCommunicator>(comm);
  const CollectiveCall call(*ranks, "petsc::import_vec");
  require_consistent(array, *ranks);
  const VecPlan plan = agree_on_plan(array, *ranks, options, "petsc.import_vec.check",
                                     detail::vec_reasons, detail::owned_run);
  const Index global_count = count_owned(array, *ranks);
  const PetscInt block = block_of(array, plan.order, options);
  LocalToGlobal mapping;
  if (options.local_to_global)
    mapping = detail::make_mapping(array, ranks, comm, Numbering::contiguous, block);

  VecGuard vec(detail::create_global_vec(*ranks, comm, array, block, global_count));
  auto attachment = agreed(*ranks, [&] {
    fault_point("petsc.import_vec.attach");
    if (mapping)
      detail::call("VecSetLocalToGlobalMapping", VecSetLocalToGlobalMapping, vec.get(),
                   mapping.get());
    return detail::attach_vec(vec.get(), array, array.owned_data(), plan.locked);
  });
  return detail::Access::imported(vec.release(), std::move(attachment), ranks);
}

ImportedVec import_vec_readonly(const DistArray& array, MPI_Comm comm, VecOptions options) {
  options.readonly = true;
  return import_vec(array, comm, options);
}

ImportedVec import_padded_vec(const DistArray& array, MPI_Comm comm, const VecOptions& options) {
  const Comm ranks = std::make_shared<const MpiCommunicator>(comm);
  const CollectiveCall call(*ranks, "petsc::import_padded_vec");
  require_consistent(array, *ranks);
  const VecPlan plan = agree_on_plan(array, *ranks, options, "petsc.import_padded_vec.check",
                                     detail::local_vec_reasons, detail::local_run);
  // Local in PETSc: whatever fails here, the ranks agree on it.
  return agreed(*ranks, [&] {
    fault_point("petsc.import_padded_vec.attach");
    VecGuard vec(detail::create_local_vec(array, block_of(array, plan.order, options)));
    auto attachment = detail::attach_vec(vec.get(), array, array.data(), plan.locked);
    return detail::Access::imported(vec.release(), std::move(attachment), ranks);
  });
}

}  // namespace daptor::petsc
