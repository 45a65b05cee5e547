// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::scalapack {

/// Makes the target `scalapack.matrix` known to `daptor::explain`, and the descriptor of a matrix
/// to `daptor describe`. Done by itself when the library is loaded; a program that calls nothing
/// else of the adapter calls this, so that the linker keeps it. Always true.
bool register_targets();

}  // namespace daptor::scalapack
