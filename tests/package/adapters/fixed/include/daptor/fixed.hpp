// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::fixed {

/// Adds the target `fixed.count` to those that `daptor::explain` asks. Happens by itself in a
/// program that links the adapter. Always returns true.
bool register_targets();

}  // namespace daptor::fixed
