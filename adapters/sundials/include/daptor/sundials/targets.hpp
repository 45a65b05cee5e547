// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::sundials {

/// Makes the target `sundials.nvector` known to `daptor::explain`. Done by itself when the library
/// is loaded; a program that calls nothing else of the adapter calls this, so that the linker keeps
/// a shared library. Always true.
bool register_targets();

}  // namespace daptor::sundials
