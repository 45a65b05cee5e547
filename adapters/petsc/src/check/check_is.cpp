// SPDX-License-Identifier: BSD-3-Clause
#include <petsc/private/isimpl.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/shared_index.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "daptor/petsc/check.hpp"
#include "findings.hpp"
#include "objects.hpp"

namespace daptor::petsc {
namespace {

using adapter::SharedIndex;
using detail::Findings;

/// This rank's indices; none of a set of another type than `general`, `stride` and `block`.
std::vector<Index> indices_of(IS set) {
  if (!detail::is_one_of(detail::object(set), {ISGENERAL, ISSTRIDE, ISBLOCK})) return {};
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
                   "indices in " + terms::range({0, size}),
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

/// Whether PETSc has been told, or has found, that the set has this property.
bool has_been_told(IS set, ISInfo property, ISInfoType where) {
  return set->info[where][property] == IS_INFO_TRUE;
}

Terms remedy_for_order() {
  return "Correct the indices, or do not set it as what it is not: " +
         names::function("ISSetPermutation") + " and " + names::function("ISSetIdentity") +
         " look at no index.";
}

/// @param first  what the first index of this rank has to be
void look_at_identity(const std::vector<Index>& indices, Index first, Findings& findings) {
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Index expected = first + static_cast<Index>(i);
    if (indices[i] == expected) continue;
    findings.error("check.is.permutation",
                   "set as the identity, but index " + std::to_string(indices[i]) +
                       " is at place " + std::to_string(i) + " of this rank",
                   "index " + std::to_string(expected) + " at this place", remedy_for_order());
    return;
  }
}

void look_at_local_permutation(const std::vector<Index>& indices, Findings& findings) {
  std::vector<Index> sorted = indices;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] == static_cast<Index>(i)) continue;
    findings.error("check.is.permutation",
                   "set as a permutation, but index " + std::to_string(i) +
                       (sorted[i] > static_cast<Index>(i) ? " is not"
                                                          : " is not the only one of its "
                                                            "value") +
                       " among those of this rank",
                   "each of " + terms::range({0, static_cast<Index>(indices.size())}) + " once",
                   remedy_for_order());
    return;
  }
}

/// What PETSc has been told of the order of this rank's indices.
void look_at_order(IS set, const std::vector<Index>& indices, Findings& findings) {
  PetscLayout layout = nullptr;
  detail::call("ISGetLayout", ISGetLayout, set, &layout);
  const bool identity_here = has_been_told(set, IS_IDENTITY, IS_LOCAL);
  if (identity_here || has_been_told(set, IS_IDENTITY, IS_GLOBAL)) {
    // That of one rank may begin with 0 or with the first place of the rank.
    const bool from_zero = identity_here && !indices.empty() && indices.front() == 0;
    return look_at_identity(indices, from_zero ? 0 : Index{layout->rstart}, findings);
  }
  if (has_been_told(set, IS_PERMUTATION, IS_LOCAL)) look_at_local_permutation(indices, findings);
}

/// Whether `look_at_order` judges the set.
bool is_judged_by_order(IS set) {
  return has_been_told(set, IS_IDENTITY, IS_LOCAL) || has_been_told(set, IS_IDENTITY, IS_GLOBAL) ||
         has_been_told(set, IS_PERMUTATION, IS_LOCAL);
}

/// A set of the indices of all ranks, which PETSc takes for a permutation of them all: that is what
/// ISSetPermutation says on more than one rank. If an index is there twice, another one is missing.
void look_at_global_permutation(IS set, std::vector<Index> indices, SharedIndex& permutation,
                                Findings& findings, Call& call) {
  const bool told = has_been_told(set, IS_PERMUTATION, IS_GLOBAL) && !is_judged_by_order(set);
  PetscInt size = 0;
  detail::call("ISGetSize", ISGetSize, set, &size);
  const std::size_t place = first_outside(indices, size);
  const bool in_range = place == indices.size();
  const Terms all = "each of " + terms::range({0, size}) + " once, on all ranks together";
  if (told && !in_range)
    findings.error("check.is.permutation",
                   "set as a permutation, but index " + std::to_string(indices[place]) +
                       " is at place " + std::to_string(place) + " of this rank",
                   all, remedy_for_order());
  permutation.gather(told && in_range, size, std::move(indices),
                     {"check.is.permutation", "set as a permutation of the indices of all ranks: ",
                      all, remedy_for_order()},
                     call);
}

/// Collective over the communicator of the layout.
/// @param size_of  gives the global number of elements or rows; less than 0 if it is not set up
Report check_on(IS set, PetscObject layout, const std::function<Index()>& size_of) {
  detail::Inspection look(detail::object(set), layout);
  SharedIndex repeated;
  look.gather([&](Findings& findings) {
    const Index size = size_of();
    std::vector<Index> indices = size >= 0 ? indices_of(set) : std::vector<Index>();
    look_at_range(indices, size, findings);
    look_at_blocks(set, indices, findings);
    // Sets of one rank each may have indices in common.
    const bool divided =
        adapter::same_processes(PetscObjectComm(detail::object(set)), PetscObjectComm(layout));
    const bool in_range = size >= 0 && first_outside(indices, size) == indices.size();
    repeated.gather(divided && in_range, size, std::move(indices),
                    {"check.is.repeated", "", "each index once",
                     "Remove indices that the set has already, or that another rank has."},
                    look.call());
  });
  return look.conclude(repeated);
}

}  // namespace

Report check(IS set) {
  detail::Inspection look(detail::object(set));
  SharedIndex permutation;
  look.gather([&](Findings& findings) {
    std::vector<Index> indices = indices_of(set);
    look_at_blocks(set, indices, findings);
    look_at_order(set, indices, findings);
    look_at_global_permutation(set, std::move(indices), permutation, findings, look.call());
  });
  return look.conclude(permutation);
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
