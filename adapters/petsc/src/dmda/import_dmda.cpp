// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "daptor/call.hpp"
#include "daptor/global_index_map.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "daptor/petsc/dmda.hpp"
#include "dmda_layout.hpp"
#include "dmda_plan.hpp"
#include "imported_dmda.hpp"
#include "petsc/src/form/access.hpp"
#include "petsc/src/form/copy_layout.hpp"
#include "petsc/src/form/exporting.hpp"
#include "petsc/src/vec/vec_creation.hpp"

namespace daptor::petsc {
namespace {

using detail::DMDAPlan;
using detail::Routine;

/// Number of grid points of each process along a dimension. Points outside the grid are on the
/// first and the last process.
std::vector<PetscInt> widths(const GlobalDimensionMap& dimension, Index outside) {
  std::vector<PetscInt> list;
  for (Index g = 0; g < dimension.grid_size(); ++g) {
    const Index here = (g == 0 ? outside : 0) + (g + 1 == dimension.grid_size() ? outside : 0);
    list.push_back(detail::petsc_int(dimension.owned_range(g).size() - here));
  }
  return list;
}

/// PETSc's description of the grid, with one entry for each of x, y and z.
struct Grid {
  PetscInt sizes[3] = {1, 1, 1};
  PetscInt processes[3] = {PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE};
  DMBoundaryType boundaries[3] = {DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE};
  std::vector<PetscInt> widths[3];

  const PetscInt* ranges(std::size_t k) const {
    return widths[k].empty() ? nullptr : widths[k].data();
  }
};

Grid grid_of(const Section& array, const GlobalIndexMap& map, const DMDAPlan& plan) {
  Grid grid;
  for (std::size_t k = 0; k < plan.layout.dimensions.size(); ++k) {
    const int d = plan.layout.dimensions[k];
    const Dimension& dimension = array.dimension(d);
    grid.boundaries[k] = plan.boundaries[k];
    const Index outside = plan.outside(k) ? plan.stencil_width : 0;
    grid.sizes[k] = detail::petsc_int(dimension.global_size() - 2 * outside);
    grid.processes[k] = detail::petsc_int(dimension.grid().size);
    grid.widths[k] = widths(map.dimension(d), outside);
  }
  return grid;
}

detail::Guard<DM> create_dm(const Grid& grid, const DMDAPlan& plan, Stencil stencil, Call& call) {
  DM dm = nullptr;
  call.library(Routine("DMDACreate", DMDACreate), call.comm()->original(), &dm);
  detail::Guard<DM> guard(dm);
  const auto* s = grid.sizes;
  const auto* p = grid.processes;
  const auto* b = grid.boundaries;
  const auto ndim = static_cast<PetscInt>(plan.layout.dimensions.size());
  call.library(Routine("DMSetDimension", DMSetDimension), dm, ndim);
  call.library(Routine("DMDASetSizes", DMDASetSizes), dm, s[0], s[1], s[2]);
  call.library(Routine("DMDASetNumProcs", DMDASetNumProcs), dm, p[0], p[1], p[2]);
  call.library(Routine("DMDASetBoundaryType", DMDASetBoundaryType), dm, b[0], b[1], b[2]);
  call.library(Routine("DMDASetDof", DMDASetDof), dm, detail::petsc_int(plan.layout.dof));
  call.library(Routine("DMDASetStencilType", DMDASetStencilType), dm,
               stencil == Stencil::box ? DMDA_STENCIL_BOX : DMDA_STENCIL_STAR);
  call.library(Routine("DMDASetStencilWidth", DMDASetStencilWidth), dm,
               detail::petsc_int(plan.stencil_width));
  call.library(Routine("DMDASetOwnershipRanges", DMDASetOwnershipRanges), dm, grid.ranges(0),
               grid.ranges(1), grid.ranges(2));
  call.library(Routine("DMSetUp", DMSetUp), dm);
  return guard;
}

Index global_count_of(const Grid& grid, const DMDAPlan& plan) {
  return Index{grid.sizes[0]} * grid.sizes[1] * grid.sizes[2] * plan.layout.dof;
}

/// The vectors of the DMDA that are possible.
struct Vectors {
  std::optional<detail::Guard<Vec>> local, global;
};

/// Collective. Creates the global vector, and ties both to the DMDA.
void complete_vectors(DM dm, const DMDAPlan& plan, const detail::Interior& inside,
                      Index global_count, Vectors& vectors, Call& call) {
  if (plan.global) {
    vectors.global.emplace(detail::create_global_vec(
        inside.memory, detail::petsc_int(plan.layout.dof), inside.count, global_count, call));
    const Vec vec = vectors.global->get();
    ISLocalToGlobalMapping mapping = nullptr;
    call.library(Routine("DMGetLocalToGlobalMapping", DMGetLocalToGlobalMapping), dm, &mapping);
    call.library(Routine("VecSetLocalToGlobalMapping", VecSetLocalToGlobalMapping), vec, mapping);
    call.library(Routine("VecSetDM", VecSetDM), vec, dm);
  }
  if (vectors.local) call.library(Routine("VecSetDM", VecSetDM), vectors.local->get(), dm);
}

std::vector<Finding> why_no_global(const DMDAPlan& plan) {
  if (plan.global) return {};
  return {detail::global_run_reason(plan.order)};
}

}  // namespace

ImportedDMDA import_dmda(const DistArray& array, const DMDAOptions& options) {
  const Comm comm = array.comm();
  Call call(comm, "petsc::import_dmda");
  const detail::DMDAProof proof(array, options, detail::DMDAProof::Purpose::import, call);
  const DMDAPlan& plan = proof.plan();
  Agreed<bool> in_order;
  detail::Interior inside;
  std::optional<detail::Guard<Vec>> local;
  const Grid grid = call.check([&] {
    in_order = call.all(proof.fits_in_order());
    inside = detail::interior(array, plan.layout, plan.boundaries);
    if (plan.local)
      local.emplace(detail::create_local_vec(array, detail::petsc_int(plan.layout.dof)));
    return grid_of(array, proof.map(), plan);
  });
  detail::OwnedComm own;
  if (!in_order) own = detail::OwnedComm::reordered(comm, proof.petsc_rank());
  const Comm numbered = in_order ? comm : call.check([&] { return Comm(own.get()); });

  Call on_numbered(numbered, "petsc::import_dmda");
  detail::Guard<DM> dm = create_dm(grid, plan, options.stencil, on_numbered);
  Vectors vectors{std::move(local), std::nullopt};
  complete_vectors(dm.get(), plan, inside, global_count_of(grid, plan), vectors, on_numbered);
  decltype(detail::Access::dmda_state(comm, numbered)) state;
  Agreed<bool> local_says_the_same, global_says_the_same;
  call.check([&] {
    const PetscObjectId id = detail::id_of(detail::object(dm.get()));
    const auto imported = [&](std::optional<detail::Guard<Vec>>& vec, const void* pointer,
                              bool whole) {
      if (!vec) return ImportedVec();
      auto attachment = detail::attach_vec(vec->get(), array, pointer, plan.locked);
      if (whole) attachment->set_dmda(id);
      return detail::Access::imported(vec->release(), std::move(attachment), numbered);
    };
    state = detail::Access::dmda_state(comm, numbered);
    state->local = imported(vectors.local, array.data(), true);
    state->global = imported(vectors.global, inside.memory, !plan.any_outside());
    if (!plan.local) state->why_no_local = {detail::why_no_local(plan)};
    state->why_no_global = why_no_global(plan);
    state->readonly = plan.locked;
    state->stencil = options.stencil;
    state->mirrored = plan.any_mirror();
    state->session = detail::require_session();
    state->own_comm = std::move(own);
    state->dm = dm.release();
    const auto says_the_same = [&](const ImportedVec& vec) {
      return vec && detail::says_the_same(array, detail::layout_of(vec.get()));
    };
    local_says_the_same = call.all(says_the_same(state->local));
    global_says_the_same = call.all(says_the_same(state->global));
  });
  detail::Access::set_says_the_same(state->local, local_says_the_same);
  detail::Access::set_says_the_same(state->global, global_says_the_same);
  return detail::Access::imported_dmda(std::move(state));
}

}  // namespace daptor::petsc
