// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fortran/interface.hpp"

#include "procedures.hpp"

int main() {
  using namespace daptor;
  fortran::write_arguments<hdf5::SaveOptions>("SAVE", hdf5::save_arguments);
  fortran::write_arguments<hdf5::AppendOptions>("APPEND", hdf5::append_arguments);
  fortran::write_arguments<hdf5::LoadOptions>("LOAD", hdf5::load_arguments);
  DAPTOR_FORTRAN_FUNCTION(hdf5_save);
  DAPTOR_FORTRAN_FUNCTION(hdf5_append);
  DAPTOR_FORTRAN_FUNCTION(hdf5_load);
}
