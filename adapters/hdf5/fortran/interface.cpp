// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fortran/interface.hpp"

#include "options.hpp"

int main() {
  using namespace daptor;
  using namespace daptor::fortran;
  write_arguments<hdf5::SaveOptions>("SAVE", hdf5::save_arguments);
  write_arguments<hdf5::AppendOptions>("APPEND", hdf5::append_arguments);
  write_arguments<hdf5::LoadOptions>("LOAD", hdf5::load_arguments);
  const Dummy path = text("path");
  const Dummy name = text("name");
  const Dummy time = optional("real(c_double)", "time", "daptor_given_real");
  const Dummy step = optional("integer", "step", "daptor_given_integer");
  procedure("daptor_save", "hdf5_save", {array(), path, name, time, step, options("SAVE")});
  procedure("daptor_append", "hdf5_append",
            {array(), path, name, time, written("integer", "number", "daptor_given_integer"),
             options("APPEND")});
  // The arguments of daptor_load are in the order of its table, in which these two are.
  Dummy its_time = written("real(c_double)", "time", "daptor_given_real");
  Dummy its_step = written("integer", "step", "daptor_given_integer");
  its_time.name = "";
  its_step.name = "";
  procedure("daptor_load", "hdf5_load", {array(), path, name, its_time, its_step, options("LOAD")});
  write_module();
}
