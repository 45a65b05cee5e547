// SPDX-License-Identifier: BSD-3-Clause
#include "petsc/src/form/target_list.hpp"

#include <limits>
#include <optional>

#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/call.hpp"
#include "daptor/layout.hpp"
#include "petsc/src/form/copy_layout.hpp"
#include "petsc/src/form/forms.hpp"
#include "petsc/src/native/names.hpp"
#include "scalapack_reasons.hpp"

namespace daptor::petsc::detail {
namespace {

LocalAssessment assess_scalapack(const Section& array, int process_count) {
  return {scalapack_reasons(array, process_count), 0};
}

void agree_on_scalapack(const DistArray& array, Call& call) {
  call.check([&] { require_row_major(array); });
}

std::optional<TargetCopy> copy_for_scalapack(const Section& array, const CopyRequest& request) {
  if (!copy_reasons(scalapack_form(), array, false).empty() || array.ndim() != 2)
    return std::nullopt;
  for (const Index size : array.global_shape())
    if (size > std::numeric_limits<int>::max() || !fits_vectors(size, request.process_count))
      return std::nullopt;
  return copy_of(array, to_scalapack(array), request, layout::block_cyclic({64, 64}));
}

}  // namespace

Target scalapack_target() {
  return {"petsc.scalapack", names::import_scalapack, assess_scalapack, copy_for_scalapack,
          agree_on_scalapack};
}

}  // namespace daptor::petsc::detail
