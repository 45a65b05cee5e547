// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/detail/fault.hpp"

#include <string>
#include <utility>

namespace daptor::detail {

FaultHook fault_hook = nullptr;

FaultHook set_fault_hook(FaultHook hook) {
  return std::exchange(fault_hook, hook);
}

void pass_check(const char* call, int check) {
  fault_hook((std::string(call) + '#' + std::to_string(check)).c_str());
}

}  // namespace daptor::detail
