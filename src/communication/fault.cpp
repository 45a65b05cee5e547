// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/detail/fault.hpp"

#include <utility>

namespace daptor::detail {

FaultHook fault_hook = nullptr;

FaultHook set_fault_hook(FaultHook hook) {
  return std::exchange(fault_hook, hook);
}

}  // namespace daptor::detail
