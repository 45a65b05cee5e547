// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fortran/interface.hpp"

#include "procedures.hpp"

int main() {
  using namespace daptor;
  fortran::write_arguments<petsc::VecOptions>("VEC", petsc::vec_arguments);
  fortran::write_arguments<petsc::VecOptions>("LOCAL_VEC", petsc::local_vec_arguments);
  fortran::write_arguments<petsc::VecExportOptions>("EXPORT", petsc::export_arguments);
  DAPTOR_FORTRAN_FUNCTION(import_vec);
  DAPTOR_FORTRAN_FUNCTION(export_vec);
  DAPTOR_FORTRAN_FUNCTION(load_plugin);
}
