// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "source_line.hpp"

/// \file
/// Lines of compiled code. Elfutils' libdw reads the debug information, if the plug-in was built
/// with its headers and the library is there when it is asked for the first time.

namespace daptor::petsc::plugin::doctor {

/// What is known of an address.
struct DebugLines {
  /// The lines that the address stands for, the innermost first: a function that the compiler has
  /// put into another one stands before the line that calls it. Empty without debug information.
  std::vector<SourceLine> lines;
  std::string function;       ///< by the symbols of the binary; may be empty
  std::uintptr_t offset = 0;  ///< behind the begin of the function, or of the binary without one
};

/// One call at a time.
/// @param binary   the file that contains the address
/// @param base     where it is loaded
DebugLines debug_lines(const std::string& binary, std::uintptr_t base, const void* address);

}  // namespace daptor::petsc::plugin::doctor
