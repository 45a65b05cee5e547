// SPDX-License-Identifier: BSD-3-Clause
#include <petsc/private/dmimpl.h>
#include <petscdmda.h>

#include <array>
#include <optional>
#include <string>

#include "daptor/adapter/merged.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "daptor/petsc/check.hpp"
#include "findings.hpp"
#include "object_mappings.hpp"

namespace daptor::petsc {
namespace {

using detail::Findings;

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
  PetscBool is_grid = PETSC_FALSE;
  detail::call("PetscObjectTypeCompare", PetscObjectTypeCompare, detail::object(dm), DMDA,
               &is_grid);
  return is_grid == PETSC_TRUE && dm->setupcalled == PETSC_TRUE ? settings_of(grid_of(dm)) : "";
}

}  // namespace

Report check(DM dm) {
  Call call(detail::comm_of(detail::object(dm)), "petsc::check");
  Agreed<bool> mapped;
  std::string settings;
  AgreedSame same;
  std::optional<Findings> findings;
  call.check([&] {
    detail::require_session();
    findings.emplace(detail::object(dm));
    mapped = call.all(detail::known_mapping(dm) != nullptr);
    settings = settings_of(dm);
    same = call.alike(settings);
  });
  if (!same) {
    const std::string first = call.of_first_rank(settings);
    return adapter::merged(call, [&] {
      detail::compare_settings("check.grid.settings", settings, first,
                               "Make the DMDA of the same sizes, ownership ranges, boundary and "
                               "stencil on all ranks.",
                               *findings);
      return findings->report();
    });
  }
  if (!mapped) return {};
  detail::Guard<Vec> layout;
  call.library(detail::Routine("DMCreateGlobalVector", DMCreateGlobalVector), dm, layout.out());
  detail::MappingChecks mappings;
  call.check([&] { mappings.begin(detail::mappings_of(dm, layout.get()), call); });
  if (mappings.clean()) return {};
  mappings.ask(call);
  return adapter::merged(call, [&] { return mappings.conclude(); });
}

}  // namespace daptor::petsc
