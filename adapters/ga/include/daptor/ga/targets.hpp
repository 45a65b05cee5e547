// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::ga {

/// Makes the target `ga.array` known to `daptor::explain`. Done by itself in a program that links
/// the adapter. Always true.
bool register_targets();

}  // namespace daptor::ga
