// SPDX-License-Identifier: BSD-3-Clause
#include <memory>

#include "counts.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/sundials/nvector.hpp"
#include "importing.hpp"
#include "nvector_reasons.hpp"
#include "order.hpp"
#include "strided_content.hpp"

namespace daptor::sundials {
namespace {

std::shared_ptr<const detail::StridedForm> form_of(const DistArray& array, detail::Counts counts,
                                                   bool one_run) {
  return std::make_shared<const detail::StridedForm>(
      detail::StridedForm{detail::Runs(array, static_cast<Index>(sizeof(sunrealtype))),
                          array.comm()->original(), counts, one_run});
}

}  // namespace

ImportedNVector import_strided_nvector(const DistArray& array, SUNContext context) {
  Call call(array, "sundials::import_strided_nvector");
  const Agreed<bool> one_run = call.check([&] {
    detail::require_context(context);
    adapter::require_none(detail::strided_all_but_overlap(array));
    adapter::require_memory(array);
    return call.all(detail::owned_order(array).any());
  });
  detail::require_one_to_one(array);
  const detail::Counts counts = detail::count_owned(array, call.comm());
  return call.check([&] {
    ImportedNVector imported(
        detail::make_strided(
            {form_of(array, counts, one_run), array, detail::owned_elements(array)}, context),
        array);
    detail::require_made(imported.get(), "N_VNewEmpty");
    return imported;
  });
}

}  // namespace daptor::sundials
