// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "daptor/petsc/adapter/producer.hpp"
#include "daptor/petsc/dmda.hpp"
#include "petsc/src/form/exporting.hpp"
#include "petsc/src/native/names.hpp"

namespace daptor::petsc {
namespace {

using Triple = std::array<PetscInt, 3>;

/// A DMDA from the view of this process, with one entry for each of x, y and z.
struct GridView {
  PetscInt ndim = 0;
  PetscInt dof = 1;
  PetscInt width = 0;
  Triple sizes{1, 1, 1};
  Triple processes{1, 1, 1};
  Triple owned_start{}, owned_size{1, 1, 1};
  Triple ghosted_start{}, ghosted_size{1, 1, 1};
  std::array<DMBoundaryType, 3> boundaries{};

  Index owned_count() const { return Index{owned_size[0]} * owned_size[1] * owned_size[2] * dof; }
  Index ghosted_count() const {
    return Index{ghosted_size[0]} * ghosted_size[1] * ghosted_size[2] * dof;
  }
  Index global_count() const { return Index{sizes[0]} * sizes[1] * sizes[2] * dof; }
};

bool is_dmda(DM dm) {
  PetscBool same = PETSC_FALSE;
  detail::call("PetscObjectTypeCompare", PetscObjectTypeCompare, detail::object(dm), DMDA, &same);
  return same == PETSC_TRUE;
}

void require_dmda(DM dm) {
  detail::require_session();
  if (dm == nullptr) throw InvalidArgument("dm", "a null DM", "a DMDA");
  if (!is_dmda(dm)) throw InvalidArgument("dm", "a DM of another type", "a DMDA");
}

GridView view_of(DM dm) {
  GridView g;
  auto& m = g.processes;
  detail::call("DMDAGetInfo", DMDAGetInfo, dm, &g.ndim, &g.sizes[0], &g.sizes[1], &g.sizes[2],
               &m[0], &m[1], &m[2], &g.dof, &g.width, &g.boundaries[0], &g.boundaries[1],
               &g.boundaries[2], nullptr);
  for (std::size_t k = 0; k < 3; ++k) {
    if (static_cast<PetscInt>(k) < g.ndim && m[k] < 1)
      throw InvalidArgument("dm", "a DMDA that is not set up",
                            "a DMDA after " + names::function("DMSetUp"));
    if (static_cast<PetscInt>(k) >= g.ndim) g.sizes[k] = m[k] = 1;
  }
  auto& start = g.owned_start;
  auto& size = g.owned_size;
  detail::call("DMDAGetCorners", DMDAGetCorners, dm, &start[0], &start[1], &start[2], &size[0],
               &size[1], &size[2]);
  auto& ghosted = g.ghosted_start;
  auto& extent = g.ghosted_size;
  detail::call("DMDAGetGhostCorners", DMDAGetGhostCorners, dm, &ghosted[0], &ghosted[1],
               &ghosted[2], &extent[0], &extent[1], &extent[2]);
  return g;
}

void require_known_boundaries(const GridView& g) {
  for (std::size_t k = 0; k < static_cast<std::size_t>(g.ndim); ++k)
    if (g.boundaries[k] == DM_BOUNDARY_TWIST)
      throw NotRepresentable(
          adapter::reason("petsc.dmda.boundary", static_cast<int>(g.ndim) - 1 - static_cast<int>(k),
                          "DM_BOUNDARY_TWIST", "boundary type none, ghosted, mirror or periodic",
                          "Export the vector with " + names::export_flat + "."));
}

enum class Form { global, local };

/// Which of the DMDA's vectors this is; `nullopt` if it is none of them.
std::optional<Form> find_form(DM dm, Vec vec, const GridView& g) {
  PetscInt global_size = 0;
  PetscInt local_size = 0;
  detail::call("VecGetSize", VecGetSize, vec, &global_size);
  detail::call("VecGetLocalSize", VecGetLocalSize, vec, &local_size);
  const MPI_Comm comm = PetscObjectComm(detail::object(vec));
  if (adapter::same_processes(comm, PetscObjectComm(detail::object(dm))) &&
      global_size == g.global_count() && local_size == g.owned_count())
    return Form::global;
  int processes = 0;
  MPI_Comm_size(comm, &processes);
  if (processes == 1 && local_size == g.ghosted_count()) return Form::local;
  return std::nullopt;
}

/// The same, but throws InvalidArgument if the Vec is none of them.
Form form_of(DM dm, Vec vec, const GridView& g) {
  if (const auto form = find_form(dm, vec, g)) return *form;
  PetscInt local_size = 0;
  detail::call("VecGetLocalSize", VecGetLocalSize, vec, &local_size);
  throw InvalidArgument("vec", "a Vec with local size " + std::to_string(local_size),
                        "a global Vec of this DMDA (local size " + std::to_string(g.owned_count()) +
                            ") or a local Vec (local size " + std::to_string(g.ghosted_count()) +
                            ")");
}

GridPosition position_along(DM dm, const GridView& g, std::size_t k) {
  int rank = 0;
  MPI_Comm_rank(PetscObjectComm(detail::object(dm)), &rank);
  Index slower = rank;
  for (std::size_t i = 0; i < k; ++i) slower /= g.processes[i];
  return {g.processes[k], slower % g.processes[k]};
}

Dimension global_dimension(const GridView& g, GridPosition grid, std::size_t k) {
  const Index start = g.owned_start[k];
  return {g.sizes[k], Block{grid, {start, start + g.owned_size[k]}, {}, {}, false},
          g.boundaries[k] == DM_BOUNDARY_PERIODIC};
}

Dimension local_dimension(const GridView& g, GridPosition grid, std::size_t k) {
  const Index start = g.owned_start[k];
  const Index stop = start + g.owned_size[k];
  const Index before = start - g.ghosted_start[k];
  const Index after = Index{g.ghosted_start[k]} + g.ghosted_size[k] - stop;
  const bool padded = g.width > 0;
  const DMBoundaryType boundary = g.boundaries[k];
  if (boundary != DM_BOUNDARY_GHOSTED && boundary != DM_BOUNDARY_MIRROR)
    return {g.sizes[k], Block{grid, {start, stop}, {}, {before, after}, padded},
            boundary == DM_BOUNDARY_PERIODIC};
  // Points beyond the grid are boundary padding, which counts in `size`: all indices are shifted by
  // the stencil width.
  const Padding outside{grid.first() ? before : 0, grid.last() ? after : 0};
  const Padding inside{grid.first() ? 0 : before, grid.last() ? 0 : after};
  const IndexRange owned{start + g.width - outside.lower, stop + g.width + outside.upper};
  return {g.sizes[k] + 2 * g.width, Block{grid, owned, outside, inside, padded}, false};
}

std::vector<Dimension> dimensions_of(DM dm, const GridView& g, Form form) {
  std::vector<Dimension> dimensions;
  for (auto k = static_cast<std::size_t>(g.ndim); k-- > 0;) {
    const GridPosition grid = position_along(dm, g, k);
    dimensions.push_back(form == Form::global ? global_dimension(g, grid, k)
                                              : local_dimension(g, grid, k));
  }
  if (g.dof > 1) dimensions.push_back(undistributed(g.dof));
  return dimensions;
}

DistArray export_dmda(DM dm, Vec vec, bool readonly) {
  require_dmda(dm);
  detail::require_exportable(vec);
  const GridView g = view_of(dm);
  require_known_boundaries(g);
  const Form form = form_of(dm, vec, g);
  if (auto imported = detail::dmda_array(dm, vec, readonly)) return *std::move(imported);
  return detail::describe_vec(vec, dimensions_of(dm, g, form), readonly)
      .on(detail::comm_of(detail::object(dm)));
}

}  // namespace

std::optional<detail::ExportedGrid> detail::exported_grid(const Section& array) {
  const auto& state = array.buffer().state();
  Vec const vec = state == nullptr ? nullptr : vec_behind(*state);
  if (vec == nullptr) return std::nullopt;
  DM dm = nullptr;
  call("VecGetDM", VecGetDM, vec, &dm);
  if (dm == nullptr || !is_dmda(dm)) return std::nullopt;
  const GridView g = view_of(dm);
  if (find_form(dm, vec, g) != Form::local) return std::nullopt;
  if (dimensions_of(dm, g, Form::local) != array.dimensions()) return std::nullopt;
  return ExportedGrid{static_cast<int>(g.ndim), g.boundaries};
}

DistArray export_dmda(DM dm, Vec vec) {
  return export_dmda(dm, vec, false);
}

DistArray export_dmda_readonly(DM dm, Vec vec) {
  return export_dmda(dm, vec, true);
}

}  // namespace daptor::petsc
