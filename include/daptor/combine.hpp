// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor {

/// What happens where values meet the owner's: added, the smaller or larger kept, or put in the
/// place of the owner's. Elements that are bool can be combined by max (or), min (and) and insert;
/// complex ones by sum and insert; those that this machine cannot compute with (byte order, half
/// precision) by insert only. Sums of integers wrap around.
enum class Combine { sum, min, max, insert };

}  // namespace daptor
