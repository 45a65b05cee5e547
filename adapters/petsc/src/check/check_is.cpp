// SPDX-License-Identifier: BSD-3-Clause
#include <petsc/private/isimpl.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "daptor/adapter/merged.hpp"
#include "daptor/adapter/shared_index.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/check.hpp"
#include "findings.hpp"
#include "object_mappings.hpp"

namespace daptor::petsc {
namespace {

using detail::Findings;

/// This rank's indices; none of a set of another type than `general`, `stride` and `block`.
std::vector<Index> indices_of(IS set) {
  bool known = false;
  for (const char* type : {ISGENERAL, ISSTRIDE, ISBLOCK}) {
    PetscBool same = PETSC_FALSE;
    detail::call("PetscObjectTypeCompare", PetscObjectTypeCompare, detail::object(set), type,
                 &same);
    known = known || same == PETSC_TRUE;
  }
  if (!known) return {};
  PetscInt count = 0;
  const PetscInt* list = nullptr;
  detail::call("ISGetLocalSize", ISGetLocalSize, set, &count);
  detail::call("ISGetIndices", ISGetIndices, set, &list);
  std::vector<Index> indices(list, list + count);
  detail::call("ISRestoreIndices", ISRestoreIndices, set, &list);
  return indices;
}

/// The place of the first index outside of [0, size), or the number of indices.
std::size_t first_outside(const std::vector<Index>& indices, Index size) {
  const auto outside =
      std::find_if(indices.begin(), indices.end(), [&](Index i) { return i < 0 || i >= size; });
  return static_cast<std::size_t>(outside - indices.begin());
}

void look_at_range(const std::vector<Index>& indices, Index size, Findings& findings) {
  const std::size_t place = first_outside(indices, size);
  if (place < indices.size())
    findings.error("check.is.range",
                   "index " + std::to_string(indices[place]) + " at place " +
                       std::to_string(place) + " of this rank",
                   "indices in " + adapter::range_text({0, size}),
                   "Correct the list of which the index set was made.");
}

/// What other sets are taken for: PETSc believes what it has been told.
void look_at_blocks(IS set, const std::vector<Index>& indices, Findings& findings) {
  PetscInt block = 1;
  detail::call("ISGetBlockSize", ISGetBlockSize, set, &block);
  for (std::size_t i = 0; block > 1 && i < indices.size(); ++i) {
    const auto within = static_cast<Index>(i) % block;
    if (indices[i] == indices[i - static_cast<std::size_t>(within)] + within) continue;
    findings.warning(
        "check.is.blocks",
        "blocks of " + std::to_string(block) + ", though index " + std::to_string(indices[i]) +
            " at place " + std::to_string(i) + " does not follow the one before it",
        "blocks of consecutive indices", "Set the block size that the indices have, or 1.");
    return;
  }
}

void look_at_local_permutation(const std::vector<Index>& indices, Findings& findings) {
  std::vector<Index> sorted = indices;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] == static_cast<Index>(i)) continue;
    findings.error(
        "check.is.permutation",
        "set as a permutation, but index " + std::to_string(i) +
            (sorted[i] > static_cast<Index>(i) ? " is not"
                                               : " is not the only one of its "
                                                 "value") +
            " among those of this rank",
        "each of " + adapter::range_text({0, static_cast<Index>(indices.size())}) + " once",
        "Correct the indices, or do not set it as a permutation.");
    return;
  }
}

/// Collective over the communicator of the layout.
/// @param size_of  gives the global number of elements or rows; less than 0 if it is not set up
Report check_on(IS set, PetscObject layout, const std::function<Index()>& size_of) {
  Call call(detail::comm_of(layout), "petsc::check");
  std::optional<Findings> findings;
  std::vector<Index> indices;
  Index size = 0;
  Agreed<bool> comparable;
  call.check([&] {
    detail::require_session();
    findings.emplace(detail::object(set));
    size = size_of();
    if (size >= 0) indices = indices_of(set);
    look_at_range(indices, size, *findings);
    look_at_blocks(set, indices, *findings);
    // Sets of one rank each may have indices in common.
    const bool divided =
        adapter::same_processes(PetscObjectComm(detail::object(set)), PetscObjectComm(layout));
    comparable = call.all(divided && size >= 0 && first_outside(indices, size) == indices.size());
  });
  std::optional<Finding> shared;
  if (comparable)
    shared = adapter::shared_index(call, [&] {
      return unstructured(size, {call.comm().size(), call.comm().rank()},
                          IndexList(std::move(indices)));
    });
  return adapter::merged(call, [&] {
    if (shared && adapter::is_at_fault(*shared, call.comm().rank()))
      findings->error("check.is.repeated", shared->found, "each index once",
                      "Remove indices that the set has already, or that another rank has.");
    return findings->report();
  });
}

}  // namespace

Report check(IS set) {
  Call call(detail::comm_of(detail::object(set)), "petsc::check");
  return adapter::merged(call, [&] {
    detail::require_session();
    Findings findings(detail::object(set));
    const std::vector<Index> indices = indices_of(set);
    look_at_blocks(set, indices, findings);
    if (set->info[IS_LOCAL][IS_PERMUTATION] == IS_INFO_TRUE)
      look_at_local_permutation(indices, findings);
    return findings.report();
  });
}

Report check(IS set, Vec layout) {
  return check_on(set, detail::object(layout), [&] {
    PetscInt size = 0;
    detail::call("VecGetSize", VecGetSize, layout, &size);
    return Index{size};
  });
}

Report check(IS set, Mat layout) {
  return check_on(set, detail::object(layout), [&] {
    PetscInt rows = 0;
    detail::call("MatGetSize", MatGetSize, layout, &rows, nullptr);
    return Index{rows};
  });
}

}  // namespace daptor::petsc
