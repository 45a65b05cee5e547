// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/petsc/targets.hpp"

#include "daptor/petsc/adapter/found.hpp"
#include "scalapack_mat.hpp"
#include "target_list.hpp"

namespace daptor::petsc {

bool register_targets() {
  register_target(detail::vec_target());
  register_target(detail::local_vec_target());
  register_target(detail::dmda_target());
  register_target(detail::dmda_local_target());
  register_target(detail::dense_target());
  if (detail::knows_scalapack()) register_target(detail::scalapack_target());
  detail::register_found_petsc();
  return true;
}

namespace {
[[maybe_unused]] const bool registered_when_loaded = register_targets();
}  // namespace

}  // namespace daptor::petsc
