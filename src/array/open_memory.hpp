// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/dist_array.hpp"

namespace daptor::detail {

/// What a WriteLease does, for those who keep the array themselves. Throw as it does.
void open_for_writing(const DistArray& array);
void close_written(const DistArray& array);
/// Gives memory back to which nothing was written.
void close_unwritten(const DistArray& array) noexcept;

}  // namespace daptor::detail
