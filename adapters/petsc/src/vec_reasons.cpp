// SPDX-License-Identifier: BSD-3-Clause
#include "vec_reasons.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "copy_layout.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/names.hpp"
#include "daptor/adapter/reason.hpp"
#include "device_memory.hpp"
#include "element_reasons.hpp"
#include "ghosts.hpp"
#include "locks.hpp"
#include "names.hpp"
#include "order.hpp"
#include "overlap.hpp"

namespace daptor::petsc::detail {
namespace {

Finding one_run_reason(const Section& array) {
  if (array.owned_apart())
    return adapter::reason("petsc.vec.one-run", "ghosts between owned elements",
                           "contiguous owned elements",
                           "List the ghosts behind the owned elements (owned_then_ghosts).");
  const int padded = adapter::parting_dimension(array);
  if (padded >= 0)
    return adapter::reason("petsc.vec.one-run", padded,
                           "communication padding between the owned elements",
                           "contiguous owned elements, with communication padding at most in the "
                           "slowest varying dimension",
                           Terms(names::padded_section));
  return adapter::reason("petsc.vec.one-run",
                         "gaps between the elements, or strides in neither C nor Fortran order",
                         "a section that is contiguous in C or Fortran order",
                         "Let the producer store the section without gaps.");
}

}  // namespace

adapter::Reasons vec_reasons(const Section& array, const VecOptions& options) {
  adapter::Reasons reasons;
  element_type_reasons("petsc.vec", array, reasons);
  const MemorySpace space = array.buffer().space();
  if (!space.host() && (options.ghosts || !device_vecs(space)))
    adapter::add_device_reason("petsc.vec.device", array, reasons);
  const int overlapping = adapter::shared_dimension(array);
  if (overlapping >= 0 && !options.allow_overlap)
    reasons.push_back(adapter::reason(
        "petsc.vec.overlap", overlapping, "unstructured indices that may be on several processes",
        "each element on one process, because norms and products count it once",
        "Describe which of them each process owns (" + daptor::names::owned_then_ghosts + "), or " +
            names::allow_overlap + " for a Vec that no solver uses."));
  if (!owned_run(array).any()) reasons.push_back(one_run_reason(array));
  if (options.ghosts)
    for (Finding& finding : ghosted_reasons(array)) reasons.push_back(std::move(finding));
  count_reason("petsc.vec", "an owned count", array.owned_count(), reasons);
  if (!has_unstructured(array))
    count_reason("petsc.vec", "a global count", adapter::global_count(array.dimensions()), reasons);
  readonly_reason("petsc.vec", array, options.readonly, options.trust_readonly, reasons);
  offer_copy(
      reasons, [&] { return to_vec(array); },
      [&](const std::string& rule) {
        if (!vec_copy_fits(array)) return false;
        return rule == "one-run" || rule == "overlap" || rule == "alignment" || rule == "readonly";
      });
  return reasons;
}

Finding mixed_vec_orders_reason(const Section& array) {
  return adapter::reason(
      "petsc.vec.order", "sections in C order on some ranks and in Fortran order on others",
      "the same order on all ranks, because it determines the numbering of a Vec",
      "Let the producer store all sections in the same order.", to_vec(array));
}

void require_countable_block(Index block) {
  adapter::Reasons reasons;
  count_reason("petsc.vec", "a block size", block, reasons);
  adapter::require_none(std::move(reasons));
}

Index count_owned(const DistArray& array) {
  if (!has_unstructured(array)) return adapter::global_count(array.dimensions()).value_or(0);
  const Comm comm = array.comm();
  // Bounded so that the sum over all ranks fits in 64 bits.
  const Index limit = std::numeric_limits<Index>::max() / comm.size();
  std::int64_t count = std::min(array.owned_count(), limit);
  comm->allreduce(&count, 1, Reduction::sum);
  adapter::Reasons reasons;
  count_reason("petsc.vec", "a global count", count, reasons);
  adapter::require_none(std::move(reasons));
  return count;
}

adapter::Reasons local_vec_reasons(const Section& array, const VecOptions& options) {
  adapter::Reasons reasons;
  element_reasons("petsc.vec", array, reasons);
  if (!local_run(array).any())
    reasons.push_back(
        adapter::reason("petsc.vec.local-run", "gaps between the elements of the section",
                        "a section that is contiguous in C or Fortran order, including padding",
                        "Let the producer store the section without gaps."));
  count_reason("petsc.vec", "a local count", array.local_count(), reasons);
  readonly_reason("petsc.vec", array, options.readonly, options.trust_readonly, reasons);
  offer_copy(
      reasons, [&] { return to_padded_vec(array); },
      [](const std::string& rule) {
        return rule == "local-run" || rule == "alignment" || rule == "readonly";
      });
  return reasons;
}

}  // namespace daptor::petsc::detail
