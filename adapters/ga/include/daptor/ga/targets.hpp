// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::ga {

/// Makes the target `ga.array` known to `daptor::explain`. A program that calls nothing else of the
/// adapter calls this, so that the linker keeps it. Always true.
bool register_targets();

}  // namespace daptor::ga
