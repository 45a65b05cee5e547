// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Points at which a test can make one rank fail. Not part of the public interface.

namespace daptor::detail {

using FaultHook = void (*)(const char* point);

/// Called with the name of each point that is passed; may throw. Null for no hook. Not thread-safe.
FaultHook set_fault_hook(FaultHook hook);

extern FaultHook fault_hook;

/// Where no check of a Call stands: at a call of another library.
inline void fault_point(const char* point) {
  if (fault_hook != nullptr) fault_hook(point);
}

/// The point of the check with this number in a call: `petsc::import_vec#1`.
void pass_check(const char* call, int check);
inline void fault_point(const char* call, int check) {
  if (fault_hook != nullptr) pass_check(call, check);
}

}  // namespace daptor::detail
