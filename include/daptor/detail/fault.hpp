// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Points at which a test can make one rank fail. Not part of the public interface.

namespace daptor::detail {

using FaultHook = void (*)(const char* point);

/// Called with the name of each point that is passed; may throw. Null for no hook. Not thread-safe.
FaultHook set_fault_hook(FaultHook hook);

extern FaultHook fault_hook;

/// Every collective entry point has at least one in each stretch of its own code between two
/// communications: `fault_point("petsc.import_vec.check")`.
inline void fault_point(const char* point) {
  if (fault_hook != nullptr) fault_hook(point);
}

}  // namespace daptor::detail
