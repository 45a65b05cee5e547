// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/sundials/targets.hpp"

#include "target_list.hpp"

namespace daptor::sundials {

bool register_targets() {
  register_target(detail::nvector_target());
  register_target(detail::strided_nvector_target());
  return true;
}

namespace {
[[maybe_unused]] const bool registered_when_loaded = register_targets();
}  // namespace

}  // namespace daptor::sundials
