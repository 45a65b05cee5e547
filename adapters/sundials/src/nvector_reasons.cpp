// SPDX-License-Identifier: BSD-3-Clause
#include "nvector_reasons.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include <sundials/sundials_types.h>

#include "counts.hpp"
#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/copy_remedy.hpp"
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
                                 "Copy it to an array of that type (daptor::redistribute with "
                                 "RedistributionOptions::convert).")));
  if (!array.buffer().space().host())
    reasons.push_back(adapter::reason(
        "sundials.nvector.device",
        "memory of device type " + std::to_string(array.buffer().space().device_type),
        "memory that the host can reach", "Let the producer copy the array to the host first."));
  const auto excess = reinterpret_cast<std::uintptr_t>(array.owned_data()) % alignof(sunrealtype);
  if (excess != 0)
    reasons.push_back(adapter::reason(
        "sundials.nvector.alignment",
        "memory at " + std::to_string(excess) + " bytes past a multiple of " +
            std::to_string(alignof(sunrealtype)),
        "memory that is aligned for sunrealtype", "Allocate aligned memory for the array."));
}

void overlap_reason(const Section& array, adapter::Reasons& reasons) {
  const int overlapping = adapter::shared_dimension(array);
  if (overlapping < 0) return;
  reasons.push_back(
      adapter::reason("sundials.nvector.overlap", overlapping,
                      "unstructured indices that may be on several processes",
                      "each element on one process, because norms and products count it once",
                      "Describe which of them each process owns (owned_then_ghosts)."));
}

/// The last dimension with communication padding; -1 if there is none.
int padded_dimension(const Section& array) {
  int found = -1;
  for (int d = 0; d < array.ndim(); ++d)
    if (array.dimension(d).communication_padding() != Padding{}) found = d;
  return found;
}

Finding one_run_reason(const Section& array) {
  const int padded = padded_dimension(array);
  if (padded >= 0)
    return adapter::reason("sundials.nvector.one-run", padded,
                           "communication padding between the owned elements",
                           "contiguous owned elements, with communication padding at most in the "
                           "slowest varying dimension");
  return adapter::reason("sundials.nvector.one-run",
                         "gaps between the elements, or strides in neither C nor Fortran order",
                         "a section that is contiguous in C or Fortran order",
                         "Let the producer store the section without gaps.");
}

/// Every reason suggests the copy, if there is none against which it does not help.
void offer_copy(const Section& array, adapter::Reasons& reasons) {
  if (array.ndim() == 0) return;
  for (const Finding& finding : reasons)
    for (const char* rule : {".type", ".device", ".index-range"})
      if (finding.rule == std::string("sundials.nvector") + rule) return;
  for (Finding& finding : reasons) finding.copy = adapter::copy_to_blocks(array);
}

adapter::Reasons judge(const Section& array, bool overlap_allowed) {
  adapter::Reasons reasons;
  element_reasons(array, reasons);
  if (!overlap_allowed) overlap_reason(array, reasons);
  if (!owned_order(array).any()) reasons.push_back(one_run_reason(array));
  count_reasons(array, reasons);
  if (array.readonly())
    reasons.push_back(adapter::reason("sundials.nvector.readonly", "read-only memory",
                                      "memory that may be written, as by any holder of an N_Vector",
                                      "Import a writable array."));
  offer_copy(array, reasons);
  return reasons;
}

}  // namespace

adapter::Reasons nvector_reasons(const Section& array) {
  return judge(array, false);
}

adapter::Reasons all_but_overlap(const Section& array) {
  return judge(array, true);
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
