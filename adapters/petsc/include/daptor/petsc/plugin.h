/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DAPTOR_PETSC_PLUGIN_H
#define DAPTOR_PETSC_PLUGIN_H

#include <petscsys.h>

/**
 * daptor::petsc::load_plugin (daptor/petsc/plugin.hpp) for programs in C, which link daptor::petsc:
 *
 *     PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
 *     PetscCall(DaptorLoadPlugin());
 *     ...
 *     PetscCall(PCSetType(pc, "muelu"));
 *
 * Collective over PETSC_COMM_WORLD. An error is one of PETSc, on all ranks.
 */
PETSC_EXTERN PetscErrorCode DaptorLoadPlugin(void);

#endif
