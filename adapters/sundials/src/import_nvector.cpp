// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <utility>

#include <nvector/nvector_parallel.h>

#include "daptor/adapter/communicator.hpp"
#include "daptor/error.hpp"
#include "daptor/sundials/nvector.hpp"
#include "forms.hpp"
#include "strided_content.hpp"

namespace daptor::sundials {
namespace {

void require_context(SUNContext context) {
  if (context != nullptr) return;
  adapter::refuse_argument("sundials.nvector.context", "a null SUNContext",
                           "the context of the integrator", "Make one by SUNContext_Create.");
}

void require_made(N_Vector vector, const char* function) {
  if (vector == nullptr)
    throw LibraryFailed("sundials", function, "no vector was made, as when memory runs out");
}

}  // namespace

void ImportedNVector::Destroy::operator()(N_Vector vector) const noexcept {
  N_VDestroy(vector);
}

ImportedNVector::ImportedNVector(N_Vector vector, DistArray array)
    : array_(std::move(array)), vector_(vector) {}

ImportedNVector import_nvector(const DistArray& array, SUNContext context) {
  Call call(array, "sundials::import_nvector");
  call.attempt([&] { require_context(context); });
  const adapter::Fit fit = adapter::agree(detail::nvector_form(), array, call);
  // Others find this communicator in the N_Vector and in its clones: it is the caller's.
  const MPI_Comm mpi = call.comm()->original();
  ImportedNVector imported(call.library("sundials", "N_VMake_Parallel",
                                        [&] {
                                          return N_VMake_Parallel(
                                              mpi, static_cast<sunindextype>(fit.local),
                                              static_cast<sunindextype>(fit.global),
                                              static_cast<sunrealtype*>(fit.data), context);
                                        }),
                           array);
  call.check([&] { require_made(imported.get(), "N_VMake_Parallel"); });
  return imported;
}

ImportedNVector import_strided_nvector(const DistArray& array, SUNContext context) {
  Call call(array, "sundials::import_strided_nvector");
  call.attempt([&] { require_context(context); });
  Agreed<bool> one_run;
  const adapter::Fit fit = adapter::agree(detail::strided_nvector_form(), array, call, [&] {
    one_run = call.all(adapter::owned_run(array).any());
  });
  return call.check([&] {
    auto form = std::make_shared<const detail::StridedForm>(detail::StridedForm{
        detail::Runs(array, static_cast<Index>(sizeof(sunrealtype))), array.comm()->original(),
        static_cast<sunindextype>(fit.local), static_cast<sunindextype>(fit.global), one_run});
    ImportedNVector imported(
        detail::make_strided({std::move(form), array, static_cast<sunrealtype*>(fit.data)},
                             context),
        array);
    require_made(imported.get(), "N_VNewEmpty");
    return imported;
  });
}

}  // namespace daptor::sundials
