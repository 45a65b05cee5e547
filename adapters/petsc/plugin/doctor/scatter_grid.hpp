// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>

#include <petscsf.h>

namespace daptor::petsc::plugin::doctor {

/// Which DM has made a scatter, as findings say it: `; the scatter is that of DM 'fluid' (type
/// da)`. Empty if none of them has, as far as PETSc tells: types DMDA, DMStag and those with a
/// section, such as DMPlex. Process-local.
std::string grid_text(PetscSF scatter, const std::set<PetscObject>& grids);

}  // namespace daptor::petsc::plugin::doctor
