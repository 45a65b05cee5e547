// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fortran/interface.hpp"

#include "options.hpp"

int main() {
  using namespace daptor;
  using namespace daptor::fortran;
  write_arguments<petsc::VecOptions>("VEC", petsc::vec_arguments);
  write_arguments<petsc::VecOptions>("LOCAL_VEC", petsc::local_vec_arguments);
  write_arguments<petsc::VecExportOptions>("EXPORT", petsc::export_arguments);
  // A type(tVec) is the address of the Vec.
  const Dummy x = argument<std::int64_t&>("std::int64_t&", "x", "type(tVec), intent(inout)", "x%v");
  procedure("daptor_import_vec", "import_vec", {array(), x, options("VEC")});
  procedure("daptor_import_local_vec", "import_local_vec", {array(), x, options("LOCAL_VEC")});
  procedure("daptor_load_plugin", "load_plugin", {});
  write_function("export_vec",
                 {argument<std::int64_t>("std::int64_t", "x", "", ""), options("EXPORT"),
                  argument<std::int64_t&>("Handle&", "array", "", "")});
  write_module();
}
