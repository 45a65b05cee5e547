// SPDX-License-Identifier: BSD-3-Clause
#include "ghosts.hpp"

#include <utility>

#include <petscis.h>

#include "daptor/adapter/names.hpp"
#include "daptor/adapter/order.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "local_form.hpp"
#include "names.hpp"

namespace daptor::petsc::detail {
namespace {

/// Number of ghosts, or -1 if the Vec is not ghosted.
Index ghost_count(Vec vec, Index owned_count) {
  const LocalForm local(vec);
  PetscInt size = -1;
  if (local.get() != nullptr) call("VecGetLocalSize", VecGetLocalSize, local.get(), &size);
  return size < 0 ? -1 : size - owned_count;
}

/// The ghosts as they were passed to PETSc: single indices, and the block size.
struct Given {
  std::vector<Index> points;
  Index block = 1;
};

[[maybe_unused]] Given read_set(IS set) {
  PetscInt count = 0;
  PetscInt block = 1;
  const PetscInt* list = nullptr;
  call("ISGetLocalSize", ISGetLocalSize, set, &count);
  call("ISGetBlockSize", ISGetBlockSize, set, &block);
  call("ISGetIndices", ISGetIndices, set, &list);
  Given given{{list, list + count}, block};
  call("ISRestoreIndices", ISRestoreIndices, set, &list);
  return given;
}

/// The ghosts at the end of the Vec's local-to-global mapping.
Given ghosts_of_mapping(Vec vec, Index owned_count, Index ghosts) {
  ISLocalToGlobalMapping mapping = nullptr;
  call("VecGetLocalToGlobalMapping", VecGetLocalToGlobalMapping, vec, &mapping);
  PetscInt count = 0;
  PetscInt block = 1;
  if (mapping != nullptr) {
    call("ISLocalToGlobalMappingGetSize", ISLocalToGlobalMappingGetSize, mapping, &count);
    call("ISLocalToGlobalMappingGetBlockSize", ISLocalToGlobalMappingGetBlockSize, mapping, &block);
  }
  if (mapping == nullptr || count != owned_count + ghosts)
    throw NotRepresentable(adapter::reason(
        "petsc.vec.ghosts", "a ghosted Vec whose local-to-global mapping has been replaced",
        "the mapping that " + names::function("VecCreateGhost") + " set",
        "Export it without ghosts."));
  const PetscInt* list = nullptr;
  call("ISLocalToGlobalMappingGetIndices", ISLocalToGlobalMappingGetIndices, mapping, &list);
  Given given{{list + owned_count, list + count}, block};
  call("ISLocalToGlobalMappingRestoreIndices", ISLocalToGlobalMappingRestoreIndices, mapping,
       &list);
  return given;
}

/// Newer versions of PETSc have a query for the ghosts. Argument-dependent lookup finds it when the
/// template is instantiated.
template <class V>
auto read_ghosts(V vec, Index owned_count, Index ghosts, int)
    -> decltype(VecGhostGetGhostIS(vec, std::declval<IS*>()), Given()) {
  IS set = nullptr;
  const QuietErrors quiet;
  check(VecGhostGetGhostIS(vec, &set), "VecGhostGetGhostIS");
  // VecCreateGhostBlock does not set it (up to PETSc 3.25).
  return set == nullptr ? ghosts_of_mapping(vec, owned_count, ghosts) : read_set(set);
}

template <class V>
Given read_ghosts(V vec, Index owned_count, Index ghosts, long) {
  return ghosts_of_mapping(vec, owned_count, ghosts);
}

/// Whether one dimension lists owned indices followed by ghosts, and all others are the components
/// of a block.
bool lists_ghosts(const Section& array, Order order) {
  if (array.ndim() < 1 || array.ndim() > 2) return false;
  if (array.ndim() == 2 &&
      !adapter::whole_on_each_process(array.dimension(adapter::fastest(array, order))))
    return false;
  const auto* list = array.dimension(adapter::slowest(array, order)).as<Unstructured>();
  return list != nullptr && list->owned && !list->owned->apart() && list->owned->first() == 0;
}

}  // namespace

Ghosts ghosts_of(Vec vec, Index owned_count, Index block) {
  const Index count = ghost_count(vec, owned_count);
  if (count < 0)
    throw NotRepresentable(adapter::reason("petsc.vec.ghosts", "a Vec without ghosts",
                                           "a Vec made by " + names::create_ghost,
                                           "Export it without " + names::export_ghosts + "."));
  const Given given = read_ghosts(vec, owned_count, count, 0);
  Ghosts ghosts;
  if (given.block == block) ghosts.block = block;
  for (std::size_t i = 0; i < given.points.size(); i += static_cast<std::size_t>(ghosts.block))
    ghosts.indices.push_back(given.points[i] / ghosts.block);
  return ghosts;
}

adapter::OrderFit ghosted_order(const Section& array) {
  const adapter::OrderFit run = adapter::local_run(array);
  return {run.c && lists_ghosts(array, Order::c),
          run.fortran && lists_ghosts(array, Order::fortran)};
}

adapter::Reasons ghosted_reasons(const Section& array) {
  if (ghosted_order(array).any()) return {};
  return {
      adapter::reason("petsc.vec.ghosts",
                      "an array without a dimension that lists owned indices followed by ghosts",
                      "one such dimension, and at most a fastest varying undistributed one",
                      "Describe the array with " + daptor::names::owned_then_ghosts +
                          ", or import it without " + names::ghosts + ".")};
}

}  // namespace daptor::petsc::detail
