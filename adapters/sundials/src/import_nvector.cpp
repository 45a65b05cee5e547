// SPDX-License-Identifier: BSD-3-Clause
#include <optional>
#include <utility>

#include <nvector/nvector_parallel.h>

#include "counts.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/error.hpp"
#include "daptor/one_to_one.hpp"
#include "daptor/sundials/nvector.hpp"
#include "nvector_reasons.hpp"

namespace daptor::sundials {
namespace {

void require_context(SUNContext context) {
  if (context != nullptr) return;
  adapter::refuse_argument("sundials.nvector.context", "a null SUNContext",
                           "the context of the integrator", "Make one by SUNContext_Create.");
}

/// Collective. Proves that no index of the array is on two processes, unless it says so itself.
void require_one_to_one(const DistArray& array) {
  if (!adapter::may_share_indices(array)) return;
  const OneToOne proof = prove_one_to_one(array);
  const std::optional<Finding>& shared = proof.shared();
  if (!shared) return;
  adapter::Reasons reasons = detail::nvector_reasons(array);
  for (Finding& finding : reasons) {
    finding.found = shared->found;
    finding.ranks = shared->ranks;
    finding.rank_count = shared->rank_count;
    finding.dimension = shared->dimension;
  }
  adapter::require_none(std::move(reasons));
}

/// The first of the elements, for SUNDIALS; the array is writable, as the reasons have seen.
sunrealtype* owned_elements(const Section& array) {
  return static_cast<sunrealtype*>(const_cast<void*>(array.owned_data()));
}

}  // namespace

void ImportedNVector::Destroy::operator()(N_Vector vector) const noexcept {
  N_VDestroy(vector);
}

ImportedNVector::ImportedNVector(N_Vector vector, DistArray array)
    : array_(std::move(array)), vector_(vector) {}

ImportedNVector import_nvector(const DistArray& array, SUNContext context) {
  Call call(array, "sundials::import_nvector");
  const detail::AgreedOrder order = call.check([&] {
    require_context(context);
    adapter::require_none(detail::all_but_overlap(array));
    adapter::require_memory(array);
    return detail::say_order(array, call);
  });
  order.require_one(array);
  require_one_to_one(array);
  const Index global_count = detail::count_owned(array, call.comm());
  // The MPI communicator that others find in the N_Vector, and that its clones have, is the
  // caller's.
  const MPI_Comm mpi = call.comm()->original();
  ImportedNVector imported(call.library("sundials", "N_VMake_Parallel",
                                        [&] {
                                          return N_VMake_Parallel(mpi, array.owned_count(),
                                                                  global_count,
                                                                  owned_elements(array), context);
                                        }),
                           array);
  call.check([&] {
    if (!imported)
      throw LibraryFailed("sundials", "N_VMake_Parallel",
                          "no vector was made, as when memory runs out");
  });
  return imported;
}

}  // namespace daptor::sundials
