#include "ghosts.hpp"

#include <utility>

#include <petscis.h>

#include "call.hpp"
#include "section.hpp"

namespace daptor::petsc::detail {
namespace {

/// Number of ghosts, or -1 for a Vec that is not ghosted.
Index ghost_count(Vec vec, Index owned_count) {
  Vec local = nullptr;
  call("VecGhostGetLocalForm", VecGhostGetLocalForm, vec, &local);
  PetscInt size = -1;
  if (local != nullptr && local != vec) call("VecGetLocalSize", VecGetLocalSize, local, &size);
  call("VecGhostRestoreLocalForm", VecGhostRestoreLocalForm, vec, &local);
  return size < 0 ? -1 : size - owned_count;
}

std::vector<Index> read_indices(IS set) {
  PetscInt count = 0;
  const PetscInt* list = nullptr;
  call("ISGetLocalSize", ISGetLocalSize, set, &count);
  call("ISGetIndices", ISGetIndices, set, &list);
  std::vector<Index> indices(list, list + count);
  call("ISRestoreIndices", ISRestoreIndices, set, &list);
  return indices;
}

/// Newer versions of PETSc tell the ghosts. Found by lookup where the template is instantiated.
template <class V>
auto read_ghosts(V vec, Index owned_count, Index ghosts, int)
    -> decltype(VecGhostGetGhostIS(vec, std::declval<IS*>()), std::vector<Index>()) {
  static_cast<void>(owned_count);
  static_cast<void>(ghosts);
  IS set = nullptr;
  const QuietErrors quiet;
  check(VecGhostGetGhostIS(vec, &set), "VecGhostGetGhostIS");
  return read_indices(set);
}

/// Older ones have set them as the end of the Vec's local-to-global mapping.
template <class V>
std::vector<Index> read_ghosts(V vec, Index owned_count, Index ghosts, long) {
  ISLocalToGlobalMapping mapping = nullptr;
  call("VecGetLocalToGlobalMapping", VecGetLocalToGlobalMapping, vec, &mapping);
  PetscInt count = 0;
  if (mapping != nullptr)
    call("ISLocalToGlobalMappingGetSize", ISLocalToGlobalMappingGetSize, mapping, &count);
  if (mapping == nullptr || count != owned_count + ghosts)
    throw NotRepresentable(
        reason("vec.ghosts", -1, "a ghosted Vec whose local-to-global mapping has been replaced",
               "the mapping that VecCreateGhost has set", "Export it without ghosts."));
  const PetscInt* list = nullptr;
  call("ISLocalToGlobalMappingGetIndices", ISLocalToGlobalMappingGetIndices, mapping, &list);
  std::vector<Index> indices(list + owned_count, list + count);
  call("ISLocalToGlobalMappingRestoreIndices", ISLocalToGlobalMappingRestoreIndices, mapping,
       &list);
  return indices;
}

}  // namespace

std::vector<Index> ghosted_indices(Vec vec, IndexRange owned) {
  const Index ghosts = ghost_count(vec, owned.size());
  if (ghosts < 0)
    throw NotRepresentable(reason("vec.ghosts", -1, "a Vec without ghosts",
                                  "one made by VecCreateGhost or VecMPISetGhost",
                                  "Export it without VecExportOptions::ghosts."));
  const std::vector<Index> ghost_indices = read_ghosts(vec, owned.size(), ghosts, 0);
  std::vector<Index> indices;
  indices.reserve(static_cast<std::size_t>(owned.size() + ghosts));
  for (Index i = owned.start; i < owned.stop; ++i) indices.push_back(i);
  indices.insert(indices.end(), ghost_indices.begin(), ghost_indices.end());
  return indices;
}

}  // namespace daptor::petsc::detail
