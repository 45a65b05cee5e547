// SPDX-License-Identifier: BSD-3-Clause
#include <petsc/private/dmimpl.h>
#include <petscdmda.h>

#include <array>
#include <string>

#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "daptor/petsc/check.hpp"
#include "findings.hpp"
#include "object_mappings.hpp"
#include "objects.hpp"

namespace daptor::petsc {
namespace {

constexpr std::size_t most_dimensions = 3;

/// What a DMDA was made with, as DMDAGetInfo and DMDAGetOwnershipRanges tell it.
struct Grid {
  PetscInt dimensions = 0, components = 0, width = 0;
  std::array<PetscInt, most_dimensions> points{}, processes{};
  std::array<DMBoundaryType, most_dimensions> ends{};
  DMDAStencilType stencil = DMDA_STENCIL_STAR;
  std::array<const PetscInt*, most_dimensions> ranges{};
};

Grid grid_of(DM dm) {
  Grid grid;
  detail::call("DMDAGetInfo", DMDAGetInfo, dm, &grid.dimensions, &grid.points[0], &grid.points[1],
               &grid.points[2], &grid.processes[0], &grid.processes[1], &grid.processes[2],
               &grid.components, &grid.width, &grid.ends[0], &grid.ends[1], &grid.ends[2],
               &grid.stencil);
  detail::call("DMDAGetOwnershipRanges", DMDAGetOwnershipRanges, dm, &grid.ranges[0],
               &grid.ranges[1], &grid.ranges[2]);
  return grid;
}

/// `6 x 7`, where `text` says what stands for a dimension
template <class Text>
std::string by_dimension(const Grid& grid, const Text& text) {
  std::string all;
  for (std::size_t d = 0; d < static_cast<std::size_t>(grid.dimensions); ++d)
    all += (d == 0 ? "" : " x ") + text(d);
  return all;
}

std::string range_text(const Grid& grid, std::size_t d) {
  if (grid.ranges[d] == nullptr) return "?";
  std::string sum;
  for (PetscInt p = 0; p < grid.processes[d]; ++p)
    sum += (p == 0 ? "" : " + ") + std::to_string(grid.ranges[d][p]);
  return grid.dimensions > 1 ? '(' + sum + ')' : sum;
}

/// What must be the same on all ranks. PETSc does not compare it in optimised builds.
std::string settings_of(const Grid& grid) {
  return "a grid of " +
         by_dimension(grid, [&](std::size_t d) { return std::to_string(grid.points[d]); }) +
         " points with " + detail::counted(grid.components, "component", "components") + ", " +
         (grid.stencil == DMDA_STENCIL_BOX ? "box" : "star") + " stencil of width " +
         std::to_string(grid.width) + ", boundary " +
         by_dimension(grid,
                      [&](std::size_t d) { return std::string(DMBoundaryTypes[grid.ends[d]]); }) +
         ", ownership ranges " +
         by_dimension(grid, [&](std::size_t d) { return range_text(grid, d); });
}

/// Empty for other DMs, and for one that is not set up.
std::string settings_of(DM dm) {
  const bool is_grid = detail::is_one_of(detail::object(dm), {DMDA});
  return is_grid && dm->setupcalled == PETSC_TRUE ? settings_of(grid_of(dm)) : "";
}

/// Numbers of values of this rank's global and local Vec, as the sections of a DMPlex say; -1 where
/// it has not made one yet.
struct VecSizes {
  PetscInt global = -1, local = -1;
};

VecSizes sizes_of(DM dm) {
  VecSizes sizes;
  if (!detail::is_one_of(detail::object(dm), {DMPLEX})) return sizes;
  if (dm->globalSection != nullptr)
    detail::call("PetscSectionGetConstrainedStorageSize", PetscSectionGetConstrainedStorageSize,
                 dm->globalSection, &sizes.global);
  if (dm->localSection != nullptr)
    detail::call("PetscSectionGetStorageSize", PetscSectionGetStorageSize, dm->localSection,
                 &sizes.local);
  return sizes;
}

void look_at_size(Vec vec, PetscInt expected, const char* which, const char* maker,
                  detail::Findings& findings) {
  if (expected < 0 || !detail::is_set_up(vec) || detail::local_size(vec) == expected) return;
  findings.error("check.dm.vec",
                 std::string("used with the ") + which + " " +
                     detail::subject_of(detail::object(vec)) + " of " +
                     detail::counted(detail::local_size(vec), "element", "elements") +
                     " on this rank",
                 std::to_string(expected) + ", as its section says",
                 "Make the Vec by " + names::function(maker) +
                     " of this DM: PETSc reads or writes behind its end otherwise.");
}

}  // namespace

Report check(DM dm, Vec global, Vec local) {
  detail::Inspection look(detail::object(dm));
  look.gather([&](detail::Findings& findings) {
    const VecSizes sizes = sizes_of(dm);
    look_at_size(global, sizes.global, "global", "DMCreateGlobalVector", findings);
    look_at_size(local, sizes.local, "local", "DMCreateLocalVector", findings);
  });
  return look.conclude();
}

Report check(DM dm) {
  detail::Inspection look(detail::object(dm));
  Call& call = look.call();
  Agreed<bool> mapped;
  adapter::SameText settings("check.grid.settings",
                             "Make the DMDA of the same sizes, ownership ranges, boundary and "
                             "stencil on all ranks.");
  look.gather([&](detail::Findings&) {
    mapped = call.all(detail::known_mapping(dm) != nullptr);
    settings.gather(settings_of(dm), call);
  });
  if (!settings.settled() || !mapped) return look.conclude(settings);
  detail::Guard<Vec> layout;
  call.library(detail::Routine("DMCreateGlobalVector", DMCreateGlobalVector), dm, layout.out());
  detail::Mappings mappings;
  look.gather(
      [&](detail::Findings&) { mappings.gather(detail::mappings_of(dm, layout.get()), call); });
  return look.conclude(mappings);
}

}  // namespace daptor::petsc
