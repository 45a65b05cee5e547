// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::sundials {

/// Makes the target `sundials.nvector` known to `daptor::explain`. Done by itself when the library
/// is loaded; a program that links the adapter as a static library and calls nothing else of it
/// calls this, so that the linker keeps it. Always true.
bool register_targets();

}  // namespace daptor::sundials
