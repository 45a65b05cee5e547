// SPDX-License-Identifier: BSD-3-Clause
#include "petsc/src/form/target_list.hpp"

#include <optional>

#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/order.hpp"
#include "daptor/call.hpp"
#include "daptor/layout.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "petsc/src/form/copy_layout.hpp"
#include "petsc/src/form/dense_layout.hpp"
#include "petsc/src/form/forms.hpp"
#include "petsc/src/native/names.hpp"

namespace daptor::petsc::detail {
namespace {

void agree_on_dense(const DistArray& array, Call& call) {
  count_rows(array, adapter::agree_on_order(dense_form(), array, call));
}

std::optional<TargetCopy> copy_for_dense(const Section& array, const CopyRequest& request) {
  const auto count = adapter::global_count(array.dimensions());
  if (!copy_reasons(dense_form(), array, false).empty() || array.ndim() < 2 || !count ||
      !fits_petsc_int(*count))
    return std::nullopt;
  return copy_of(array, to_dense(array), request, layout::slab(0, Order::fortran));
}

}  // namespace

Target dense_target() {
  Target target =
      adapter::target_of(dense_form(), "petsc.dense", names::import_dense, copy_for_dense);
  target.agree = agree_on_dense;
  return target;
}

}  // namespace daptor::petsc::detail
