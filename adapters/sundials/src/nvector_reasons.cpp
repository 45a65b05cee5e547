// SPDX-License-Identifier: BSD-3-Clause
#include "nvector_reasons.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include <sundials/sundials_types.h>

#include "counts.hpp"
#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/names.hpp"
#include "daptor/adapter/share_memory.hpp"
#include "daptor/error.hpp"
#include "order.hpp"

namespace daptor::sundials::detail {
namespace {

static_assert(std::is_same_v<sunrealtype, double>,
              "the adapter needs a SUNDIALS in double precision (SUNDIALS_PRECISION)");

void element_reasons(const Section& array, adapter::Reasons& reasons) {
  if (array.type() != DataType::of<sunrealtype>())
    reasons.push_back(adapter::reason(
        "sundials.nvector.type", "elements of type " + array.type().name(),
        DataType::of<sunrealtype>().name() + ", SUNDIALS' sunrealtype",
        adapter::remedy_for_type(array.type(),
                                 "Copy it to an array of that type (" + names::convert + ").")));
  adapter::add_device_reason("sundials.nvector.device", array, reasons);
  const auto excess =
      reinterpret_cast<std::uintptr_t>(adapter::first_owned(array)) % alignof(sunrealtype);
  if (excess != 0)
    reasons.push_back(adapter::reason(
        "sundials.nvector.alignment",
        "memory at " + std::to_string(excess) + " bytes past a multiple of " +
            std::to_string(alignof(sunrealtype)),
        "memory that is aligned for sunrealtype", "Allocate aligned memory for the array."));
}

Finding one_run_reason(const Section& array) {
  const int padded = adapter::parting_dimension(array);
  if (padded >= 0)
    return adapter::reason("sundials.nvector.one-run", padded,
                           "communication padding between the owned elements",
                           "contiguous owned elements, with communication padding at most in the "
                           "slowest varying dimension",
                           Name{"Use import_strided_nvector."});
  return adapter::reason("sundials.nvector.one-run",
                         "gaps between the elements, or strides in neither C nor Fortran order",
                         "a section that is contiguous in C or Fortran order",
                         Name{"Use import_strided_nvector."});
}

/// Every reason suggests the copy, if there is none against which it does not help.
void offer_copy(const Section& array, adapter::Reasons& reasons) {
  if (array.ndim() == 0) return;
  for (const Finding& finding : reasons)
    for (const char* rule : {".type", ".device", ".index-range"})
      if (finding.rule == std::string("sundials.nvector") + rule) return;
  for (Finding& finding : reasons) finding.copy = adapter::copy_to_blocks(array);
}

adapter::Reasons common_reasons(const Section& array) {
  adapter::Reasons reasons;
  element_reasons(array, reasons);
  count_reasons(array, reasons);
  if (array.readonly())
    reasons.push_back(adapter::reason("sundials.nvector.readonly", "read-only memory",
                                      "memory that may be written, as by any holder of an N_Vector",
                                      "Import a writable array."));
  return reasons;
}

/// Strides with which loops over sunrealtype reach each element once.
void stride_reasons(const Section& array, adapter::Reasons& reasons) {
  constexpr auto alignment = static_cast<Index>(sizeof(sunrealtype));
  for (int d = 0; d < array.ndim(); ++d) {
    const auto u = static_cast<std::size_t>(d);
    if (array.owned_shape()[u] > 1 && array.byte_strides()[u] % alignment != 0)
      reasons.push_back(adapter::reason(
          "sundials.nvector.alignment", d,
          "a stride of " + std::to_string(array.byte_strides()[u]) + " bytes",
          "a multiple of the " + std::to_string(alignment) + " bytes of a sunrealtype"));
  }
  if (array.owned_apart())
    reasons.push_back(adapter::reason("sundials.nvector.apart", "ghosts between owned elements",
                                      "owned elements that loops with one stride each reach",
                                      "List the owned elements first, or last."));
  if (array.data() != nullptr && adapter::elements_share_memory(array, adapter::SectionPart::owned))
    reasons.push_back(adapter::reason("sundials.nvector.shared-memory",
                                      "elements that share memory, as with a stride of 0",
                                      "memory of its own for each element"));
}

}  // namespace

adapter::Reasons all_but_overlap(const Section& array) {
  adapter::Reasons reasons = common_reasons(array);
  if (!owned_order(array).any()) reasons.push_back(one_run_reason(array));
  offer_copy(array, reasons);
  return reasons;
}

adapter::Reasons strided_all_but_overlap(const Section& array) {
  adapter::Reasons reasons = common_reasons(array);
  stride_reasons(array, reasons);
  offer_copy(array, reasons);
  return reasons;
}

adapter::Reasons with_overlap(const Section& array, adapter::Reasons reasons) {
  const int overlapping = adapter::shared_dimension(array);
  if (overlapping < 0) return reasons;
  const bool copy_helps = std::all_of(reasons.begin(), reasons.end(), [](const Finding& each) {
    return static_cast<bool>(each.copy);
  });
  reasons.push_back(
      adapter::reason("sundials.nvector.overlap", overlapping,
                      "unstructured indices that may be on several processes",
                      "each element on one process, because norms and products count it once",
                      "Describe which of them each process owns (owned_then_ghosts).",
                      copy_helps ? adapter::copy_to_blocks(array) : Suggestion{}));
  return reasons;
}

AgreedOrder say_order(const Section& array, Call& call) {
  const OwnedOrder order = owned_order(array);
  return {call.all(order.c), call.all(order.fortran)};
}

void AgreedOrder::require_one(const Section& array) const {
  if (c || fortran) return;
  throw NotRepresentable(adapter::reason(
      "sundials.nvector.order", "sections in C order on some ranks and in Fortran order on others",
      "the same order on all ranks", "Let the producer store all sections in the same order.",
      adapter::copy_to_blocks(array)));
}

}  // namespace daptor::sundials::detail
