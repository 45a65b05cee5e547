// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/petsc/plugin.hpp"

#include "daptor/fortran.hpp"

/// Collective over PETSC_COMM_WORLD.
extern "C" int daptor_fortran_load_plugin() {
  return daptor::fortran::call(daptor::petsc::load_plugin);
}
