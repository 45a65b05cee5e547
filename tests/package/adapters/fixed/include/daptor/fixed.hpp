// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::fixed {

/// Adds the target `fixed.count` to those that `daptor::explain` asks. A program that uses no other
/// function of the adapter must call it. Always returns true.
bool register_targets();

}  // namespace daptor::fixed
