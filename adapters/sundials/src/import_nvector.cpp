// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include <nvector/nvector_parallel.h>

#include "counts.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/sundials/nvector.hpp"
#include "importing.hpp"
#include "nvector_reasons.hpp"

namespace daptor::sundials {

void ImportedNVector::Destroy::operator()(N_Vector vector) const noexcept {
  N_VDestroy(vector);
}

ImportedNVector::ImportedNVector(N_Vector vector, DistArray array)
    : array_(std::move(array)), vector_(vector) {}

ImportedNVector import_nvector(const DistArray& array, SUNContext context) {
  Call call(array, "sundials::import_nvector");
  const detail::AgreedOrder order = call.check([&] {
    detail::require_context(context);
    adapter::require_none(detail::all_but_overlap(array));
    adapter::require_memory(array);
    return detail::say_order(array, call);
  });
  order.require_one(array);
  detail::require_one_to_one(array);
  const detail::Counts counts = detail::count_owned(array, call.comm());
  // Others find this communicator in the N_Vector and in its clones: it is the caller's.
  const MPI_Comm mpi = call.comm()->original();
  ImportedNVector imported(call.library("sundials", "N_VMake_Parallel",
                                        [&] {
                                          return N_VMake_Parallel(mpi, counts.local, counts.global,
                                                                  detail::owned_elements(array),
                                                                  context);
                                        }),
                           array);
  call.check([&] { detail::require_made(imported.get(), "N_VMake_Parallel"); });
  return imported;
}

}  // namespace daptor::sundials
