// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::fixed {

/// Adds the target `fixed.count` to those that `daptor::explain` asks. A program that uses nothing
/// else of the adapter calls it. Always true.
bool register_targets();

}  // namespace daptor::fixed
