// SPDX-License-Identifier: BSD-3-Clause
#include "scatter_grid.hpp"

#include <petsc/private/dmdaimpl.h>
#include <petsc/private/dmimpl.h>
#include <petsc/private/dmstagimpl.h>

#include <algorithm>

#include "daptor/petsc/adapter/call.hpp"
#include "object.hpp"
#include "petsc/src/check/objects.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

/// Functions of PETSc would make a scatter where there is none.
bool has_made(DM grid, PetscSF scatter) {
  if (grid->data == nullptr) return false;
  if (detail::is_one_of(detail::object(grid), {DMDA})) {
    const auto* const da = static_cast<const DM_DA*>(grid->data);
    return da->gtol == scatter || da->ltol == scatter;
  }
  if (detail::is_one_of(detail::object(grid), {DMSTAG}))
    return static_cast<const DM_Stag*>(grid->data)->gtol == scatter;
  return grid->sectionSF == scatter || grid->sf == scatter;
}

}  // namespace

std::string grid_text(PetscSF scatter, const std::set<PetscObject>& grids) {
  const auto grid = std::find_if(grids.begin(), grids.end(), [&](PetscObject object) {
    return has_made(as<DM>(object), scatter);
  });
  return grid == grids.end() ? std::string()
                             : "; the scatter is that of " + detail::subject_of(*grid);
}

}  // namespace daptor::petsc::plugin::doctor
