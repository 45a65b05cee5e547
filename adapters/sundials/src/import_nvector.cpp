// SPDX-License-Identifier: BSD-3-Clause
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <nvector/nvector_parallel.h>

#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/form.hpp"
#include "daptor/adapter/names.hpp"
#include "daptor/error.hpp"
#include "daptor/layout.hpp"
#include "daptor/sundials/nvector.hpp"
#include "daptor/sundials/targets.hpp"
#include "names.hpp"
#include "strided_content.hpp"

namespace daptor::sundials {
namespace {

static_assert(std::is_same_v<sunrealtype, double>,
              "the adapter needs a SUNDIALS in double precision (SUNDIALS_PRECISION)");

adapter::Form form_with(adapter::Form::Layout layout) {
  auto form = adapter::Form::of<sunrealtype>("sundials.nvector");
  form.elements = "float64, SUNDIALS' sunrealtype";
  form.type_remedy = [](const DataType&) {
    return "Copy it to an array of that type (" + daptor::names::convert + ").";
  };
  form.layout = layout;
  form.padded_remedy = form.gaps_remedy = "Use " + names::use_strided + ".";
  form.writable = "memory that may be written, as by any holder of an N_Vector";
  form.largest = std::numeric_limits<sunindextype>::max();
  form.largest_name = "the largest sunindextype";
  form.largest_remedy = "Use a SUNDIALS with 64-bit indices (SUNDIALS_INDEX_SIZE).";
  form.one_owner = "each element on one process, because norms and products count it once";
  form.copy = adapter::copy_to_blocks;
  form.copy_fits = [](const Section& array) { return array.ndim() > 0; };
  return form;
}

const adapter::Form& nvector_form() {
  static const adapter::Form form = [] {
    adapter::Form one_run = form_with(adapter::Form::Layout::one_run);
    one_run.one_order = "the same order on all ranks";
    return one_run;
  }();
  return form;
}

const adapter::Form& strided_nvector_form() {
  static const adapter::Form form = form_with(adapter::Form::Layout::strided);
  return form;
}

/// In blocks, of elements that need no conversion.
std::optional<TargetCopy> copy_in_blocks(const Section& array, const CopyRequest& request) {
  if (array.ndim() == 0 || array.type() != DataType::of<sunrealtype>() ||
      !array.buffer().space().host())
    return std::nullopt;
  return copy_of(array, adapter::copy_to_blocks(array), request, layout::blocks());
}

void require_context(SUNContext context) {
  if (context != nullptr) return;
  adapter::refuse_argument("sundials.nvector.context", "a null SUNContext",
                           "the context of the integrator", "Make one by SUNContext_Create.");
}

void require_made(N_Vector vector, const char* function) {
  if (vector == nullptr)
    throw LibraryFailed("sundials", function, "no vector was made, as when memory runs out");
}

[[maybe_unused]] const bool registered_when_loaded = register_targets();

}  // namespace

ImportedNVector import_nvector(const DistArray& array, SUNContext context) {
  Call call(array, "sundials::import_nvector");
  call.attempt([&] { require_context(context); });
  const adapter::Fit fit = adapter::agree(nvector_form(), array, call);
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
  const adapter::Fit fit = adapter::agree(strided_nvector_form(), array, call, [&] {
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

bool register_targets() {
  using adapter::target_of;
  register_target(
      target_of(nvector_form(), "sundials.nvector", names::import_nvector, copy_in_blocks));
  register_target(target_of(strided_nvector_form(), "sundials.strided-nvector",
                            names::import_strided, copy_in_blocks));
  return true;
}

}  // namespace daptor::sundials
